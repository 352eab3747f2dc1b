// Tells the plan of a run as text and as JSON: the requests that it would send, the objects that it would make, and the
// rows that it would leave untested. The figures are those of a rehearsal in memory.

import type { Config, RunOptions } from '../../config/config.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { ReasonCode } from '../../contract/report.ts';
import type { Rehearsal } from '../../simulation/rehearsal.ts';
import { familiesInShort } from '../basis.ts';
import { duration, remedyOf } from '../words.ts';

export interface ToldPlan {
  readonly config: Pick<Config, 'target' | 'keys'>;
  /** Calls and seconds by plan name, as the user states them. */
  readonly limits: Readonly<Record<string, { readonly calls: number; readonly seconds: number }>>;
  readonly rehearsal: Rehearsal;
  /** The target that was asked before; null: nothing was sent. */
  readonly asked: AskedTarget | null;
  /** The time that the run takes at most. */
  readonly bounds: Pick<RunOptions, 'timeLimitSeconds' | 'fitSeconds'>;
}

/** The answers of a target to a few reading requests. */
export interface AskedTarget {
  /** Requests that were sent. */
  readonly requests: number;
  /** Calls by plan, and the seconds until the stated reset, rounded up: a window is at least that long. */
  readonly limits: Readonly<Record<string, { readonly calls: number; readonly seconds: number }>>;
  /** Keys that were not answered with a success, and what they were answered; null: nothing. */
  readonly refused: readonly { readonly key: string; readonly status: number | null }[];
}

/** Where no limit is stated, the time is told for this one, so that one has an idea. */
const SAMPLE_LIMIT = { calls: 100, seconds: 60 } as const;
/** Reasons that no configuration of the user's changes. */
const NOT_IN_THE_USERS_HANDS: ReadonlySet<ReasonCode> = new Set(['not-implemented', 'not-declared', 'other-command']);
/** Judged on a window that is exhausted: whether one can be depends on how large it is. */
const BY_LIMITS: ReadonlySet<string> = new Set(['RATE-04', 'RATE-10']);
const MAX_SHOWN = 12;

