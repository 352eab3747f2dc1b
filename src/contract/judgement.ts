// Defines the judgement, the answer of a check. A check finds; it never reads the clause's level (grading applies it)
// and never throws.
import type { Grounds } from './measures.ts';
import type { Confidence, PropertyCase, ReasonCode } from './report.ts';

/**
 * How much a breach weighs before the clause's level is applied: `breach` takes the level (must → violation,
 * should → advisory, discover → observation); `advisory` and `observation` are what a clause's tolerance
 * downgrades to, whatever the level.
 */
export type Weight = 'breach' | 'advisory' | 'observation';

/** One departure from a clause, in words and values. */
export type Scalar = string | number | boolean | null;

export interface Breach {
  readonly weight: Weight;
  /**
   * The kind of breach, as programs know it: "err-04.differs". Clause, kind, and values that make a kind of their own
   * (`codeOf`). Groups findings and feeds the fingerprint; never changed once it was released.
   */
  readonly code: string;
  /** Constant per kind of breach, without values: the code in words ("status differs from the HTTP status"). */
  readonly cause: string;
  /** Subject – actual – expected, with the values ("error.status is 500, expected 404, the HTTP status"). */
  readonly message: string;
  /** Every acceptable outcome, in words. */
  readonly expected: string;
  readonly actual: string;
  /**
   * The same as values, where the code says what they are: names of JSON types, values of the member, media types. Absent where words
   * alone tell.
   */
  readonly wanted?: readonly Scalar[];
  /** JSON pointer into the response body or the description; absent where there is none. */
  readonly pointer?: string;
  /** Code of the kind that explains this one: where that was found on the operation, this is the same breach seen again. */
  readonly within?: string;
  /** How it is told where the same request does not show it each time: then what was sent is no ground for it. Absent: in the same way. */
  readonly sometimes?: Pick<Breach, 'code' | 'cause' | 'message'>;
  /** The case that showed it, where a property did. */
  readonly property?: PropertyCase;
}

/** A breach as a check of the user's own tells it: where it gives no code, one is made of its cause. */
export type OwnBreach = Omit<Breach, 'code' | 'within' | 'sometimes'> & { readonly code?: string };

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
  /** The grounds of the judgement, where they are more than the exchanges that are its evidence. */
  readonly grounds?: Grounds;
  /** Behaviour that the check found out on the way, and that no clause decides. */
  readonly observed?: readonly Observed[];
}

/** `B`: its breaches, which lack a code only where the user's own checks tell them. */
export type Judgement<B extends OwnBreach = Breach> = Noted &
  (
    | { readonly kind: 'holds'; readonly assertions: number }
    | { readonly kind: 'breached'; readonly assertions: number; readonly breaches: readonly B[] }
    | { readonly kind: 'cannot-tell'; readonly reasonCode: ReasonCode; readonly reason: string }
  );

/** A breach told as "what: actual, expected this". `pointer`: into the answer's body. */
export function wrong(
  kind: readonly [code: string, cause: string],
  subject: string,
  expected: string,
  actual: string,
  pointer?: string,
): Breach {
  return toldBreach(kind, `${subject}: ${actual}, expected ${expected}`, expected, actual, pointer);
}

/** A breach told in a sentence of its own. `pointer`: into the answer's body. */
export function toldBreach(
  [code, cause]: readonly [code: string, cause: string],
  message: string,
  expected: string,
  actual: string,
  pointer?: string,
): Breach {
  const at = pointer === undefined ? {} : { pointer };
  return { weight: 'breach', code, cause, message, expected, actual, ...at };
}

/** The clause holds, after this many assertions (at least one). */
export function holds(assertions = 1): Judgement<never> {
  return { kind: 'holds', assertions };
}

/** The judgement together with what it rests on. */
export function resting<B extends OwnBreach>(judgement: Judgement<B>, grounds: Grounds): Judgement<B> {
  return { ...judgement, grounds };
}

/** The clause is breached; an empty list means that it holds. */
export function breached<B extends OwnBreach = Breach>(breaches: readonly B[], assertions = 1): Judgement<B> {
  return breaches.length === 0 ? holds(assertions) : { kind: 'breached', assertions, breaches };
}

/** No assertion could be made, and why. */
export function cannotTell(reasonCode: ReasonCode, reason: string): Judgement<never> {
  return { kind: 'cannot-tell', reasonCode, reason };
}

/** The judgement together with what was found out beside. */
export function noting(judgement: Judgement, observed: readonly Observed[]): Judgement {
  return { ...judgement, observed };
}
