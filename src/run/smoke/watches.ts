// Watches, while a run goes on, that the target takes the run's keys, and drops no connections.

import { isBrokenError, judgeBrokenErrors } from '../../checks/err/err-01.ts';
import {
  areMoreThan,
  dropsOf,
  isCut,
  isDrop,
  isMoreThan,
  judgeDrops,
  judgeEnd,
  type Look,
  mayHaveEnded,
  type OperationDrops,
} from '../../checks/req/req-09-unanswered.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { answeredMs, type Exchange, type RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isSound } from '../perform/present-state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { assureAlive, type Sought, TargetLost } from './alive.ts';

// The keys of a run, as long as they are accepted: a call that changes something may log its caller out, or take its
// rights. Under the contract `openapi` nobody says which call that is.

/** A 403 may be the affair of one object: a key has lost its rights where so many other operations refuse it, too. */
const KEY_CONTROLS = 3;

interface Standing {
  /** Reading calls that the key was served, by operation; the first few. */
  readonly controls: Map<string, RequestPlan>;
  /** Operations that the key was served. */
  readonly served: Set<string>;
  /** Operations whose 403 turned out to be their own affair. */
  readonly dispelled: Set<string>;
  /** The last operation that changed something under the key. */
  lastChange: string | null;
}

/** Tells whether the answer refuses the caller; a limiter refuses the call alone. */
export function isRefusal({ response, limited }: Exchange): boolean {
  return limited !== true && (response?.status === 401 || response?.status === 403);
}

export class KeyWatch {
  readonly #keys = new Map<string, Standing>();

  /** Notes what the key of an exchange was served. */
  observe({ plan, response }: Exchange): void {
    if (plan.credential.kind !== 'key' || response === null || response.status >= 300 || plan.operation === null)
      return;
    const standing = this.#keys.get(plan.credential.name) ?? {
      controls: new Map(),
      served: new Set(),
      dispelled: new Set(),
      lastChange: null,
    };
    this.#keys.set(plan.credential.name, standing);
    const { controls, served } = standing;
    const spot = spotKey(plan);
    served.add(spot);
    if (plan.method === 'GET' && controls.size < KEY_CONTROLS && !controls.has(spot))
      controls.set(spot, { ...plan, probe: 'run/key', retry: 'once' });
    if (!isSafe(plan.method)) standing.lastChange = plan.operation;
  }

  /**
   * The calls that tell whether the key is still accepted, after an operation that served it refused it: one after a 401;
   * after a 403 those of other operations, at least two. Empty where there is no doubt, or nothing to ask.
   */
  doubt(last: Exchange): readonly RequestPlan[] {
    const { plan, response } = last;
    if (!isRefusal(last)) return [];
    if (plan.credential.kind !== 'key' || plan.intent === 'unauthenticated') return [];
    const standing = this.#keys.get(plan.credential.name);
    const spot = spotKey(plan);
    if (standing === undefined || !standing.served.has(spot)) return [];
    const controls = [...standing.controls.values()];
    if (response?.status === 401) return controls.slice(0, 1);
    if (standing.dispelled.has(spot)) return [];
    const others = controls.filter((control) => spotKey(control) !== spot);
    return others.length < 2 ? [] : others;
  }

  /** Notes that the key is accepted elsewhere. */
  dispel({ plan }: Exchange): void {
    if (plan.credential.kind === 'key') this.#keys.get(plan.credential.name)?.dispelled.add(spotKey(plan));
  }

  /** The message on a key that is accepted no longer. */
  lost({ plan: { credential }, response }: Exchange): string {
    const name = credential.kind === 'key' ? credential.name : '';
    const change = this.#keys.get(name)?.lastChange ?? null;
    const since = change === null ? '' : `; the last call that changed something was ${change}`;
    const what =
      response?.status === 403
        ? 'has lost its rights: it was accepted and is refused now (403)'
        : 'was accepted and is refused now (401)';
    return `key ${name} ${what}${since}. Give it a tokenCommand, or fewer operations (--operation)`;
  }
}

// Connections that the target drops without an answer, or before it is whole: how often, where, and what a closer look shows.
// Error answers that break off are counted by operation and status (ERR-01), all else by operation (REQ-09).

/** Repeats until one in seven would have shown again; and so many where one did, until it is clear that chance did not do it. */
const REPEATS = 14;
const REPEATS_WHERE_DROPPED = 60;
const EVIDENCE_KEPT = 4;
/** A target that ends drops all that is under way within this time. ms. */
const TOGETHER_MS = 1000;
/** A target that takes a connection, and answers nothing for so long, is stuck, as the requests before have shown. ms. */
const MIN_SILENCE_MS = 3000;

interface Watched {
  readonly plan: RequestPlan;
  readonly clause: 'REQ-09' | 'ERR-01';
  drops: number;
  soundDrops: number;
  readonly evidence: Exchange[];
  readonly looks: Look[];
  /** Until when the last drop that counts was under way. Epoch ms. */
  untilMs: number;
}

