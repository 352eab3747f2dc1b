// Performs what experiments on keys ask for: sends, looks at lists, and tells what the laws say of what came. It alone knows what must not be sent,
// how long the target has to show or to undo an effect, and that a 401 may be for a token that ran out.

import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeNewest } from '../../checks/law.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Conversation, collected, NotSent, type Outcome, type Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { ListWatch } from './list-watch.ts';

const MAX_EVIDENCE = 6;
/** After what shows too much the list is looked at again: what is removed late is no effect. ms. */
const SECOND_LOOK_MS = 400;
export class KeyLab {
  readonly on: KeyedOperation;
  readonly probe: string;
  readonly outcomes: Outcome[];
  readonly list: ListWatch;
  readonly #send: Send;
  readonly #clauses: readonly string[];
  /** Calls on the operation before those of this lab. */
  readonly #before: number;
  /** Sends that wait for their answers. */
  #underWay = 0;

  /** `clauses`: those that are told. */
  constructor(
    on: KeyedOperation,
    send: Send,
    { probe, clauses }: { readonly probe: string; readonly clauses: readonly string[] },
    outcomes: Outcome[] = [],
  ) {
    this.on = on;
    this.probe = probe;
    this.outcomes = outcomes;
    this.list = new ListWatch(on, async (plan) => (await send(plan)).last);
    this.#send = send;
    this.#clauses = clauses;
    this.#before = on.history.calls;
  }

  /** The same for one case of many. */
  anew(): KeyLab {
    return new KeyLab(this.on, this.#send, { probe: this.probe, clauses: this.#clauses });
  }

  pause(ms: number): Promise<void> {
    return this.on.world.timing.sleep(ms);
  }

  tell(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    if (!this.#clauses.includes(clause)) return;
    const shown = evidence.slice(0, MAX_EVIDENCE);
    this.outcomes.push(outcome(clause, spotOf(this.on.reached.operation), judgement, shown));
  }

  /** Sends it; sent again it makes nothing new. */
  async send({ plan, history }: Keyed, change: Partial<RequestPlan> = {}): Promise<Exchange> {
    history.isBeside ||= !history.isSent && this.#underWay > 0;
    this.#underWay += 1;
    const answer = await this.#sendOne({ ...plan, ...change }, history).finally(() => {
      this.#underWay -= 1;
    });
    this.note(history, 'sent', [answer]);
    return answer;
  }

  async #sendOne(plan: RequestPlan, history: KeyHistory): Promise<Exchange> {
    const isAgain = history.isSent && this.on.history.keyIn({ plan }) !== null;
    history.isSent = true;
    return (await this.#send(isAgain ? { ...plan, makes: 'nothing' } : plan)).last;
  }

  /** Sends another body under a key that was answered: it should make nothing. */
  reuse({ plan }: Keyed): Promise<Exchange> {
    return this.call({ ...plan, makes: 'nothing' });
  }

  /** Notes a fact of the key, and what the laws say of it. */
  note(history: KeyHistory, ...fact: Parameters<KeyHistory['add']>): void {
    history.add(...fact);
    for (const { clause, judgement, evidence } of judgeNewest(IDEM_LAWS, history))
      this.tell(clause, judgement, evidence);
  }

