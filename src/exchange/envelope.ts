// Reads an error at the places that a contract names, whatever else may be wrong with the answer.

import {
  ERROR_WIDE_ROLES,
  type ErrorRole,
  type ErrorTerms,
  isHeader,
  type MemberTerms,
  type Place,
} from '../contract/terms.ts';
import { header, jsonBody } from './body.ts';
import type { Exchange, HeaderList } from './exchange.ts';
import { oncePerValue } from './once-per.ts';

/** Terms that it takes to read an error. */
export type ErrorPlaces = Pick<ErrorTerms, 'envelope' | 'members'>;

/** Where errors customarily say it: for those who tell of an answer in words, and judge nothing by it. */
const CUSTOMARY: ErrorPlaces = {
  envelope: '/error',
  members: { code: { at: '/error/code', isOptional: true, form: null } },
};

export interface EnvelopeView {
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  /** The members that it names as offending, in order. */
  readonly fields: readonly string[];
}

/** The answer's error; null where its body is none. Members of the wrong type read as absent (ERR-02 judges them). */
export function envelopeOf(exchange: Exchange, places: ErrorPlaces | null = CUSTOMARY): EnvelopeView | null {
  const body = jsonBody(exchange);
  if (places === null || !body.ok || !isEnveloped(body.value, places)) return null;
  const told = { body: body.value, headers: exchange.response?.headers ?? [] };
  const textsOf = (role: ErrorRole): readonly string[] => {
    const member = places.members[role];
    if (member === undefined) return [];
    return toldAt(told, member).flatMap(({ value }) => textOf(value, role, member) ?? []);
  };
  const [code = impliedCode(places)] = textsOf('code');
  const [type = null] = textsOf('type');
  const [param = null] = textsOf('param');
  return { code, type, param, fields: textsOf('field') };
}

/** Tells whether the body is an object and, where the contract has an envelope, holds its object or its list. */
export function isEnveloped(body: unknown, { envelope, members }: ErrorPlaces): body is Record<string, unknown> {
  if (!isRecord(body) || envelope === null) return isRecord(body);
  const [{ value } = { value: undefined }] = placedAt(body, envelope);
  return isListed(envelope, members) ? Array.isArray(value) : isRecord(value);
}

/** Tells whether the envelope holds a list of errors. */
export function isListed(envelope: Place, members: ErrorPlaces['members']): boolean {
  return Object.values(members).some(({ at }) => at.startsWith(`${envelope}/*`));
}

/** The places in the body that errors have whatever they are about. */
export function bodyPlaces({ members }: Pick<ErrorPlaces, 'members'>): readonly Place[] {
  return ERROR_WIDE_ROLES.flatMap((role) => members[role]?.at ?? []).filter((at) => !isHeader(at));
}

/** The type of a problem that names none. Source: RFC 9457, 3.1.1. */
const NO_TYPE = 'about:blank';

function impliedCode({ members: { code } }: ErrorPlaces): string | null {
  return code?.form === 'uri' && code.isOptional ? NO_TYPE : null;
}

/** Forms of codes that have a name. */
const NAMED_FORM = /^(snake_case|kebab-case|uri)$/;

/** The member as text; null for what is none. A code may be a number where the contract does not name its form. */
export function textOf(value: unknown, role: ErrorRole, { form }: Pick<MemberTerms, 'form'>): string | null {
  if (typeof value === 'string') return value;
  const mayBeNumber = role === 'code' && (form === null || !NAMED_FORM.test(form));
  return mayBeNumber && Number.isInteger(value) ? String(value) : null;
}

/** Tells whether the code of an error is the listed one: of a URI its last part is enough. */
export function isCode(code: string, listed: string): boolean {
  if (!code.endsWith(listed)) return false;
  const before = code.at(-listed.length - 1);
  return code.length === listed.length || before === '/' || before === '#' || before === ':';
}

/** A value with the place where it stands. */
export interface Placed {
  /** Without the `*` of the place. */
  readonly pointer: string;
  /** undefined: nothing stands there. */
  readonly value: unknown;
}

/** An answer, as far as an error is told in it. */
export interface Telling {
  readonly body: unknown;
  readonly headers: HeaderList;
}

/** All that the member says in the answer; without a value where it stands nowhere. */
export function toldAt({ body, headers }: Telling, { at, form }: Pick<MemberTerms, 'at' | 'form'>): readonly Placed[] {
  if (isHeader(at)) return [{ pointer: '', value: header(headers, at) ?? undefined }];
  const placed = placedAt(body, at);
  if (form === 'keys') return placed.flatMap(keysOf);
  return form === 'segments' ? placed.map(joinedSegments) : placed;
}

function keysOf({ pointer, value }: Placed): readonly Placed[] {
  const names = isRecord(value) ? Object.keys(value).slice(0, MAX_ITEMS) : [];
  if (names.length === 0) return [{ pointer, value: undefined }];
  return names.map((name) => ({ pointer: `${pointer}/${escaped(name)}`, value: name }));
}

/** The segments of a path as the pointer that they are; anything else as it is. */
function joinedSegments({ pointer, value }: Placed): Placed {
  const isPath = Array.isArray(value) && value.every((one) => typeof one === 'string' || Number.isInteger(one));
  return { pointer, value: isPath ? value.map((one) => `/${escaped(String(one))}`).join('') : value };
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Items of one list that are looked at: a defect of more is one defect. */
const MAX_ITEMS = 50;

/** All that stands at the place; where a list is empty, or is none, one entry for its place, without a value. */
export function placedAt(body: unknown, at: Place): readonly Placed[] {
  let found: readonly Placed[] = [{ pointer: '', value: body }];
  for (const step of stepsOf(at))
    found = step.token === '*' ? found.flatMap(itemsOf) : found.map((one) => memberOf(one, step));
  return found;
}

/** A token of a place as it stands there, and the member that it names. */
interface Step {
  readonly token: string;
  readonly name: string;
}

/** Places stand in contracts: there are few, and each is looked at in every answer. */
const stepsOf = oncePerValue((at: Place): readonly Step[] => {
  const tokens = at.split('/').slice(1);
  return tokens.map((token) => ({ token, name: token.replaceAll('~1', '/').replaceAll('~0', '~') }));
});

function itemsOf({ pointer, value }: Placed): readonly Placed[] {
  if (!Array.isArray(value) || value.length === 0) return [{ pointer, value: undefined }];
  return value.slice(0, MAX_ITEMS).map((item, index) => ({ pointer: `${pointer}/${index}`, value: item }));
}

function memberOf({ pointer, value }: Placed, { token, name }: Step): Placed {
  const isHeld = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return { pointer: `${pointer}/${token}`, value: isHeld ? Reflect.get(value, name) : undefined };
}

/** The place in words: "error.code", "errors[].status"; of a member at the top its pointer, which is no word by itself. */
export function placeName(at: Place): string {
  const tokens = at.split('/').slice(1);
  if (tokens.length < 2) return at;
  return tokens.reduce((name, token) => (token === '*' ? `${name}[]` : `${name}${name === '' ? '' : '.'}${token}`), '');
}

/** The last name of the place. */
export function lastName(at: Place): string {
  return at.split('/').findLast((token) => token !== '*') ?? '';
}

/** The first segment of a field path written `a.b`, `a[0]`, `/a/b` or plainly `a`. */
export function topField(path: string): string {
  const [first = ''] = path.replace(/^\//, '').split(/[.[/]/);
  return first;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
