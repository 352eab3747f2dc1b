// Two runs side by side: of one target at two times, or the newest runs of two targets.
import { number, plural } from '../../contract/numbers.ts';
import type { FindingResult, HistoryRows, RunRow } from '../../run/history/rows.ts';
import { shareOf } from '../sensitivity-words.ts';
import { contractInWords, threeDigits } from '../words.ts';
import {
  type Asked,
  linkTo,
  minuteOf,
  placeOf,
  RUNS_DRAWN,
  reachOf,
  short,
  targetName,
  twoDigits,
  verdictOf,
} from './view.ts';

/** Rows shown of findings and of operations. */
const ROWS_TOLD = 200;
/** "target:staging.example.com" stands for the newest run of conformance there. */
const NEWEST_OF = 'target:';

/** Null for `both` where a run is not there: `missing` says which. */
export function compareView(rows: HistoryRows, asked: Asked) {
  const right = asked.right === null ? newestOf(rows, asked.host) : named(rows, asked.right);
  const left = asked.left === null ? before(rows, right) : named(rows, asked.left);
  const recent = rows.runs({ host: asked.host, branch: asked.branch, suite: null }, RUNS_DRAWN);
  const choices = [
    ...rows
      .targets()
      .map((target) => ({ value: `${NEWEST_OF}${target.host}`, label: `newest of ${targetName(target)}` })),
    ...recent.slice(0, 50).map((run) => ({
      value: run.id,
      label: short(`${minuteOf(run.startedAt)} ${run.host} ${placeOf(run)} ${run.suite}`),
    })),
  ];
  const chosen = { left: asked.left ?? left?.id ?? '', right: asked.right ?? right?.id ?? '' };
  const offered = [chosen.left, chosen.right].filter(
    (value) => value !== '' && !choices.some((one) => one.value === value),
  );
  return {
    choices: [...[...new Set(offered)].map((value) => ({ value, label: short(value) })), ...choices],
    chosen,
    both: left === null || right === null ? null : bothOf(rows, left, right),
  };
}

function named(rows: HistoryRows, name: string): RunRow | null {
  return name.startsWith(NEWEST_OF) ? newestOf(rows, name.slice(NEWEST_OF.length)) : rows.run(name);
}

function newestOf(rows: HistoryRows, host: string | null): RunRow | null {
  return rows.runs({ host, branch: null, suite: 'conform' }, 1)[0] ?? null;
}

/** The run before this one: same target, same suite, same operations and clauses. */
function before(rows: HistoryRows, run: RunRow | null): RunRow | null {
  if (run === null) return null;
  const alike = rows.runs({ host: run.host, branch: null, suite: run.suite }, RUNS_DRAWN);
  return (
    alike.find(({ id, startedAt, scope }) => id !== run.id && startedAt <= run.startedAt && scope === run.scope) ?? null
  );
}

function bothOf(rows: HistoryRows, left: RunRow, right: RunRow) {
  const [before, now] = [rows.findings(left.id), rows.findings(right.id)];
  const lacking = (some: readonly FindingResult[], others: readonly FindingResult[]) => {
    const known = new Set(others.map(({ fingerprint }) => fingerprint));
    return some.filter(({ fingerprint }) => !known.has(fingerprint));
  };
  const [gone, fresh] = [lacking(before, now), lacking(now, before)];
  return {
    heads: [left, right].map((run) => ({ id: run.id, when: minuteOf(run.startedAt), href: linkTo('/', run) })),
    facts: factsOf(left, right),
    alike: left.scope === right.scope,
    clauses: clausesOf(rows, left, right),
    findings: [
      {
        title: 'Only on the left',
        rows: gone.slice(0, ROWS_TOLD).map(findingLine),
        left: Math.max(0, gone.length - ROWS_TOLD),
      },
      {
        title: 'Only on the right',
        rows: fresh.slice(0, ROWS_TOLD).map(findingLine),
        left: Math.max(0, fresh.length - ROWS_TOLD),
      },
    ],
    shared: `${plural(before.length - gone.length, 'violation or advisory is', 'violations and advisories are')} in both.`,
    figures: figuresOf(rows, left, right),
    operations: operationsOf(rows, left, right),
  };
}

