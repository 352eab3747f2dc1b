// REQ-03, REQ-04 and REQ-05 on requests that somebody else got wrong. A request is judged only where its body is known to be what
// was sent, and has exactly one flaw; and by answers alone that can have no other reason: a success, or a refusal that names the field.

import { namesField } from '../../checks/err/field-names.ts';
import type { Stated } from '../../checks/refusal.ts';
import { judgeRefused, judgeSpoiled, type SpoiledCase } from '../../checks/req/req-01-to-08-answers.ts';
import { judgeNotUnderstood, judgeSpoiledRefused } from '../../checks/req/status-classes.ts';
import type { Judgement, Weight } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { envelopeOf, isCode } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { isSuccess } from '../../facts/answered.ts';
import { flawsOfPlan } from '../../generate/targets/exercised.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import type { Target } from '../../generate/targets/target.ts';
import { isObject } from '../../openapi/json.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { SeenRequest } from './seen.ts';

export interface SpoiledJudgement {
  readonly clause: 'REQ-03' | 'REQ-04' | 'REQ-05';
  readonly judgement: Judgement;
}

const MALFORMED = { clause: 'REQ-05', values: ['malformed-json'], inWords: 'malformed JSON' } as const;
/** The place of a member of the body, at its top. */
const MEMBER = /^\/body\/([^/]+)$/;
/** Texts that sanitizers of recordings put in the place of a value. */
const TAKEN_OUT = /redact|removed|hidden|masked|filtered|sanitiz|\*{3}|^[<[{(].*[>\]})]$/i;

/**
 * The judgement that the call gives; null where its body is sound, or its answer may have other reasons. `control`: a
 * request of the operation succeeded.
 */
export function judgeSpoiledCall(
  request: SeenRequest,
  exchange: Exchange,
  described: Described,
  { control, stated }: { readonly control: boolean; readonly stated: Stated },
): SpoiledJudgement | null {
  const text = sentText(request);
  const status = exchange.response?.status ?? 0;
  if (text === null || !isTelling(status, request)) return null;
  const { operation } = described;
  if (operation.requestBody?.content.some(({ mediaType }) => isJson(mediaType)) !== true) return null;
  const isOpen = stated.terms.requests.invalid === null;
  const value = parsedJson(text);
  if (value === undefined) {
    const judge = isOpen ? judgeNotUnderstood : judgeRefused;
    return { clause: 'REQ-05', judgement: judge(exchange, MALFORMED, { control }) };
  }
  const about = flawOf(value, exchange, described);
  if (about === null || !isAboutIt(exchange, about.field, stated.terms)) return null;
  const judge = isOpen ? judgeSpoiledRefused : judgeSpoiled;
  return { clause: about.clause, judgement: judge(exchange, spoiledCase(about, control), stated) };
}

/** The JSON text that is known to have been sent, to the byte; null for any other body. */
function sentText({ body, headers }: SeenRequest): string | null {
  if (body.kind !== 'text' || body.text.startsWith('\ufeff') || header(headers, 'content-encoding') !== null)
    return null;
  if (!isJson(header(headers, 'content-type') ?? '')) return null;
  const length = header(headers, 'content-length');
  const isExact = length === null ? body.isExact === true : Number(length) === Buffer.byteLength(body.text);
  return isExact ? body.text : null;
}

/** A success under a key may be the answer to an earlier request. */
function isTelling(status: number, { headers }: SeenRequest): boolean {
  if (isSuccess(status)) return keyIn(headers) === null;
  return status === 400 || status === 422;
}

interface Flaw {
  readonly clause: 'REQ-03' | 'REQ-04';
  readonly field: string;
  readonly accepted: Weight;
}

/** The one thing that is wrong with the request, where it is one that these clauses speak of. */
function flawOf(value: unknown, { plan }: Exchange, { description, operation }: Described): Flaw | null {
  const [flaw, ...others] = flawsOfPlan(inputsOf(description, operation), plan);
  if (flaw === undefined || others.length > 0 || !isObject(value)) return null;
  const field = fieldOf(flaw);
  if (field === null) return null;
  if (flaw.kind === 'breaks required') return { clause: 'REQ-03', field, accepted: 'breach' };
  const member = value[field];
  const isTakenOut = typeof member === 'string' && TAKEN_OUT.test(member);
  if (flaw.kind !== 'breaks type' || isTakenOut) return null;
  return { clause: 'REQ-04', field, accepted: isObject(member) || Array.isArray(member) ? 'breach' : 'advisory' };
}

function fieldOf({ at }: Target): string | null {
  const [, name] = MEMBER.exec(at) ?? [];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Tells whether the answer says nothing else than that it takes the request, or refuses it for this field. */
function isAboutIt(exchange: Exchange, field: string, { errors, requests: { invalid } }: Terms): boolean {
  if (isSuccess(exchange.response?.status ?? 0)) return true;
  const { code = null, fields = [] } = envelopeOf(exchange, errors) ?? {};
  const isForInput = invalid?.code == null || (code !== null && isCode(code, invalid.code));
  return isForInput && fields.some((one) => namesField(one, { field }, errors?.members.field?.form ?? null));
}

function spoiledCase({ clause, field, accepted }: Flaw, control: boolean): SpoiledCase {
  const isMissing = clause === 'REQ-03';
  const name = isMissing ? 'missing' : accepted === 'breach' ? 'wrong-type' : 'wrong-scalar';
  return {
    code: { clause, name },
    kind: isMissing
      ? 'a missing required field'
      : accepted === 'breach'
        ? 'a field of the wrong type'
        : 'a scalar of another type',
    what: isMissing ? `${field} left out` : `${field} of another type`,
    field,
    accepted,
    control,
  };
}
