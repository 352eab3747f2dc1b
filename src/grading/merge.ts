// Which reports make one: the shards of a run, and a run with what went on from it. Pure.

import type { LoadConformance, LoadPart } from '../contract/load-part.ts';
import { plural } from '../contract/numbers.ts';
import type { Report } from '../contract/report.ts';
import { ToldError } from '../contract/told-error.ts';
import { joinReports } from './join.ts';
import { verdictOfReport } from './verdict.ts';

/** Thrown where reports are not the parts of one run. */
export class MergeRefused extends ToldError<'ASSAY_MERGE_REFUSED', string> {
  constructor(message: string, hint: string) {
    super('ASSAY_MERGE_REFUSED', message, hint);
  }
}

/**
 * One report over all shards, its verdict that of the whole. Shards that are missing leave it partial, and without a
 * verdict unless something was violated. Throws `MergeRefused` for reports that do not belong together.
 */
export function mergeShards(reports: readonly Report[]): Report {
  const shards = inOrder(reports);
  const [{ run }] = shards;
  const count = run.shard?.count ?? 1;
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !shards.some((report) => report.run.shard?.index === index),
  );
  const joined = joinReports(
    shards,
    shards.map((report) => `s${report.run.shard?.index}`),
    'first',
  );
  const whole = { ...joined, run: mergedRun(shards, missing) };
  return { ...whole, verdict: verdictOfReport(whole) };
}

/**
 * The report of a run and of the one that went on where it stopped: the same operations, further experiments. What ended
 * the earlier part no longer counts. Throws `MergeRefused` where the later run has another scope.
 */
export function continued(earlier: Report, later: Report): Report {
  if (differences(earlier, later) !== '') throw notOneRun(earlier, later);
  const joined = joinReports([earlier, later], [earlier.run.id, later.run.id]);
  const whole = {
    ...joined,
    run: {
      ...later.run,
      startedAt: earlier.run.startedAt,
      durationMs: earlier.run.durationMs + later.run.durationMs,
      resumes: earlier.run.id,
      ...(earlier.harnessErrors === undefined ? {} : { broken: true as const }),
    },
  };
  return { ...whole, verdict: verdictOfReport(whole) };
}

/**
 * A conformance run and the load runs beside it as one report, its verdict that of all. They judge different clauses on
 * the same operations; what any of them lacks, the whole lacks.
 */
export function together(conformance: Report, loads: readonly Report[]): Report {
  const all = [conformance, ...loads] as const;
  const joined = joinReports(
    all,
    all.map((_, at) => (at === 0 ? 'c' : `l${at}`)),
  );
  const notes = joinedNotes(all.flatMap(({ run }) => (run.note === undefined ? [] : [['', run.note] as const])));
  const whole = {
    ...joined,
    ...measuredBy(loads),
    run: {
      ...conformance.run,
      durationMs: all.reduce((sum, { run }) => sum + run.durationMs, 0),
      partial: all.some(({ run }) => run.partial),
      ...(all.some(({ run }) => run.broken === true) ? { broken: true as const } : {}),
      ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
    },
  };
  return { ...whole, verdict: verdictOfReport(whole) };
}

/**
 * The notes of parts, what begins alike said once: "shards 1, 2: the request budget ended the run: 3 planned probes were not sent, 5
 * planned probes were not sent". `of`: the shard; empty: the part has no name.
 */
function joinedNotes(notes: readonly (readonly [of: string, note: string])[]): readonly string[] {
  const alike = Map.groupBy(notes, ([, note]) => note.split(': ', 1)[0] ?? note);
  return [...alike].map(([begin, same]) => {
    const parts = same.flatMap(([of]) => (of === '' ? [] : [of]));
    const who = parts.length === 0 ? '' : `${parts.length === 1 ? 'shard' : 'shards'} ${parts.join(', ')}: `;
    const rest = new Set(same.map(([, note]) => note.slice(begin.length + 2)).filter((words) => words !== ''));
    return `${who}${[begin, [...rest].join(', ')].filter((words) => words !== '').join(': ')}`;
  });
}

