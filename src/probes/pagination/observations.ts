// PAG-13 (discover): Default and maximum page size, order, behaviour past the last page, on every list that does not
//   state them.

import { observation } from '../../checks/observation.ts';
import { type Order, orderOf } from '../../checks/pag/pag-13.ts';
import { codeOf } from '../../contract/code.ts';
import type { Observed } from '../../contract/judgement.ts';
import type { Confidence } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { isSilentOnPages, pageOf } from '../../facts/page.ts';
import type { Reading } from '../../facts/page-counts.ts';
import type { ListLab } from './lab.ts';
import { EXCESSIVE_LIMIT, type Survey } from './survey.ts';

/** Others may add an item while the first pages are read, but hardly so many. */
const CHANCE = 3;

/** Form, default and maximum page size, order, and behaviour past the end, of which `past` are the pages; no size that the contract states. */
export function observe(lab: ListLab, survey: Survey, past: readonly PageRead[]): void {
  const { bare, walk, excessive } = survey;
  const { size } = lab.list.paging.stated ?? {};
  const ordered = order(orderOf(walk.flatMap(({ page }) => page.items)), walk.length);
  note(lab, 'form', formOf(survey), bare.page.exchange);
  if (size?.default == null) note(lab, 'default-size', defaultSize(survey), bare.page.exchange);
  if (size?.maximum == null) note(lab, 'maximum-size', maximumSize(survey), excessive);
  note(lab, 'order', ordered, (walk[0] ?? bare).page.exchange);
  const [last] = past;
  if (last !== undefined) note(lab, 'past-end', pastEnd(past, survey), last.page.exchange);
}

function note(lab: ListLab, kind: keyof typeof CAUSES, row: Observed, exchange: Exchange): void {
  const cause = CAUSES[kind];
  const actual = row.basis === '' ? row.value : `${row.value}; ${row.basis}`;
  lab.observe('PAG-13', observation(codeOf('PAG-13', kind), cause, actual, row, `${cause}: ${actual}`), [exchange]);
}

const CAUSES = {
  form: 'form of the list',
  'default-size': 'default page size',
  'maximum-size': 'maximum page size',
  order: 'order',
  'past-end': 'behaviour past the end',
} as const;

function told(subject: string, value: string, confidence: Confidence, calls: number, basis: string): Observed {
  return { subject, value, confidence, calls, basis };
}

function formOf({ rules, walk, placed }: Survey): Observed {
  const envelope = rules.paged ? 'the paged envelope' : 'an envelope';
  const value = rules.place === '' ? 'a bare array' : `${envelope}, items at ${rules.place}`;
  return told('form of the list', value, placed.confidence, walk.length + 2, placed.basis);
}

function defaultSize({ bare, sequence, walk }: Survey): Observed {
  const subject = 'default page size';
  const named = bare.page.paged?.limit;
  if (named != null) return told(subject, String(named), 'sure', 1, 'as the envelope says');
  const count = bare.keys.length;
  const calls = 1 + walk.length;
  const further = sequence.length - count;
  if (further <= 0) return told(subject, `at least ${count}`, 'cannot-tell', calls, 'that is all there is');
  const basis = 'so many items without parameters, while there are more';
  return told(subject, String(count), further < CHANCE ? 'likely' : 'sure', calls, basis);
}

function maximumSize({ maximum, accepted, excessive, most, walk }: Survey): Observed {
  const subject = 'maximum page size';
  const isNamed = walk[0]?.page.paged?.limit != null;
  const calls = isNamed ? 2 : 4;
  if (maximum !== null)
    return told(subject, String(maximum), 'sure', calls, 'a larger limit is answered with so many items');
  if (accepted < EXCESSIVE_LIMIT) {
    const status = excessive.response?.status ?? 0;
    const basis = `a limit of ${accepted} is accepted, one of ${EXCESSIVE_LIMIT} answers ${status}`;
    return told(subject, `${accepted} to ${EXCESSIVE_LIMIT - 1}`, 'cannot-tell', 2, basis);
  }
  if (isNamed) return told(subject, `at least ${accepted}`, 'cannot-tell', 1, 'the envelope names it as applied');
  const seen = Math.max(most ?? 0, ...walk.map(({ keys }) => keys.length));
  return told(subject, `at least ${seen}`, 'cannot-tell', calls, 'the list is not long enough to tell');
}

function order({ inWords, isSure, items }: Order, calls: number): Observed {
  if (inWords === null) return told('order', 'unknown', 'cannot-tell', calls, `no member tells, of ${items} items`);
  return told('order', inWords, isSure ? 'sure' : 'likely', calls, `${items} items`);
}

function pastEnd(reads: readonly PageRead[], { rules }: Survey): Observed {
  const values = [...new Set(reads.map((read) => shownPastEnd(read, rules.place)))];
  const confidence = values.length === 1 && reads.length > 1 ? 'sure' : 'likely';
  const queries = reads.map(({ query }) => query).join(', ');
  return told('past the last page', values.join(', or '), confidence, reads.length, queries);
}

function shownPastEnd({ page, keys }: PageRead, place: string): string {
  if (page.status >= 300) return `status ${page.status}`;
  if (keys.length > 0) return 'items of another page';
  return place === '' ? '200 with []' : '200 with no items';
}

// A list that refuses or ignores a limit above its maximum: which limit is the largest that it accepts.

/** Halves what lies between the largest limit known to be accepted and the excessive one; at most 11 requests. Null where nothing is told. */
export async function observeLargestLimit(lab: ListLab, survey: Survey): Promise<number | null> {
  const { list } = lab;
  const size = list.paging.size?.name ?? null;
  if (size === null || survey.maximum !== null || accepts(survey, survey.excessive, list.reading) !== false)
    return null;
  let accepted = survey.accepted;
  let refused = EXCESSIVE_LIMIT;
  let shown = survey.excessive;
  let calls = 1;
  while (accepted + 1 < refused) {
    // Most maxima are round: the limit after the one that is known comes first.
    const limit = calls === 1 ? accepted + 1 : Math.floor((accepted + refused) / 2);
    const exchange = await lab.ask([[size, String(limit)]], 'largest');
    const isAccepted = exchange === null ? null : accepts(survey, exchange, list.reading);
    if (exchange === null || isAccepted === null) return null;
    calls += 1;
    if (isAccepted) accepted = limit;
    else [refused, shown] = [limit, exchange];
  }
  const basis = `a limit of ${accepted} is accepted, one of ${refused} answers ${inWords(shown)}`;
  note(lab, 'maximum-size', told('maximum page size', String(accepted), 'sure', calls, basis), shown);
  return accepted;
}

/** Tells whether the answer shows that the limit was accepted; null where it does not tell. A limit that is ignored brings the usual page. */
function accepts({ bare, most, walk, rules }: Survey, exchange: Exchange, reading: Reading): boolean | null {
  const { response } = exchange;
  if (response === null || isSilentOnPages(response.status, reading)) return null;
  if (response.status >= 300) return response.status >= 400 ? false : null;
  const usual = bare.keys.length;
  const isIgnored = most === usual && (walk[0]?.keys.length ?? 0) > usual;
  if (!isIgnored) return true;
  const page = pageOf(exchange, rules.place, reading);
  return page === null ? null : page.items.length !== usual;
}

function inWords({ response }: Exchange): string {
  const status = response?.status ?? 0;
  return status < 300 ? 'the usual page' : String(status);
}
