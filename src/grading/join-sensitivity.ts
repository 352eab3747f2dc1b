// What parts of one run would have noticed, as one statement. Pure.
import type { Report } from '../contract/report.ts';
import type { MissedPlant, PlantCount, Sensitivity } from '../contract/sensitivity.ts';

/**
 * Nothing where no part tells it, or a shard does not. Shards plant at operations of their own, so their counts add up. A run and the one that
 * went on from it plant at the same places: what either caught is caught.
 */
export function joinedSensitivity(parts: readonly Report[]): Pick<Report, 'sensitivity'> {
  const told = parts.flatMap(({ sensitivity }) => sensitivity ?? []);
  const [first, ...others] = told;
  const isSharded = parts.length > 1 && parts.every(({ run }) => run.shard !== undefined);
  if (first === undefined || (isSharded && told.length < parts.length)) return {};
  return { sensitivity: others.reduce(isSharded ? added : continued, first) };
}

function added(left: Sensitivity, right: Sensitivity): Sensitivity {
  return {
    ...sum(left, right),
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
  return Object.fromEntries(keys.map((key) => [key, sum(left[key] ?? none, right[key] ?? none)]));
}

function sum(left: PlantCount, right: PlantCount): PlantCount {
  return { planted: left.planted + right.planted, caught: left.caught + right.caught };
}
