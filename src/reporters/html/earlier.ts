// Tells on the page of the time before the run: findings that people had accepted, changes since the last run, and how
// earlier runs with the same operations and clauses on the same target ended.
import { number, plural } from '../../contract/numbers.ts';
import type { Report, WaiverRow } from '../../contract/report.ts';
import { groupFindings, groupKey } from '../grouping.ts';
import { cut } from '../text.ts';
import { baselineName, KIND_WORDS, otherContractWords, STATUS_WORDS } from '../words.ts';
import type { GroupView } from './findings.ts';
import { anchor } from './text.ts';

const TEXT_CHARS = 300;

const FATES: Readonly<Record<WaiverRow['status'], string>> = {
  used: 'used',
  unused: 'nothing is broken any more: it can go',
  'not-judged': 'what it is about was not looked at',
  expired: 'expired: what it waived counts again',
};

/** Null where nothing was accepted beforehand. `groups` are the accepted causes. */
export function acceptanceView({ acceptance }: Report, groups: readonly GroupView[]) {
  if (acceptance === undefined) return null;
  const { baseline, waivers } = acceptance;
  return {
    groups,
    baseline:
      baseline === null
        ? null
        : {
            name: baselineName(baseline),
            resolved: plural(baseline.resolved.length, 'violation'),
            contract: otherContractWords(baseline),
          },
    waivers: waivers.map((waiver) => ({
      clause: waiver.clause,
      what: cut(waiver.operation ?? waiver.fingerprint ?? 'every operation', TEXT_CHARS),
      reason: cut(waiver.reason, TEXT_CHARS),
      owner: cut(waiver.owner, TEXT_CHARS),
      ticket: cut(waiver.ticket ?? '', TEXT_CHARS),
      expires: waiver.expires,
      status: waiver.status,
      fate: FATES[waiver.status],
      violations: plural(waiver.violations, 'violation'),
    })),
  };
}

const MAX_CAUSES = 4;

/** Null where no earlier run is known. */
export function changesView({ since, findings }: Report) {
  if (since === undefined) return null;
  const fresh = new Set(since.appeared);
  const appeared = groupFindings(findings.filter(({ fingerprint }) => fresh.has(fingerprint)));
  const gone = [...Map.groupBy(since.gone, groupKey).values()];
  return {
    run: since.run,
    when: `${since.startedAt.slice(0, 10)} ${since.startedAt.slice(11, 16)} UTC`,
    sentence: sentenceOf(since.appeared.length, since.gone.length),
    contract: otherContractWords(since),
    appeared: {
      count: plural(since.appeared.length, 'new finding'),
      causes: appeared.slice(0, MAX_CAUSES).map((group) => ({
        id: group.clause,
        cause: group.cause,
        href: `#${anchor('f', group.findings[0]!.fingerprint)}`,
      })),
      left: Math.max(0, appeared.length - MAX_CAUSES),
    },
    gone: {
      count: plural(since.gone.length, 'finding'),
      causes: gone.slice(0, MAX_CAUSES).map((same) => ({
        id: same[0]!.clause,
        cause: same[0]!.cause,
        word: plural(same.length, ...KIND_WORDS[same[0]!.kind]),
      })),
      left: Math.max(0, gone.length - MAX_CAUSES),
    },
    unknown: since.unknown,
    clauses: since.clauses.map(({ id, before, now }) => ({
      id,
      before: STATUS_WORDS[before][0],
      now: STATUS_WORDS[now][0],
      state: now,
    })),
  };
}

function sentenceOf(appeared: number, gone: number): string {
  if (appeared === 0 && gone === 0) return 'Nothing new, nothing gone.';
  return `${number(appeared)} new, ${number(gone)} gone.`;
}

const MAX_RUNS = 30;
const MAX_FLAKY = 50;
/** Runs that the first screen shows. */
const MAX_TREND = 12;

/** Null where this run is the first that is known. */
export function historyView({ history }: Report) {
  if (history === undefined || history.runs.length < 2) return null;
  return {
    runs: history.runs.slice(-MAX_RUNS).map((run) => ({
      id: run.id,
      when: `${run.startedAt.slice(0, 10)} ${run.startedAt.slice(11, 16)}`,
      verdict: run.verdict,
      partial: run.partial,
      violations: run.violations,
      advisories: run.advisories,
      requests: number(run.requests),
      operationsTested: number(run.operationsTested),
      p50: rounded(run.p50Ms),
      p99: rounded(run.p99Ms),
    })),
    flaky: history.flaky.slice(0, MAX_FLAKY).map((one) => ({
      clause: one.clause,
      cause: cut(one.cause, TEXT_CHARS),
      operation: cut(one.operation ?? one.service ?? 'the target as a whole', TEXT_CHARS),
      seen: `${number(one.seen)} of ${plural(one.judged, 'run')}`,
    })),
    left: Math.max(0, history.flaky.length - MAX_FLAKY),
  };
}

function rounded(ms: number | null | undefined): number | null {
  return ms == null ? null : Number(ms.toPrecision(2));
}

/** The last runs of the same scope, the newest last; empty where this is the first. */
export function trendView({ history }: Report) {
  const runs = history?.runs.slice(-MAX_TREND) ?? [];
  if (runs.length < 2) return [];
  return runs.map(({ id, startedAt, verdict, violations }) => ({
    verdict,
    violations: number(violations),
    about: `${id}, ${startedAt.slice(0, 10)}: ${verdict === 'none' ? 'no verdict' : plural(violations, 'violation')}`,
  }));
}
