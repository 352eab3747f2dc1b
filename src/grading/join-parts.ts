// Joins what the parts of one run say: the rows of each operation, what was created, and what planted defects would have
// been noticed. Pure.
import type {
  Created,
  CreatedByOperation,
  DeclaredUse,
  Finding,
  InputCoverage,
  OperationClause,
  OperationRow,
  ReasonCode,
  Report,
} from '../contract/report.ts';
import type { MissedPlant, PlantCount, Sensitivity } from '../contract/sensitivity.ts';
import { addLatencies } from './latency.ts';

/** How many findings of a kind a place has. */
type Counted = (clause: string, place: Pick<OperationRow, 'service' | 'operation'>, kind: Finding['kind']) => number;

/** The operations that the parts answer for, and apart from them those that none does. */
export function joinedOperations(
  parts: readonly Report[],
  findings: readonly Finding[],
): { readonly operations: readonly OperationRow[]; readonly elsewhere: readonly OperationRow[] } {
  const placeOf = ({ service, operation }: Pick<Finding, 'service' | 'operation'>): string => `${service} ${operation}`;
  const places = Map.groupBy(findings, (finding) => `${finding.clause} ${placeOf(finding)} ${finding.kind}`);
  const counted: Counted = (clause, place, kind) => places.get(`${clause} ${placeOf(place)} ${kind}`)?.length ?? 0;
  const own = Map.groupBy(
    parts.flatMap(({ operations }) => operations),
    placeOf,
  );
  const seen = Map.groupBy(
    parts.flatMap(({ elsewhere = [] }) => elsewhere),
    placeOf,
  );
  return {
    operations: [...own].map(([place, rows]) => joinedOperation([...(seen.get(place) ?? []), ...rows], counted)),
    elsewhere: [...seen].flatMap(([place, rows]) => (own.has(place) ? [] : joinedOperation(rows, counted))),
  };
}

/** Reasons that an end gives, or a cut. */
export const CUT_SHORT: ReadonlySet<ReasonCode | undefined> = new Set([
  ...(['budget', 'time-limit', 'interrupted', 'target-lost', 'sharded', 'other-command', undefined] as const),
]);

/** One operation's rows in several parts, the last one of a part that answers for it: tested where any part tested it. */
function joinedOperation(rows: readonly OperationRow[], counted: Counted): OperationRow {
  const [first] = rows as [OperationRow];
  if (rows.length === 1) return first;
  const { reasonCode, reason, ...best } = rows.find(({ tested }) => tested) ?? rows.findLast(isOwnMatter) ?? first;
  // A row that a part only did not come to stands as the last one left it: there it may have turned out not to apply.
  const settled = rows.flatMap(({ clauses }, at) =>
    Object.entries(clauses).flatMap(([id, { checks, reasonCode }]) =>
      checks > 0 || at === rows.length - 1 || !CUT_SHORT.has(reasonCode) ? [id] : [],
    ),
  );
  const ids = [...new Set(settled)];
  return {
    ...best,
    ...(best.tested || reasonCode === undefined ? {} : { reasonCode, reason: reason ?? reasonCode }),
    requests: sum(rows, ({ requests }) => requests),
    ...(best.successes === undefined ? {} : { successes: sum(rows, ({ successes = 0 }) => successes) }),
    statuses: added(rows.map(({ statuses }) => statuses)),
    clauses: Object.fromEntries(
      ids.map((id) => {
        const same = rows.flatMap(({ clauses }) => clauses[id] ?? []);
        return [id, joinedOperationClause(same, (kind) => counted(id, first, kind))];
      }),
    ),
    ...(best.latency === undefined ? {} : { latency: addLatencies(rows.map(({ latency = {} }) => latency)) }),
    ...(best.declared === undefined ? {} : { declared: joinedUse(rows.flatMap(({ declared = [] }) => declared)) }),
    ...(best.inputs === undefined ? {} : { inputs: joinedInputs(best.inputs, rows) }),
  };
}

/** A target is open where every part left it open. */
function joinedInputs({ targets, open }: InputCoverage, rows: readonly OperationRow[]): InputCoverage {
  const keys = rows.map(({ inputs }) => new Set(inputs?.open.map(({ at, kind }) => `${at} ${kind}`)));
  const told = rows.every(({ inputs }) => inputs !== undefined);
  const left = told ? open.filter(({ at, kind }) => keys.every((one) => one.has(`${at} ${kind}`))) : open;
  return { targets, exercised: targets - left.length, open: left };
}

function joinedUse(uses: readonly DeclaredUse[]): DeclaredUse {
  return {
    parameters: added(uses.map(({ parameters }) => parameters)),
    statuses: added(uses.map(({ statuses }) => statuses)),
  };
}

function joinedOperationClause(
  rows: readonly OperationClause[],
  counted: (kind: Finding['kind']) => number,
): OperationClause {
  const judged = rows.filter(({ checks }) => checks > 0);
  const last = rows.at(-1)!;
  if (judged.length === 0) return last;
  const status = (['fail', 'observed', 'pass'] as const).find((one) => judged.some((row) => row.status === one));
  return {
    status: status ?? 'pass',
    checks: sum(judged, ({ checks }) => checks),
    violations: counted('violation'),
    advisories: counted('advisory'),
  };
}

