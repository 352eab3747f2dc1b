// Tells whose a member is: the client's, which is read as it was sent, or the server's, which may have any value.

import { type SchemaObject, shapeOf } from '../generate/schema-shape.ts';
import { isObject } from '../openapi/json.ts';
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
import { snakeCase } from './differences.ts';
import type { Wrapper } from './wrapper.ts';

/** Description of the members of a resource, as they are sent and as they are read. */
export interface DescribedMembers {
  readonly description: Description;
  /** Schema of what is sent, within its wrapper. */
  readonly sent: SchemaHandle | null;
  /** Schema of the resource within the answer that shows it; null where none is described. */
  readonly shown: SchemaHandle | null;
  /** The objects around the members in what is sent. */
  readonly wrapper: Wrapper;
}

const SERVERS_OWN = new RegExp(
  [
    '^(_?id|uuid|guid|object|etag|version|revision|rev|hash|checksum|signature|fingerprint|links?|_links|href|self|uri)$',
    '^(status|state|phase|stage|lifecycle|progress|score|rank|rating|position|order|sort_order|index|sequence|priority_rank)$',
    '^(created|updated|modified|deleted|archived|changed)(_.*)?$',
    '^last_(seen|login|used|active|modified|updated|changed|access(ed)?|sync(ed)?|viewed|read)(_.*)?$',
    '^(owner|author|creator|user|account|tenant|organi[sz]ation|org|workspace|actor|requested|submitted)(_(id|uuid|by|at))?$',
    '^(is_)?(active|enabled|verified|confirmed|approved|published|default|locked|read|seen)$',
    '(^|_)(sub)?totals?(_|$)|(^|_)(sum|balance|counts?|amount_(due|paid)|tax|status|state)$',
    '^(slug|permalink|handle|canonical_url|avatar|avatar_url|image|image_url|photo|logo|logo_url|thumbnail|file|icon|picture|media|attachment)s?$',
  ].join('|'),
);
/** Members of servers that clients may be let set: states and flags. */
const STEERABLE =
  /^(status|state|phase|stage|lifecycle|position|order|sort_order|sequence|(is_)?(active|enabled|verified|confirmed|approved|published|default|locked))$|_(status|state)$/;
/** States that nothing but a client's write is expected to change. */
const STATE = /^(status|state)$|_(status|state)$|^(is_)?(active|enabled)$/;
const SECRET =
  /pass(word|code|phrase)?|secret|token|credential|(^|_)(pin|cvv|cvc|otp|ssn|key|api_key|private_key|card|card_number|iban|account_number|captcha|signature)(_|$)/;

/** Tells whether a member of this name is set by servers whatever is sent. */
export function isServersOwn(name: string): boolean {
  return SERVERS_OWN.test(snakeCase(name));
}

/**
 * Tells whether the description lets clients send the member and shows it, though by its name it may be the server's: a
 * state, or a flag.
 */
export function isSteerable(members: DescribedMembers, name: string): boolean {
  if (!STEERABLE.test(snakeCase(name))) return false;
  return shapesOf(members, name).every((one) => one !== null && one.readOnly !== true && one.writeOnly !== true);
}

/** Tells whether a member of this name is a state of the item: where clients set it, they alone do. */
export function isStateOfItem(name: string): boolean {
  return STATE.test(snakeCase(name));
}

/**
 * Tells whether the description of what is sent names the item's own id: then it is the item that is described, with
 * what the server sets.
 */
export function describesItem({ description, sent }: DescribedMembers): boolean {
  const { properties } = shapeOf(description, sent?.value ?? true);
  return isObject(properties) && Object.keys(properties).some((name) => /^(_?id|uuid|guid)$/i.test(name));
}

/** Tells whether a member of this name may be shown otherwise than it was sent, or not at all. */
export function isSecret(name: string): boolean {
  return SECRET.test(snakeCase(name));
}

const CODE =
  /(^|_)(code|sku|slug|handle|user_?name|login|reference|ref|number|nr|serial|plate|barcode|ean|gtin|upc|isbn|iban|bic|vat|host(name)?|domain|phone|telephone|tel|mobile|fax|msisdn|zip|zipcode|postcode|e_?mail|url|uri|website|link|currency|country|locale|language|time_?zone|colou?r|ip)$/;

/**
 * Tells whether a member of this name holds a code, a number or an address, of which servers change the form and drop
 * what does not belong there.
 */
export function isCodeName(name: string): boolean {
  return CODE.test(snakeCase(name));
}

/** Shape of the schema's member; null where it does not mention it. */
export function memberShape(description: Description, schema: unknown, name: string): SchemaObject | null {
  const { properties } = shapeOf(description, schema);
  return isObject(properties) && Object.hasOwn(properties, name) ? shapeOf(description, properties[name]) : null;
}

/** Shapes of the member as it is sent and as it is shown; null where it is not described so. */
export function shapesOf({ description, sent, shown }: DescribedMembers, name: string) {
  const shapeIn = (of: SchemaHandle | null) => memberShape(description, of?.value ?? true, name);
  return [shapeIn(sent), shapeIn(shown)] as const;
}

/** Shape of the values under names that the schema does not list; null where it says nothing of them. */
export function namelessShape(description: Description, schema: unknown): SchemaObject | null {
  const { additionalProperties } = shapeOf(description, schema);
  return isObject(additionalProperties) ? shapeOf(description, additionalProperties) : null;
}

const OPAQUE: readonly unknown[] = ['password', 'binary', 'byte'];

/** Tells whether the member, once it was sent and accepted, is to be read as it was sent. */
export function isClientsOwn(members: DescribedMembers, name: string): boolean {
  if (isServersOwn(name) || isSecret(name)) return false;
  const shapes = shapesOf(members, name);
  if (members.sent !== null && shapes[0] === null) return false;
  return shapes.every(
    (shape) =>
      shape === null || !(shape.readOnly === true || shape.writeOnly === true || OPAQUE.includes(shape.format)),
  );
}

/** Tells whether the description says that the resource shows the member. */
export function isShown(members: DescribedMembers, name: string): boolean {
  return shapesOf(members, name)[1] !== null;
}

/** Tells whether a form that leaves out what is empty, zero or false leaves this out. Source: Protocol Buffers, JSON mapping. */
export function isLeftOut(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === false || value === 0;
}

/** Tells whether null may be sent for the member, and is shown. */
export function isNullable(members: DescribedMembers, name: string): boolean {
  const isNull = ({ type, nullable }: SchemaObject): boolean =>
    nullable === true || (Array.isArray(type) && type.includes('null'));
  return shapesOf(members, name).every((shape) => shape !== null && isNull(shape));
}

/** Tells whether clients are not to send the member: it is read-only, or not described where nothing else may be sent. */
export function isForeign({ description, sent }: DescribedMembers, name: string): boolean {
  const { properties, additionalProperties } = shapeOf(description, sent?.value ?? true);
  // A body of any form has no members that are not described.
  if (!isObject(properties) || Object.keys(properties).length === 0) return false;
  if (Object.hasOwn(properties, name)) return shapeOf(description, properties[name]).readOnly === true;
  return additionalProperties !== true && !isObject(additionalProperties);
}
