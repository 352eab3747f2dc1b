// LIFE: resources that are not kept as they were made, do not go when they are deleted, or change when they are read.
import type { Deviation } from '../deviation.ts';
import { isObject } from '../json.ts';
import { fault } from './fault.ts';
import { idAt, idIn, idMemberOf, isServed, keeping, onLives, onShown, unknown } from './lives.ts';

const MADE: readonly Deviation[] = [
  fault(
    'LIFE-01',
    'unreadable',
    'What is made is listed, and reading it answers 404.',
    onLives((lives, around) => {
      const made = new Set<string>();
      return {
        answer: (call, answer) => {
          if (isServed(call, answer, lives.create)) made.add(idIn(lives, answer.body));
          const isLost = isServed(call, answer, lives.read) && made.has(idAt(call));
          return isLost ? unknown(call, answer, around) : answer;
        },
      };
    }),
  ),
  fault(
    'LIFE-01',
    'not-listed',
    'What is made can be read, and is in no list.',
    onLives((lives) => {
      const made = new Set<string>();
      return {
        answer: (call, answer) => {
          if (isServed(call, answer, lives.create)) made.add(idIn(lives, answer.body));
          if (isServed(call, answer, lives.list) && Array.isArray(answer.body))
            answer.body = answer.body.filter((item) => !made.has(idIn(lives, item)));
          return answer;
        },
      };
    }),
    ['PAG-07'],
  ),
  fault(
    'LIFE-01',
    'other-resource',
    'Reading what was made shows the id of another item.',
    onLives((lives, around) => {
      const made = new Set<string>();
      return {
        answer: (call, answer) => {
          if (isServed(call, answer, lives.create)) made.add(idIn(lives, answer.body));
          if (!isServed(call, answer, lives.read) || !isObject(answer.body)) return answer;
          const other = around.collectionOf(call)?.all()[0];
          if (!made.has(idAt(call)) || other === undefined) return answer;
          return { ...answer, body: { ...answer.body, [idMemberOf(lives)]: other.id } };
        },
      };
    }),
  ),
];

const DELETED: readonly Deviation[] = [
  fault(
    'LIFE-04',
    'kept',
    'A delete answers a success and deletes nothing.',
    onLives((lives, around) => keeping(lives, around, ['read', 'list'])),
  ),
  fault(
    'LIFE-04',
    'still-read',
    'What is deleted is in no list any more, and can still be read.',
    onLives((lives, around) => keeping(lives, around, ['read'])),
  ),
  fault(
    'LIFE-04',
    'still-listed',
    'What is deleted cannot be read any more, and its list goes on to show it.',
    onLives((lives, around) => keeping(lives, around, ['list'])),
    ['PAG-07'],
  ),
];

const READ: readonly Deviation[] = [
  fault(
    'LIFE-06',
    'first-reading',
    'The first reading of an item turns a member of it.',
    onLives((lives) => {
      const read = new Set<string>();
      return onShown(
        lives,
        (item, call) => {
          const id = idAt(call);
          item.marketing = read.has(id);
          read.add(id);
        },
        [lives.read],
      );
    }),
  ),
  fault(
    'LIFE-06',
    'each-reading',
    'Each reading of an item takes one off a number of it.',
    onLives((lives) => {
      const readings = new Map<string, number>();
      return onShown(
        lives,
        (item, call) => {
          const id = idAt(call);
          readings.set(id, (readings.get(id) ?? 0) + 1);
          item.weight_grams = 5_000_000 - (readings.get(id) ?? 0);
        },
        [lives.read],
      );
    }, 'PUT'),
  ),
];

export const LIFE_FAULTS: readonly Deviation[] = [...MADE, ...DELETED, ...READ];
