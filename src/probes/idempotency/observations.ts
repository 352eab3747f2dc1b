// IDEM-07: a key used again in another way, keys of unusual forms. Observed, never judged; but a key that was accepted
// gives its original response like any other (IDEM-01).

import { judgeReplay } from '../../checks/idem/idem-01-and-05-replay.ts';
import { type KeyForm, observeErrorFirst, observeForm, observeReuse } from '../../checks/idem/idem-07-observed.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { createdId } from '../../facts/created.ts';
import { parameterNames } from '../../facts/paths.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { spoilersOf } from '../../generate/spoilers.ts';
import { type KnownKey, oneOfEachPlan } from '../auth/security.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import { planAt } from './items.ts';
import { type Ground, succeeded } from './keyed-operation.ts';
import { keyOf, LONGEST_KEY, lettersOf, withKey } from './keys.ts';

const PROBE = 'idempotency/observed';
const OTHERS_PROBE = 'idempotency/other-accounts';
/** The key twice, and what removes what it made. */
const REQUESTS_OF_ACCOUNT = 3;
/** What is refused is tried twice, to be sure of it. */
const LOOKS = 2;
const ODD = `!#$%&'*+-.^_\`|~ ()<>@,;:\\/[]?={}`;

/** Everything that is observed of the operation's keys. */
export function observationExperiment(ground: Ground): Conversation {
  const { service, key } = ground.reached.operation;
  return {
    probe: PROBE,
    stage: 'quiet',
    rank: 43,
    clauses: ['IDEM-01', 'IDEM-07'],
    service,
    operation: key,
    cost: 14,
    repeatable: false,
    converse: (send) => new Observer(ground, send).observeAll(),
  };
}

/**
 * Where a budget bounds the run: whether a key that other accounts send is kept, too (IDEM-01), of each plan once. The oldest request of the
 * operation is what they send; nothing else is observed. Null where there is no other account, or where what is made stays.
 */
export function otherAccountsExperiment(ground: Ground): Conversation | null {
  const { world, reached, neighbours } = ground;
  const count = oneOfEachPlan(otherAccounts(world)).length;
  if (world.isBrief !== true || count === 0 || ground.shares || neighbours.remover === null) return null;
  const { service, key } = reached.operation;
  return {
    probe: OTHERS_PROBE,
    companions: 'item',
    stage: 'quiet',
    rank: 43,
    clauses: ['IDEM-01'],
    service,
    operation: key,
    cost: REQUESTS_OF_ACCOUNT * count,
    leaves: 0,
    repeatable: false,
    stands: () => ground.originals.length > 0,
    converse: async (send) => {
      const [original] = ground.originals;
      return original === undefined ? [] : new Observer(ground, send).tryAccounts(original.answer);
    },
  };
}

/** Keys of other accounts than the main key's. */
function otherAccounts({ mainKey, keys }: World): readonly KnownKey[] {
  if (mainKey?.account == null) return [];
  return keys.filter(({ account }) => account !== null && account !== mainKey.account);
}

class Observer {
  readonly #ground: Ground;
  readonly #send: Send;
  readonly #outcomes: Outcome[] = [];

  constructor(ground: Ground, send: Send) {
    this.#ground = ground;
    this.#send = send;
  }

