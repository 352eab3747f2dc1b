// ERR-12 (must): No response, error or not, echoes the bearer token (a key must not be logged or embedded), and no
//   error carries a stack trace or source path. Tolerance: The second half is ours: it follows from "may hold personal
//   data" and common sense.
import { type Breach, breached } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { EchoedSecret, Exchange } from '../../exchange/exchange.ts';
import { err } from '../../wording/err.ts';
import { isError, isHead } from '../answered.ts';
import type { ExchangeCheck } from '../check.ts';
import { errorObjectOf, textMember } from './error-object.ts';
import { stringsIn } from './json-strings.ts';
import { sentTexts } from './sent-texts.ts';
import { mayHoldTraces, sourceTraceIn } from './source-traces.ts';

/** So many strings of one error are looked at: an envelope has a dozen. */
const MOST_STRINGS = 2000;

export const err12: ExchangeCheck = {
  clause: 'ERR-12',
  title: 'No answer echoes a token, no error shows a stack trace or source path',
  // An answer that was cut shows what it showed.
  applies: ({ exchange }) => exchange.response !== null,
  judge: ({ exchange }) =>
    breached([...echoBreaches(exchange), ...traceBreaches(exchange)], mayTellTraces(exchange) ? 2 : 1),
};

function mayTellTraces(exchange: Exchange): boolean {
  return isError(exchange.response?.status ?? 0) && !isHead(exchange);
}

function echoBreaches(exchange: Exchange): Breach[] {
  return exchange.echoed
    .filter((echo) => !isOwnQueryInInstance(exchange, echo))
    .map(({ secret, where }) => ({
      weight: 'breach',
      ...(where === 'body'
        ? err('err-12.token-in-body', { secret })
        : err('err-12.token-in-header', { secret, name: where }, where)),
      expected: 'no answer holds a bearer token',
      actual: `${secret} in ${where}`,
    }));
}

/** A token that we sent in the query comes back in `instance`, which may repeat the query string (ERR-07): no echo of a key. */
function isOwnQueryInInstance(exchange: Exchange, { secret, where }: EchoedSecret): boolean {
  const marker = `[redacted ${secret}`;
  const error = errorObjectOf(exchange);
  if (where !== 'body' || error === null || !exchange.request.query.includes(marker)) return false;
  const inInstance = occurrences(textMember(error, 'instance') ?? '', marker);
  return inInstance > 0 && inInstance === occurrences(exchange.response?.body ?? '', marker);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function traceBreaches(exchange: Exchange): Breach[] {
  if (!mayTellTraces(exchange)) return [];
  const text = exchange.response?.body ?? '';
  const body = jsonBody(exchange);
  if (body.ok && !mayHoldTraces(text)) return [];
  const strings = body.ok ? stringsIn(body.value).take(MOST_STRINGS) : [{ pointer: '', text }];
  let sent: string | undefined;
  const isEcho = (match: string) => {
    sent ??= sentTexts(exchange);
    return sent.includes(match);
  };
  for (const { pointer, text } of strings) {
    const trace = sourceTraceIn(text, isEcho);
    if (trace !== null) return [traceBreach(trace, pointer)];
  }
  return [];
}

/** The text itself stays out of the finding: it may hold personal data. */
function traceBreach(trace: string, pointer: string): Breach {
  const expected = 'no stack trace and no source path in an error';
  const place = pointer === '' ? 'the body' : pointer;
  return {
    weight: 'breach',
    ...err('err-12.source-trace', { place, actual: trace, expected }),
    expected,
    actual: trace,
    pointer,
  };
}