/** The plan for programs. `seconds` is the least time that the limits allow; null where no limit is stated. */
export function planInJson(plan: ToldPlan) {
  const { config, limits, rehearsal } = plan;
  const { report, byStage, byService, byKey, byClause } = rehearsal;
  return {
    target: config.target.baseUrl,
    asked: plan.asked,
    requests: report.counts.requests,
    ...(rehearsal.isCut === true ? { cut: true } : {}),
    ...(rehearsal.isOpened === true ? { opened: true } : {}),
    operations: report.counts.operations,
    byStage: Object.fromEntries(byStage),
    byService: rowsOf(byService, 'service'),
    byKey: rowsOf(byKey, 'key'),
    byClause: Object.fromEntries([...byClause].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    limits,
    seconds: Object.keys(limits).length === 0 ? null : Math.ceil(report.run.durationMs / 1000),
    created: report.created ?? null,
    notTested: {
      clauses: gapsOf(plan).map(({ id, reason, reasonCode }) => ({
        clause: id,
        reason,
        ...change(reasonCode),
      })),
      operations: report.operations.flatMap(({ service, operation, tested, reason, reasonCode }) =>
        tested ? [] : [{ service, operation, reason, ...change(reasonCode) }],
      ),
    },
  };
}

/** The plan for people. */
export function planInText(plan: ToldPlan): string {
  const { config, rehearsal } = plan;
  const { report, byStage, byService, byKey, byClause } = rehearsal;
  const served = [...byService].filter(([service]) => service !== null);
  const most = [...byClause].toSorted(([, left], [, right]) => right - left).slice(0, MAX_SHOWN);
  return [
    `A run on ${config.target.baseUrl} sends ${rehearsal.isCut === true ? 'at least' : 'some'} ${plural(report.counts.requests, 'request')} to ${plural(report.counts.operations, 'operation')}. ${askedInWords(plan.asked)}`,
    '',
    ...line('by stage', [...byStage]),
    ...line('by service', served),
    ...line(
      'by key',
      [...byKey].map(([key, count]) => [key ?? 'without one', count]),
    ),
    ...line(
      'by clause',
      most,
      byClause.size > MAX_SHOWN ? `, and ${plural(byClause.size - MAX_SHOWN, 'clause')} with fewer` : '',
    ),
    `  ${'time'.padEnd(10)}  ${timeInWords(plan)}`,
    `  ${'creates'.padEnd(10)}  ${createdInWords(rehearsal)}`,
    '',
    ...(rehearsal.isCut === true
      ? ['The rehearsal took too long and was ended: a run sends more than this, and tests more.', '']
      : untested(plan)),
    'Rehearsed in memory against a platform that serves your descriptions, with lists of some 60 items. A target with longer',
    'lists, or one that breaks its contract, gets more requests; one that refuses much gets fewer.',
    ...(rehearsal.isOpened === true
      ? ['No key is configured: the platform asked for none. A target that does refuses nearly all, and makes nothing.']
      : []),
  ].join('\n');
}

/** Nothing where no count is above 0. */
function line(name: string, counts: readonly (readonly [string | null, number])[], more = ''): readonly string[] {
  const parts = counts.filter(([, count]) => count > 0).map(([what, count]) => `${what} ${number(count)}`);
  return parts.length === 0 ? [] : [`  ${name.padEnd(10)}  ${parts.join(', ')}${more}`];
}

/** The time of the rehearsal where limits are stated; else what a sample limit would make of it. */
function timeInWords({ config, limits, asked, bounds, rehearsal: { report, byKey } }: ToldPlan): string {
  const stated = Object.entries(limits).map(([plan, { calls, seconds }]) => `${plan} ${number(calls)} in ${seconds} s`);
  if (stated.length > 0)
    return `at least ${duration(report.run.durationMs)} with ${stated.join(', ')}; the time of the answers comes on top`;
  const mostSeconds = bounds.timeLimitSeconds ?? bounds.fitSeconds ?? null;
  const ends =
    mostSeconds === null ? 'the run has no time limit' : `the run ends within ${duration(mostSeconds * 1000)}`;
  const fitted = `no limit is stated: ${ends}`;
  // A target that was asked, and states none, may well have none.
  if (asked !== null && Object.keys(asked.limits).length === 0) return fitted;
  const isKeyless = config.keys.length === 0;
  const busiest = isKeyless
    ? report.counts.requests
    : Math.max(0, ...config.keys.map(({ name }) => byKey.get(name) ?? 0));
  const { calls, seconds } = SAMPLE_LIMIT;
  const took = duration(Math.ceil(busiest / calls) * seconds * 1000);
  const sample = `${plural(calls, 'call')} in ${seconds} s${isKeyless ? '' : ' for each key'}`;
  return `${fitted}; if it allowed ${sample}, all of it would take at least ${took} (--limit PLAN=CALLS/SECONDS, or expect.plans)`;
}

function askedInWords(asked: AskedTarget | null): string {
  if (asked === null) return 'Nothing was sent for this.';
  const limits = Object.entries(asked.limits).map(
    ([plan, { calls, seconds }]) => `${plan} ${plural(calls, 'call')}, its reset ${seconds} s ahead`,
  );
  const stated = limits.length === 0 ? 'it states no limits' : `it states ${limits.join(', ')}`;
  const refused = asked.refused.map(({ key, status }) => `. Key ${key} is answered ${status ?? 'nothing'}`).join('');
  return `For this the target was asked by ${plural(asked.requests, 'reading request')}: ${stated}${refused}.`;
}

function createdInWords({ report: { created }, isCut }: Rehearsal): string {
  if (created === undefined || created.made === 0)
    return isCut === true ? 'nothing as far as it was rehearsed' : 'nothing';
  const made = `${isCut === true ? 'at least ' : ''}${plural(created.made, 'object')}, ${number(created.deleted)} of them deleted again`;
  const staying = created.operations.filter(({ left }) => left > 0);
  if (staying.length === 0) return made;
  const told = staying.map(({ operation, left, reasons }) => `${left} of ${operation} (${reasons.join('; ')})`);
  return `${made}; these stay: ${told.join(', ')}`;
}

function untested(plan: ToldPlan): readonly string[] {
  const { operations } = plan.rehearsal.report;
  const gaps = byReason(gapsOf(plan), (rows) => familiesInShort(rows.map(({ id }) => id)));
  const open = byReason(
    operations.filter(({ tested }) => !tested),
    ([first, ...others]) => `${first!.operation}${others.length === 0 ? '' : ` and ${others.length} more`}`,
  );
  if (gaps.length + open.length === 0) return ['Every clause that assay conform judges can be tested.', ''];
  const more =
    open.length > MAX_SHOWN ? [`  and ${plural(open.length - MAX_SHOWN, 'reason')} more (--json tells all)`] : [];
  return ['Not tested:', ...gaps, ...open.slice(0, MAX_SHOWN), ...more, ''];
}

/** A line for each reason, and the change that would have its rows judged; the reason of most rows first. */
function byReason<Row extends Pick<Gap, 'reason' | 'reasonCode'>>(
  rows: readonly Row[],
  name: (rows: readonly Row[]) => string,
): readonly string[] {
  const groups = [...Map.groupBy(rows, ({ reason, reasonCode }) => `${reasonCode} ${reason}`).values()];
  return groups
    .toSorted((left, right) => right.length - left.length)
    .map((same) => {
      const { reason = '', reasonCode } = same[0]!;
      const remedy = change(reasonCode, reason).change ?? '';
      return `  ${name(same)}: ${reason}${remedy === '' ? '' : `. ${remedy}`}`;
    });
}

/** Rows that could be judged by `assay conform`, and are not. Rows that only limits decide stand open where none is stated. */
function gapsOf({ limits, rehearsal: { report } }: ToldPlan): readonly Gap[] {
  const isStated = Object.keys(limits).length > 0;
  return report.clauses.flatMap(({ id, status, reason, reasonCode }) => {
    const isOpen = status === 'not-tested' && !(reasonCode !== undefined && NOT_IN_THE_USERS_HANDS.has(reasonCode));
    if (!isOpen) return [];
    const isOfLimits = reasonCode === 'precondition' && BY_LIMITS.has(id) && !isStated;
    return [
      isOfLimits ? { id, reason: 'it depends on the limits; state them with --limit' } : { id, reason, reasonCode },
    ];
  });
}

interface Gap {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly reasonCode?: ReasonCode | undefined;
}

/** Change that would have them judged; nothing where no configuration does. */
function change(reasonCode: ReasonCode | undefined, reason?: string): { readonly change?: string } {
  const remedy = reasonCode === undefined ? '' : remedyOf(reasonCode, reason);
  return remedy === '' ? {} : { change: remedy.replaceAll('`', '') };
}

function rowsOf<Name extends string>(counts: ReadonlyMap<string | null, number>, name: Name) {
  return [...counts].map(
    ([what, requests]) => ({ [name]: what, requests }) as Record<Name, string | null> & { requests: number },
  );
}
