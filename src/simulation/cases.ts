// Cases on which the verdict is proved: the platform as it is, with each of its faults, and with each oddity that the
// contract allows.

import { simulatedClock } from '../clock/simulated.ts';
import type { RunOptions } from '../config/config.ts';
import { CLAUSES } from '../contract/clauses.ts';
import type { Report } from '../contract/report.ts';
import { oncePerValue } from '../exchange/once-per.ts';
import { type Deviation, NoSubject } from '../platform/deviation.ts';
import { FAULTS } from '../platform/faults/all.ts';
import { DOCS_URL } from '../platform/http/publish.ts';
import type { JsonObject } from '../platform/json.ts';
import { FURTHER, type Paths, SELDOM, SMALL } from '../platform/parts.ts';
import { Platform } from '../platform/platform.ts';
import { readModel } from '../platform/schema/model.ts';
import { documentOf, type ServedDocument } from '../platform/schema/served.ts';
import { TOLERANCES } from '../platform/tolerances/all.ts';
import { simulate } from './simulate.ts';
import type { SimulatedWorld } from './worlds.ts';

export interface Case {
  readonly id: string;
  /** conformant: nothing deviates. */
  readonly kind: 'conformant' | 'fault' | 'tolerance';
  readonly deviations: readonly Deviation[];
  /** The clause that a fault breaks, or whose tolerance is used; null: none. */
  readonly clause: string | null;
  /** Clauses whose advisories count as violations: a breach that would only be told is seen then. */
  readonly promote: readonly string[];
  /** Clauses that may be blamed: none but for a fault. */
  readonly blamable: readonly string[];
}

/** Clauses that advise only. A fault of another clause may break these, too: then they are not asked. */
const ADVISING = CLAUSES.filter(({ level }) => level === 'should').map(({ id }) => id);
const LIFE = ADVISING.filter((id) => id.startsWith('LIFE-'));

/** The conformant platform first. */
export const CASES: readonly Case[] = [
  { id: 'conformant', kind: 'conformant', deviations: [], clause: null, blamable: [], promote: ADVISING },
  ...FAULTS.map(
    (fault): Case => ({
      id: fault.id,
      kind: 'fault',
      deviations: [fault],
      clause: fault.clause,
      blamable: [fault.clause, ...(fault.alsoBreaks ?? [])],
      promote: LIFE.includes(fault.clause) ? LIFE : ADVISING.filter((id) => id === fault.clause),
    }),
  ),
  ...TOLERANCES.map(
    (tolerance): Case => ({
      id: tolerance.id,
      kind: 'tolerance',
      deviations: [tolerance],
      clause: tolerance.clause,
      blamable: [],
      promote: LIFE,
    }),
  ),
];

/** The clauses of the case's family; for the conformant platform all. */
export function clausesOfFamily({ clause }: Case): readonly string[] {
  const family = clause === null ? '' : clause.slice(0, clause.indexOf('-') + 1);
  return CLAUSES.map(({ id }) => id).filter((id) => id.startsWith(family));
}

/** How a case is looked at. */
export interface Look {
  readonly world: SimulatedWorld;
  readonly seed: number;
  /** Without a budget: depth is performed even where the fault is caught before. */
  readonly whole?: boolean;
  /**
   * Budget of requests, unless the run is whole; absent: enough for all but depth, and none where lives of resources are looked at.
   * A fault that they do not show is looked at whole.
   */
  readonly budget?: number;
  /** Clauses to judge; absent: all. */
  readonly clauses?: readonly string[];
  /** The run ends once a violation is found. */
  readonly isUntilBreach?: boolean;
  readonly stop?: AbortSignal;
}

/** Performs one run of a case. */
export type Perform = (
  subject: {
    readonly documents: readonly ServedDocument[];
    readonly deviations: readonly Deviation[];
    readonly promote: readonly string[];
  },
  options: Pick<RunOptions, 'clauses' | 'budget'>,
) => Promise<Report>;

/** The report of a case, and whether it is right. */
export type JudgedCase = { readonly report: Report } & Correctness;

/** Requests that are enough for all but depth on a model of a few operations. */
const BUDGET_REQUESTS = 1000;

/** The simulated run of a case, and whether its report is right. */
export function judgeCase(one: Case, look: Look): Promise<JudgedCase> {
  const { world, seed, stop, isUntilBreach = false } = look;
  return judgeCaseBy(one, look, (subject, options) =>
    simulate({ ...subject, world, seed, options, isUntilBreach, ...(stop === undefined ? {} : { stop }) }),
  );
}

