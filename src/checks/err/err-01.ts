// ERR-01: an error is one JSON object whose single top-level key is `error`, an object.
import { type Breach, breached, cannotTell } from '../../contract/judgement.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import { appended, isObject } from '../../openapi/json.ts';
import { typeName } from '../answered.ts';
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
    if (response.bytes === 0) return breached([shapeBreach('err-01.no-body', 'the error has no body', 'no body', '')]);
    const body = jsonBody(exchange);
    if (!body.ok) {
      const contentType = header(response.headers, 'content-type') ?? 'no content type';
      const actual = `a body that is not JSON (${contentType})`;
      return breached([shapeBreach('err-01.not-json', 'the error body is not JSON', actual, '')]);
    }
    return breached(shapeBreaches(body.value));
  },
};

function shapeBreaches(value: unknown): Breach[] {
  if (!isObject(value))
    return [shapeBreach('err-01.not-object', 'the error body is not a JSON object', typeName(value), '')];
  if (!Object.hasOwn(value, 'error')) {
    const actual = keysInWords(Object.keys(value));
    return [shapeBreach('err-01.no-error', 'the error body has no top-level key error', actual, '')];
  }
  if (!isObject(value.error))
    return [
      shapeBreach('err-01.error-not-object', 'error is not an object', `error is ${typeName(value.error)}`, '/error'),
    ];
  const others = Object.keys(value).filter((key) => key !== 'error');
  const [first] = others;
  if (first === undefined) return [];
  const actual = keysInWords(Object.keys(value));
  return [shapeBreach('err-01.other-keys', 'error is not the only top-level key', actual, appended('', first))];
}

function keysInWords(keys: readonly string[]): string {
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 8).map((key) => (key.length > 40 ? `${key.slice(0, 39)}…` : key));
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ' and more' : ''}`;
}

function shapeBreach(code: string, cause: string, actual: string, pointer: string): Breach {
  return {
    weight: 'breach',
    code,
    cause,
    message: `${cause}: ${actual}, expected ${EXPECTED}`,
    expected: EXPECTED,
    actual,
    pointer,
  };
}
