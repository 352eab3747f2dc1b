// Scripts the receiver's answers over the events in the order in which they first come. A delivery that was not
// accepted makes the platform deliver again; redeliveries are accepted, so that no event is delivered for ever.
import type { ScriptedAnswer } from '../contract/webhooks.ts';
import { EventIndex } from '../exchange/delivered-events.ts';
import type { Delivery } from '../exchange/delivery.ts';

const REFUSALS: ReadonlySet<ScriptedAnswer> = new Set<ScriptedAnswer>(['hang', '500', '410']);

/** The answers to one event, attempt by attempt; every further attempt is accepted. */
type Course = readonly ScriptedAnswer[];

const REFUSED_ONCE: Course = ['500'];
const REFUSED = 20;

/**
 * The first event is refused twice, which shows two steps of the retry schedule; one is answered slowly and one not at
 * all; those after them are refused once. 410 is left out, because it ends a subscription with many platforms.
 */
const DEFAULT_COURSES: readonly Course[] = [
  ['500', '500'],
  ['slow'],
  ['hang'],
  ...Array.from({ length: REFUSED }, () => REFUSED_ONCE),
];

export class AnswerScript {
  readonly #courses: readonly Course[];
  readonly #index = new EventIndex();
  /** Attempts by event. */
  readonly #attempts = new Map<number, number>();
  /** Events whose first delivery was not accepted, and those of them that came again. */
  readonly #refused = new Set<number>();
  readonly #cameAgain = new Set<number>();

  /** `answers`: those to the first delivery of each event, in order; null: the script above. Events beyond are accepted. */
  constructor(answers: readonly ScriptedAnswer[] | null) {
    this.#courses = answers === null ? DEFAULT_COURSES : answers.map((answer) => [answer]);
  }

  /** The answer to the delivery. Each delivery is to be asked about once, in the order received. */
  answerTo(delivery: Delivery): ScriptedAnswer {
    const event = this.#index.eventOf(delivery);
    const attempt = this.#attempts.get(event) ?? 0;
    this.#attempts.set(event, attempt + 1);
    if (this.#refused.has(event)) this.#cameAgain.add(event);
    const answer = this.#courses[event]?.[attempt] ?? 'accept';
    if (REFUSALS.has(answer)) this.#refused.add(event);
    return answer;
  }

  /** Tells whether the script refuses anything: then a redelivery is waited for. */
  get refuses(): boolean {
    return this.#courses.flat().some((answer) => REFUSALS.has(answer));
  }

  /** Tells whether an event was refused and came again, and none is still waited for. */
  get isAnswered(): boolean {
    return this.#refused.size > 0 && this.#refused.size === this.#cameAgain.size;
  }
}
