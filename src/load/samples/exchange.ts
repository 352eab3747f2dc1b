// A sample as the exchange that it measured, so that what judges exchanges judges load, too; and an exchange as a sample, so
// that single calls stand in the record beside it. A sample holds no body: it is judged for its limits alone.
import type { RateTerms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { TRACEPARENT } from '../../exchange/trace-context.ts';
import { ietfFieldsOf, LIMIT_FIELD, POLICY_FIELD, SEPARATE_FIELDS } from '../../limiters/ietf-fields.ts';
import { ownHeaders } from '../../limiters/stated.ts';
import type { LimitHeaders } from '../k6/requests-plan.ts';
import type { BodySample, RequestSample } from './line.ts';

/** The terms as these answers follow them: where they carry the single fields of the IETF's first drafts, those are what samples keep. */
export function termsAsSent(terms: RateTerms | null, answers: readonly HeaderList[]): RateTerms | null {
  if (terms === null || terms.headers !== null || !terms.isIetf) return terms;
  const isSeparate = answers.some((headers) => ietfFieldsOf(headers).draft === 'separate fields');
  return isSeparate ? { ...terms, headers: { ...SEPARATE_FIELDS, resetForm: 'delta-seconds' } } : terms;
}

/** The headers that samples keep: those that the contract names, else the customary ones; of the IETF's fields the two of its newest drafts. */
export function limitHeaders(terms: RateTerms | null): LimitHeaders {
  const { limit, remaining, reset } = ownHeaders(terms) ?? { limit: POLICY_FIELD, remaining: LIMIT_FIELD, reset: null };
  return { limit, remaining, reset };
}

/** Where the exchange of a sample was sent: `plan` under its key, `url` where to; `limits`: the headers that the sample kept. */
export interface SampledCall {
  readonly plan: RequestPlan;
  readonly url: string;
  readonly id: string;
  readonly limits: LimitHeaders;
}

/** The exchange of a sample. */
export function exchangeOf(sample: RequestSample, { plan, url, id, limits }: SampledCall): Exchange {
  const { limit, remaining, reset, retryAfter, date } = sample;
  const kept = [
    ...[[limits.limit, limit] as const, [limits.remaining, remaining] as const, [limits.reset, reset] as const],
    ...[['retry-after', retryAfter] as const, ['date', date] as const],
  ];
  const headers = kept.flatMap(([name, value]): HeaderList => {
    return name === null || value === '' ? [] : [[name.toLowerCase(), value]];
  });
  const { status } = sample;
  return exchangeWith(plan, url, id, sample, status === 0 ? null : { status, headers, body: '' });
}

/** The exchange of an answer that was kept whole. */
export function exchangeOfBody({ status, answer }: BodySample, plan: RequestPlan, url: string, id: string): Exchange {
  const headers = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { body, concealed, echoed = [] } = answer;
  const exchange = exchangeWith(plan, url, id, answer, { status, headers, body });
  // Where parts of a secret are masked the rest is not as it came: only an echo can be judged.
  const truncated = concealed === true && echoed.length === 0;
  return { ...exchange, response: exchange.response && { ...exchange.response, truncated }, echoed };
}

function exchangeWith(
  plan: RequestPlan,
  url: string,
  id: string,
  { startMs, durationMs, traceparent }: Pick<RequestSample, 'startMs' | 'durationMs' | 'traceparent'>,
  response: { readonly status: number; readonly headers: HeaderList; readonly body: string } | null,
): Exchange {
  const { method, path, query } = plan;
  const traced: HeaderList = traceparent === undefined ? [] : [[TRACEPARENT, traceparent]];
  const headers: HeaderList = [['Authorization', 'Bearer [redacted]'], ...plan.headers, ...traced];
  return {
    id,
    plan,
    attempt: 1,
    previous: null,
    sentAt: startMs,
    durationMs,
    request: { method, url, path, query, headers, body: null },
    response: response && { ...response, bytes: Buffer.byteLength(response.body), truncated: false },
    failure: response === null ? { kind: 'unreachable', message: 'no answer under load', reusedSocket: true } : null,
    echoed: [],
  };
}

/** The sample of an exchange under a key, as a step of the record; `conceal` takes secrets out of what the target says. */
export function sampleOf(
  { plan, sentAt, durationMs, response }: Exchange,
  step: string,
  conceal: (text: string) => string,
  limits: LimitHeaders,
): RequestSample {
  const text = (name: string | null): string =>
    conceal(name === null ? '' : (header(response?.headers ?? [], name.toLowerCase()) ?? ''));
  return {
    kind: 'request',
    step,
    key: plan.credential.kind === 'key' ? plan.credential.name : '',
    operation: plan.operation ?? `${plan.method} ${plan.path}`,
    status: response?.status ?? 0,
    dueMs: sentAt,
    startMs: sentAt,
    durationMs,
    limit: text(limits.limit),
    remaining: text(limits.remaining),
    reset: text(limits.reset),
    retryAfter: text('retry-after'),
    date: text('date'),
  };
}
