// PAG-01 (must): A counted list answers the members that the contract names, all integers but its items, and none
//   that it rules out.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell } from '../../contract/judgement.ts';
import { isHeader, type PagingTerms } from '../../contract/terms.ts';
import type { Telling } from '../../exchange/envelope.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import { countAt, itemsIn, nameOf } from '../../facts/page-counts.ts';
import { isObject, valueAt } from '../../openapi/json.ts';
import type { ExchangeCheck } from '../check.ts';
import { declaredAnswer } from '../sch/declared.ts';
import { answerIn, bodyOf, listRead, readsCountedList } from './paged-envelope.ts';

export const pag01: ExchangeCheck = {
  clause: 'PAG-01',
  title: 'A counted list answers its items and its counts, and no member that it is not to have',
  applies: readsCountedList,
  judge(subject) {
    const { exchange } = subject;
    const stated = listRead(subject);
    const isLeftToSch03 =
      exchange.response?.bytes === 0 && (declaredAnswer(subject)?.declared?.content.length ?? 0) > 0;
    if (isLeftToSch03) return cannotTell('precondition', 'the declared body is empty, which SCH-03 judges');
    if (stated === null) return breached([]);
    const { absent, counts } = stated;
    const body = bodyOf(subject);
    const assertions = placesOf(counts).length + 1 + Math.max(1, absent.length);
    const isWhole = isObject(body) || (Array.isArray(body) && placesOf(counts).every(isHeader));
    if (isWhole) return breached(wrongMembers(stated, answerIn(subject)), assertions);
    const kind = { code: 'pag-01.no-envelope', cause: 'the list answers no paged envelope' };
    const names = [nameOf(stated.items, 'its items'), ...placesOf(counts).map((place) => nameOf(place, ''))];
    return breached([wrong(kind, 'the body', `an object with ${names.join(', ')}`, 'none')]);
  },
};

function placesOf({ total, page, size, pages }: PagingTerms['counts']): readonly string[] {
  return [total, page, size, pages].filter((place) => place !== null);
}

function wrongMembers(stated: PagingTerms, answer: Telling): readonly Breach[] {
  const { body } = answer;
  const breaches: Breach[] = [];
  if (itemsIn(body, stated) === null) {
    const name = nameOf(stated.items, 'items');
    const kind = { code: codeOf('PAG-01', kebab(name)), cause: `${name} is no array` };
    const value = stated.items === null ? undefined : valueAt(body, stated.items);
    breaches.push(wrong(kind, name, 'an array', typeName(value), stated.items ?? ''));
  }
  for (const place of placesOf(stated.counts)) {
    const value = countAt(answer, place);
    if (Number.isInteger(value) && (value as number) >= 0) continue;
    const name = nameOf(place, '');
    const actual = value === undefined ? 'absent' : shortened(value);
    const kind = { code: codeOf('PAG-01', 'not-integer', name), cause: `${name} is no integer` };
    breaches.push(wrong(kind, name, 'an integer', actual, isHeader(place) ? '' : place));
  }
  for (const place of stated.absent) {
    const value = valueAt(body, place);
    if (value === undefined) continue;
    const name = nameOf(place, '');
    const kind = { code: codeOf('PAG-01', kebab(name)), cause: `${name} is present` };
    breaches.push(wrong(kind, name, 'no such member', shortened(value), place));
  }
  return breaches;
}

function kebab(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

type Kind = Pick<Breach, 'code' | 'cause'>;

function wrong(kind: Kind, subject: string, expected: string, actual: string, pointer = ''): Breach {
  const message = `${subject} is ${actual}, expected ${expected}`;
  return { weight: 'breach', ...kind, message, expected, actual, pointer };
}
