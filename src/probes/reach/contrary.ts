// Changes the values of a body into others that the description allows as well: what is kept of one value need not be kept of
// all of them, and defaults hide best behind zero, false and the values that nobody sends.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { describedMembers } from '../../facts/kind.ts';
import { isCodeName, memberShape } from '../../facts/members.ts';
import { withMembersChanged } from '../../facts/wrapper.ts';
import { isValid } from '../../generate/bodies.ts';
import type { SchemaObject } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Description, SchemaHandle } from '../../openapi/model/operation.ts';
import type { Reached } from '../world.ts';

/** Letters beyond ASCII, and beyond the first 65,536 characters: tables and converters lose the one or the other. */
export const LETTERS: readonly string[] = ['\u017dlu\u0165ou\u010dk\u00fd \u6f22\u5b57', '\u{1f9ea}'];

const MANY = 7;
const MOST_LEVELS = 3;

/** The body with some of its values changed; null where none could be. */
export type BodyChange = (description: Description, schema: SchemaHandle | null, body: JsonObject) => JsonObject | null;

/**
 * Other values where the description allows them: flags turned, the last of the listed values, numbers at their
 * minimum, several items or names in place of a few. Texts stay: they may have to be unique.
 */
export const contraryOf = changing(othersFor);

/** These letters at the end of each text that may be any. Codes have no letters but their own. */
export function lettersBy(letters: string): BodyChange {
  return changing(({ enum: listed, format, pattern }, value, name) =>
    typeof value === 'string' && !isCodeName(name) && [listed, format, pattern].every((one) => one === undefined)
      ? [`${value} ${letters}`]
      : [],
  );
}

/** Times told by the clock of a place where it is later. */
export const zonedOf = changing(({ format }, value) => (format === 'date-time' ? zoned(value) : []));

/** Null for each member that may be null, and that `isOpen`: absent, for all. */
export function nullsWhere(isOpen: (name: string) => boolean = () => true): BodyChange {
  return changing(({ type, nullable }, value, name) => {
    const mayBeNull = nullable === true || (Array.isArray(type) && type.includes('null'));
    return mayBeNull && value !== null && isOpen(name) ? [null] : [];
  });
}

/** The plan with its body changed by one of these; null where it has no JSON object, or nothing could be changed. */
export function planChangedBy(
  change: BodyChange,
  { description, operation }: Pick<Reached, 'description' | 'operation'>,
  plan: RequestPlan,
): RequestPlan | null {
  const members = describedMembers(description, operation, operation);
  return withMembersChanged(plan, members, (own) => change(description, members.sent, own));
}

/** An offset of India: a time without it is neither the same instant nor a whole number of hours away. */
const [OFFSET, OFFSET_MS] = ['+05:30', 19_800_000];

function zoned(time: unknown): readonly unknown[] {
  const ms = Date.parse(String(time));
  return Number.isNaN(ms) ? [] : [`${new Date(ms + OFFSET_MS).toISOString().slice(0, 19)}${OFFSET}`];
}

/** Values to try in place of one of this shape, which the member of that name has. */
type Others = (shape: SchemaObject, value: unknown, name: string) => readonly unknown[];

function changing(others: Others): BodyChange {
  return (description, schema, body) => {
    const changed = changesIn(others, description, schema?.value ?? true, body, 0).reduce((whole, change) => {
      const next = change(whole);
      return isValid(description, schema, next) ? next : whole;
    }, body);
    return changed === body ? null : changed;
  };
}

/** Puts one other value into an object. */
type Change = (whole: JsonObject) => JsonObject;

function changesIn(
  others: Others,
  description: Description,
  schema: unknown,
  object: JsonObject,
  level: number,
): readonly Change[] {
  if (level > MOST_LEVELS) return [];
  return membersOf(object).flatMap(([name, value]) => {
    const shape = memberShape(description, schema, name) ?? {};
    const put =
      (other: unknown): Change =>
      (whole) => ({ ...whole, [name]: other });
    const whole = others(shape, value, name).map(put);
    if (!isObject(value)) return whole;
    const within = changesIn(others, description, shape, value, level + 1).map(
      (change): Change =>
        (whole) =>
          isObject(whole[name]) ? { ...whole, [name]: change(whole[name]) } : whole,
    );
    return [...whole, ...within];
  });
}

/** Values to try in place of this one. */
function othersFor(shape: SchemaObject, value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (Array.isArray(shape.enum)) return shape.enum.filter((one) => one !== value && one !== null).slice(-1);
  if (typeof value === 'number') return [typeof shape.minimum === 'number' ? shape.minimum : 0];
  if (isObject(value)) return isObject(shape.additionalProperties) ? severalNames(value) : [];
  return Array.isArray(value) ? severalOf(value) : [];
}

/** More values of the same kind, where clients give the names. */
function severalNames(object: JsonObject): readonly unknown[] {
  const [first] = membersOf(object);
  if (first === undefined) return [];
  const [name, value] = first;
  const another = (index: number): unknown => (typeof value === 'string' ? `${value.slice(0, -1)}${index}` : value);
  return [{ ...object, [`${name}2`]: another(2), [`${name}3`]: another(3) }];
}

/** More items of the same kind. */
function severalOf(items: readonly unknown[]): readonly unknown[] {
  const [first] = items;
  if (items.length >= MANY || typeof first !== 'string') return [];
  return [Array.from({ length: MANY }, (_, index) => (index === 0 ? first : `${first.slice(0, -1)}${index}`))];
}
