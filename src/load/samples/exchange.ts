// A sample as the exchange that it measured, so that what judges exchanges judges load, too; and an exchange as a sample, so
// that single calls stand in the record beside it. A sample holds no body: it is judged for its limits alone.
import { RATE_HEADERS } from '../../contract/platform.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { TRACEPARENT } from '../../exchange/trace-context.ts';
import type { BodySample, RequestSample } from './line.ts';

const NAMES = { ...RATE_HEADERS, retryAfter: 'retry-after', date: 'date' } as const;

/** The exchange of a sample; `plan` is what was sent under its key, `url` where to. */
export function exchangeOf(sample: RequestSample, plan: RequestPlan, url: string, id: string): Exchange {
  const headers = Object.entries(NAMES).flatMap(([field, name]): HeaderList => {
    const value = sample[field as keyof typeof NAMES];
    return value === '' ? [] : [[name, value]];
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
): RequestSample {
  const text = (name: string): string => conceal(header(response?.headers ?? [], name) ?? '');
  return {
    kind: 'request',
    step,
    key: plan.credential.kind === 'key' ? plan.credential.name : '',
    operation: plan.operation ?? `${plan.method} ${plan.path}`,
    status: response?.status ?? 0,
    dueMs: sentAt,
    startMs: sentAt,
    durationMs,
    limit: text(NAMES.limit),
    remaining: text(NAMES.remaining),
    reset: text(NAMES.reset),
    retryAfter: text(NAMES.retryAfter),
    date: text(NAMES.date),
  };
}