/** The run of a case by other means. Depth is left out, unless the fault shows nowhere else. */
export async function judgeCaseBy(
  one: Case,
  { whole = false, budget, clauses = [] }: Pick<Look, 'whole' | 'budget' | 'clauses'>,
  perform: Perform,
): Promise<JudgedCase> {
  const subject = { documents: await documentsOf(one), deviations: one.deviations, promote: one.promote };
  const judged = async (budget: number | null) => {
    const report = await perform(subject, { clauses, budget });
    return { report, ...correctnessOf(one, report, clauses.length > 0) };
  };
  // The lives of resources are followed after all other laws: the usual budget pays for a part of them.
  const isWhole = whole || (budget === undefined && isOfLives(one));
  const first = await judged(isWhole ? null : (budget ?? BUDGET_REQUESTS));
  return first.missed && one.kind === 'fault' && !isWhole ? judged(null) : first;
}

function isOfLives({ clause }: Case): boolean {
  return clause?.startsWith('LIFE-') === true;
}

/** Documents that are served in the case. */
function documentsOf({ deviations: [deviation] }: Case): Promise<readonly ServedDocument[]> {
  return deviation === undefined ? reducedModel() : modelFor(deviation);
}

export interface Correctness {
  /** True where a fault was not blamed on its clause, or a run of all clauses came to no verdict. */
  readonly missed: boolean;
  /** Clauses that were blamed though the case does not break them, sorted. */
  readonly falseAlarms: readonly string[];
}

/** How a report compares with what is known of the case. */
function correctnessOf({ kind, clause, blamable }: Case, report: Report, isPartial: boolean): Correctness {
  const blamed = report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id);
  const caught = kind === 'fault' ? clause !== null && blamed.includes(clause) : isPartial || report.verdict !== 'none';
  return { missed: !caught, falseAlarms: blamed.filter((id) => !blamable.includes(id)).sort() };
}

// The platform's own descriptions with fewer operations, so that a run takes little. A fault or tolerance case is served with as few
// as it needs to show.

const REDUCED = FURTHER.reduce(joined, SMALL);

/** Made once a process and frozen: what is compiled to judge by it is compiled once. */
const modelOfName = oncePerValue((_: string, paths: Paths) => reducedTo(paths));

/** The smallest model: seven operations. */
export function smallModel(): Promise<readonly ServedDocument[]> {
  return modelOf(SMALL);
}

/** Every kind of operation, in all services: some thirty operations. */
export function reducedModel(): Promise<readonly ServedDocument[]> {
  return modelOf(REDUCED);
}

/** The smallest model in which the deviation finds its subject: the small one, with one further kind of operation if need be. */
async function modelFor(deviation: Deviation): Promise<readonly ServedDocument[]> {
  for (const paths of [SMALL, ...[...FURTHER, SELDOM].map((further) => joined(SMALL, further))]) {
    const documents = await modelOf(paths);
    if (hasSubject(deviation, documents)) return documents;
  }
  return reducedModel();
}

function hasSubject(deviation: Deviation, documents: readonly ServedDocument[]): boolean {
  const platform = { documents, deviations: [deviation], docsUrl: DOCS_URL, seed: 1, limits: {}, instance: '' };
  try {
    deviation.describe?.(new Map(documents.map(({ service, root }) => [service, structuredClone(root)])));
    return new Platform({ ...platform, clock: simulatedClock() }).routes.length > 0;
  } catch (error) {
    if (error instanceof NoSubject || error instanceof TypeError) return false;
    throw error;
  }
}

function joined(one: Paths, other: Paths): Paths {
  const services = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...services].map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]));
}

function modelOf(paths: Paths): Promise<readonly ServedDocument[]> {
  return modelOfName(JSON.stringify(paths), paths);
}

/** Read once a process, which takes as long as ten cases. */
let whole: Promise<readonly ServedDocument[]> | undefined;

/** The documents, in the platform's order; a service without a path is left out. */
async function reducedTo(paths: Paths): Promise<readonly ServedDocument[]> {
  whole ??= readModel({});
  return (await whole).flatMap(({ service, root }) => {
    const all = new Map<string, unknown>(Object.entries(Object(root.paths)));
    const kept = (paths[service] ?? []).map((path) => [path, all.get(path)] as const);
    if (kept.length === 0) return [];
    return [documentOf(service, frozen<JsonObject>({ ...root, paths: Object.fromEntries(kept) }))];
  });
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
