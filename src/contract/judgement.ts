// What a check answers. A check finds; it never reads the clause's level (grading applies it) and never throws.
import type { Confidence, PropertyCase, ReasonCode } from './report.ts';

/**
 * How much a breach weighs before the clause's level is applied: `breach` takes the level (must → violation,
 * should → advisory, discover → observation); `advisory` and `observation` are what a clause's tolerance
 * downgrades to, whatever the level.
 */
export type Weight = 'breach' | 'advisory' | 'observation';

/** One departure from a clause, in words and values. */
export interface Breach {
  readonly weight: Weight;
  /** Constant per kind of breach, without values: groups findings and feeds the fingerprint ("status differs from the HTTP status"). */
  readonly cause: string;
  /** Subject – actual – expected, with the values ("error.status is 500, expected 404, the HTTP status"). */
  readonly message: string;
  /** Every acceptable outcome, in words. */
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the response body or the description; absent where there is none. */
  readonly pointer?: string;
  /** The case that showed it, where a property did. */
  readonly property?: PropertyCase;
}

/** Something that the source does not show, as this platform does it: a row of the report's table. */
export interface Observed {
  /** Constant: "maximum page size". */
  readonly subject: string;
  /** "100"; for what cannot be told a bound, or "unknown". */
  readonly value: string;
  readonly confidence: Confidence;
  /** How many calls it rests on; 0 for what a description says. */
  readonly calls: number;
  /** How it was found out, in words. */
  readonly basis: string;
  /** The configured key that it is about; absent for what holds for any key. */
  readonly of?: { readonly key: string; readonly plan: string };
}

interface Noted {
  /** What was found out beside. */
  readonly observed?: readonly Observed[];
}

export type Judgement = Noted &
  (
    | { readonly kind: 'holds'; readonly assertions: number }
    | { readonly kind: 'breached'; readonly assertions: number; readonly breaches: readonly Breach[] }
    | { readonly kind: 'cannot-tell'; readonly reasonCode: ReasonCode; readonly reason: string }
  );

/** The clause holds, after this many assertions (at least one). */
export function holds(assertions = 1): Judgement {
  return { kind: 'holds', assertions };
}

/** The clause is breached; an empty list means that it holds. */
export function breached(breaches: readonly Breach[], assertions = 1): Judgement {
  return breaches.length === 0 ? holds(assertions) : { kind: 'breached', assertions, breaches };
}

/** No assertion could be made, and why. */
export function cannotTell(reasonCode: ReasonCode, reason: string): Judgement {
  return { kind: 'cannot-tell', reasonCode, reason };
}

/** The judgement together with what was found out beside. */
export function noting(judgement: Judgement, observed: readonly Observed[]): Judgement {
  return { ...judgement, observed };
}
