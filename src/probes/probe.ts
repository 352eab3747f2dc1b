// Defines a probe: an experiment that says what to send next and, at the end, what pure checks made of the answers.
// Probes do no I/O: the run sends what they yield and hands the exchanges back.
import type { Judgement } from '../contract/judgement.ts';
import type { Companions, ReasonCode } from '../contract/report.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';

/** The answer to one plan: every attempt in order; `last` is the one that stands. */
export interface Answered {
  readonly attempts: readonly Exchange[];
  readonly last: Exchange;
}

/** One judgement of one clause on one operation (or on none), with the exchanges it rests on. */
export interface Outcome {
  readonly clause: string;
  readonly service: string | null;
  /** Operation key, or null. */
  readonly operation: string | null;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

/** Yields plans, receives answers, returns outcomes. */
export type Course = Generator<RequestPlan, readonly Outcome[], Answered>;

/**
 * When an experiment takes its turn. reach: every operation's first call. lean: every clause's first check on every
 * operation. depth: further values, repetition. quiet: laws over many calls, while nothing else is sent. last: what
 * destroys (deletes, sign-outs) or spends a limit.
 */
export type Stage = 'reach' | 'lean' | 'depth' | 'quiet' | 'last';

interface Occasion {
  /** "auth/no-token", constant per kind: its name, by which it is found again. */
  readonly probe: string;
  readonly stage: Stage;
  /** Order within the stage: lower first. */
  readonly rank: number;
  /** Clauses that it can judge. */
  readonly clauses: readonly string[];
  readonly service: string | null;
  readonly operation: string | null;
  /** Requests it sends when nothing is retried or confirmed. */
  readonly cost: number;
  /** Sets it apart from others of its clauses and rank, so that a budget looks at both. Absent: nothing does. */
  readonly kind?: string;
  /** Objects that it leaves to be deleted at the end of the run. Absent: one for each request of a POST. */
  readonly leaves?: number;
  /** True where a breach is confirmed by running it again. Absent: false. */
  readonly repeatable?: boolean;
  /** The other operations that must be known before it can be performed. Absent: none. */
  readonly companions?: Companions;
  /** Tells whether there is anything to send; asked as late as can be, for it takes time. Absent: there is. */
  stands?(): boolean;
}

/** Thrown in place of sending what must not be sent: too much was made already, or it may change what it must not. Caught by the stage. */
export class NotSent extends Error {
  readonly reasonCode: ReasonCode;

  /** `message` is the reason, a sentence. */
  constructor(reasonCode: ReasonCode, message: string) {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/** Thrown in place of what ended a run or an experiment; caught by the stage, which tells the breaches that it had shown by then. */
export class CutShort extends Error {
  readonly outcomes: readonly Outcome[];

  constructor(outcomes: readonly Outcome[], cause: unknown) {
    super('the run ended before the experiment did', { cause });
    this.outcomes = outcomes;
  }
}

/**
 * The error to throw where `cause` ended an experiment that had come to these outcomes. A clause that held so far is
 * not told: not all of it was looked at.
 */
export function endedBy(cause: unknown, outcomes: readonly Outcome[]): unknown {
  const shown = outcomes.filter(({ judgement }) => judgement.kind === 'breached');
  return shown.length === 0 ? cause : new CutShort(shown, cause);
}

/** The outcomes of the work, which adds each as soon as it is known: what ends the work early does not hide what was shown by then. */
export async function collected(work: (outcomes: Outcome[]) => Promise<void>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    await work(outcomes);
  } catch (error) {
    throw endedBy(error, outcomes);
  }
  return outcomes;
}

/** The same for an experiment whose steps follow one another. */
export function* collectedOnCourse(work: (outcomes: Outcome[]) => Generator<RequestPlan, void, Answered>): Course {
  const outcomes: Outcome[] = [];
  try {
    yield* work(outcomes);
  } catch (error) {
    throw endedBy(error, outcomes);
  }
  return outcomes;
}

/** The result of the work; null where a request of it must not be sent. */
export async function unlessNotSent<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotSent) return null;
    throw error;
  }
}

/** Sends one plan; several may be under way at once. Throws NotSent. */
export type Send = (plan: RequestPlan) => Promise<Answered>;

/** An experiment whose steps follow one another. */
export interface Experiment extends Occasion {
  run(): Course;
}

/** An experiment of either form. */
export type AnyExperiment = Experiment | Conversation;

/** An experiment that sends concurrently, or hands sending to a property runner. */
export interface Conversation extends Occasion {
  /** `letGo`: what the experiment has made so far is needed no longer. */
  converse(send: Send, letGo?: () => void): Promise<readonly Outcome[]>;
}

/** Why a clause could not be probed on an operation. */
export interface Untested {
  readonly clause: string;
  readonly service: string | null;
  readonly operation: string | null;
  readonly reasonCode: ReasonCode;
  readonly reason: string;
}
