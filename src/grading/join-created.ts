// What the parts of a run made, as what one run made. Pure.
import type { Created, CreatedByOperation, Report } from '../contract/report.ts';

/** The sums of all parts; absent where a part does not tell. */
export function joinedCreated(parts: readonly Report[]): { readonly created?: Created } {
  const told = parts.flatMap(({ created }) => created ?? []);
  const [first] = told;
  if (first === undefined || told.length < parts.length) return {};
  const rows = Map.groupBy(
    told.flatMap(({ operations }) => operations),
    ({ service, operation }) => `${service} ${operation}`,
  );
  const operations = [...rows.values()].map((own) => own.reduce(together));
  const sum = (of: 'made' | 'deleted' | 'left'): number => operations.reduce((total, row) => total + row[of], 0);
  const unknown = told.reduce((total, part) => total + (part.unknown ?? 0), 0);
  const sums = { made: sum('made'), deleted: sum('deleted'), left: sum('left') };
  return {
    created: { ...sums, ...(unknown === 0 ? {} : { unknown }), limits: first.limits, operations },
  };
}

function together(one: CreatedByOperation, other: CreatedByOperation): CreatedByOperation {
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
