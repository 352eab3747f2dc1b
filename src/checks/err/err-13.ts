// ERR-13 (must): The envelope is not used for success: a 2xx body has no top-level `error` object of this shape.
import { breached } from '../../contract/judgement.ts';
import { ENVELOPE_MEMBERS } from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { declaredJson } from '../sch/declared.ts';

/**
 * Members of the envelope that make an `error` object one: where the body says nothing else, beside members of a resource, and
 * beside them where the description speaks of an `error` member.
 */
const ENOUGH_ALONE = 2;
const ENOUGH_BESIDE_OTHERS = 4;
const ENOUGH_WHERE_DESCRIBED = 5;

export const err13: ExchangeCheck = {
  clause: 'ERR-13',
  title: 'A success does not use the error envelope',
  applies: ({ exchange }) => isSuccess(wholeResponse(exchange)?.status ?? 0) && jsonBody(exchange).ok,
  judge(subject) {
    if (!isEnvelopeOnSuccess(subject)) return breached([]);
    const status = subject.exchange.response?.status;
    return breached([
      {
        weight: 'breach',
        ...err('err-13.envelope-on-success', { status }),
        expected: 'no top-level error object of the envelope in a 2xx body',
        actual: `${status} with an error object`,
        pointer: '/error',
      },
    ]);
  },
};

/** Whether a 2xx body is the error envelope. A resource with an `error` member of its own (a failed job) is none. */
export function isEnvelopeOnSuccess(subject: Subject): boolean {
  const { exchange } = subject;
  if (!isSuccess(wholeResponse(exchange)?.status ?? 0)) return false;
  const body = jsonBody(exchange);
  if (!body.ok || !isObject(body.value) || !Object.hasOwn(body.value, 'error') || !isObject(body.value.error))
    return false;
  const { error, ...others } = body.value;
  const members = ENVELOPE_MEMBERS.filter((name) => Object.hasOwn(error as JsonObject, name)).length;
  if (describesError(subject)) return members >= ENOUGH_WHERE_DESCRIBED;
  return members >= (Object.values(others).every(saysNothing) ? ENOUGH_ALONE : ENOUGH_BESIDE_OTHERS);
}

/** Whether the member is a flag, or empty: `success: false` and `data: null` stand beside errors. */
function saysNothing(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether the success is described with a member of that name. */
function describesError(subject: Subject): boolean {
  const answer = declaredJson(subject);
  const schema = answer?.description.deref(answer.media.schema?.value);
  return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, 'error');
}
