// Plays a series against the operation and holds the model beside it: key → first answer, and the effects there are.
import { judgePaidOnce, judgeReplay } from '../../checks/idem/idem-01-and-05-replay.ts';
import { judgeOneEffect, judgeSeparate, judgeTogether, type Shown } from '../../checks/idem/idem-02-to-04-effects.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import { NotSent, type Outcome, type Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import { callOthers, touch } from './between.ts';
import { lookFor, lookForLost, SECOND_LOOK_MS } from './effects.ts';
import { type Ground, type Keyed, type Original, succeeded } from './keyed-operation.ts';
import type { Script, Step } from './script.ts';

interface Entry {
  readonly keyed: Keyed;
  /** The first success under the key. */
  original: Exchange | null;
  readonly answers: Exchange[];
  /** Answers of the largest burst; empty where all sends came one after another. */
  burst: readonly Exchange[];
  /** Sends at once whose answers were awaited in vain, or contradict each other: what came first is unknown. */
  unclear: boolean;
  /** Whether the series itself deleted the effect. */
  removed: boolean;
  /** Set: the first success is of an earlier series. */
  readonly isShared: boolean;
  /** Of a shared key: a later answer in place of the first, once the target had forgotten the key. That says nothing of sends at once. */
  renewed: Exchange | null;
}

/** What the series shows, clause by clause. What stands before its first send or after its last is left out. */
export async function play(ground: Ground, send: Send, script: Script, probe: string): Promise<readonly Outcome[]> {
  const series = new Series(ground, send, probe);
  const isSend = ({ act }: Step): boolean => act === 'send' || act === 'together';
  try {
    for (const step of script.slice(script.findIndex(isSend), script.findLastIndex(isSend) + 1))
      await series.take(step);
    return await series.end();
  } catch (error) {
    // What was seen counts, though no more may be made: a key that is executed again makes more than it should.
    if (!(error instanceof NotSent) || series.seen.length === 0) throw error;
    return series.seen;
  }
}

/** Those that were answered; throws what kept the others from being sent only where that is all that there is. */
async function answered(sends: readonly Promise<Exchange>[]): Promise<readonly Exchange[]> {
  const settled = await Promise.allSettled(sends);
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const errors: unknown[] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const grave = errors.find((error) => !(error instanceof NotSent)) ?? (answers.length === 0 ? errors[0] : undefined);
  if (grave !== undefined) throw grave;
  return answers;
}

/** The key so many times at once, and once more: what its first sends show. */
export async function playBurst(
  ground: Ground,
  send: Send,
  keyed: Keyed,
  times: number,
  probe: string,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly isRefused: boolean }> {
  const series = new Series(ground, send, probe);
  const answers = await series.burst(keyed, times);
  return { outcomes: await series.end(), isRefused: !answers.some(succeeded) };
}

class Series {
  readonly #ground: Ground;
  readonly #send: Send;
  readonly #probe: string;
  readonly #entries = new Map<number, Entry>();
  readonly #outcomes: Outcome[] = [];
  readonly #unauthorised: { readonly keyed: Keyed; readonly original: Exchange; readonly when: string }[] = [];
  #others = 0;
  #pages: readonly Exchange[] = [];

  constructor(ground: Ground, send: Send, probe: string) {
    this.#ground = ground;
    this.#send = send;
    this.#probe = probe;
  }

  async take(step: Step): Promise<void> {
    if (step.act === 'others') return this.#callOthers(step.calls);
    const entry = this.#entries.get(step.key);
    if (step.act === 'change' || step.act === 'remove') return this.#touch(entry, step.act);
    if (step.act === 'together') {
      const known = entry ?? this.#enterNew(step.key);
      // What was sent long ago is sent once more before it is sent at once: a key that is forgotten shows by itself.
      if (entry === undefined && known.isShared) this.#take(known, await this.#ground.send(this.#send, known.keyed));
      return this.#together(known, step.times, step.apartMs);
    }
    if (entry === undefined) return this.#openWith(step.key);
    this.#take(entry, await this.#ground.send(this.#send, entry.keyed));
  }

