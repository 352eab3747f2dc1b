// Draws reports whose numbers agree as those of a run do: rows and counts are made by the grading from drawn judgements, then
// a drawn baseline and drawn waivers are applied. Kinds: pass, fail, partial, with a budget, a baseline, waivers, another contract.
import fc, { type Arbitrary } from 'fast-check';
import type { Clause } from '../../../src/contract/clause.ts';
import { CLAUSES } from '../../../src/contract/clauses.ts';
import type { Finding, OperationRow, Report, Waiver } from '../../../src/contract/report.ts';
import { accept } from '../../../src/grading/acceptance.ts';
import { clauseRow, emptyTally, operationClause, type Tally } from '../../../src/grading/rows.ts';
import { verdictOfReport } from '../../../src/grading/verdict.ts';

const SERVICES = ['admin', 'store'] as const;
const LOOSE = { judgedAsMust: false };
const CAUSES = ['one thing', 'another thing'] as const;

/** What becomes of a clause: on how many operations it is judged, and what is found there. */
interface Drawn {
  readonly fate: 'judged' | 'untested' | 'undeclared';
  readonly judgedOn: number;
  readonly broken: number;
  readonly advised: number;
  readonly isOutside: boolean;
  readonly cause: (typeof CAUSES)[number];
}

interface Scene {
  readonly operations: number;
  readonly reached: number;
  readonly clauses: readonly Drawn[];
  readonly isBroken: boolean;
  readonly kind: 'whole' | 'partial' | 'budget' | 'filtered';
  readonly contract: 'commerce' | 'openapi' | 'Acme API';
  readonly requests: number;
  readonly baseline: 'none' | 'half' | 'all';
  readonly failOn: 'new' | 'any';
  readonly allowsSecurity: boolean;
  readonly waived: number;
}

/** Any report with the counts of a run. */
export function countedReport(): Arbitrary<Report> {
  const clause = fc.record<Drawn>({
    fate: fc.constantFrom('judged', 'judged', 'judged', 'untested', 'undeclared'),
    judgedOn: fc.nat(4),
    broken: fc.constantFrom(0, 0, 0, 0, 1, 3),
    advised: fc.constantFrom(0, 0, 0, 1),
    isOutside: fc.boolean(),
    cause: fc.constantFrom(...CAUSES),
  });
  return fc
    .record<Scene>({
      operations: fc.integer({ min: 1, max: 6 }),
      reached: fc.nat(6),
      clauses: fc.array(clause, { minLength: CLAUSES.length, maxLength: CLAUSES.length }),
      isBroken: fc.boolean(),
      kind: fc.constantFrom('whole', 'partial', 'budget', 'filtered'),
      contract: fc.constantFrom('commerce', 'openapi', 'Acme API'),
      requests: fc.constantFrom(1, 999, 12_345),
      baseline: fc.constantFrom('none', 'half', 'all'),
      failOn: fc.constantFrom('new', 'any'),
      allowsSecurity: fc.boolean(),
      waived: fc.constantFrom(0, 0, 2),
    })
    .map((scene) => held(scene, judged(scene)));
}

function judged(scene: Scene): Report {
  const places = Array.from({ length: scene.operations }, (_, at) => `GET /things/${at}`);
  const tallies = CLAUSES.map((clause, at) => talliesOf(scene.clauses[at]!, scene, places, clause));
  const operations = places.map((operation, at) => operationRow(operation, at, scene, tallies));
  const findings = CLAUSES.flatMap((clause, at) => findingsOf(clause, scene.clauses[at]!, tallies[at]!));
  const absence = { reasonCode: 'precondition', reason: 'nothing showed it' } as const;
  const clauses = CLAUSES.map((clause, at) =>
    clauseRow(clause, tallies[at]!, scene.clauses[at]!.fate === 'undeclared' ? NOT_DECLARED : absence, LOOSE),
  );
  const report: Omit<Report, 'verdict'> = {
    schemaVersion: 1,
    tool: { name: 'assay', version: '0.1.0' },
    run: { ...RUN, ...runOf(scene) },
    target: { baseUrl: 'https://api.example.com', environment: 'staging' },
    contract: { name: scene.contract, file: null, digest: 'ab'.repeat(32) },
    counts: countsOf(scene, operations, tallies, findings),
    clauses,
    findings,
    services: SERVICES.map((name) => serviceRow(name, operations)),
    operations,
    exchanges: [],
    leftovers: [],
  };
  return { ...report, verdict: verdictOfReport(report) };
}

const NOT_DECLARED = { reasonCode: 'not-declared', reason: 'nothing declares it' } as const;
const RUN = {
  id: 'r7',
  startedAt: '2026-01-31T12:00:00.000Z',
  durationMs: 1000,
  seed: 7,
  scope: 'all',
  partial: false,
};

