// ERR-01 (must): The body is one JSON object of the shape that the contract states. Tolerance: An error without a
//   body is a breach (HEAD aside).
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { ErrorTerms } from '../../contract/terms.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import { isEnveloped, isListed, placedAt, placeName } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { typeName } from '../../facts/answered.ts';
import { appended, isObject, tokensOf } from '../../openapi/json.ts';
import { err, type ShapeKind } from '../../wording/err.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { isErrorAnswer } from './error-object.ts';

export const err01: ExchangeCheck = {
  clause: 'ERR-01',
  title: 'An error answer is a JSON object of the shape that the contract states',
  applies: isErrorAnswer,
  judge(subject) {
    const { exchange, terms } = subject;
    const { response } = exchange;
    if (response === null || terms.errors === null) return cannotTell('precondition', 'there is no answer');
    const { errors } = terms;
    if (isOfFrontEnd(subject)) return cannotTell('precondition', FRONT_END);
    if (response.bytes === 0) return breached([shapeBreach('err-01.no-body', 'no body', '', errors)]);
    const body = jsonBody(exchange);
    if (!body.ok) {
      const contentType = header(response.headers, 'content-type') ?? 'no content type';
      return breached([shapeBreach('err-01.not-json', `a body that is not JSON (${contentType})`, '', errors)]);
    }
    return breached(shapeBreaches(body.value, errors));
  },
};

/** Statuses from a server before the service sees a request: for its address, size or time, or a service that does not answer. */
const OF_FRONT_ENDS: readonly number[] = [408, 413, 414, 417, 421, 426, 431, 502, 504];
/** Why such an answer is not judged. */
export const FRONT_END = 'a server in front of the service may have answered, and the contract speaks of the service';

/** Tells whether a server before the service may have answered in its place. The platform's own contract binds those, too. */
export function isOfFrontEnd({ exchange, contract }: Subject): boolean {
  if (contract === 'commerce' || jsonBody(exchange).ok) return false;
  const status = exchange.response?.status ?? 0;
  return OF_FRONT_ENDS.includes(status) || (status === 400 && exchange.plan.intent === 'hostile');
}

/** Tells whether the exchange got the status of an error, and its connection ended before the body did. */
export function isBrokenError({ failure }: Exchange): boolean {
  return failure !== null && failure.kind !== 'timeout' && (failure.status ?? 0) >= 400;
}

/** Judges error answers of one operation and status that broke off: `isLasting` where that is more than connections are lost elsewhere. */
export function judgeBrokenErrors(
  [first]: readonly Exchange[],
  { isLasting, errors }: { readonly isLasting: boolean; readonly errors: ErrorTerms | null },
): Judgement {
  if (first === undefined || !isLasting || errors === null)
    return cannotTell('precondition', 'bodies of errors break off no more often than connections are lost elsewhere');
  return breached([
    shapeBreach('err-01.breaks-off', `status ${first.failure?.status} and a part of a body`, '', errors),
  ]);
}

function shapeBreaches(value: unknown, errors: ErrorTerms): Breach[] {
  if (!isObject(value)) return [shapeBreach('err-01.not-object', typeName(value), '', errors)];
  const { envelope } = errors;
  if (envelope === null) return [];
  const [top = ''] = tokensOf(envelope);
  if (!Object.hasOwn(value, top)) return [shapeBreach('err-01.no-error', keysInWords(Object.keys(value)), '', errors)];
  if (!isEnveloped(value, errors)) {
    const actual = `${nameOf(envelope)} is ${typeName(placedAt(value, envelope)[0]?.value)}`;
    return [shapeBreach('err-01.error-not-object', actual, envelope, errors)];
  }
  const [first] = Object.keys(value).filter((key) => key !== top);
  if (first === undefined) return [];
  return [shapeBreach('err-01.other-keys', keysInWords(Object.keys(value)), appended('', first), errors)];
}

function keysInWords(keys: readonly string[]): string {
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 8).map((key) => (key.length > 40 ? `${key.slice(0, 39)}…` : key));
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ' and more' : ''}`;
}

function shapeBreach(kind: ShapeKind, actual: string, pointer: string, errors: ErrorTerms): Breach {
  const { envelope, members } = errors;
  const name = envelope === null ? '' : nameOf(envelope);
  const what = envelope !== null && isListed(envelope, members) ? 'a list' : 'an object';
  const expected =
    envelope === null ? 'a JSON object' : `one JSON object with the single top-level key "${name}", ${what}`;
  return { weight: 'breach', ...err(kind, { actual, expected, name, what }), expected, actual, pointer };
}

/** A member at the top by its name alone. */
function nameOf(envelope: string): string {
  return placeName(envelope).replace(/^\//, '');
}