type Target = Omit<Sought, 'wasThere'>;

interface Concluded {
  readonly clause: Watched['clause'];
  readonly plan: RequestPlan;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

/**
 * A dropped connection is looked at again on fresh ones, once an operation: a socket that had served before may simply have
 * been closed. What may change something is not sent again; the operation's next requests go over fresh connections, where a
 * drop is the platform's doing. It is judged at the end, when it is known how many connections were lost elsewhere.
 */
export class DropWatch {
  readonly #send: (plan: RequestPlan) => Promise<readonly Exchange[]>;
  readonly #target: Target;
  /** Number of requests of each operation; of answers with an error also of each operation and status; of sound ones also alone. */
  readonly #sends = new Map<string, number>();
  /** Operations that dropped a connection. */
  readonly #known = new Set<string>();
  readonly #watched = new Map<string, Watched>();
  /** Requests that were cut, or not answered in time, until the target answers what is sent after them. */
  #cut: readonly Exchange[] = [];
  /** Those that were cut before the target was found gone. */
  readonly #ends = new Set<Exchange>();
  /** Those of them that were sent again, whatever came of it. */
  readonly #repeatedEnds = new Set<Exchange>();
  /** True once anything was answered. */
  #wasThere = false;
  /** True once the run has ended while a look had been connected, and not answered, for long. */
  #isLeftStuck = false;
  #allSends = 0;
  #allDrops = 0;

  constructor(send: (plan: RequestPlan) => Promise<readonly Exchange[]>, target: Target) {
    this.#send = send;
    this.#target = target;
  }

  /** The plan as it is sent: over a fresh connection where its operation is known to drop them. */
  onConnection(plan: RequestPlan): RequestPlan {
    return this.#known.has(spotKey(plan)) ? { ...plan, fresh: true } : plan;
  }

  /** Counts what was sent, whatever came of it. */
  count(attempts: readonly Exchange[]): void {
    this.#allSends += attempts.length;
    this.#wasThere ||= attempts.some(({ response }) => response !== null);
    for (const attempt of attempts) {
      const { plan, response, failure } = attempt;
      if (response !== null) this.#cut = this.#cut.filter((one) => answeredMs(one) >= attempt.sentAt);
      else if (mayHaveEnded(attempt)) this.#cut = [...this.#cut, attempt];
      const status = response?.status ?? failure?.status ?? 0;
      const keys = status < 400 ? [spotKey(plan)] : [spotKey(plan), errorKey(plan, status)];
      for (const key of [...keys, ...(isSound(plan) ? keys.map(soundKey) : [])])
        this.#sends.set(key, (this.#sends.get(key) ?? 0) + 1);
    }
  }

  /** Notes what the end of the run has left unanswered. */
  leave({ plan, failure }: Exchange): void {
    if (plan.onlyAlive === true && (failure?.withinMs ?? 0) >= MIN_SILENCE_MS) this.#isLeftStuck = true;
  }

