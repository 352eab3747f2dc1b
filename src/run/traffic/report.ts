// From judged traffic to the report: the same rows, findings and files as of a run that sends.

import type { Clause } from '../../contract/clause.ts';
import { CLAUSES, entryOf } from '../../contract/clauses.ts';
import { wordedBy } from '../../contract/contract.ts';
import { judgedInTraffic } from '../../contract/judged-by.ts';
import { OWN_FAMILY } from '../../contract/own-clauses.ts';
import { VERSION } from '../../contract/package-root.ts';
import type { Report } from '../../contract/report.ts';
import { sealed } from '../../exchange/sealed.ts';
import { type Absence, clauseRow } from '../../grading/rows.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { countsOf, evidenceIn, filtersOf, namedContract, spanOf, targetOf } from '../books/report.ts';
import { refusedAlways, rowOf, serviceRow, skippedRows } from '../books/report-rows.ts';
import { judgeDescriptions, judgeLateProblems } from '../perform/descriptions.ts';
import { absenceOf, selectOperations } from '../plan/selection.ts';
import { settingsOf } from '../plan/settings.ts';
import { scopeOf } from '../plan/shard.ts';
import { keyOf } from '../reach/reaching.ts';
import { whyNoKeyedCall } from './keyed-calls.ts';
import type { TrafficJudge } from './traffic-judge.ts';

/** How the traffic ended, where that was before its end. */
export interface Cut extends Absence {
  /** False where the user set the limit: then what was judged decides. */
  readonly isBroken: boolean;
}

export interface TrafficFacts {
  readonly command: 'check' | 'proxy';
  readonly runId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly cut: Cut | null;
  /** Further sentences on how it went. */
  readonly notes: readonly string[];
}

const NEEDS_REQUESTS: Absence = {
  reasonCode: 'other-command',
  reason: 'needs requests of its own, which assay conform sends',
};

/** Concludes what is judged over all exchanges, and tells. To be called once. */
export function trafficReport(judge: TrafficJudge, facts: TrafficFacts): Report {
  const notes = concluded(judge);
  const { ledger, books, own, input, selected } = judge;
  const { config, options } = input;
  const judged = selected.map((described) => judgedRow(described, judge, facts));
  const operations = [...judged, ...skippedRows({ input, scope: { ...judge, expected: [] }, books })];
  const clauses = [...CLAUSES, ...own.clauses].map((clause) =>
    clauseRow(wordedBy(config.stated, clause), ledger.tallies(clause.id), absence(clause, judge, facts), {
      judgedAsMust: false,
    }),
  );
  const errors = books.errors.rows();
  const isBroken = facts.cut?.isBroken === true || errors.length > 0 || own.failures.size > 0;
  const note = [...(facts.cut === null ? [] : [facts.cut.reason]), ...toldOf(judge), ...notes, ...facts.notes].join(
    '; ',
  );
  const run: Report['run'] = {
    ...spanOf(facts),
    command: facts.command,
    seed: options.seed,
    partial: facts.cut !== null,
    ...(isBroken ? { broken: true } : {}),
    ...{ scope: scopeOf(selected, options.clauses), settings: settingsOf(config) },
    ...filtersOf(options),
    ...(config.gate.minOperations === null ? {} : { minOperations: config.gate.minOperations }),
    ...(note === '' ? {} : { note }),
  };
  const counts = countsOf(judge.judged, ledger, operations);
  const report: Report = {
    ...{
      schemaVersion: 1,
      tool: { name: 'assay', version: VERSION },
      run,
      target: targetOf(config.target, config.tokenVariables),
      contract: namedContract(config),
    },
    verdict: verdictOfReport({ run, counts, clauses }),
    ...{ counts, clauses, findings: ledger.findings(), observations: ledger.observations.rows() },
    services: config.services.map(({ name }) => serviceRow(name, input, operations)),
    operations,
    exchanges: evidenceIn(books),
    ...(errors.length === 0 ? {} : { harnessErrors: errors }),
    leftovers: [],
  };
  return sealed(report, judge.secrets.sealing(input.redactor, report));
}

