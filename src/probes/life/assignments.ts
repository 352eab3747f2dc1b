// Chooses members that clients do not own, and values for them that a resource does not have by itself.
import { snakeCase } from '../../facts/differences.ts';
import { type DescribedMembers, isForeign, shapesOf } from '../../facts/members.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';

/** Members that give rights, worth or an identity. */
const PRIVILEGED =
  /^(_?id|uuid)$|^(owner|account|user|tenant|organi[sz]ation|customer|merchant|seller|created_by|author)(_(id|uuid))?$|plan|tier|role|admin|permission|scope|price|paid|discount|credit|balance|total|fee|^(is_)?(verified|approved|active|premium|trusted|staff|superuser)$|(^|_)(status|state)$/;

/** Members that servers would keep which keep whatever they are sent: not described for the request, nor for the answer. */
const MADE_UP: Readonly<Record<string, unknown>> = {
  role: 'admin',
  is_admin: true,
  plan: 'enterprise',
  owner: 'assay-owner',
  owner_id: 'assay-owner',
  price_paid: 1,
  status: 'approved',
};
/** Names that tell one thing from another, or when it was made: servers that copy whatever they are sent copy these. */
const IS_ID = /^(_?id|uuid)$/;
const IS_MADE_AT = /^(created|creation|inserted|added)(_(at|on|date|time|timestamp))?$/;
const MOST = 8;
/** When nothing of this run was made. */
const EARLIER = '2001-02-03T04:05:06.000Z';

/**
 * The members to send beside a sound body, of which the first are sent that are accepted: all, those alone that a reading shows, and those alone
 * that tell which thing it is, and of when. `current`: what reading a resource shows that was written without them. `withId`: for a second item, in place of the same one.
 */
export function assignmentsFor(
  members: DescribedMembers,
  current: JsonObject,
  { withId }: { readonly withId: boolean },
): readonly JsonObject[] {
  const { description, sent } = members;
  const { properties, additionalProperties } = shapeOf(description, sent?.value ?? true);
  const declared = isObject(properties) ? Object.keys(properties) : [];
  const isOpen = declared.length === 0 || additionalProperties === true || isObject(additionalProperties);
  const shapeAt = (name: string): SchemaObject => shapesOf(members, name)[1] ?? {};
  const isPrivileged = (name: string): boolean => PRIVILEGED.test(snakeCase(name));
  const valued = Object.keys(current)
    .filter((name) => isForeign(members, name) && (withId || !IS_ID.test(name)))
    .filter((name) => isPrivileged(name) || shapeAt(name).readOnly === true || !declared.includes(name))
    .toSorted((left, right) => weight(right) - weight(left))
    .slice(0, MOST)
    .map((name) => [name, otherValue(name, current[name], shapeAt(name))] as const)
    .filter(([, value]) => value !== undefined);
  const shown = valued.filter(([name]) => isPrivileged(name));
  const readOnly = valued.filter(([name]) => !isPrivileged(name));
  const madeUp = Object.entries(MADE_UP).filter(([name]) => !isOpen && !declared.includes(name) && !(name in current));
  const all = [...shown, ...readOnly, ...madeUp];
  const own = all.filter(([name]) => weight(name) === 1 || IS_ID.test(snakeCase(name)));
  const fewer = [shown, own].filter(({ length }) => length > 0 && length < all.length);
  return all.length === 0 ? [] : [all, ...fewer].map((one) => Object.fromEntries(one));
}

/** The weight of a member: those that give rights, worth or an identity come first, then the time of making. */
function weight(name: string): number {
  if (PRIVILEGED.test(snakeCase(name))) return 2;
  return IS_MADE_AT.test(snakeCase(name)) ? 1 : 0;
}

/** A value of the same kind that is not the current one; undefined where none is known. */
function otherValue(name: string, current: unknown, shape: SchemaObject): unknown {
  if (Array.isArray(shape.enum)) return shape.enum.find((value) => value !== current && value !== null);
  if (typeof current === 'boolean') return !current;
  if (typeof current === 'number') return current + 1_003;
  return typeof current === 'string' ? otherText(name, current) : undefined;
}

function otherText(name: string, current: string): string | undefined {
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
