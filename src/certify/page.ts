// The certificate as a page that people read and print: what was certified, on what it rests, and of what it says nothing.

import { CLAUSES } from '../contract/clauses.ts';
import type { LoadPart, PlanCeiling } from '../contract/load-part.ts';
import { number, plural } from '../contract/numbers.ts';
import type { ClauseRow, OperationRow, Report } from '../contract/report.ts';
import { templatesIn } from '../reporters/html/templates.ts';
import { duration, FAMILY_WORDS, STATUS_WORDS, targetName, threeDigits } from '../reporters/words.ts';
import { UNDESCRIBED } from './decide.ts';
import type { CertificateVerdict, Digested, Predicate } from './statement.ts';

export interface PageFacts {
  readonly predicate: Predicate;
  readonly report: Report;
  readonly subject: readonly Digested[];
  /** True where the subject is a release artefact. */
  readonly bound: boolean;
  /** Fingerprint of the key that signs the certificate; null: it is not signed. */
  readonly keyId: string | null;
}

const eta = templatesIn(new URL('./page', import.meta.url));

const VERDICTS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'Conforms',
  'conforms-with-waivers': 'Conforms with waivers',
  'does-not-conform': 'Does not conform',
  'no-verdict': 'No verdict',
};

/** Paths of the verdict's mark, within a circle of 48. */
const MARKS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'M14 25l7 7 14-16',
  'conforms-with-waivers': 'M14 25l7 7 14-16',
  'does-not-conform': 'M16 16l16 16M32 16L16 32',
  'no-verdict': 'M14 24h20',
};

/** The verdict in words for whoever does not know the tool. */
const MEANINGS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'Every rule that could be judged was kept, and every rule that must be judged was.',
  'conforms-with-waivers': 'Some rules are broken; each breach is waived by a person who is named below.',
  'does-not-conform': 'At least one rule is broken, and nobody has waived it. The report beside this page shows where.',
  'no-verdict': 'What was judged is not enough for a verdict; the remarks say why.',
};

/** The page; everything in it is escaped, nothing is loaded. */
export function certificatePage({ predicate, report, subject, bound, keyId }: PageFacts): string {
  const { run, sensitivity, clauses } = predicate;
  return eta.render('./certificate', {
    ...predicate,
    ...{ subject, bound, keyId, issuer: predicate.issuer ?? null, revision: revisionOf(predicate) },
    services: servicesOf(predicate, report),
    families: familiesOf(clauses),
    targetName: targetName(report),
    title: VERDICTS[predicate.verdict],
    mark: MARKS[predicate.verdict],
    meaning: meaningOf(predicate),
    day: run.startedAt.slice(0, 10),
    judged: `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC, in ${duration(run.durationMs)}`,
    scope: `${plural(run.operationsTested, 'operation')} of ${number(run.operations)}, ${plural(run.requests, 'request')}`,
    tally: tallyOf(predicate),
    plans: ((report.load as Partial<LoadPart> | undefined)?.plans ?? []).map(planRow),
    open: openOperations(report.operations),
    unjudged: unjudgedRows(predicate),
    sensitivity:
      sensitivity === undefined
        ? null
        : { caught: number(sensitivity.caught), planted: plural(sensitivity.planted, 'planted defect') },
    outOfScope: alike(predicate.outOfScope),
    verify: `npx assay report --verify FOLDER${bound ? ' --subject RELEASE' : ''}${keyId === null ? '' : ' --key PUBLIC-KEY'} --require conforms`,
  });
}

/** Each service once: with its description, or why it is not covered. */
function servicesOf({ descriptions, pending }: Predicate, { services }: Report) {
  return services.map(({ name, reason }) => ({
    name,
    described: descriptions.find(({ service }) => service === name) ?? null,
    uncovered: pending.includes(name) ? (reason ?? UNDESCRIBED) : null,
  }));
}

function familiesOf(judged: readonly ClauseRow[]) {
  const rows = new Map(judged.map((row) => [row.id, row]));
  return [...Map.groupBy(CLAUSES, ({ family }) => family)]
    .map(([family, clauses]) => ({
      family,
      name: FAMILY_WORDS[family],
      clauses: clauses.flatMap(({ id, text }) => {
        const row = rows.get(id);
        if (row === undefined) return [];
        return [{ ...row, text: (row.text ?? text).replaceAll('`', ''), word: STATUS_WORDS[row.status][0] }];
      }),
    }))
    .filter(({ clauses }) => clauses.length > 0);
}

function meaningOf({ verdict, run, target, contract, clauses }: Predicate): string {
  const judged = clauses.filter(({ status }) => status === 'pass' || status === 'fail').length;
  const observed = clauses.filter(({ status }) => status === 'observed').length;
  const idle = clauses.filter(({ status }) => status === 'not-applicable').length;
  const others = observed === 0 ? '' : `, and ${number(observed)} more observed`;
  const rules = `${plural(contract.clauses - idle, 'rule')}${idle === 0 ? '' : ` (${number(idle)} more do not apply here)`}`;
  const sent = `Assay sent ${plural(run.requests, 'request')} to ${target.baseUrl} and held each answer against a contract of ${rules}`;
  return `${sent}, of which ${plural(judged, 'was', 'were')} judged${others}. ${MEANINGS[verdict]}`;
}

function revisionOf({ revision }: Predicate): string | null {
  if (revision === undefined) return null;
  const { branch, commit } = revision;
  return [branch, commit?.slice(0, 12)].filter((part) => part != null).join(', ') || null;
}

/** "83 hold, 8 observed, 2 not tested, 15 out of scope": the sum is that of the contract. */
function tallyOf({ clauses, outOfScope }: Predicate): string {
  const counts = [...Map.groupBy(clauses, ({ status }) => status)].map(
    ([status, rows]) => `${rows.length} ${STATUS_WORDS[status][rows.length === 1 ? 0 : 1]}`,
  );
  return [...counts, ...(outOfScope.length === 0 ? [] : [`${outOfScope.length} out of scope`])].join(', ');
}

/** The limits of a plan, and the calls that they rest on: measured, or only stated. */
function planRow({ plan, key, limit, windowSeconds, confidence, stated, calls }: PlanCeiling) {
  return {
    ...{ plan, key, confidence, calls: calls === undefined ? null : plural(calls, 'call') },
    measured:
      limit === null
        ? 'not measured'
        : `${number(limit)}${windowSeconds === null ? '' : ` in ${threeDigits(windowSeconds)} s`}`,
    stated: stated == null ? 'not stated' : number(stated),
  };
}

interface Reasoned {
  readonly reason: string;
  readonly ids: string;
}

/** Names by their common reason, in order. */
function alike(rows: readonly { readonly id: string; readonly reason: string }[]): readonly Reasoned[] {
  return [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, own]) => ({
    reason,
    ids: own.map(({ id }) => id).join(', '),
  }));
}

function openOperations(operations: readonly OperationRow[]): readonly Reasoned[] {
  const open = operations.filter(({ tested }) => !tested);
  return alike(
    open.map(({ operation, reason, reasonCode }) => ({ id: operation, reason: reason ?? reasonCode ?? '' })),
  );
}

/** Clauses that nothing judged, but for must clauses: those stand among the remarks or the accepted ones. */
function unjudgedRows({ clauses }: Predicate): readonly Reasoned[] {
  const open = clauses.filter(({ level, status }) => status === 'not-tested' && level !== 'must');
  return alike(open.map(({ id, reason, reasonCode }) => ({ id, reason: reason ?? reasonCode ?? '' })));
}
