// One operation under test: makes sends with and without keys, remembers what each key was first answered, and which
// ids were seen. Shared by all experiments on the operation; they take turns.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { isSuccess } from '../../facts/answered.ts';
import { identityOf } from '../../facts/identity.ts';
import { markIn } from '../../generate/preferred.ts';
import type { Send } from '../probe.ts';
import { planOf, repeatOf } from '../reach/recipe.ts';
import { variedPlan } from '../reach/valid-inputs.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { markedBody, plainBody } from './bodies.ts';
import { keyOf, withKey } from './keys.ts';

/** A request that is about a key: sent again it is the same request. */
export interface Keyed {
  readonly plan: RequestPlan;
  /** What a list shows of its effect; null for nothing. */
  readonly mark: string | null;
  /** Whether no other body is equal. */
  readonly distinct: boolean;
}

/** A key and its first success. */
export interface Original {
  readonly keyed: Keyed;
  readonly answer: Exchange;
  /** Requests of this ground before it. */
  readonly at: number;
}

export interface Neighbours {
  /** Lists that may show effects. */
  readonly list: Reached | null;
  /** Reads one of the list's items by its id. */
  readonly item: Reached | null;
  /** Changes one of them, deletes one of them. */
  readonly changer: Reached | null;
  readonly remover: Reached | null;
  /** Proven operations to call in between: a read, another change. */
  readonly read: Reached | null;
  readonly change: Reached | null;
  /** The other operation that takes keys. */
  readonly other: Reached | null;
}

const ORIGINALS = 40;

export class Ground {
  readonly world: World;
  readonly reached: Reached;
  readonly neighbours: Neighbours;
  /** Whether it moves money. */
  readonly pays: boolean;
  /** Whether the contract says that it is never executed twice for one key (IDEM-05). */
  readonly isOnce: boolean;
  /** Whether each send without a key, or with a new one, makes something of its own. */
  readonly creates: boolean;
  /** Whether little of that may be made: series then go on with the keys that there are. */
  readonly shares: boolean;
  readonly originals: Original[] = [];
  /** Ids that the list has shown so far. */
  readonly listed = new Set<string>();
  /** Items of a terse list as read one by one, by id. */
  readonly details = new Map<string, unknown>();
  /** Id → the send whose answer first showed it. */
  readonly #owners = new Map<string, Exchange>();
  readonly #marks: string[] = [];
  /** Keys that were sent. */
  readonly #sent = new Set<string>();
  /** Bodies made so far. */
  readonly #bodies = new Set<string>();
  /** Set once the target refused a body for what this program changed in it. */
  #plain = false;
  #turn = 0;
  /** Requests sent so far. */
  calls = 0;
  /** Whether an effect was lost, or the target shows nothing by which that could be told. */
  losing: 'not-seen' | 'seen' | 'cannot-tell' = 'not-seen';
  /** Series of other calls made so far. */
  series = 0;

  constructor(world: World, reached: Reached, neighbours: Neighbours) {
    this.world = world;
    this.reached = reached;
    this.neighbours = neighbours;
    const isCommerce = world.contract === 'commerce';
    const { method, keyed, neverTwice, responses } = reached.operation;
    this.isOnce = neverTwice === true;
    this.pays = this.isOnce || (!isCommerce && world.isPayment(reached.operation));
    const isListed = neighbours.list !== null || responses.some(({ status }) => status === '201');
    this.creates = (isCommerce && (this.pays || keyed === true)) || (method === 'POST' && isListed);
    this.shares = world.lasts(reached.operation);
    this.#adopt();
  }

  pause(ms: number): Promise<void> {
    return this.world.timing.sleep(ms);
  }

