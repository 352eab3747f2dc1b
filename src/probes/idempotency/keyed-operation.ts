// One operation that takes keys: plans sends with and without keys, and keeps the history of all of them. Shared by the experiments on it.

import { jsonText } from '../../exchange/body.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { KeyedHistory, type KeyHistory } from '../../facts/key-history.ts';
import { parameterNames } from '../../facts/paths.ts';
import { markIn } from '../../generate/preferred.ts';
import { markedBody, plainBody } from '../reach/marked-body.ts';
import { planOf, repeatOf } from '../reach/recipe.ts';
import { variedPlan } from '../reach/valid-inputs.ts';
import { type Amounts, declared, drawFor, type Reached, type World } from '../world.ts';
import { keyOf, withKey } from './keys.ts';

/** A request that is about a key, with the history of that: sent again it is the same request. */
export interface Keyed {
  readonly plan: RequestPlan;
  readonly history: KeyHistory;
  /** Text by which a list shows its effect; null for none. */
  readonly mark: string | null;
  /** True where no other body is equal. */
  readonly distinct: boolean;
}

export interface Neighbours {
  /** Lists that may show effects. */
  readonly list: Reached | null;
  /** Reads what the operation changes, where its path names it. */
  readonly thing: Reached | null;
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

const MAX_ORIGINALS = 40;

export class KeyedOperation {
  readonly world: World;
  readonly reached: Reached;
  readonly neighbours: Neighbours;
  readonly history: KeyedHistory;
  /** True where it moves money. */
  readonly pays: boolean;
  /** True where the contract says that it is never executed twice for one key (IDEM-05). */
  readonly isOnce: boolean;
  /** True where little of what it makes may be made: series then go on with the keys that there are. */
  readonly shares: boolean;
  /** Requests that were answered with success first under their keys. */
  readonly originals: Keyed[] = [];
  /** Ids that the list has shown so far. */
  readonly listed = new Set<string>();
  /** Items of a terse list as read one by one, by id. */
  readonly details = new Map<string, unknown>();
  /** True where an effect was lost, or the target shows nothing by which that could be told. */
  losing: 'not-seen' | 'seen' | 'cannot-tell' = 'not-seen';
  /** Set once the target refused a body for what this program changed in it. */
  isPlain = false;
  readonly #bodies = new Set<string>();
  #turn = 0;

  constructor(world: World, reached: Reached, neighbours: Neighbours) {
    const isCommerce = world.contract === 'commerce';
    const { method, keyed, neverTwice, responses } = reached.operation;
    this.world = world;
    this.reached = reached;
    this.neighbours = neighbours;
    this.isOnce = neverTwice === true;
    this.pays = this.isOnce || (!isCommerce && world.isPayment(reached.operation));
    const isListed = neighbours.list !== null || responses.some(({ status }) => status === '201');
    const creates = (isCommerce && (this.pays || keyed === true)) || (method === 'POST' && isListed);
    this.shares = world.lasts(reached.operation);
    const ofRun = (text: string): string | null => markIn(text, world.nonce);
    this.history = new KeyedHistory(reached.operation, {
      contract: world.contract,
      terms: world.terms,
      creates,
      markIn: ofRun,
    });
    this.#adopt();
  }

  /** The data of an experiment: `shared` where little may be made (absent: as otherwise), else that of the run. */
  declared<T>({ shared, ...amounts }: Amounts<T> & { readonly shared?: T }): T {
    return this.shares && shared !== undefined ? shared : declared(this.world, amounts);
  }

  /** Objects that experiments share were made before: one more leaves none. */
  get leaving(): { readonly leaves?: number } {
    return this.shares ? { leaves: 0 } : {};
  }

  /** Tells whether each send without a key, or with a new one, makes something of its own. */
  get creates(): boolean {
    return this.history.creates;
  }

  /** The first call of the run had a key, too: it is the oldest that there is. */
  #adopt(): void {
    const { proof, operation } = this.reached;
    if (proof === null || keyIn(proof.plan.headers, operation.keyHeader) === null || !succeeded(proof)) return;
    const keyed = this.planned(repeatOf(proof));
    keyed.history.add('sent', [proof]);
    this.remember(keyed);
  }

  /** The request that stands for the so many-th key of a series, where keys are shared; null where a new one is used. */
  shared(key: number): Keyed | null {
    return this.shares ? (this.originals[key % this.originals.length] ?? null) : null;
  }

  /**
   * A request that was never made before, under a key of its own or, given one, under that; null: without. `needed`: its
   * effect is to be looked at.
   */
  fresh(probe: string, key?: string | null, needed?: 'experiment'): Keyed {
    this.#turn += 1;
    const { operation, recipe } = this.reached;
    const label = `idempotency ${operation.key} ${this.#turn}`;
    const make = this.isPlain ? plainBody : markedBody;
    const made = make(this.world, this.reached, label, this.#turn);
    const own = key === undefined ? this.keyFor(`${this.world.seed} ${label}`) : key;
    const change = {
      ...(made.body === null ? {} : { body: made.body }),
      ...(needed === undefined ? {} : { needed }),
      headers: withKey(operation, recipe.headers, own),
    };
    return this.#noted(planOf(recipe, probe, drawFor(this.world, label), change), made.mark, made.distinct);
  }

  /** A key of the run, the same for the same text. */
  keyFor(text: string): string {
    return keyOf(this.reached, this.world.nonce, text);
  }

  #noted(plan: RequestPlan, mark: string | null, isChanged: boolean): Keyed {
    const text = jsonText(plan.body);
    const distinct = isChanged && !this.#bodies.has(text);
    this.#bodies.add(text);
    return { plan, history: this.history.of(keyIn(plan.headers, this.reached.operation.keyHeader)), mark, distinct };
  }

  #markOf({ body }: RequestPlan): string | null {
    return this.history.markIn(jsonText(body));
  }

  /** The request that somebody else planned. */
  planned(plan: RequestPlan): Keyed {
    return this.#noted(plan, this.#markOf(plan), false);
  }

  /** The same body under another key. */
  rekeyed({ plan: { makes: _makes, ...plan }, mark }: Keyed, key: string | null): Keyed {
    return this.#noted({ ...plan, headers: withKey(this.reached.operation, plan.headers, key) }, mark, false);
  }

  remember(keyed: Keyed): void {
    if (this.originals.length < MAX_ORIGINALS) this.originals.push(keyed);
  }

  /**
   * A request without a key that may be sent: for a payment only where its body is unlike every other. Null where there
   * is none. With a round, its body takes valid input that plain calls leave out, where little may be made. Source: CLIENT-06,
   * a payment is never resent without its key.
   */
  keyless(probe: string, round?: number): Keyed | null {
    const varied = round === undefined ? null : variedPlan(this.world, this.reached, round, probe);
    const headers = withKey(this.reached.operation, varied?.headers ?? [], null);
    const keyed =
      varied === null ? this.fresh(probe, null) : this.#noted({ ...varied, headers }, this.#markOf(varied), true);
    return this.pays && !keyed.distinct ? null : keyed;
  }

  /** The request of another operation about one item, by its id. */
  planAt({ operation, recipe }: Reached, id: string, label: string): RequestPlan {
    const name = parameterNames(operation.path).at(-1) ?? '';
    const pathValues = { ...recipe.pathValues, [name]: id };
    return planOf({ ...recipe, pathValues }, 'idempotency/item', drawFor(this.world, label));
  }
}