  async observeAll(): Promise<readonly Outcome[]> {
    const { operation } = this.#ground.reached;
    const shared = this.#ground.shared(0);
    const own = keyOf(operation, this.#ground.world.nonce, `${operation.key} observed`);
    const key = shared === null ? own : (keyIn(shared.keyed.plan.headers, operation.keyHeader) ?? own);
    const first = shared?.answer ?? (await this.#ground.send(this.#send, this.#ground.fresh(PROBE, key)));
    if (shared === null) this.#ground.claim(first);
    if (!succeeded(first)) {
      const reason = `a send under a new key was answered ${first.response?.status ?? 'not at all'}`;
      this.#book('IDEM-07', cannotTell('precondition', reason), [first]);
      return this.#outcomes;
    }
    await this.#otherBody(key, first);
    await this.#otherOperation(key, first);
    if (this.#ground.shares) return this.#outcomes;
    for (const other of oneOfEachPlan(otherAccounts(this.#ground.world))) await this.#otherAccount(other, first);
    await this.#errorFirst();
    const nonce = `${this.#ground.world.nonce}-${this.#ground.calls}`;
    const longest = { name: 'longest-key', inWords: `a key of ${LONGEST_KEY} characters` };
    await this.#form(lettersOf(nonce, LONGEST_KEY), longest);
    await this.#form(`${nonce} ${ODD}`, { name: 'odd-characters', inWords: 'a key of odd characters' });
    return this.#outcomes;
  }

  /** What each plan's account makes under the key of `first`, and what it is answered to the same again. */
  async tryAccounts(first: Exchange): Promise<readonly Outcome[]> {
    for (const other of oneOfEachPlan(otherAccounts(this.#ground.world))) await this.#otherAccount(other, first);
    return this.#outcomes.filter(({ clause }) => clause === 'IDEM-01');
  }

  async #otherBody(key: string, first: Exchange): Promise<void> {
    for (let look = 0; look < LOOKS; look += 1) {
      const second = await this.#ground.send(this.#send, this.#ground.fresh(PROBE, key));
      const judged = observeReuse('other-body', first, second);
      this.#book('IDEM-07', judged, [first, second]);
      if (succeeded(second)) return;
    }
  }

  async #otherOperation(key: string, first: Exchange): Promise<void> {
    const { other } = this.#ground.neighbours;
    if (other === null || this.#ground.world.lasts(other.operation)) return;
    const label = `idempotency other ${this.#ground.calls}`;
    const plan = planOf(other.recipe, PROBE, drawFor(this.#ground.world, label));
    const { last } = await this.#send({ ...plan, headers: withKey(other.operation, plan.headers, key) });
    this.#book('IDEM-07', observeReuse('other-operation', first, last), [first, last]);
  }

  /** What another account makes under the key is its own, and is answered again like any original (IDEM-01). */
  async #otherAccount(other: KnownKey, first: Exchange): Promise<void> {
    const plan: RequestPlan = { ...first.plan, credential: { kind: 'key', name: other.name } };
    const { last } = await this.#send(plan);
    this.#book('IDEM-07', observeReuse('other-account', first, last), [first, last]);
    if (!succeeded(last)) return;
    const { last: again } = await this.#send({ ...plan, makes: 'nothing' });
    this.#book('IDEM-01', judgeReplay(last, again, 'send 2 of a key by another account'), [last, again]);
    await this.#removeFor(other, first, [last, again]);
  }

  /** What another account's send made is removed under that account: the run's own clean-up could not. */
  async #removeFor(other: KnownKey, first: Exchange, made: readonly Exchange[]): Promise<void> {
    const { remover } = this.#ground.neighbours;
    const parameter = parameterNames(remover?.operation.path ?? '').at(-1);
    if (remover === null || parameter === undefined) return;
    const idOf = (answer: Exchange): string | null =>
      succeeded(answer) ? createdId(answer, parameter, answer.plan.path) : null;
    const credential = { kind: 'key', name: other.name } as const;
    for (const id of new Set(made.map(idOf))) {
      if (id !== null && id !== idOf(first))
        await this.#send({ ...planAt(this.#ground.world, remover, id, 'remove'), credential });
    }
  }

  /** A key whose first request was refused, then sent with a valid one. */
  async #errorFirst(): Promise<void> {
    const { reached, world } = this.#ground;
    const schema = jsonBodyType(reached.operation)?.schema ?? null;
    const key = keyOf(reached.operation, world.nonce, `${reached.operation.key} error ${this.#ground.calls}`);
    const valid = this.#ground.fresh(PROBE, key);
    const body = valid.plan.body.kind === 'json' ? valid.plan.body.value : undefined;
    const [spoiled] = schema === null ? [] : spoilersOf(reached.description, schema, body);
    const broken: RequestPlan['body'] =
      spoiled === undefined
        ? { kind: 'raw', text: '{"assay": ', contentType: 'application/json' }
        : { kind: 'json', value: spoiled.body };
    const { last: refused } = await this.#send({ ...valid.plan, body: broken, intent: 'invalid' });
    if ((refused.response?.status ?? 599) >= 500 || succeeded(refused)) return;
    const second = await this.#ground.send(this.#send, valid);
    this.#ground.claim(second);
    this.#book('IDEM-07', observeErrorFirst(refused, second), [refused, second]);
  }

  async #form(key: string, form: KeyForm): Promise<void> {
    const keyed = this.#ground.fresh(PROBE, key);
    const answer = await this.#ground.send(this.#send, keyed);
    this.#ground.claim(answer);
    this.#book('IDEM-07', observeForm(form, answer), [answer]);
    if (!succeeded(answer)) return;
    const replay = await this.#ground.send(this.#send, keyed);
    this.#book('IDEM-01', judgeReplay(answer, replay, `send 2 of ${form.inWords}`), [answer, replay]);
  }

  #book(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    const { service, key } = this.#ground.reached.operation;
    this.#outcomes.push(outcome(clause, { service, operation: key }, judgement, evidence));
  }
}
