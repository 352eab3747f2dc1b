// PAG-12 (must): Bad values (0, −1, abc, 1.5, 10^12, empty, repeated) are refused, or get a sane page within the
//   limits; never 5xx, never all rows.

import type { Weight } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { ErrorTerms, RefusalTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSilentOnPages, pageOf } from '../../facts/page.ts';
import type { Reading } from '../../facts/page-counts.ts';
import { placeInWords } from '../../facts/places-of-items.ts';
import { answerOf, spoken } from '../answer.ts';
import { type Flaw, flawed } from './flaw.ts';

/** Bounds of a sane page of this list. */
export interface PageBounds {
  /** Where the items stand in ordinary answers. */
  readonly place: string;
  /** Items of a page without parameters. */
  readonly usual: number;
  /** The largest page that the list answers, as far as known; null: no maximum was seen. */
  readonly maximum: number | null;
  /** The most items that any limit showed; null when not known. */
  readonly most: number | null;
  /** Items in all; null when not known. */
  readonly size: number | null;
  readonly reading: Reading;
  readonly refused: RefusalTerms | null;
  /** Where errors have their code; null: the contract says nothing of errors. */
  readonly errors: ErrorTerms | null;
  /** True where a page that is not there may be refused. */
  readonly mayRefusePast: boolean;
}

export interface BadValue {
  /** As sent: "limit=-1", "page=1&page=2". */
  readonly query: string;
  /** True where a number can be read from it (10^12, 010): so many items, a page at the maximum or past the end is an answer to it. */
  readonly readable: boolean;
  /** A sound limit sent beside it; null when the limit itself is bad. */
  readonly besideLimit: number | null;
}

/** Ordinary pages of the list were read whole, the largest among them: what is cut at this length is no page of it. Bytes. */
const HUGE_BYTES = 8 * 2 ** 20;
/** A list that is hardly longer than its usual page may have grown beyond it. */
const FEW = 2;

/** The flaw of the answer; null for none, "silent" where there is no answer to judge. */
export function badValueBreach(exchange: Exchange, value: BadValue, bounds: PageBounds): Flaw | 'silent' | null {
  const status = exchange.response?.status ?? 0;
  const wrong = wrongFor(value, bounds.refused);
  if (status >= 500 && status !== 503) return wrong('answered-5xx', 'a bad value is answered 5xx', `status ${status}`);
  const seen = answerOf(exchange, bounds.errors);
  if (!seen.ok || isSilentOnPages(status, bounds.reading)) return 'silent';
  if (seen.answer.status >= 400) return refusalBreach(seen.answer, value, bounds.refused, bounds);
  const page = pageOf(exchange, bounds.place, bounds.reading);
  if (status >= 300 && status < 400)
    return wrong('redirected', 'a bad value is answered with a redirect', `status ${status}`);
  return page === null ? unreadBreach(exchange, wrong) : pageBreach(page, value, bounds);
}

/** The flaw of an answer of which no page could be read. */
function unreadBreach({ response }: Exchange, wrong: Wrong): Flaw | 'silent' {
  const { status = 0, bytes = 0 } = response ?? {};
  if (status >= 300 || bytes < HUGE_BYTES) return 'silent';
  const actual = `more than ${Math.floor(bytes / 2 ** 20)} MiB`;
  return wrong('huge', 'a bad value is answered with more than is read of any page', actual);
}

function pageBreach(page: NonNullable<ReturnType<typeof pageOf>>, value: BadValue, bounds: PageBounds): Flaw | null {
  const wrong = wrongFor(value, bounds.refused);
  if (page.place === null) return wrong('no-page', 'a bad value is answered without a page', placeInWords(null));
  const count = page.items.length;
  const most = mostItems(value, bounds);
  if (most !== null && count > most) {
    const cause = 'a bad value is answered with a page beyond the limits';
    return wrong('beyond-limits', cause, `${plural(count, 'item')}, where ${most} is the most`);
  }
  const clamped = (page.paged?.limit ?? 0) > count;
  // Others may have added or removed an item since the list was surveyed.
  const isWhole = bounds.size !== null && Math.abs(count - bounds.size) <= FEW;
  const allRows = !value.readable && count > 1 && isWhole && count > bounds.usual + FEW && !clamped;
  return allRows ? wrong('all-rows', 'a bad value is answered with all rows', `all ${plural(count, 'item')}`) : null;
}

/** The flaw of a refusal; null when it is the one that the contract states. A 422 in place of a 400 is told, whatever its code. */
export function refusalBreach(
  answer: Parameters<typeof spoken>[0],
  value: BadValue,
  refused: RefusalTerms | null,
  { mayRefusePast }: Pick<PageBounds, 'mayRefusePast'> = { mayRefusePast: false },
): Flaw | null {
  const { status, code } = answer;
  const { statuses = [], code: stated = null } = refused ?? {};
  const wrong = wrongFor(value, refused);
  const actual = spoken(answer);
  const isOfTurn = value.besideLimit !== null;
  // Some find no page by a number that is none, as by one that is too large.
  if (status === 404 && isOfTurn && (value.readable || mayRefusePast)) return null;
  const isInPlace = status === 422 && statuses.includes(400) && !statuses.includes(422);
  if (isInPlace) return wrong('answered-422', 'a bad value is answered 422 in place of 400', actual, 'advisory');
  if (statuses.length > 0 && !statuses.includes(status))
    return wrong('not-400', `a bad value is refused otherwise than by ${statuses.join(' or ')}`, actual);
  if (stated === null || code === null || code === '' || code === stated) return null;
  return wrong('other-code', 'a bad value is refused with another code', actual);
}

/** Items that others may have added since the list was surveyed. */
const ADDED_MEANWHILE = 10;

/** A bad page or offset may be served as if nothing had been asked for. */
function mostItems({ besideLimit }: BadValue, { usual, maximum, most }: PageBounds): number | null {
  if (besideLimit !== null) return Math.max(besideLimit, usual);
  const largest = maximum ?? most;
  return largest === null ? null : largest + ADDED_MEANWHILE;
}

type Wrong = (kind: string, cause: string, actual: string, weight?: Weight) => Flaw;

function wrongFor({ query }: BadValue, refused: RefusalTerms | null): Wrong {
  const statuses = refused === null || refused.statuses.length === 0 ? 'a 4xx' : refused.statuses.join(' or ');
  const refusal = refused?.code == null ? statuses : `${statuses} ${refused.code}`;
  const expected = `${refusal}, or a page within the limits`;
  return (kind, cause, actual, weight = 'breach') => ({ ...flawed([kind, cause], query, expected, actual), weight });
}
