// LIFE: what is lost of what was written where a client looks more closely.
import type { Deviation } from '../deviation.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { fault } from './fault.ts';
import { idAt, idIn, isServed, itemsIn, onLives, sending, unknown } from './lives.ts';

export const LIFE_WRITES: readonly Deviation[] = [
  fault(
    'LIFE-02',
    'last-name-lost',
    'Of several attributes under names of the client the last is not kept.',
    onLives((lives) => sending(lives.create, withoutLastAttribute), 'PUT'),
  ),
  fault(
    'LIFE-02',
    'gone-when-replaced',
    'What is replaced is answered a success, and can no longer be read.',
    onLives((lives, around) => {
      const replaced = new Set<string>();
      return {
        answer: (call, answer) => {
          if (isServed(call, answer, lives.change)) replaced.add(idAt(call));
          const isLost = isServed(call, answer, lives.read) && replaced.has(idAt(call));
          return isLost ? unknown(call, answer, around) : answer;
        },
      };
    }, 'PUT'),
  ),
  fault(
    'LIFE-02',
    'stale-in-list',
    'The list goes on to show the names that items had before they were updated.',
    onLives((lives, around) => {
      const names = new Map<string, unknown>();
      return {
        act: (call, proceed) => {
          const name =
            call.route === lives.change ? around.collectionOf(call)?.get(idAt(call))?.fields.name : undefined;
          if (name !== undefined && !names.has(idAt(call))) names.set(idAt(call), name);
          return proceed();
        },
        answer: (call, answer) => {
          if (!isServed(call, answer, lives.list)) return answer;
          for (const item of itemsIn(answer.body)) {
            const name = names.get(idIn(lives, item));
            if (name !== undefined) asObject(item).name = name;
          }
          return answer;
        },
      };
    }),
  ),
];

function withoutLastAttribute(body: JsonObject): JsonObject {
  if (!isObject(body.attributes)) return body;
  const all = Object.entries(asObject(body.attributes));
  return all.length > 1 ? { ...body, attributes: Object.fromEntries(all.slice(0, -1)) } : body;
}