function factsOf(left: RunRow, right: RunRow) {
  const ms = (value: number | null): string => (value === null ? '–' : `${twoDigits(value)} ms`);
  const kinds: readonly (readonly [name: string, of: (run: RunRow) => string])[] = [
    ['target', ({ host, environment }) => (environment === null ? host : `${host} (${environment})`)],
    ['what ran', ({ suite }) => (suite === 'conform' ? 'conformance' : `load: ${suite}`)],
    ['branch, commit', (run) => placeOf(run) || 'unknown'],
    ['versions', ({ versions }) => short(versions ?? 'unknown')],
    ['contract', ({ contract }) => (contract === null ? 'unknown' : short(contractInWords(contract)))],
    [
      'verdict',
      (run) => `${verdictOf(run).word}${run.partial ? ', partial' : ''}${run.certified ? ', certified' : ''}`,
    ],
    ['operations tested', reachOf],
    [
      'violations',
      ({ violations, accepted }) => `${number(violations)}${accepted > 0 ? `, ${number(accepted)} accepted` : ''}`,
    ],
    ['advisories', ({ advisories }) => number(advisories)],
    [
      'sensitivity',
      ({ caught, planted }) => (caught === null || planted === null ? 'not asked' : shareOf(caught, planted)),
    ],
    ['requests', ({ requests }) => number(requests)],
    ['p50, p99', ({ p50Ms, p99Ms }) => `${ms(p50Ms)}, ${ms(p99Ms)}`],
    ['Assay', ({ tool }) => tool],
  ];
  return kinds.map(([name, of]) => ({ name, left: of(left), right: of(right), differs: of(left) !== of(right) }));
}

function clausesOf(rows: HistoryRows, left: RunRow, right: RunRow) {
  const results = rows.clauses([left.id, right.id]);
  return [...Map.groupBy(results, ({ clause }) => clause)]
    .map(([clause, own]) => {
      const status = (id: string): string => own.find(({ run }) => run === id)?.status ?? 'not-tested';
      return { clause, left: status(left.id), right: status(right.id) };
    })
    .filter((row) => row.left !== row.right)
    .toSorted((one, other) => one.clause.localeCompare(other.clause));
}

function findingLine({ clause, kind, service, operation, cause }: FindingResult) {
  return { clause, kind, cause: short(cause), on: short(operation ?? service ?? 'the target as a whole') };
}

function figuresOf(rows: HistoryRows, left: RunRow, right: RunRow) {
  const told = rows.figures([left.id, right.id]);
  return [...Map.groupBy(told, ({ figure, unit }) => `${figure}, ${unit}`)].map(([name, own]) => {
    const text = (id: string): string => {
      const one = own.find(({ run }) => run === id);
      return one === undefined ? '–' : threeDigits(one.value);
    };
    return { name: short(name), left: text(left.id), right: text(right.id) };
  });
}

/** Operations that both answered, the largest change of the 99th percentile first. */
function operationsOf(rows: HistoryRows, left: RunRow, right: RunRow) {
  const keyOf = (row: { readonly service: string; readonly operation: string }): string =>
    `${row.service} ${row.operation}`;
  const others = new Map(rows.operations(right.id).map((row) => [keyOf(row), row]));
  return rows
    .operations(left.id)
    .flatMap((row) => {
      const other = others.get(keyOf(row));
      if (row.p99Ms === null || other?.p99Ms == null) return [];
      const ratio = other.p99Ms / row.p99Ms;
      return [
        {
          name: short(keyOf(row)),
          left: twoDigits(row.p99Ms),
          right: twoDigits(other.p99Ms),
          ratio,
          times: `${threeDigits(ratio)} ×`,
        },
      ];
    })
    .toSorted((one, other) => Math.abs(Math.log(other.ratio)) - Math.abs(Math.log(one.ratio)))
    .slice(0, ROWS_TOLD);
}