  /** Calls something else. */
  async call(plan: RequestPlan): Promise<Exchange> {
    this.on.history.calls += 1;
    return (await this.#send(plan)).last;
  }

  /** Sends it so many times at once, each `apartMs` after the one before. Throws what kept all of them from being sent. */
  async together({ plan, history }: Keyed, times: number, apartMs = 0): Promise<readonly Exchange[]> {
    const settled = await Promise.allSettled(
      Array.from({ length: times }, async (_, index) => {
        if (apartMs > 0) await this.pause(apartMs * index);
        return this.#sendOne(plan, history);
      }),
    );
    const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const errors: unknown[] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const grave = errors.find((error) => !(error instanceof NotSent)) ?? (answers.length === 0 ? errors[0] : undefined);
    if (grave !== undefined) throw grave;
    this.note(history, 'together', answers);
    return answers;
  }

  /** A first send under a fresh key; where the altered body is refused, another with the recipe's own. */
  async first(): Promise<Keyed> {
    const keyed = this.on.fresh(this.probe, undefined, 'experiment');
    const status = (await this.send(keyed)).response?.status ?? 0;
    if ((status !== 400 && status !== 422) || this.on.isPlain) return keyed;
    this.on.isPlain = true;
    const again = this.on.fresh(this.probe, undefined, 'experiment');
    if (!succeeded(await this.send(again))) this.on.isPlain = false;
    return again;
  }

  /** Looks at what was sent under the keys: once more where they show too much, and whether what they made was lost. */
  async end(all: readonly Keyed[]): Promise<void> {
    await this.#settleRefusal(all);
    const sent = all.filter(({ history: { original, answers } }) => original !== null && answers.length > 1);
    if (sent.length === 0) return;
    await this.look(sent);
    // Objects that an earlier series made may have been deleted since, to make room for more.
    if (!this.on.shares) for (const { history } of sent) await this.#lookForLost(history);
  }

  /** IDEM-02 from the other side: a send was answered a success, and what it made is nowhere. */
  async #lookForLost(history: KeyHistory): Promise<void> {
    const { original, facts } = history;
    const isShown = facts.slice(-1).some((look) => (history.effectsAt(look)?.least ?? 0) > 0);
    const isOther = facts.some(({ kind }) => kind === 'together' || kind === 'removed');
    const id = original === null || isShown || isOther ? null : identityOf(original);
    const evidence = id === null ? null : await this.list.lost(id);
    if (original !== null && evidence !== null) this.note(history, 'lost', [original, ...evidence]);
  }

  /** A replay that was answered 401 is sent again behind another call: that one tells whether the token had run out. */
  async #settleRefusal(all: readonly Keyed[]): Promise<void> {
    const { read } = this.on.neighbours;
    const isRefused = ({ place, exchanges }: KeyFact): boolean =>
      place >= this.#before && exchanges.some(({ response }) => response?.status === 401);
    const refused = all.find(({ history: { original, facts } }) => original !== null && facts.some(isRefused));
    if (refused === undefined || read === null) return;
    const served = await this.call(planOf(read.recipe, this.probe, drawFor(this.on.world, this.probe)));
    if (succeeded(served)) refused.history.add('served', [served]);
    await this.send(refused);
  }

  /**
   * Notes of each key what the list shows of its effect, and what the laws say of that; resolves whether it shows any. `isRead`: else nothing is
   * looked at, and the answers alone tell of effects.
   */
  async look(all: readonly Keyed[], isRead = true): Promise<boolean> {
    let looked = isRead ? await this.list.shown(all) : null;
    if (looked?.ids.some((ids) => ids.length > 1)) {
      await this.pause(SECOND_LOOK_MS);
      looked = await this.list.shown(all);
    }
    for (const [index, { history }] of all.entries())
      this.note(history, 'looked', looked?.pages ?? [], looked?.ids[index] ?? null);
    return looked !== null;
  }
}

/** The declaration of an experiment on keys. */
type Declared = Pick<Conversation, 'probe' | 'stage' | 'rank' | 'clauses' | 'cost'> &
  Partial<Pick<Conversation, 'companions' | 'leaves' | 'stands'>>;

/** The experiment, by a lab of its own, on those of the clauses that bind the operation. */
export function keyExperiment(
  on: KeyedOperation,
  about: Declared,
  work: (lab: KeyLab, letGo: () => void) => Promise<void>,
): Conversation {
  const clauses = about.clauses.filter((clause) => clause !== 'IDEM-05' || on.isOnce);
  return {
    ...{ companions: 'keyed', ...about, clauses, ...spotOf(on.reached.operation) },
    converse: (send, letGo = () => {}) =>
      collected((outcomes) => work(new KeyLab(on, send, { probe: about.probe, clauses }, outcomes), letGo)),
  };
}
