// Compares a run with an earlier one with the same operations and clauses on the same target. Pure.
import type { LoadPart } from '../contract/load-part.ts';
import type { Changes, Finding, GoneFinding, Report } from '../contract/report.ts';

/** The later report's changes since the earlier one. A finding is gone only where its clause was judged again. */
export function changesSince(earlier: Report, later: Report): Changes {
  const before = earlier.findings.filter(isBreach);
  const now = later.findings.filter(isBreach);
  const known = new Set(before.map(({ fingerprint }) => fingerprint));
  const still = new Set(now.map(({ fingerprint }) => fingerprint));
  const missing = before.filter(({ fingerprint }) => !still.has(fingerprint));
  const isJudged = judgedIn(later);
  const gone = missing.filter(isJudged);
  return {
    run: earlier.run.id,
    startedAt: earlier.run.startedAt,
    verdict: earlier.verdict,
    appeared: now.map(({ fingerprint }) => fingerprint).filter((fingerprint) => !known.has(fingerprint)),
    gone: gone.map(inShort),
    unknown: missing.length - gone.length,
    ...otherContract(earlier, later),
    clauses: later.clauses.flatMap(({ id, status }) => {
      const row = earlier.clauses.find((one) => one.id === id);
      return row === undefined || row.status === status ? [] : [{ id, before: row.status, now: status }];
    }),
  };
}

/** The contract that the earlier run was judged against, where it is known and another one. */
export function otherContract(
  { contract: before }: Pick<Report, 'contract'>,
  { contract: now }: Pick<Report, 'contract'>,
): { readonly contract?: NonNullable<Report['contract']> } {
  return before === undefined || now === undefined || before.digest === now.digest ? {} : { contract: before };
}

/**
 * Tells whether two reports can be compared: what they were to test is the same, by the same load suite or by none, on
 * the same host.
 */
export function isComparable(
  one: Report,
  other: {
    readonly scope: string;
    readonly target: Target;
    /** The environment that `--env` chose; absent: none. */
    readonly env?: string | undefined;
    readonly suite?: string | undefined;
  },
): boolean {
  return (
    one.run.scope === other.scope &&
    loadSuiteOf(one) === other.suite &&
    one.run.shard === undefined &&
    one.replay === undefined &&
    hostOf(one.target, one.run.env) === hostOf(other.target, other.env)
  );
}

/** The load suite that ran; undefined for a run of conformance. */
export function loadSuiteOf({ load }: Pick<Report, 'load'>): string | undefined {
  return (Object(load) as Partial<LoadPart>).suite;
}

type Target = Pick<Report['target'], 'baseUrl' | 'embedded'>;

/**
 * The host that stands for the target in comparisons. Servers under test change their port on this machine: there the environment that
 * `--env` chose tells two of them apart.
 */
export function hostOf({ baseUrl, embedded }: Target, env?: string): string {
  if (embedded === true) return 'the embedded reference platform';
  const url = URL.parse(baseUrl);
  if (url === null) return baseUrl;
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return url.host;
  return env === undefined ? 'this machine' : `${env} on this machine`;
}

function isBreach({ kind }: Finding): boolean {
  return kind !== 'observation';
}

/** Tells whether the run judged the finding's clause again, on its operation where it has one. */
export function judgedIn(report: Report): (finding: Finding) => boolean {
  const operations = new Map(report.operations.map((row) => [`${row.service} ${row.operation}`, row]));
  const clauses = new Map(report.clauses.map((row) => [row.id, row]));
  return ({ clause, service, operation }) => {
    const counts =
      operation === null ? clauses.get(clause) : operations.get(`${service} ${operation}`)?.clauses[clause];
    return (counts?.checks ?? 0) > 0;
  };
}

function inShort({ fingerprint, clause, kind, service, operation, code, cause }: Finding): GoneFinding {
  return { fingerprint, clause, kind, service, operation, ...(code === undefined ? {} : { code }), cause };
}
