// Limiters that give back all at once: windows of the clock, windows that a call opens, and logs that slide. The length is
// the time from one return to the next; then calls half a window apart, begun a quarter after where the clock's windows
// would begin, tell the three from each other:
//
//                             u: two fifths   u + 0.35 W: the rest   u + 0.875 W   u + 1.1 W
//   fixed-aligned   (W ends at u + 0.75 W)                           admitted      all
//   fixed-first-hit (W ends at u + W)                                refused       all
//   sliding-log                                                      refused       two fifths
import { comeBack } from './come-back.ts';
import { logWindow } from './log-window.ts';
import type { ModelKind } from './models.ts';
import type { Return } from './returns.ts';
import type { Flood, Part, Subject, Trace } from './trace.ts';

export interface Windowed {
  /** Null where time or calls ran out before it could be told. */
  readonly kind: ModelKind | null;
  /** Units that fresh windows admitted, one for each window that was spent from its begin. */
  readonly units: readonly number[];
  /** null where the second return was not seen. */
  readonly windowMs: { readonly least: number; readonly best: number; readonly most: number } | null;
  /** When a window of the clock began. Epoch ms. */
  readonly boundaryMs: number;
  /** Whether the kind is not told because calls were sent or answered too late. */
  readonly isLate?: boolean;
}

const FIRST_SHARE = 0.4;
/** When the calls that tell the three apart must have been answered, in windows from u: what comes later may be of another window. */
const LATEST = { rest: 0.74, probes: 0.97, last: 1.32 } as const;
/** Of a window: when its begin is known less exactly, the three cannot be told apart. */
const VAGUE = 0.1;
const IDLE_WINDOWS = 2.25;
const PROBES = 3;
/** Returns that were seen late are waited for again, so often. */
const MOST_MORE = 2;
const NARROW = 0.06;

/** `back`: when the spent limit came back; `again`: what was admitted then, at once, until it was spent again. */
export function* windowed(subject: Subject, trace: Trace, back: Return, again: Flood): Part<Windowed> {
  const came = yield* comeBack(subject, trace, again);
  let second = came?.atOnce == null ? null : came.back;
  const units = [again, came?.atOnce ?? null].flatMap((one) => (one?.refused ? [one.units] : []));
  const boundaryMs = (back.earliestMs + back.latestMs) / 2;
  if (second === null) return { kind: null, units, windowMs: null, boundaryMs };
  let windowMs = between(back, second);
  let before = back;
  for (let turn = 0, last = came; turn < MOST_MORE && !isNarrow(windowMs) && last?.atOnce?.refused; turn += 1) {
    last = yield* comeBack(subject, trace, last.atOnce);
    if (last?.atOnce == null) break;
    if (last.atOnce.refused) units.push(last.atOnce.units);
    windowMs = narrowed(windowMs, between(second, last.back));
    [before, second] = [second, last.back];
  }
  const beganMs = (second.earliestMs + second.latestMs) / 2;
  const told = { units, windowMs, boundaryMs: beganMs };
  const late = { kind: null, ...told, isLate: true };
  // By so much windows of the clock may begin sooner or later than is reckoned.
  const vagueMs = (second.latestMs - second.earliestMs + IDLE_WINDOWS * (windowMs.most - windowMs.least)) / 2;
  if (vagueMs > VAGUE * windowMs.best) return late;
  const from = beganMs + IDLE_WINDOWS * windowMs.best;
  const at = (share: number): number => from + share * windowMs.best;
  trace.settle(from - subject.now());
  const parted = Math.max(1, Math.floor(again.units * FIRST_SHARE));
  const first = trace.unitsOf(yield* trace.send(new Array<number>(parted).fill(0), null));
  trace.until(at(0.35));
  const rest = yield* trace.flood(Math.ceil(again.units * 1.2) + 20);
  if (rest === null) return { kind: null, ...told };
  // Later it may have met the next window: the two together are more than one holds.
  if (rest.endMs > at(LATEST.rest) - vagueMs) return late;
  const fresh = rest.refused ? [...units, first + rest.units] : units;
  trace.until(at(0.875));
  const probes = yield* trace.send(new Array<number>(PROBES).fill(0), null);
  if (probes.length === 0) return { kind: null, ...told, units: fresh };
  if (probes.some(({ answeredMs }) => answeredMs > at(LATEST.probes))) return late;
  if (probes.some(({ outcome }) => outcome === 'admitted')) return { kind: 'fixed-aligned', ...told, units: fresh };
  trace.until(at(1.1));
  const last = yield* trace.flood(Math.ceil(again.units * 1.2) + 20);
  if (last === null) return { kind: null, ...told, units: fresh };
  if (last.endMs > at(LATEST.last)) return late;
  const isAll = last.units > (first + (first + rest.units)) / 2;
  // Such a window begins with the call that was admitted, not before it.
  const sinceHit = between({ ...before, earliestMs: before.sentMs }, second);
  return isAll
    ? { kind: 'fixed-first-hit', ...told, windowMs: sinceHit, units: last.refused ? [...fresh, last.units] : fresh }
    : logged(subject, trace, { ...told, units: fresh.slice(units.length) });
}

/** What had been spent before came back with it: only what began at rest counts. Its length is told by all that was seen. */
function logged(subject: Subject, trace: Trace, told: Omit<Windowed, 'kind'>): Windowed {
  const { units, windowMs } = told;
  const limit = Math.max(0, ...units);
  if (windowMs === null || limit === 0) return { kind: 'sliding-log', ...told };
  const { leastMs: least, mostMs: most } = logWindow(trace.observed, limit, subject.costs);
  // Bounds that contradict each other tell of calls by others.
  const isTold = least > 0 && least <= most;
  return { kind: 'sliding-log', ...told, windowMs: isTold ? { least, best: (least + most) / 2, most } : windowMs };
}

function isNarrow({ least, best, most }: NonNullable<Windowed['windowMs']>): boolean {
  return most - least <= NARROW * best;
}

/** Within both bounds; where they contradict each other the window is not steady, and the wider ones hold. */
function narrowed(one: NonNullable<Windowed['windowMs']>, other: NonNullable<Windowed['windowMs']>) {
  const [least, most] = [Math.max(one.least, other.least), Math.min(one.most, other.most)];
  return least <= most ? { least, best: (least + most) / 2, most } : one;
}

/** From one return to the next, each known to lie between two times. */
function between(one: Return, other: Return): NonNullable<Windowed['windowMs']> {
  const least = other.earliestMs - one.latestMs;
  const most = other.latestMs - one.earliestMs;
  return { least, best: (least + most) / 2, most };
}