  /**
   * Suspects what was cut of having ended the target while that is looked for: `isGone` resolves with whether nothing answered at first, as
   * this does, and throws where nothing ever did: of a target that is stuck, what was not answered in time is suspected, too.
   */
  async whileLooked(isGone: (sought: Sought) => Promise<boolean>): Promise<boolean> {
    const before = this.#cut;
    let suspects: readonly Exchange[] = [];
    try {
      const wasGone = await isGone({ ...this.#target, wasThere: this.#wasThere });
      if (wasGone) suspects = before.filter(isCut);
      return wasGone;
    } catch (error) {
      if (this.#isLeftStuck || (error instanceof TargetLost && error.isStuck)) suspects = before;
      else if (error instanceof TargetLost) suspects = before.filter(isCut);
      throw error;
    } finally {
      for (const one of suspects) this.#ends.add(one);
    }
  }

  /**
   * Sends what is suspected of having ended a target that is back again and again, where that is harmless. A request that ends it no more is
   * suspected no longer: the target was restarted while it was under way.
   */
  async clearSuspects(): Promise<void> {
    for (const end of this.#ends) {
      if (!isSafe(end.plan.method) || this.#repeatedEnds.has(end)) continue;
      this.#repeatedEnds.add(end);
      const repeats = await this.#repeat(end.plan, ({ response }) => response === null);
      if (repeats.length > 0 && repeats.every(({ response }) => response !== null)) this.#ends.delete(end);
    }
  }

  /** Notes that the plan's send failed as `drop`, and repeats it where that is harmless and was not done before. */
  async lookAgain(plan: RequestPlan, drop: Exchange): Promise<void> {
    const isError = isBrokenError(drop);
    const key = isError ? errorKey(plan, drop.failure?.status ?? 0) : spotKey(plan);
    const known = this.#watched.get(key);
    const clause = isError ? 'ERR-01' : 'REQ-09';
    const watched = known ?? { plan, clause, drops: 0, soundDrops: 0, evidence: [], looks: [], untilMs: 0 };
    this.#watched.set(key, watched);
    this.#known.add(spotKey(plan));
    this.#note(watched, drop);
    if (known !== undefined || !isSafe(plan.method)) return;
    const repeats = await this.#repeat(plan, async (answer, all) => {
      this.#note(watched, answer);
      const isLost = answer.failure !== null && answer.failure.status === undefined;
      // Each further repeat might end it again.
      if (isLost && (await this.whileLooked((sought) => assureAlive(this.#send, answer, sought)))) return true;
      return isMoreThan(dropsOf(all), this.#elsewhere(key, watched));
    });
    watched.looks.push({ first: drop, repeats });
  }

  /** The answers to the plan on fresh connections, up to the one that is enough. */
  async #repeat(
    plan: RequestPlan,
    isEnough: (answer: Exchange, all: readonly Exchange[]) => boolean | Promise<boolean>,
  ): Promise<readonly Exchange[]> {
    const answers: Exchange[] = [];
    while (answers.length < (answers.some(isDrop) ? REPEATS_WHERE_DROPPED : REPEATS)) {
      const answer = (await this.#send({ ...plan, fresh: true })).at(-1);
      if (answer === undefined) break;
      answers.push(answer);
      if (await isEnough(answer, answers)) break;
    }
    return answers;
  }

  /**
   * The judgement on each operation that dropped a connection, and on each of its error statuses whose bodies broke off; and on each request
   * that the target was gone after.
   */
  conclude(): readonly Concluded[] {
    const cuts = [...this.#ends].map((end) => this.#cutWith(end));
    const alone = cuts.filter(({ length }) => length === 1);
    const known = new Set(alone.flat().map(({ plan }) => spotKey(plan)));
    // The fewer were cut together, the less is left to look for.
    const open = cuts
      .filter((cut) => !cut.some(({ plan }) => known.has(spotKey(plan))))
      .toSorted((one, other) => one.length - other.length);
    return [...[...alone, ...open.slice(0, 1)].map((cut) => this.#concludeEnd(cut)), ...this.#concludeWatched()];
  }

  /** True once the target was found gone after a request that was cut. */
  get hasEnded(): boolean {
    return this.#ends.size > 0;
  }

  /** All that was cut together with the request after which nothing answered, itself included. */
  #cutWith(end: Exchange): readonly Exchange[] {
    const cut = [...new Set([...this.#ends, ...this.#cut])];
    return cut.filter((one) => Math.abs(answeredMs(one) - answeredMs(end)) < TOGETHER_MS);
  }

  /** The judgement on all that was cut together: on no operation where it is not known which one ended the target. */
  #concludeEnd(cut: readonly Exchange[]): Concluded {
    const { plan } = cut[0] as Exchange;
    const judgement = judgeEnd(cut, this.#target.terms);
    const at = cut.length === 1 ? plan : { ...plan, operation: null };
    return { clause: 'REQ-09', plan: at, judgement, evidence: cut.slice(0, EVIDENCE_KEPT) };
  }

  #concludeWatched(): readonly Concluded[] {
    return [...this.#watched].map(([key, watched]) => {
      const { plan, clause, evidence } = watched;
      const sound = { sends: this.#sends.get(soundKey(key)) ?? 0, drops: watched.soundDrops };
      const own: OperationDrops = { ...watched, sound, sends: this.#sends.get(key) ?? 0 };
      const elsewhere = this.#elsewhere(key, watched);
      const judgement =
        clause === 'REQ-09'
          ? judgeDrops(own, elsewhere, this.#target.terms)
          : judgeBrokenErrors(evidence, { isLasting: areMoreThan(own, elsewhere), errors: this.#target.terms.errors });
      return { clause, plan, judgement, evidence };
    });
  }

  /** Drops that were under way together may have one cause, as where a balancer is restarted, and count as one. */
  #note(watched: Watched, exchange: Exchange): void {
    if (!isDrop(exchange) || exchange.sentAt < watched.untilMs) return;
    watched.untilMs = answeredMs(exchange);
    watched.drops += 1;
    if (isSound(exchange.plan)) watched.soundDrops += 1;
    this.#allDrops += 1;
    if (watched.evidence.length < EVIDENCE_KEPT) watched.evidence.push(exchange);
  }

  #elsewhere(key: string, { drops }: Watched) {
    return { sends: this.#allSends - (this.#sends.get(key) ?? 0), drops: this.#allDrops - drops };
  }
}

function errorKey(plan: RequestPlan, status: number): string {
  return `${spotKey(plan)} ${status}`;
}

function soundKey(key: string): string {
  return `${key} sound`;
}