  /** What was judged so far. */
  get seen(): readonly Outcome[] {
    return this.#outcomes;
  }

  /** The answers to the first key's sends, all at once and one after. */
  async burst(keyed: Keyed, times: number): Promise<readonly Exchange[]> {
    const entry = this.#enter(0, keyed);
    await this.#together(entry, times, 0);
    if (entry.original !== null) this.#take(entry, await this.#ground.send(this.#send, keyed));
    return entry.answers;
  }

  #enter(key: number, keyed: Keyed, isShared = false): Entry {
    const none = { original: null, renewed: null, unclear: false, removed: false };
    const entry: Entry = { keyed, isShared, answers: [], burst: [], ...none };
    this.#entries.set(key, entry);
    return entry;
  }

  /** A key that was never sent; where keys are shared, one that was. */
  #enterNew(key: number): Entry {
    const shared = this.#ground.shared(key);
    return shared === null
      ? this.#enter(key, this.#ground.fresh(this.#probe, undefined, 'experiment'))
      : this.#enterShared(key, shared);
  }

  #enterShared(key: number, { keyed, answer }: Original): Entry {
    const entry = this.#enter(key, keyed, true);
    entry.original = answer;
    entry.answers.push(answer);
    return entry;
  }

  async #openWith(key: number): Promise<void> {
    const shared = this.#ground.shared(key);
    if (shared !== null) {
      const entry = this.#enterShared(key, shared);
      this.#take(entry, await this.#ground.send(this.#send, entry.keyed));
      return;
    }
    const { keyed, answer } = await this.#ground.first(this.#send, this.#probe);
    this.#take(this.#enter(key, keyed), answer);
  }

  async #callOthers(calls: number): Promise<void> {
    for (const answer of await callOthers(this.#ground, this.#send, calls)) this.#claim(answer);
    this.#others += calls;
  }

  async #touch(entry: Entry | undefined, how: 'change' | 'remove'): Promise<void> {
    if (entry?.original == null) return;
    const isDone = await touch(this.#ground, this.#send, entry.original, how);
    if (isDone && how === 'remove') entry.removed = true;
    this.#others += 1;
  }

  /** One answer under the key: the first success is the original, what follows must repeat it. */
  #take(entry: Entry, answer: Exchange): void {
    entry.answers.push(answer);
    if (entry.unclear) return;
    if (entry.original !== null) this.#judgeReplay(entry, entry.original, answer);
    else if (succeeded(answer)) this.#begin(entry, answer);
    else {
      const reason = `the first send was answered ${answer.response?.status ?? 'not at all'}`;
      this.#book('IDEM-01', cannotTell('precondition', reason), [answer]);
    }
  }

  #begin(entry: Entry, original: Exchange): void {
    entry.original = original;
    this.#ground.remember(entry.keyed, original);
    this.#claim(original);
  }

  #judgeReplay(entry: Entry, original: Exchange, answer: Exchange): void {
    const when = `send ${entry.answers.length} of the key, after ${this.#others} other calls`;
    const judged = judgeReplay(original, answer, when);
    if (judged.kind === 'breached' && entry.isShared && succeeded(answer)) entry.renewed = answer;
    if (answer.response?.status === 401) this.#unauthorised.push({ keyed: entry.keyed, original, when });
    this.#book('IDEM-01', judged, [original, answer]);
    if (this.#ground.isOnce) this.#book('IDEM-05', judgePaidOnce(original, answer, when), [original, answer]);
  }

  async #together(entry: Entry, times: number, apartMs: number): Promise<void> {
    const original = entry.renewed ?? entry.original;
    const sends = Array.from({ length: times }, async (_, index) => {
      if (apartMs > 0) await this.#ground.pause(apartMs * index);
      return this.#ground.send(this.#send, entry.keyed);
    });
    const answers = await answered(sends);
    entry.answers.push(...answers);
    if (answers.length > entry.burst.length) entry.burst = answers;
    const judged = judgeTogether(original, answers, null, this.#ground.world.contract);
    this.#book('IDEM-03', judged, answers);
    entry.unclear ||= judged.kind === 'breached' || answers.some(({ response }) => response === null);
    const successes = answers.filter(succeeded);
    const first = original ?? successes[0];
    if (first === undefined) return;
    if (this.#ground.isOnce) {
      for (const one of successes)
        if (one !== first) this.#book('IDEM-05', judgePaidOnce(first, one, 'sent at once'), [first, one]);
    }
    if (original === null && !entry.unclear) this.#begin(entry, first);
  }

  /** IDEM-04: an id belongs to one key. */
  #claim(answer: Exchange): void {
    if (!this.#ground.creates || !succeeded(answer)) return;
    const owner = this.#ground.claim(answer);
    const judgement = judgeSeparate(owner, answer, this.#ground.identity(answer), 'other-key');
    this.#book('IDEM-04', judgement, owner === null ? [answer] : [owner, answer]);
  }

  /** IDEM-02 and -03 by what the list shows, looked at twice where it shows too much. */
  async end(): Promise<readonly Outcome[]> {
    await this.#judgeUnauthorised();
    const entries = [...this.#entries.values()].filter(
      ({ answers }) => answers.filter(succeeded).length > 0 && answers.length > 1,
    );
    if (entries.length === 0) return this.#outcomes;
    let shown = await this.#shown(entries);
    if (shown?.some((ids) => ids.length > 1)) {
      await this.#ground.pause(SECOND_LOOK_MS);
      shown = await this.#shown(entries);
    }
    for (const [index, entry] of entries.entries()) {
      const ids = shown?.[index] ?? null;
      this.#judgeEffects(entry, ids);
      const isTold = entry.burst.length > 0 || entry.removed || (ids !== null && ids.length > 0);
      // What an earlier series made may have been deleted since, to make room for more.
      if (entry.original === null || entry.isShared || isTold) continue;
      const lost = await lookForLost(this.#ground, this.#send, entry.original);
      if (lost !== null) this.#book('IDEM-02', lost.judgement, lost.evidence);
    }
    return this.#outcomes;
  }

  /** A replay that was answered 401 is sent again behind another call: that one tells whether the token had run out. */
  async #judgeUnauthorised(): Promise<void> {
    const { read } = this.#ground.neighbours;
    const [first] = this.#unauthorised;
    if (first === undefined || read === null) return;
    const { keyed, original, when } = first;
    const { last } = await this.#send(planOf(read.recipe, this.#probe, drawFor(this.#ground.world, this.#probe)));
    const again = await this.#ground.send(this.#send, keyed);
    if (succeeded(last) && again.response?.status === 401)
      this.#book('IDEM-01', judgeReplay(original, again, `${when}, and again`, true), [original, last, again]);
  }

  async #shown(entries: readonly Entry[]): Promise<readonly (readonly string[])[] | null> {
    const looked = await lookFor(
      this.#ground,
      this.#send,
      entries.map(({ keyed }) => keyed.mark),
    );
    this.#pages = looked?.pages ?? [];
    if (looked === null) return null;
    return looked.shown.map((ids, at) => ids.filter((id) => !this.#ground.isOfAnother(id, entries[at]!.keyed)));
  }

  #judgeEffects(entry: Entry, shown: Shown): void {
    const evidence = [...entry.answers.slice(0, 1), ...entry.answers.slice(-1), ...this.#pages.slice(-1)];
    if (entry.burst.length > 0) {
      if (shown !== null && entry.renewed === null)
        this.#book('IDEM-03', judgeTogether(entry.original, entry.burst, shown, this.#ground.world.contract), evidence);
      return;
    }
    if (this.#ground.creates)
      this.#book('IDEM-02', judgeOneEffect(entry.answers.length, entry.answers, shown), evidence);
    if (this.#ground.isOnce && (shown?.length ?? 0) > 1)
      this.#book('IDEM-05', judgeOneEffect(entry.answers.length, entry.answers, shown, 'IDEM-05'), evidence);
  }

  #book(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    const { service, key: operation } = this.#ground.reached.operation;
    this.#outcomes.push(outcome(clause, { service, operation }, judgement, evidence.slice(0, 6)));
  }
}
