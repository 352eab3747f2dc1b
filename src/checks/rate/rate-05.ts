// RATE-05: the Retry-After of a 429 is whole seconds or an HTTP date not before the response's Date less one second.
// The envelope of a 429 is judged by the ERR clauses. Without a Date a date can be read, and not compared.
//
// RATE-05 (must): A 429 carries the envelope, and its Retry-After, when present, is whole seconds or an HTTP date not
//   before the response's Date less one second. Tolerance: Absent Retry-After: advisory.
import { type Breach, breached, noting, type Observed, type Weight } from '../../contract/judgement.ts';
import { header, headers } from '../../exchange/body.ts';
import { isRefusal } from '../../limiters/reading.ts';
import { epochOfHttpDate } from '../../limiters/reset-forms.ts';
import { rate } from '../../wording/rate.ts';
import type { ExchangeCheck } from '../check.ts';
import { seenOnce } from '../observation.ts';

const EXPECTED = "whole seconds, or an HTTP date not before the response's Date";
const SLACK_MS = 1000;

export const rate05: ExchangeCheck = {
  clause: 'RATE-05',
  title: 'The Retry-After of a refusal is whole seconds or an HTTP date',
  applies: ({ exchange: { response }, terms }) => response !== null && isRefusal(response, terms.rateLimits),
  judge({ exchange, terms }) {
    const { headers: list = [], status = 0 } = exchange.response ?? {};
    const told = (code: Code, text: string, weight: Weight = 'breach'): Breach => {
      const actual = text.slice(0, 80);
      return rate(code, { told: `the Retry-After of the ${status} is ${actual}`, actual, expected: EXPECTED, weight });
    };
    const values = new Set(headers(list, 'retry-after').map((value) => value.trim()));
    if (values.size === 0) {
      const weight = terms.rateLimits?.refused.retryAfter === 'required' ? 'breach' : 'advisory';
      return noting(breached([told('rate-05.absent', 'absent', weight)]), [formOf('absent', status)]);
    }
    const text = [...values].join(', ');
    if (/^\d+$/.test(text)) return noting(breached([]), [formOf('whole seconds', status)]);
    const until = epochOfHttpDate(text);
    if (until === null) return breached([told('rate-05.unreadable', text)]);
    const date = header(list, 'date') ?? '';
    const sentMs = epochOfHttpDate(date);
    const isPast = sentMs !== null && until < sentMs - SLACK_MS;
    const past = `${text} in an answer of ${date}`;
    const breaches = isPast ? [told('rate-05.past', past)] : [];
    return noting(breached(breaches), [formOf('an HTTP date', status)]);
  },
};

function formOf(value: string, status: number): Observed {
  return seenOnce('form of Retry-After', value, `answers ${status}`);
}

type Code = Parameters<typeof rate>[0];
