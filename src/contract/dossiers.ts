// The dossier of every clause: who judges it, on what, which experiments are sent for it, and which load suites judge it too.
// Lists of clause ids elsewhere are views of this table. docs/clauses.md shows what a reader of reports needs of it.

/** The load suites, by the names that the command knows. */
export type SuiteName =
  | 'ratelimit'
  | 'ceiling'
  | 'isolation'
  | 'exports'
  | 'capacity'
  | 'soak'
  | 'spike'
  | 'distributed'
  | 'pressure';

/**
 * On what a clause is judged: descriptions, every exchange, the run as a whole, experiments, delivered webhooks, or the
 * scenarios that a client meets.
 */
type Basis = 'description' | 'exchange' | 'run' | 'experiment' | 'delivery' | 'scenario';

export interface Dossier {
  readonly on: readonly Basis[];
  /** The files whose functions decide: below src/, without their ending. */
  readonly judges: readonly string[];
  /** The files of the experiments that are sent for it. Absent: ordinary calls or the descriptions give occasion enough. */
  readonly experiments?: readonly string[];
  /**
   * How it takes part under `contract: openapi`: the description alone decides it, or the configuration claims it for
   * operations (`laws.pagination`, `laws.idempotency`). Absent: it belongs to this platform's contract only.
   */
  readonly openapi?: 'description' | 'pagination' | 'idempotency';
  /** The load suites that judge it, too. Absent: none. */
  readonly load?: readonly SuiteName[];
  /** Families and clauses whose experiments bring about answers that this clause is judged on. */
  readonly occasions?: readonly string[];
}

/** All of them, in the order of the command's help. */
export const EVERY_SUITE: readonly SuiteName[] = [
  ...(['ratelimit', 'ceiling', 'isolation', 'exports', 'capacity'] as const),
  ...(['soak', 'spike', 'distributed', 'pressure'] as const),
];
/** Under pressure another client uses the same keys, so a key's whole series shows more than one client's calls. */
const ALL_BUT_PRESSURE: readonly SuiteName[] = EVERY_SUITE.filter((suite) => suite !== 'pressure');
/** Experiments that the target refuses bring about errors. */
const REFUSALS = ['REQ', 'AUTH', 'ERR-10'];

/** A clause that a client keeps or breaks in the scenarios that it meets. */
function ofClients(judge: string): Dossier {
  return { on: ['scenario'], judges: [`checks/client/${judge}`], experiments: ['run/clients/scenarios'] };
}

