// Resets and Retry-After as texts: which form they have, and what they say. Pure.
// Source: RATE-01 (forms of Reset), RATE-05 (forms of Retry-After), RFC 9110 sections 5.6.7 and 10.2.3.
import type { ResetForm as StatedForm } from '../contract/terms.ts';
import { epochOfIso8601 } from '../exchange/iso-8601.ts';

export type ResetForm =
  | 'epoch-seconds'
  | 'epoch-milliseconds'
  | 'delta-seconds'
  | 'http-date'
  | 'iso-date'
  | 'other-date';

export interface Reset {
  readonly form: ResetForm;
  /** Epoch ms by the target's clock; for `delta-seconds` ms from the answer on. */
  readonly ms: number;
}

/** Numbers from here on are epoch seconds, respectively epoch milliseconds; smaller ones count from the answer. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** Beyond the calendar's four-digit years: no time at all. */
const LATEST_EPOCH_MS = 253_402_300_800_000;

const NUMBER = /^-?\d+(\.\d+)?$/;
const IMF_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC850_DATE = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
/** A date that names its weekday and its zone in any order, as mail, Go, JavaScript and Java write it. */
const OTHER_DATE =
  /^[A-Z][a-z]+,? [\w -]+ \d{2}:\d{2}:\d{2} (?:(?:GMT|UTC)(?:[+-]\d{4})?|[+-]\d{4})(?: \d{4})?(?: \([^()]+\))?$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parts of a duration as Go writes it, which counts from the answer: "1h0m1.5s", "120ms". */
const DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;
const MS_BY_UNIT: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/**
 * Reads the header; null for a text that is neither a number nor a date, or has another form than the contract states
 * (null: any but a duration).
 */
export function resetOf(text: string, stated: StatedForm | null = null): Reset | null {
  if (stated === 'duration') return durationIn(text.trim());
  const reset = foundIn(text.trim());
  const form = reset?.form.endsWith('-date') ? 'date' : reset?.form;
  return stated === null || stated === form ? reset : null;
}

function durationIn(value: string): Reset | null {
  if (!DURATION.test(value)) return null;
  const parts = value
    .matchAll(/([\d.]+)(h|ms|m|s)/g)
    .map(([, count, unit = '']) => Number(count) * (MS_BY_UNIT[unit] ?? 0));
  const ms = parts.reduce((sum, part) => sum + part, 0);
  return ms > LATEST_EPOCH_MS ? null : { form: 'delta-seconds', ms };
}

function foundIn(value: string): Reset | null {
  if (NUMBER.test(value)) {
    const number = Number(value);
    if (number > LATEST_EPOCH_MS) return null;
    if (number >= EPOCH_MS) return { form: 'epoch-milliseconds', ms: number };
    if (number >= EPOCH_SECONDS) return { form: 'epoch-seconds', ms: number * 1000 };
    return { form: 'delta-seconds', ms: number * 1000 };
  }
  const http = epochOfHttpDate(value);
  if (http !== null) return { form: 'http-date', ms: http };
  const iso = epochOfIso8601(value);
  if (iso !== null) return { form: 'iso-date', ms: iso };
  const other = OTHER_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(other) ? null : { form: 'other-date', ms: other };
}

/** Epoch ms of an HTTP date in any of its three forms; null for any other text. */
export function epochOfHttpDate(text: string): number | null {
  const value = text.trim();
  const isAsctime = ASCTIME_DATE.test(value);
  if (!isAsctime && !IMF_DATE.test(value) && !RFC850_DATE.test(value)) return null;
  const epochMs = Date.parse(isAsctime ? `${value} GMT` : value);
  return Number.isNaN(epochMs) ? null : epochMs;
}

/** "epoch seconds", for findings. */
export function formInWords(form: ResetForm): string {
  const words: Readonly<Record<ResetForm, string>> = {
    'epoch-seconds': 'epoch seconds',
    'epoch-milliseconds': 'epoch milliseconds',
    'delta-seconds': 'seconds from the answer on',
    'http-date': 'an HTTP date',
    'iso-date': 'an ISO 8601 date',
    'other-date': 'a date that is none of HTTP',
  };
  return words[form];
}
