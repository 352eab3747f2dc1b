// Chooses members that clients do not own, and values for them that a resource does not have by itself; sends them, and has the readings
// judged.

import { judgeNotApplied } from '../../checks/life/life-07-mass-assignment.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { snakeCase } from '../../facts/differences.ts';
import { type DescribedMembers, memberShape } from '../../facts/members.ts';
import { isObject, type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import type { JsonObject } from '../../openapi/json.ts';
import type { Reached } from '../world.ts';
import { type Desk, isRead } from './desk.ts';

/** Members that give rights, worth or an identity. */
const PRIVILEGED =
  /^(_?id|uuid)$|^(owner|account|user|tenant|organi[sz]ation|customer|merchant|seller|created_by|author)(_(id|uuid))?$|plan|tier|role|admin|permission|scope|price|paid|discount|credit|balance|total|fee|^(is_)?(verified|approved|active|premium|trusted|staff|superuser)$|(^|_)(status|state)$/;

/** What servers that keep whatever they are sent would keep: not described for the request, nor for the answer. */
const MADE_UP: Readonly<Record<string, unknown>> = {
  role: 'admin',
  is_admin: true,
  plan: 'enterprise',
  owner: 'assay-owner',
  owner_id: 'assay-owner',
  price_paid: 1,
  status: 'approved',
};
/** What tells one thing from another, and when it was made: servers that copy whatever they are sent copy these. */
const IS_ID = /^(_?id|uuid)$/;
const IS_MADE_AT = /^(created|creation|inserted|added)(_(at|on|date|time|timestamp))?$/;
const MOST = 8;
/** When nothing of this run was made. */
const EARLIER = '2001-02-03T04:05:06.000Z';

export interface Assignment {
  /** Members that the reading shows, and that give rights, worth or an identity. */
  readonly shown: Record<string, unknown>;
  /** Members that are described as read-only and give nothing, and those that nothing describes. */
  readonly madeUp: Record<string, unknown>;
  /** Of these the ones of few possible values, where a second item is written: it may have any of them by itself. */
  readonly few: readonly string[];
}

/** The members to send beside a sound body. `current`: what reading a resource shows that was written without them. `withId`: for a second item, in place of the same one. */
export function assignmentFor(
  members: DescribedMembers,
  current: Record<string, unknown>,
  withId: boolean,
): Assignment {
  const { description, sent } = members;
  const request = shapeOf(description, sent?.value ?? true);
  const declared = isObject(request.properties) ? Object.keys(request.properties) : [];
  // A body of any form has no members that are not described.
  if (declared.length === 0) return { shown: {}, madeUp: {}, few: [] };
  const isOpen = request.additionalProperties === true || isObject(request.additionalProperties);
  const isForeign = (name: string): boolean =>
    declared.includes(name) ? memberShape(description, sent?.value ?? true, name)?.readOnly === true : !isOpen;
  const shapeAt = (name: string): SchemaObject => memberShape(description, members.shown?.value ?? true, name) ?? {};
  const isPrivileged = (name: string): boolean => PRIVILEGED.test(snakeCase(name));
  const candidates = Object.keys(current)
    .filter((name) => isForeign(name) && (withId || !IS_ID.test(name)))
    .filter((name) => isPrivileged(name) || shapeAt(name).readOnly === true || !declared.includes(name))
    .toSorted((left, right) => weight(right) - weight(left))
    .slice(0, MOST);
  const valued = candidates.flatMap((name) => {
    const value = otherValue(name, current[name], shapeAt(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const isOfFew = (name: string): boolean => Array.isArray(shapeAt(name).enum) || typeof current[name] === 'boolean';
  const shown = valued.filter(([name]) => isPrivileged(name));
  const readOnly = valued.filter(([name]) => !isPrivileged(name));
  const madeUp = Object.entries(MADE_UP).filter(([name]) => !isOpen && !declared.includes(name) && !(name in current));
  const few = withId ? valued.map(([name]) => name).filter(isOfFew) : [];
  return { shown: Object.fromEntries(shown), madeUp: Object.fromEntries([...readOnly, ...madeUp]), few };
}

/** What gives rights, worth or an identity comes first, then when something was made. */
function weight(name: string): number {
  if (PRIVILEGED.test(snakeCase(name))) return 2;
  return IS_MADE_AT.test(snakeCase(name)) ? 1 : 0;
}

/** A value of the same kind that is not the current one; undefined where none is known. */
function otherValue(name: string, current: unknown, shape: SchemaObject): unknown {
  if (Array.isArray(shape.enum)) return shape.enum.find((value) => value !== current && value !== null);
  if (typeof current === 'boolean') return !current;
  if (typeof current === 'number') return current + 1_003;
  if (typeof current !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\d([T ]|$)/.test(current)) return current.length > 10 ? EARLIER : EARLIER.slice(0, 10);
  if (/id$/i.test(name)) return otherId(current);
  if (/role/i.test(name)) return 'admin';
  if (/plan|tier/i.test(name)) return current === 'enterprise' ? 'growth' : 'enterprise';
  if (/status|state/i.test(name)) return current === 'approved' ? 'active' : 'approved';
  return /^[a-z_]+$/i.test(current) ? `${current}_x` : undefined;
}

/** An id of the same form: its last letters and digits are others. */
function otherId(id: string): string {
  const next = (character: string): string =>
    /\d/.test(character)
      ? String((Number(character) + 3) % 10)
      : /[a-f]/.test(character)
        ? ('abcdef'.at('abcdef'.indexOf(character) - 1) ?? 'a')
        : character;
  const [head, tail] = [id.slice(0, -8), id.slice(-8)];
  return `${head}${[...tail].map(next).join('')}`;
}

/** The id that was sent for a thing that was to get its own; null where none was. */
export function assignedId(sent: JsonObject): string | null {
  const [found] = Object.entries(sent).filter(([name]) => IS_ID.test(name));
  return found === undefined ? null : String(found[1]);
}

/** What was read after members were sent that clients do not own. */
export interface Looked {
  readonly reading: Exchange | null;
  readonly controls: readonly Exchange[];
  /** Members of which the readings do not tell whether they were given. */
  readonly unsure?: readonly string[];
}

/** Sends all members, and where that is refused those alone that a reading shows, then those alone that tell which thing it is, and of when. */
export async function assign(
  desk: Desk,
  on: Reached,
  { shown, madeUp }: Assignment,
  send: (members: JsonObject) => Promise<Exchange | null>,
  look: (write: Exchange, sent: JsonObject) => Promise<Looked>,
): Promise<void> {
  const all = { ...shown, ...madeUp };
  if (Object.keys(all).length === 0) {
    desk.cannotTell(['LIFE-07'], on, 'nothing is known of members that clients do not own');
    return;
  }
  const isOwn = ([name]: readonly [string, unknown]): boolean => weight(name) === 1 || IS_ID.test(snakeCase(name));
  const fewer = [shown, Object.fromEntries(Object.entries(all).filter(isOwn))];
  let [sent, write] = [all, await send(all)];
  for (const next of fewer) {
    if (write === null || isRead(write)) break;
    const count = Object.keys(next).length;
    if (count > 0 && count < Object.keys(sent).length) [sent, write] = [next, await send(next)];
  }
  if (write === null) desk.cannotTell(['LIFE-07'], on, 'no request with such members could be sent');
  else {
    const {
      reading,
      controls,
      unsure = [],
    } = isRead(write) ? await look(write, sent) : { reading: null, controls: [] };
    const told = Object.fromEntries(Object.entries(sent).filter(([name]) => !unsure.includes(name)));
    const judgement = judgeNotApplied({ write, sent: told, reading, controls });
    desk.tell('LIFE-07', on, judgement, [write, ...(reading === null ? [] : [reading])]);
  }
}