/** The load parts as one: of a key, what the last run that tells of it measured; what was sent one run after the other. */
function measuredBy(loads: readonly Report[]): Pick<Report, 'load'> {
  const parts = loads.flatMap(({ load }) => (load === undefined ? [] : [load as LoadPart]));
  if (parts.length === 0) return {};
  const plans = new Map(parts.flatMap((part) => part.plans).map((row) => [row.key, row]));
  const series = parts.flatMap((part) => part.series ?? []);
  const conformances = parts.flatMap(({ conformance }) => conformance ?? []);
  const conformance: LoadConformance = {
    steps: conformances.flatMap(({ steps }) => steps),
    brokenAt: conformances.find(({ brokenAt }) => brokenAt !== null)?.brokenAt ?? null,
  };
  const overTime = conformances.length === 0 ? {} : { series, conformance };
  const { suite: _suite, operations: _operations, ...measured }: LoadPart = Object.assign({}, ...parts);
  return { load: { ...measured, plans: [...plans.values()], ...overTime } };
}

/** Terms that all parts of one run share, a phrase each. */
function termsOf({ tool, run, clauses, services }: Report): readonly string[] {
  const digests = services.map(({ name, digest }) => `${name} ${digest?.slice(0, 16) ?? 'pending'}`);
  const own = clauses.flatMap(({ id, text }) => (text === undefined ? [] : [id]));
  return [
    `assay ${tool.version}`,
    `seed ${run.seed}`,
    run.shard === undefined ? 'no shards' : plural(run.shard.count, 'shard'),
    `operations and clauses ${run.scope}`,
    `configuration ${run.settings ?? 'unknown'}`,
    `descriptions ${digests.join(', ')}`,
    `own checks ${own.join(', ') || 'none'}`,
  ];
}

/** Differences between reports that should be parts of one run: "seed 1, not seed 2"; empty for none. */
function differences(one: Report, other: Report): string {
  const theirs = termsOf(other);
  const differing = termsOf(one).flatMap((term, at) => (term === theirs[at] ? [] : [`${term}, not ${theirs[at]}`]));
  return differing.join('; ');
}

function notOneRun(one: Report, other: Report): MergeRefused {
  return new MergeRefused(
    `${nameOf(one)} and ${nameOf(other)} are not parts of one: ${differences(one, other)}`,
    'parts share the version of assay, configuration, descriptions, filters, seed and number of shards',
  );
}

function nameOf({ run }: Report): string {
  return run.shard === undefined ? `run ${run.id}` : `shard ${run.shard.index} (run ${run.id})`;
}

/** The shards by index. What must be the same in all of them is. */
function inOrder(reports: readonly Report[]): readonly [Report, ...Report[]] {
  const [first] = reports;
  if (first === undefined) throw new MergeRefused('nothing to merge', 'name the run folders of all shards');
  const whole = reports.find(({ run }) => run.shard === undefined);
  if (whole !== undefined)
    throw new MergeRefused(`run ${whole.run.id} is no shard`, 'only runs with --shard I/N can be merged');
  const other = reports.find((report) => differences(first, report) !== '');
  if (other !== undefined) throw notOneRun(first, other);
  const indexes = reports.map(({ run }) => run.shard?.index ?? 0);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  if (twice !== undefined) throw new MergeRefused(`shard ${twice} is given twice`, 'name each shard once');
  const [lowest = first, ...others] = reports.toSorted(
    (left, right) => (left.run.shard?.index ?? 0) - (right.run.shard?.index ?? 0),
  );
  return [lowest, ...others];
}

function mergedRun(reports: readonly [Report, ...Report[]], missing: readonly number[]): Report['run'] {
  const runs = reports.map(({ run }) => run);
  const [{ run: first }] = reports;
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const startedAtMs = Math.min(...starts);
  const endedAtMs = Math.max(...runs.map(({ durationMs }, at) => (starts[at] ?? 0) + durationMs));
  const targets = [...new Set(reports.map(({ target }) => target.baseUrl))];
  const notes = [
    ...(targets.length > 1 ? [`the shards ran against ${targets.join(', ')}`] : []),
    ...(missing.length > 0 ? [`shard ${missing.join(', ')} of ${first.shard?.count} is missing`] : []),
    ...joinedNotes(runs.flatMap(({ note, shard }) => (note === undefined ? [] : [[`${shard?.index}`, note] as const]))),
  ];
  return {
    id: `merged-${first.id}`,
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs: endedAtMs - startedAtMs,
    seed: first.seed,
    scope: first.scope,
    ...(first.settings === undefined ? {} : { settings: first.settings }),
    ...(first.config === undefined ? {} : { config: first.config }),
    ...(first.described === undefined ? {} : { described: first.described }),
    ...(first.filters === undefined ? {} : { filters: first.filters }),
    partial: missing.length > 0 || runs.some(({ partial }) => partial),
    ...(missing.length > 0 || runs.some(({ broken }) => broken === true) ? { broken: true as const } : {}),
    ...(first.minOperations === undefined ? {} : { minOperations: first.minOperations }),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}