function runOf({ kind }: Scene): Partial<Report['run']> {
  if (kind === 'partial') return { partial: true, note: 'interrupted', broken: true };
  if (kind === 'budget') return { partial: true, note: 'the request budget ended the run' };
  return kind === 'filtered' ? { filters: { services: [], operations: ['/things*'], clauses: [] } } : {};
}

/** The tallies of a clause by operation; '' holds what belongs to none. */
function talliesOf(drawn: Drawn, { isBroken }: Scene, places: readonly string[], clause: Clause): Map<string, Tally> {
  if (drawn.fate !== 'judged') return new Map();
  const on = drawn.isOutside ? [''] : places.slice(0, Math.max(1, Math.min(drawn.judgedOn, places.length)));
  const weight = { violations: isBroken && clause.level !== 'discover' ? drawn.broken : 0, advisories: drawn.advised };
  const tally = { checks: 3, checksOnAnswers: 3, judgements: 3, judgementsOfOne: 3 };
  return new Map(on.map((place, at) => [place, { ...emptyTally(), ...tally, ...(at < 2 ? weight : {}) }]));
}

function operationRow(
  operation: string,
  at: number,
  scene: Scene,
  tallies: readonly Map<string, Tally>[],
): OperationRow {
  const clauses = CLAUSES.flatMap((clause, place) => {
    const tally = tallies[place]!.get(operation);
    return tally === undefined ? [] : [[clause.id, operationClause(clause, tally, LOOSE)] as const];
  });
  const tested = at < scene.reached;
  return {
    ...{ service: SERVICES[at % 2]!, operation, resource: 'things', tested, requests: 2, statuses: { '200': 2 } },
    ...(tested ? {} : { reasonCode: 'no-fixture' as const }),
    clauses: Object.fromEntries(clauses),
  };
}

function findingsOf({ id }: Clause, { cause }: Drawn, tallies: Map<string, Tally>): readonly Finding[] {
  return [...tallies].flatMap(([place, { violations, advisories }]) =>
    [...Array(violations).fill('violation'), ...Array(advisories).fill('advisory')].map((kind, at) => ({
      ...{ clause: id, kind, cause, message: `${cause} at ${place}`, expected: 'this', actual: 'that', pointer: null },
      service: place === '' ? null : SERVICES[Number(place.at(-1)) % 2]!,
      operation: place === '' ? null : place,
      code: `${id.toLowerCase()}.${cause.split(' ')[0]}`,
      fingerprint: `${id}-${place.at(-1) ?? 'w'}-${kind}-${at}`,
      ...{ exchanges: [], curl: null, occurrences: 1, looks: 1, intermittent: false },
    })),
  );
}

function countsOf(
  { requests }: Scene,
  operations: readonly OperationRow[],
  tallies: readonly Map<string, Tally>[],
  findings: readonly Finding[],
): Report['counts'] {
  const all = tallies.flatMap((own) => [...own.values()]);
  return {
    requests,
    operations: operations.length,
    operationsTested: operations.filter(({ tested }) => tested).length,
    checks: all.reduce((sum, { checks }) => sum + checks, 0),
    violations: findings.filter(({ kind }) => kind === 'violation').length,
    advisories: findings.filter(({ kind }) => kind === 'advisory').length,
  };
}

function serviceRow(name: string, operations: readonly OperationRow[]): Report['services'][number] {
  const own = operations.filter(({ service }) => service === name);
  return {
    ...{ name, spec: `${name}.yaml`, openapi: '3.1.0', version: '1', testable: true, operations: own.length },
    operationsTested: own.filter(({ tested }) => tested).length,
    requests: own.length * 2,
  };
}

/** The report held against a baseline that has some of its violations, and against waivers of its first ones. */
function held({ baseline, failOn, allowsSecurity, waived }: Scene, report: Report): Report {
  if (baseline === 'none' && waived === 0) return report;
  const kept = report.findings.filter((_, at) => baseline === 'all' || at % 2 === 0);
  const waivers: readonly Waiver[] = report.findings
    .filter(({ kind }) => kind === 'violation')
    .slice(0, waived)
    .map(({ clause, fingerprint }) => ({
      ...{ clause, fingerprint, operation: null, reason: 'it is known', owner: 'Team Edge', ticket: null },
      expires: '2026-12-31',
    }));
  return accept(report, {
    ...{ waivers, failOn, allowsSecurity, today: '2026-01-31' },
    baseline: baseline === 'none' ? null : { ...report, run: { ...report.run, id: 'r6' }, findings: kept },
  });
}