/** Every clause of the contract, in its order. `test/dossiers.test.ts` holds the table to the code. */
export const DOSSIERS: Readonly<Record<string, Dossier>> = {
  'SPEC-01': { on: ['description'], judges: ['checks/spec/spec-01'], openapi: 'description' },
  'SPEC-02': { on: ['description'], judges: ['checks/spec/spec-02'] },
  'SPEC-03': { on: ['description'], judges: ['checks/spec/spec-03'] },
  'SPEC-04': {
    on: ['description', 'experiment'],
    judges: ['checks/spec/spec-04', 'checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    occasions: ['AUTH-06'],
  },
  'SPEC-05': { on: ['description'], judges: ['checks/spec/spec-05'] },
  'SPEC-06': { on: ['description'], judges: ['checks/spec/spec-06'] },
  'SPEC-07': { on: ['description'], judges: ['checks/spec/spec-07'] },
  'SPEC-08': { on: ['description'], judges: ['checks/spec/spec-08'] },
  'SPEC-09': { on: ['description'], judges: ['checks/spec/spec-09'] },
  'SPEC-10': { on: ['description'], judges: ['checks/spec/spec-10'] },
  'SCH-01': {
    on: ['exchange'],
    judges: ['checks/sch/sch-01'],
    experiments: ['probes/reach/depth'],
    openapi: 'description',
    load: EVERY_SUITE,
  },
  'SCH-02': { on: ['exchange'], judges: ['checks/sch/sch-02'], openapi: 'description', load: EVERY_SUITE },
  'SCH-03': { on: ['exchange'], judges: ['checks/sch/sch-03'], openapi: 'description', load: EVERY_SUITE },
  'SCH-04': { on: ['exchange'], judges: ['checks/sch/sch-04'], openapi: 'description', load: EVERY_SUITE },
  'SCH-05': {
    on: ['exchange'],
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    load: EVERY_SUITE,
  },
  'SCH-06': {
    on: ['exchange'],
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    load: EVERY_SUITE,
    occasions: REFUSALS,
  },
  'SCH-07': { on: ['exchange'], judges: ['checks/sch/sch-05-to-08-statuses'], load: EVERY_SUITE },
  'SCH-08': {
    on: ['exchange'],
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    load: EVERY_SUITE,
    occasions: REFUSALS,
  },
  'SCH-09': { on: ['exchange'], judges: ['checks/sch/sch-09'], openapi: 'description', load: EVERY_SUITE },
  'ERR-01': { on: ['exchange'], judges: ['checks/err/err-01'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-02': { on: ['exchange'], judges: ['checks/err/err-02'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-03': { on: ['exchange'], judges: ['checks/err/err-03'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-04': { on: ['exchange'], judges: ['checks/err/err-04'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-05': {
    on: ['exchange', 'run'],
    judges: ['checks/err/err-05'],
    load: EVERY_SUITE,
    occasions: REFUSALS,
  },
  'ERR-06': { on: ['run'], judges: ['checks/err/err-06-request-ids'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-07': { on: ['exchange'], judges: ['checks/err/err-07'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-08': { on: ['exchange'], judges: ['checks/err/err-08'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-09': { on: ['exchange'], judges: ['checks/err/err-09'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-10': {
    on: ['exchange', 'experiment'],
    judges: ['checks/err/err-10', 'checks/req/req-01-to-08-answers'],
    experiments: ['probes/requests/bad-requests'],
    load: EVERY_SUITE,
    occasions: REFUSALS,
  },
  'ERR-11': { on: ['exchange'], judges: ['checks/err/err-11'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-12': { on: ['exchange'], judges: ['checks/err/err-12'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-13': { on: ['exchange'], judges: ['checks/err/err-13'], load: EVERY_SUITE, occasions: REFUSALS },
  'ERR-14': { on: ['exchange'], judges: ['checks/err/err-14'], load: EVERY_SUITE, occasions: REFUSALS },
  'AUTH-01': {
    on: ['experiment'],
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals', 'probes/auth/requirements'],
    openapi: 'description',
  },
  'AUTH-02': {
    on: ['experiment'],
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals', 'probes/auth/invalid-tokens', 'probes/auth/requirements'],
    openapi: 'description',
  },
  'AUTH-03': {
    on: ['experiment'],
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    openapi: 'description',
  },
  'AUTH-04': {
    on: ['experiment'],
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
  },
  'AUTH-05': {
    on: ['experiment'],
    judges: ['run/smoke/smoke-any'],
    experiments: ['probes/auth/accounts', 'probes/auth/borrowed-requests'],
  },
  'AUTH-06': {
    on: ['experiment'],
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    openapi: 'description',
  },
  'AUTH-07': {
    on: ['experiment'],
    judges: ['checks/auth/auth-07-told-apart'],
    experiments: ['probes/auth/accounts', 'probes/auth/registered-email'],
  },
  'AUTH-08': {
    on: ['experiment'],
    judges: ['probes/auth/accounts'],
    experiments: ['probes/auth/accounts'],
    openapi: 'description',
  },
  'REQ-01': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers'],
    experiments: ['probes/requests/platform-places'],
  },
  'REQ-02': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/unknown-ids', 'probes/requests/deleted'],
    openapi: 'description',
  },
  'REQ-03': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
  },
  'REQ-04': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
  },
  'REQ-05': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/not-understood'],
    openapi: 'description',
  },
  'REQ-06': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/not-understood'],
    openapi: 'description',
  },
  'REQ-07': {
    on: ['experiment'],
    judges: ['checks/req/req-07-registration'],
    experiments: ['probes/requests/registration'],
  },
  'REQ-08': {
    on: ['experiment'],
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
  },
  'REQ-09': {
    on: ['experiment'],
    judges: ['checks/req/req-09-unanswered'],
    experiments: ['probes/requests/hostile-input'],
    openapi: 'description',
  },
  'PAG-01': { on: ['exchange'], judges: ['checks/pag/pag-01'], load: ['pressure'], occasions: ['PAG'] },
  'PAG-02': {
    on: ['experiment'],
    judges: ['checks/pag/pag-02'],
    experiments: ['probes/pagination/first-page'],
    load: ['pressure'],
  },
  'PAG-03': {
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-03'],
    experiments: ['probes/pagination/first-page'],
    load: ['pressure'],
  },
  'PAG-04': {
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-04', 'checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/settled-walk'],
    load: ['pressure'],
  },
  'PAG-05': {
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-05', 'checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/settled-walk'],
    load: ['pressure'],
  },
  'PAG-06': {
    on: ['experiment'],
    judges: ['checks/pag/pag-04-to-09-page', 'checks/pag/sequence', 'checks/pag/told-total'],
    experiments: [
      'probes/pagination/survey',
      'probes/pagination/walk',
      'probes/pagination/sweep',
      'probes/pagination/settled-walk',
    ],
    load: ['pressure'],
  },
  'PAG-07': {
    on: ['experiment'],
    judges: ['checks/pag/pag-04-to-09-page', 'checks/pag/sequence'],
    experiments: [
      'probes/pagination/survey',
      'probes/pagination/walk',
      'probes/pagination/sweep',
      'probes/pagination/settled-walk',
    ],
    openapi: 'pagination',
    load: ['pressure'],
  },
  'PAG-08': {
    on: ['experiment'],
    judges: ['checks/pag/pag-04-to-09-page', 'checks/pag/sequence'],
    experiments: [
      'probes/pagination/survey',
      'probes/pagination/walk',
      'probes/pagination/sweep',
      'probes/pagination/settled-walk',
    ],
    openapi: 'pagination',
    load: ['pressure'],
  },
  'PAG-09': {
    on: ['experiment'],
    judges: ['checks/pag/pag-09', 'checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/survey', 'probes/pagination/sweep'],
    openapi: 'pagination',
    load: ['pressure'],
  },
  'PAG-10': {
    on: ['experiment'],
    judges: ['checks/pag/pag-04-to-09-page', 'probes/pagination/past-end'],
    experiments: ['probes/pagination/past-end'],
    load: ['pressure'],
  },
  'PAG-11': { on: ['exchange'], judges: ['checks/pag/pag-11'], load: ['pressure'], occasions: ['PAG'] },
  'PAG-12': {
    on: ['experiment'],
    judges: ['checks/pag/pag-12'],
    experiments: ['probes/pagination/bad-values'],
    load: ['pressure'],
  },
  'PAG-13': {
    on: ['experiment'],
    judges: ['checks/pag/pag-13', 'probes/pagination/observations'],
    experiments: ['probes/pagination/observations', 'probes/pagination/largest-limit'],
    load: ['pressure'],
  },
  'PAG-14': {
    on: ['experiment'],
    judges: ['checks/pag/chain', 'checks/pag/pag-14-made-up'],
    experiments: ['probes/pagination/followed-list'],
  },
  'PAG-15': {
    on: ['experiment'],
    judges: ['checks/pag/chain', 'checks/pag/pag-15-relations'],
    experiments: ['probes/pagination/followed-list'],
  },
  'IDEM-01': {
    on: ['experiment'],
    judges: ['checks/idem/idem-01-and-05-replay'],
    experiments: [
      'probes/idempotency/series',
      'probes/idempotency/late',
      'probes/idempotency/limited',
      'probes/idempotency/observations',
    ],
    openapi: 'idempotency',
    load: ['pressure'],
  },
  'IDEM-02': {
    on: ['experiment'],
    judges: ['checks/idem/idem-02-to-04-effects'],
    experiments: ['probes/idempotency/series', 'probes/idempotency/late', 'probes/idempotency/limited'],
    openapi: 'idempotency',
    load: ['pressure'],
  },
  'IDEM-03': {
    on: ['experiment'],
    judges: ['checks/idem/idem-02-to-04-effects'],
    experiments: ['probes/idempotency/series'],
    openapi: 'idempotency',
    load: ['pressure'],
  },
  'IDEM-04': {
    on: ['experiment'],
    judges: ['checks/idem/idem-02-to-04-effects'],
    experiments: ['probes/idempotency/series', 'probes/idempotency/near-keys', 'probes/idempotency/keyless'],
    openapi: 'idempotency',
    load: ['pressure'],
  },
  'IDEM-05': {
    on: ['experiment'],
    judges: ['checks/idem/idem-01-and-05-replay'],
    experiments: ['probes/idempotency/series', 'probes/idempotency/late'],
    load: ['pressure'],
  },
  'IDEM-06': {
    on: ['experiment'],
    judges: ['checks/idem/idem-06-silent-header'],
    experiments: ['probes/idempotency/silent-header'],
    load: ['pressure'],
  },
  'IDEM-07': {
    on: ['experiment'],
    judges: ['checks/idem/idem-07-observed'],
    experiments: ['probes/idempotency/observations', 'probes/idempotency/late'],
    load: ['pressure'],
  },
  'IDEM-08': {
    on: ['experiment'],
    judges: ['checks/idem/idem-08-other-body'],
    experiments: ['probes/idempotency/other-body'],
  },
  'RATE-01': { on: ['exchange'], judges: ['checks/rate/rate-01'], load: EVERY_SUITE },
  'RATE-02': {
    on: ['exchange', 'run'],
    judges: ['checks/rate/rate-02', 'checks/rate/rate-02-constant-limit'],
    load: EVERY_SUITE,
  },
  'RATE-03': {
    on: ['run', 'experiment'],
    judges: [
      'checks/rate/rate-03-remaining-rises',
      'checks/rate/rate-03-fixed-reset',
      'checks/rate/rate-03-quiet-run',
      'checks/rate/rate-03-uncounted-operation',
      'checks/rate/drained-window-judges',
    ],
    experiments: ['probes/rate/quiet-probe', 'probes/rate/walk', 'probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-04': {
    on: ['run', 'experiment'],
    judges: ['checks/rate/rate-04-episodes', 'checks/rate/rate-04-admission'],
    experiments: ['probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-05': { on: ['exchange'], judges: ['checks/rate/rate-05'], load: EVERY_SUITE, occasions: ['RATE'] },
  'RATE-06': {
    on: ['run', 'experiment'],
    judges: ['checks/rate/rate-06-retry-wait', 'checks/rate/drained-window-judges'],
    experiments: ['probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-07': {
    on: ['experiment'],
    judges: ['checks/rate/rate-07-other-keys-unaffected'],
    experiments: ['probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-08': {
    on: ['run', 'experiment'],
    judges: ['checks/rate/rate-08-plan-order'],
    experiments: ['probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-09': {
    on: ['experiment'],
    judges: ['checks/rate/rate-09-export-throttle'],
    experiments: ['probes/rate/export-probe'],
    load: ['exports'],
  },
  'RATE-10': {
    on: ['run', 'experiment'],
    judges: ['checks/rate/rate-10-ceiling', 'checks/rate/rate-10-sustained-rate', 'checks/rate/rate-10-expectations'],
    experiments: ['probes/rate/drain-probe'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-11': {
    on: ['run', 'experiment'],
    judges: ['checks/rate/rate-11-limits-table', 'checks/rate/rate-08-plan-order'],
    experiments: ['probes/rate/walk'],
    load: ALL_BUT_PRESSURE,
  },
  'RATE-12': { on: ['exchange'], judges: ['checks/rate/rate-12-ietf-fields'], load: EVERY_SUITE },
  'VER-01': {
    on: ['experiment'],
    judges: ['checks/ver/ver-01-ignored-version'],
    experiments: ['probes/requests/version-header'],
  },
  'VER-02': { on: ['exchange'], judges: ['checks/ver/ver-02'] },
  'VER-03': {
    on: ['experiment'],
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
  },
  'RED-01': { on: ['exchange'], judges: ['checks/red/red-01'] },
  'HEALTH-01': {
    on: ['experiment'],
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
  },
  'INT-01': {
    on: ['experiment'],
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
  },
  'LIFE-01': {
    on: ['experiment'],
    judges: ['checks/life/life-01-created'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-02': {
    on: ['experiment'],
    judges: ['checks/life/life-02-sent-is-read'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-03': {
    on: ['experiment'],
    judges: ['checks/life/life-03-partial-update'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-04': {
    on: ['experiment'],
    judges: ['checks/life/life-04-deleted'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-05': {
    on: ['experiment'],
    judges: ['checks/life/life-05-refused-create'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-06': {
    on: ['experiment'],
    judges: ['checks/life/life-06-reads-alike'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-07': {
    on: ['experiment'],
    judges: ['checks/life/life-07-mass-assignment'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'LIFE-08': {
    on: ['experiment'],
    judges: ['checks/life/life-08-observed'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  'COND-01': {
    on: ['experiment'],
    judges: ['checks/cond/cond-01-if-match'],
    experiments: ['probes/conditional/course'],
  },
  'COND-02': {
    on: ['experiment'],
    judges: ['checks/cond/cond-02-if-none-match'],
    experiments: ['probes/conditional/course', 'probes/conditional/family'],
  },
  'COND-03': {
    on: ['experiment'],
    judges: ['checks/cond/cond-03-tags'],
    experiments: ['probes/conditional/course', 'probes/conditional/family'],
  },
  'HOOK-01': { on: ['delivery'], judges: ['checks/hook/hook-01-signed'], experiments: ['run/webhooks/receiving'] },
  'HOOK-02': { on: ['delivery'], judges: ['checks/hook/hook-02-redelivered'], experiments: ['run/webhooks/receiving'] },
  'HOOK-03': { on: ['delivery'], judges: ['checks/hook/hook-03-observed'], experiments: ['run/webhooks/receiving'] },
  'CLIENT-01': ofClients('client-01-refused'),
  'CLIENT-02': ofClients('client-02-credentials'),
  'CLIENT-03': ofClients('client-03-throttled'),
  'CLIENT-04': ofClients('client-04-backoff'),
  'CLIENT-05': ofClients('client-05-server-errors'),
  'CLIENT-06': ofClients('client-06-keys'),
  'CLIENT-07': ofClients('client-07-redirects'),
  'CLIENT-08': ofClients('client-08-unknown-codes'),
  'CLIENT-09': ofClients('client-09-headers'),
  'CLIENT-10': ofClients('client-10-walks'),
  'CLIENT-11': ofClients('client-11-logs'),
};

function idsWhere(is: (dossier: Dossier, id: string) => boolean): readonly string[] {
  return Object.keys(DOSSIERS).filter((id) => is(dossierOf(id), id));
}

/** The clause's dossier; an empty one for ids that the contract does not have. */
export function dossierOf(clause: string): Dossier {
  return DOSSIERS[clause] ?? { on: [], judges: [] };
}

/** Commands that judge on what `assay conform` does not see. */
const OTHER_COMMANDS: { readonly [B in Basis]?: string } = {
  delivery: 'assay webhooks',
  scenario: 'assay client -- COMMAND',
};

/** The command that judges the clause, where that is not `assay conform`; null where it is. */
export function commandOf(clause: string): string | null {
  const [basis] = dossierOf(clause).on;
  return basis === undefined ? null : (OTHER_COMMANDS[basis] ?? null);
}

/** Clauses that `assay conform` judges. */
export const JUDGED_BY_CONFORM: ReadonlySet<string> = new Set(
  idsWhere(({ on }) => on.some((basis) => OTHER_COMMANDS[basis] === undefined)),
);

/** Clauses that recorded traffic shows by itself though experiments are sent for them: the judge is asked where it can. */
const SHOWN_BY_TRAFFIC: ReadonlySet<string> = new Set([
  ...['AUTH-01', 'REQ-03', 'REQ-04', 'REQ-05', 'REQ-09'],
  ...['IDEM-01', 'IDEM-02', 'IDEM-05', 'IDEM-06', 'HEALTH-01', 'INT-01'],
  ...['PAG-06', 'PAG-07', 'PAG-08', 'PAG-14', 'PAG-15'],
  ...['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-07'],
  ...['COND-02', 'COND-03'],
]);

/** Whether the clause is judged on exchanges that others made: no request of Assay's own is needed. */
export function judgedInTraffic(clause: string): boolean {
  const { on } = dossierOf(clause);
  return SHOWN_BY_TRAFFIC.has(clause) || on.some((basis) => ['description', 'exchange', 'run'].includes(basis));
}

/** The clauses of a family that experiments are sent for. */
export function experimentedIn(family: string): readonly string[] {
  return idsWhere(({ on }, id) => isOf(id, family) && on.includes('experiment'));
}

/** The clauses that a load suite judges, in the contract's order. */
export function judgedBySuite(suite: SuiteName): readonly string[] {
  return idsWhere(({ load = [] }) => load.includes(suite));
}

/** Whether experiments for `given` bring about answers that `judged` is judged on. */
export function givesOccasion(given: string, judged: string): boolean {
  return dossierOf(judged).occasions?.some((one) => given === one || isOf(given, one)) ?? false;
}

function isOf(clause: string, family: string): boolean {
  return clause.startsWith(`${family}-`);
}
