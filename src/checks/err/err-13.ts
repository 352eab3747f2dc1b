// ERR-13 (must): The envelope is not used for success: a 2xx body has no top-level `error` object of this shape.
import { breached } from '../../contract/judgement.ts';
import { ENVELOPE_MEMBERS } from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { isSuccess, wholeResponse } from '../answered.ts';
import type { ExchangeCheck } from '../check.ts';

/** Members of the envelope that make an `error` object one: alone in the body, or beside other members of a resource. */
const ENOUGH_ALONE = 3;
const ENOUGH_BESIDE_OTHERS = 5;

export const err13: ExchangeCheck = {
  clause: 'ERR-13',
  title: 'A success does not use the error envelope',
  applies: ({ exchange }) => isSuccess(wholeResponse(exchange)?.status ?? 0) && jsonBody(exchange).ok,
  judge({ exchange }) {
    if (!isEnvelopeOnSuccess(exchange)) return breached([]);
    const status = exchange.response?.status;
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
export function isEnvelopeOnSuccess(exchange: Exchange): boolean {
  if (!isSuccess(wholeResponse(exchange)?.status ?? 0)) return false;
  const body = jsonBody(exchange);
  if (!body.ok || !isObject(body.value) || !Object.hasOwn(body.value, 'error') || !isObject(body.value.error))
    return false;
  const { error } = body.value;
  const members = ENVELOPE_MEMBERS.filter((name) => Object.hasOwn(error, name)).length;
  return members >= (Object.keys(body.value).length === 1 ? ENOUGH_ALONE : ENOUGH_BESIDE_OTHERS);
}