  /** The first call of the run had a key, too: it is the oldest that there is. */
  #adopt(): void {
    const { proof } = this.reached;
    const key = proof === null ? null : this.#keyOf(proof.plan);
    if (proof === null || key === null || !succeeded(proof)) return;
    this.#sent.add(key);
    const mark = this.#markOf(proof.plan);
    if (mark !== null) this.#marks.push(mark);
    this.#bodies.add(JSON.stringify(proof.plan.body));
    this.remember({ plan: repeatOf(proof), mark, distinct: false }, proof);
    this.claim(proof);
  }

  /** The original that stands for the so many-th key of a series, where keys are shared; null where a new one is used. */
  shared(key: number): Original | null {
    return this.shares ? (this.originals[key % this.originals.length] ?? null) : null;
  }

  /**
   * A request that was never made before, under a key of its own or, given one, under that; null: without. `needed`: its
   * effect is to be looked at.
   */
  fresh(probe: string, key?: string | null, needed?: 'experiment'): Keyed {
    this.#turn += 1;
    const label = `idempotency ${this.reached.operation.key} ${this.#turn}`;
    const make = this.#plain ? plainBody : markedBody;
    const made = make(this.world, this.reached, label, this.#turn);
    const own =
      key === undefined ? keyOf(this.reached.operation, this.world.nonce, `${this.world.seed} ${label}`) : key;
    const change = made.body === null ? {} : { body: made.body };
    const headers = withKey(this.reached.operation, this.reached.recipe.headers, own);
    const held = needed === undefined ? {} : { needed };
    const plan = planOf(this.reached.recipe, probe, drawFor(this.world, label), { ...change, ...held, headers });
    return this.#noted(plan, made.mark, made.distinct);
  }

  /** The request, once its body and its mark are known of. */
  #noted(plan: RequestPlan, mark: string | null, isChanged: boolean): Keyed {
    if (mark !== null) this.#marks.push(mark);
    const text = JSON.stringify(plan.body);
    const distinct = isChanged && !this.#bodies.has(text);
    this.#bodies.add(text);
    return { plan, mark, distinct };
  }

  #markOf({ body }: RequestPlan): string | null {
    if (body.kind === 'none') return null;
    return markIn(body.kind === 'json' ? JSON.stringify(body.value) : body.text, this.world.nonce);
  }

  /** The same body under another key. */
  rekeyed(keyed: Keyed, key: string | null): Keyed {
    const { makes: _makes, ...plan } = keyed.plan;
    return {
      ...keyed,
      plan: { ...plan, headers: withKey(this.reached.operation, plan.headers, key) },
      distinct: false,
    };
  }

  /** Sends it and counts it. Sent again it makes nothing new. */
  async send(send: Send, keyed: Keyed): Promise<Exchange> {
    this.calls += 1;
    const key = this.#keyOf(keyed.plan);
    const isAgain = key !== null && this.#sent.has(key);
    if (key !== null) this.#sent.add(key);
    const { last } = await send(isAgain ? { ...keyed.plan, makes: 'nothing' } : keyed.plan);
    return last;
  }

  /** A first send under a fresh key; where the altered body is refused, another with the recipe's own. */
  async first(send: Send, probe: string): Promise<{ readonly keyed: Keyed; readonly answer: Exchange }> {
    const keyed = this.fresh(probe, undefined, 'experiment');
    const answer = await this.send(send, keyed);
    const status = answer.response?.status ?? 0;
    if ((status !== 400 && status !== 422) || this.#plain) return { keyed, answer };
    this.#plain = true;
    const again = this.fresh(probe, undefined, 'experiment');
    const second = await this.send(send, again);
    if (!succeeded(second)) this.#plain = false;
    return { keyed: again, answer: second };
  }

  /** Remembers a first success under a key. */
  remember(keyed: Keyed, answer: Exchange): void {
    if (this.originals.length < ORIGINALS) this.originals.push({ keyed, answer, at: this.calls });
  }

  /** Whose effect a new success shows: that of an earlier send, or (null) one of its own. */
  claim(answer: Exchange, identity = this.identity(answer)): Exchange | null {
    const owner = identity === null ? undefined : this.#owners.get(identity);
    if (identity !== null && owner === undefined) this.#owners.set(identity, answer);
    return owner ?? null;
  }

  /** Tells whether an answer under another key, or under none, showed this id first: equal bodies leave equal marks. */
  isOfAnother(id: string, { plan }: Keyed): boolean {
    const owner = this.#owners.get(id);
    return owner !== undefined && this.#keyOf(owner.plan) !== this.#keyOf(plan);
  }

  #keyOf({ headers }: RequestPlan): string | null {
    return keyIn(headers, this.reached.operation.keyHeader);
  }

  /** The id in the answer; where there is none, the mark of the body that it repeats; null for neither. */
  identity(answer: Exchange): string | null {
    const id = this.idOf(answer);
    if (id !== null || !succeeded(answer)) return id;
    return this.#marks.find((mark) => answer.response?.body.toLowerCase().includes(mark)) ?? null;
  }

  /** The id in the answer of a success: all that tells effects of equal bodies apart. */
  idOf(answer: Exchange): string | null {
    return succeeded(answer) ? identityOf(answer) : null;
  }

  /**
   * A request without a key that may be sent: for a payment only where its body is unlike every other. Null where there
   * is none. With a round, its body takes valid input that plain calls leave out, where little may be made. Source: CLIENT-06,
   * a payment is never resent without its key.
   */
  keyless(probe: string, round?: number): Keyed | null {
    const varied = round === undefined ? null : variedPlan(this.world, this.reached, round, probe);
    const keyed =
      varied === null
        ? this.fresh(probe, null)
        : this.#noted(
            { ...varied, headers: withKey(this.reached.operation, varied.headers, null) },
            this.#markOf(varied),
            true,
          );
    return this.pays && !keyed.distinct ? null : keyed;
  }
}

export function succeeded({ response }: Exchange): boolean {
  return response !== null && isSuccess(response.status);
}
