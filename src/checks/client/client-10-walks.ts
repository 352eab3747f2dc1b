// CLIENT-10: a client that walks a list gets all of it, once, and stops where the platform says that it ends. What it got is
// told by the ids that its command prints.
//
// CLIENT-10 (must): Pages are walked to their stated end: the last one that is counted, or an empty array.

import { codeOf } from '../../contract/code.ts';
import type { Weight } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { PagingTerms, Terms } from '../../contract/terms.ts';
import type { ClientRequest, ClientRun } from '../../exchange/client-run.ts';
import { lastName, placedAt } from '../../exchange/envelope.ts';
import {
  broken,
  held,
  idleReason,
  isCutShort,
  misdeed,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

/** A walk over several pages at once may have asked for this many more when the end became known. */
const MOST_BEYOND = 1;

export function judgeWalks(runs: readonly ClientRun[], terms: Terms): readonly ScenarioJudgement[] {
  return runs.filter(({ served }) => served.length > 0).map((run) => judgeRun(run, terms));
}

/** How the contract says that a list pages: the entry that names it, else the one on offsets. */
function pagingOf(list: string, { pagination }: Terms): PagingTerms | null {
  const own = pagination.find(({ operations }) => operations !== null && operationMatcher(operations)(list));
  return own ?? pagination.find(({ style, operations }) => style === 'offset' && operations === null) ?? null;
}

function judgeRun(run: ClientRun, terms: Terms): ScenarioJudgement {
  const list = terms.clients?.tasks[run.scenario.task] ?? '';
  const paging = pagingOf(list, terms);
  const pages = run.requests.filter(({ operation, answer }) => operation === list && answer.status === 200);
  const reason = idleReason(run) ?? whyUntold(run, pages);
  if (reason !== null) return untold(run, reason);
  const beyond = pagesBeyond(pages, paging);
  if (beyond.length > 0)
    return brokenBy(
      { run, paging },
      'past-the-end',
      `asked for ${beyond.length === 1 ? 'a page' : plural(beyond.length, 'page')} beyond its stated end`,
      beyond.slice(0, 2),
    );
  const repeated = [...run.printed].filter(([, count]) => count > 1);
  if (repeated.length > 0)
    return brokenBy(
      { run, paging },
      'repeated',
      `got ${repeated.length} of ${plural(run.served.length, 'item')} more than once`,
      pages.slice(-2),
    );
  if (run.printed.size < run.served.length) {
    const got = run.printed.size === 0 ? itemsIn(pages, paging) : run.printed.size;
    return got >= run.served.length
      ? untold(run, 'the command got all items and printed no id')
      : brokenBy({ run, paging }, 'too-few', `got ${got} of ${plural(run.served.length, 'item')}`, pages.slice(-2));
  }
  if (run.ending !== 'exited')
    return untold(run, `the walk was complete, and the command did not end by itself: ${run.ended}`);
  if (isBare(pages) && !pages.some((page) => itemsIn([page], paging) === 0))
    return brokenBy(
      { run, paging },
      'short-page',
      'stopped at a short page, before an empty array',
      pages.slice(-1),
      'advisory',
    );
  return held(run, pages.length);
}

function whyUntold(run: ClientRun, pages: readonly ClientRequest[]): string | null {
  if (isCutShort(run)) return 'the run was stopped before the walk had ended';
  if (pages.length === 0) return 'no page was answered';
  const gaveUp = troubledCalls(run).some(({ retries }) => retries.length === 0);
  return gaveUp ? 'the walk was given up at an error, which CLIENT-03 judges' : null;
}

/** Requests that came once the end was known and that lie beyond it. */
function pagesBeyond(pages: readonly ClientRequest[], paging: PagingTerms | null): readonly ClientRequest[] {
  if (!isBare(pages)) {
    const stated = pages.map((page) => ({ page, ...numbersOf(page, paging) }));
    return stated
      .filter(({ page, number, of }) => number > of && pages.some(({ answer }) => answer.at < page.at))
      .map(({ page }) => page);
  }
  const end = pages.find((page) => itemsIn([page], paging) === 0);
  const beyond =
    end === undefined
      ? []
      : pages.filter((page) => page.at > end.answer.at && offsetOf(page, paging) >= offsetOf(end, paging));
  return beyond.length > MOST_BEYOND ? beyond : [];
}

function bodyOf({ answer }: ClientRequest): unknown {
  return JSON.parse(answer.body);
}

function isBare([first]: readonly ClientRequest[]): boolean {
  return first !== undefined && Array.isArray(bodyOf(first));
}

function numbersOf(page: ClientRequest, paging: PagingTerms | null): { readonly number: number; readonly of: number } {
  const { page: at = null, pages = null } = paging?.counts ?? {};
  const told = (place: string | null): number => Number(place === null ? 0 : placedAt(bodyOf(page), place)[0]?.value);
  return { number: told(at), of: told(pages) };
}

/** How many items the pages hold, each page once. */
function itemsIn(pages: readonly ClientRequest[], paging: PagingTerms | null): number {
  const each = new Map(pages.map((page) => [page.path, bodyOf(page)]));
  const counts = [...each.values()].map((body) => {
    const items = Array.isArray(body) ? body : placedAt(body, paging?.items ?? '')[0]?.value;
    return Array.isArray(items) ? items.length : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function offsetOf({ path }: ClientRequest, paging: PagingTerms | null): number {
  return Number(new URLSearchParams(path.split(/\?(.*)/s)[1] ?? '').get(paging?.parameters.turn ?? '') ?? 0);
}

function brokenBy(
  { run, paging }: { readonly run: ClientRun; readonly paging: PagingTerms | null },
  kind: string,
  actual: string,
  evidence: readonly ClientRequest[],
  weight: Weight = 'breach',
): ScenarioJudgement {
  const { page = null, pages = null } = paging?.counts ?? {};
  const list = page === null || pages === null ? 'an empty array' : `${lastName(page)} = ${lastName(pages)}`;
  const count = `${plural(run.served.length, 'item')}, once`;
  const what = `the walk ${actual}, expected all ${count}, up to ${list}`;
  const told = [codeOf('CLIENT-10', kind, run.scenario.task), CAUSES[kind] ?? kind] as const;
  return broken(run, [{ ...misdeed(run, told, what, `${count} each, up to ${list}`, actual), weight }], evidence);
}

const CAUSES: Readonly<Record<string, string>> = {
  'past-the-end': 'a walk goes on beyond the stated end',
  repeated: 'a walk gets items more than once',
  'too-few': 'a walk does not get all items',
  'short-page': 'a walk ends at a short page',
};