function judgedRow(described: Described, { catalogue, books, own }: TrafficJudge, facts: TrafficFacts) {
  const traffic = books.traffic.get(keyOf(described));
  const why =
    traffic === undefined ? uncalled(facts) : refusedAlways(described.operation, traffic, { isProven: false });
  const fate = { why, succeeded: (traffic?.successes ?? 0) > 0, open: why === null ? UNTRIED : openFor(why) };
  return rowOf(described, { scope: { catalogue, own, expected: [] }, books }, fate);
}

/** Books what is judged over the whole; where nothing of the target was seen, nothing is judged. Returns what is to be said. */
function concluded(judge: TrafficJudge): readonly string[] {
  const { ledger, books, own, input, rates } = judge;
  if (judge.judged === 0) return [];
  const judging = { input, scope: judge, books };
  const known = judgeDescriptions(judging);
  const { conclusions, skipped } = rates.conclude();
  for (const { clause, judgement, evidence, ...spot } of conclusions) ledger.book(clause, spot, judgement, evidence);
  judgeLateProblems(judging, known);
  own.voidFailed(ledger);
  books.errors.voidJudged(ledger);
  return skipped === null ? [] : [`limits were not judged over all calls of every key: ${skipped}`];
}

const UNTRIED = { reason: 'precondition', note: 'nobody sent it' } as const;

function openFor({ reasonCode, reason }: Absence): { readonly reason: Absence['reasonCode']; readonly note: string } {
  return { reason: reasonCode, note: reason };
}

function uncalled({ command }: TrafficFacts): Absence {
  const where = command === 'proxy' ? 'nothing that passed through called it' : 'the recording holds no call of it';
  return { reasonCode: 'precondition', reason: where };
}

/** Why a clause has no tally. */
function absence(clause: Clause, { input, catalogue, selected, judged }: TrafficJudge, { cut }: TrafficFacts): Absence {
  const { config, options } = input;
  const unskipped = selectOperations(catalogue, { ...options, skipped: [] });
  const usual = absenceOf(clause, config, options, cut?.isBroken === true ? cut : null, selected, unskipped);
  if (['not-declared', 'not-implemented', 'other-command', 'filtered', 'service-pending'].includes(usual.reasonCode))
    return usual;
  if (clause.family !== OWN_FAMILY && !judgedInTraffic(clause.id)) return NEEDS_REQUESTS;
  if (judged === 0) return { reasonCode: 'precondition', reason: 'no exchange of the target was seen' };
  const occasion = whyNoKeyedCall(clause.id, config.stated.terms) ?? entryOf(clause.id)?.shownByTraffic;
  if (typeof occasion === 'string' && cut?.isBroken !== true) return { reasonCode: 'precondition', reason: occasion };
  return usual;
}

const MOST_ORIGINS_TOLD = 5;

/** The exchanges that were seen and not judged, in words. */
function toldOf({ addresses, judged, leftOut, bodiless, disordered, input }: TrafficJudge): readonly string[] {
  const origins = [...addresses.elsewhere].sort(([, left], [, right]) => right - left);
  const elsewhere = origins.reduce((sum, [, count]) => sum + count, 0);
  const named = origins.slice(0, MOST_ORIGINS_TOLD).map(([origin, count]) => `${origin} (${count})`);
  const more = origins.length - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const nothing = judged === 0 && leftOut.size === 0;
  const address = [input.config.target.baseUrl, ...input.bases].join(' or ');
  return [
    ...(nothing && elsewhere === 0 ? ['no exchange was seen'] : []),
    ...(nothing && elsewhere > 0
      ? [
          `no exchange belongs to ${address}; the traffic goes to ${list}: --base-url names the address of the target there`,
        ]
      : []),
    ...(!nothing && elsewhere > 0 ? [`${elsewhere} of other addresses were left out: ${list}`] : []),
    ...[...leftOut].map(([reason, count]) => `${count} not judged, for each ${reason}`),
    ...(bodiless === 0
      ? []
      : [`${bodiless} judged without their bodies, which were not recorded whole or are too large`]),
    ...(disordered === 0
      ? []
      : [`${disordered} stand behind what was sent after them: laws over several calls need a file sorted by time`]),
  ];
}
