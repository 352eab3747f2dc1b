// PAG-13 (discover): Default and maximum page size, order, behaviour past the last page, on every list that does not
//   state them.

import { observation } from '../../checks/observation.ts';
import { orderOf } from '../../checks/pag/pag-13.ts';
import { codeOf } from '../../contract/code.ts';
import { plural } from '../../contract/numbers.ts';
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
  const [last] = past;
  note(lab, 'form', formOf(survey), bare.page.exchange);
  if (size?.default == null) note(lab, 'default-size', defaultSize(survey), bare.page.exchange);
  if (size?.maximum == null) note(lab, 'maximum-size', maximumSize(survey), excessive);
  note(lab, 'order', orderSeen(survey), (walk[0] ?? bare).page.exchange);
  if (last !== undefined) note(lab, 'past-end', pastEnd(past, survey), last.page.exchange);
}

/** A row of the report's table, without its subject. */
type Row = readonly [value: string, confidence: Confidence, calls: number, basis: string];

function note(lab: ListLab, kind: Kind, [value, confidence, calls, basis]: Row, shown: Exchange): void {
  const { cause, subject = cause } = CAUSES[kind];
  const actual = basis === '' ? value : `${value}; ${basis}`;
  const row = { subject, value, confidence, calls, basis };
  lab.observe('PAG-13', observation(codeOf('PAG-13', kind), cause, actual, row, `${cause}: ${actual}`), [shown]);
}

type Kind = 'form' | 'default-size' | 'maximum-size' | 'order' | 'past-end';

const CAUSES: Readonly<Record<Kind, { readonly cause: string; readonly subject?: string }>> = {
  form: { cause: 'form of the list' },
  'default-size': { cause: 'default page size' },
  'maximum-size': { cause: 'maximum page size' },
  order: { cause: 'order' },
  'past-end': { cause: 'behaviour past the end', subject: 'past the last page' },
};

function formOf({ rules, walk, placed }: Survey): Row {
  const envelope = rules.paged ? 'the paged envelope' : 'an envelope';
  const value = rules.place === '' ? 'a bare array' : `${envelope}, items at ${rules.place}`;
  return [value, placed.confidence, walk.length + 2, placed.basis];
}

function defaultSize({ bare, sequence, walk }: Survey): Row {
  const named = bare.page.paged?.limit;
  if (named != null) return [String(named), 'sure', 1, 'as the envelope says'];
  const count = bare.keys.length;
  const calls = 1 + walk.length;
  const further = sequence.length - count;
  if (further <= 0) return [`at least ${count}`, 'cannot-tell', calls, 'that is all there is'];
  const basis = 'a page without parameters holds this many items, and more follow';
  return [String(count), further < CHANCE ? 'likely' : 'sure', calls, basis];
}

function maximumSize({ maximum, accepted, excessive, most, walk }: Survey): Row {
  const isNamed = walk[0]?.page.paged?.limit != null;
  const calls = isNamed ? 2 : 4;
  if (maximum !== null) return [String(maximum), 'sure', calls, 'a larger limit is answered by a page of this size'];
  if (accepted < EXCESSIVE_LIMIT) {
    const status = excessive.response?.status ?? 0;
    const basis = `a limit of ${accepted} is accepted, one of ${EXCESSIVE_LIMIT} answers ${status}`;
    return [`${accepted} to ${EXCESSIVE_LIMIT - 1}`, 'cannot-tell', 2, basis];
  }
  if (isNamed) return [`at least ${accepted}`, 'cannot-tell', 1, 'the envelope names it as applied'];
  const seen = Math.max(most ?? 0, ...walk.map(({ keys }) => keys.length));
  return [`at least ${seen}`, 'cannot-tell', calls, 'the list is not long enough to tell'];
}

function orderSeen({ walk }: Survey): Row {
  const { inWords, isSure, items } = orderOf(walk.flatMap(({ page }) => page.items));
  if (inWords === null) return ['unknown', 'cannot-tell', walk.length, `no member tells, of ${plural(items, 'item')}`];
  return [inWords, isSure ? 'sure' : 'likely', walk.length, plural(items, 'item')];
}

function pastEnd(reads: readonly PageRead[], { rules }: Survey): Row {
  const values = [...new Set(reads.map((read) => shownPastEnd(read, rules.place)))];
  const confidence = values.length === 1 && reads.length > 1 ? 'sure' : 'likely';
  return [values.join(', or '), confidence, reads.length, reads.map(({ query }) => query).join(', ')];
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
  note(lab, 'maximum-size', [String(accepted), 'sure', calls, basis], shown);
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