function added(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const keys = [...new Set(counts.flatMap((one) => Object.keys(one)))].sort();
  return Object.fromEntries(keys.map((key) => [key, sum(counts, (one) => one[key] ?? 0)]));
}

/** Tells whether a part had to look at it at all: other shards and other commands have their own. */
export function isOwnMatter({ reasonCode }: { readonly reasonCode?: ReasonCode }): boolean {
  return reasonCode !== 'sharded' && reasonCode !== 'other-command';
}

/** Sum of the numbers that `pick` takes of each. */
export function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

/** The sums of all parts; absent where one that has operations does not tell. Webhooks and clients have none, and create nothing. */
export function joinedCreated(parts: readonly Report[]): { readonly created?: Created } {
  const told = parts.flatMap(({ created }) => created ?? []);
  const [first] = told;
  if (
    first === undefined ||
    told.length < parts.filter(({ operations, created }) => operations.length > 0 || created !== undefined).length
  )
    return {};
  const rows = Map.groupBy(
    told.flatMap(({ operations }) => operations),
    ({ service, operation }) => `${service} ${operation}`,
  );
  const operations = [...rows.values()].map((own) => own.reduce(madeTogether));
  const sum = (of: 'made' | 'deleted' | 'left'): number => operations.reduce((total, row) => total + row[of], 0);
  const unknown = told.reduce((total, part) => total + (part.unknown ?? 0), 0);
  const changed = told.flatMap((part) => part.changed ?? []);
  const sums = { made: sum('made'), deleted: sum('deleted'), left: sum('left') };
  return {
    created: {
      ...sums,
      ...(unknown === 0 ? {} : { unknown }),
      ...(changed.length === 0 ? {} : { changed }),
      limits: first.limits,
      operations,
    },
  };
}

function madeTogether(one: CreatedByOperation, other: CreatedByOperation): CreatedByOperation {
  const { heldBack = 0, ...rest } = one;
  const held = heldBack + (other.heldBack ?? 0);
  return {
    ...rest,
    made: one.made + other.made,
    deleted: one.deleted + other.deleted,
    left: one.left + other.left,
    deletable: one.deletable || other.deletable,
    reasons: [...new Set([...one.reasons, ...other.reasons])],
    ...(held === 0 ? {} : { heldBack: held }),
  };
}

/**
 * Nothing where no part tells it, or a shard does not. Shards plant at operations of their own, so their counts add up. A run and the one that
 * went on from it plant at the same places: what either caught is caught.
 */
export function joinedSensitivity(parts: readonly Report[]): Pick<Report, 'sensitivity'> {
  const told = parts.flatMap(({ sensitivity }) => sensitivity ?? []);
  const [first, ...others] = told;
  const isSharded = parts.length > 1 && parts.every(({ run }) => run.shard !== undefined);
  if (first === undefined || (isSharded && told.length < parts.length)) return {};
  return { sensitivity: others.reduce(isSharded ? addedUp : continued, first) };
}

function addedUp(left: Sensitivity, right: Sensitivity): Sensitivity {
  return {
    ...sumOfCounts(left, right),
    families: summed(left.families, right.families),
    clauses: summed(left.clauses, right.clauses),
    places: left.places + right.places,
    missed: [...left.missed, ...right.missed],
    faults: { ...left.faults, ...right.faults },
  };
}

function continued(left: Sensitivity, right: Sensitivity): Sensitivity {
  const before = new Set(left.missed.map(nameOf));
  const missed = right.missed.filter((one) => before.has(nameOf(one)));
  const foundBefore = right.missed.filter((one) => !before.has(nameOf(one)));
  const faults = missed.map(({ fault }) => [fault, right.faults[fault] ?? ''] as const);
  return {
    ...right,
    caught: right.caught + foundBefore.length,
    families: more(right.families, foundBefore, ({ clause }) => clause.replace(/-\d+$/, '')),
    clauses: more(right.clauses, foundBefore, ({ clause }) => clause),
    missed,
    faults: Object.fromEntries(faults),
  };
}

function nameOf({ fault, service, operation }: MissedPlant): string {
  return JSON.stringify([fault, service, operation]);
}

type Counts = Readonly<Record<string, PlantCount>>;

function more(counts: Counts, caught: readonly MissedPlant[], keyOf: (plant: MissedPlant) => string): Counts {
  const additions = Map.groupBy(caught, keyOf);
  return Object.fromEntries(
    Object.entries(counts).map(([key, { planted, caught: before }]) => [
      key,
      { planted, caught: before + (additions.get(key)?.length ?? 0) },
    ]),
  );
}

function summed(left: Counts, right: Counts): Counts {
  const none = { planted: 0, caught: 0 };
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(keys.map((key) => [key, sumOfCounts(left[key] ?? none, right[key] ?? none)]));
}

function sumOfCounts(left: PlantCount, right: PlantCount): PlantCount {
  return { planted: left.planted + right.planted, caught: left.caught + right.caught };
}
