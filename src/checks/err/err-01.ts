// ERR-01 (must): The body is one JSON object with the single top-level key `error`, an object. Tolerance: An error
//   without a body is a breach (HEAD aside).
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { typeName } from '../../facts/answered.ts';
import { appended, isObject } from '../../openapi/json.ts';
import { err, type ShapeKind } from '../../wording/err.ts';
import type { ExchangeCheck } from '../check.ts';
import { isErrorAnswer } from './error-object.ts';

const EXPECTED = 'one JSON object with the single top-level key "error", an object';

export const err01: ExchangeCheck = {
  clause: 'ERR-01',
  title: 'An error answer is a JSON object with the single top-level key error',
  applies: ({ exchange }) => isErrorAnswer(exchange),
  judge({ exchange }) {
    const { response } = exchange;
    if (response === null) return cannotTell('precondition', 'there is no answer');
    if (response.bytes === 0) return breached([shapeBreach('err-01.no-body', 'no body', '')]);
    const body = jsonBody(exchange);
    if (!body.ok) {
      const contentType = header(response.headers, 'content-type') ?? 'no content type';
      return breached([shapeBreach('err-01.not-json', `a body that is not JSON (${contentType})`, '')]);
    }
    return breached(shapeBreaches(body.value));
  },
};

/** Whether the exchange got the status of an error, and its connection ended before the body did. */
export function isBrokenError({ failure }: Exchange): boolean {
  return failure !== null && failure.kind !== 'timeout' && (failure.status ?? 0) >= 400;
}

/** Judges error answers of one operation and status that broke off: `isLasting` where that is more than connections are lost elsewhere. */
export function judgeBrokenErrors(
  [first]: readonly Exchange[],
  { isLasting }: { readonly isLasting: boolean },
): Judgement {
  if (first === undefined || !isLasting)
    return cannotTell('precondition', 'bodies of errors break off no more often than connections are lost elsewhere');
  return breached([shapeBreach('err-01.breaks-off', `status ${first.failure?.status} and a part of a body`, '')]);
}

function shapeBreaches(value: unknown): Breach[] {
  if (!isObject(value)) return [shapeBreach('err-01.not-object', typeName(value), '')];
  if (!Object.hasOwn(value, 'error')) return [shapeBreach('err-01.no-error', keysInWords(Object.keys(value)), '')];
  if (!isObject(value.error))
    return [shapeBreach('err-01.error-not-object', `error is ${typeName(value.error)}`, '/error')];
  const [first] = Object.keys(value).filter((key) => key !== 'error');
  if (first === undefined) return [];
  return [shapeBreach('err-01.other-keys', keysInWords(Object.keys(value)), appended('', first))];
}

function keysInWords(keys: readonly string[]): string {
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 8).map((key) => (key.length > 40 ? `${key.slice(0, 39)}…` : key));
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ' and more' : ''}`;
}

function shapeBreach(kind: ShapeKind, actual: string, pointer: string): Breach {
  const told = err(kind, { actual, expected: EXPECTED });
  return { weight: 'breach', ...told, expected: EXPECTED, actual, pointer };
}
