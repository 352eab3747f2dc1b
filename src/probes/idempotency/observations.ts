// IDEM-07: a key used again in another way, keys of unusual forms. Observed, never judged; but a key that was accepted
// gives its original response like any other (IDEM-01).

import { observeErrorFirst, observeForm, observeReuse, type Use } from '../../checks/idem/idem-07-observed.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { createdId } from '../../facts/created.ts';
import { KeyedHistory } from '../../facts/key-history.ts';
import { parameterNames } from '../../facts/paths.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { spoilersOf } from '../../generate/spoilers.ts';
import { type KnownKey, oneOfEachPlan } from '../auth/security.ts';
import type { Conversation } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import { refusedPlan } from './between.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { LONGEST_KEY, lettersOf, withKey } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/observed';
const OTHERS_PROBE = 'idempotency/other-accounts';
/** The key twice, and what removes what it made. */
const REQUESTS_OF_ACCOUNT = 3;
/** Times that a refusal is tried, to be sure of it. */
const LOOKS = 2;
const ODD = `!#$%&'*+-.^_\`|~ ()<>@,;:\\/[]?={}`;

/** Everything that is observed of the operation's keys. */
export function observationExperiment(on: KeyedOperation): Conversation {
  const clauses = ['IDEM-01', 'IDEM-07'];
  return keyExperiment(on, { probe: PROBE, stage: 'quiet', rank: 43, clauses, cost: 14 }, observeAll);
}

/**
 * Tells whether a key that other accounts send is kept, too (IDEM-01), of each plan once. The oldest request of the operation is what they send;
 * nothing else is observed. Null where there is no other account, or where what is made stays.
 */
export function otherAccountsExperiment(on: KeyedOperation): Conversation | null {
  const { world, neighbours, originals } = on;
  const count = otherAccounts(world).length;
  if (count === 0 || neighbours.remover === null) return null;
  const about = { probe: OTHERS_PROBE, companions: 'item', stage: 'quiet', rank: 43, clauses: ['IDEM-01'] } as const;
  const size = { cost: REQUESTS_OF_ACCOUNT * count, leaves: 0, stands: () => originals.length > 0 };
  return keyExperiment(on, { ...about, ...size }, async (lab) => {
    const first = originals[0]?.history.original ?? null;
    if (first !== null) await tryAccounts(lab, first);
  });
}

/** A key of each plan of other accounts than the main key's. */
function otherAccounts({ mainKey, keys }: World): readonly KnownKey[] {
  if (mainKey?.account == null) return [];
  return oneOfEachPlan(keys.filter(({ account }) => account !== null && account !== mainKey.account));
}

async function observeAll(lab: KeyLab): Promise<void> {
  const { on } = lab;
  const { operation } = on.reached;
  const keyed = on.shared(0) ?? on.fresh(PROBE, on.keyFor(`${operation.key} observed`));
  if (!keyed.history.isSent) await lab.send(keyed);
  const { original: first, answers } = keyed.history;
  if (first === null) {
    const reason = `a send under a new key was answered ${answers[0]?.response?.status ?? 'not at all'}`;
    return lab.tell('IDEM-07', cannotTell('precondition', reason), answers);
  }
  const key = keyIn(keyed.plan.headers, operation.keyHeader);
  await sendOtherBody(lab, key, first);
  await callOtherOperation(lab, key, first);
  if (on.shares) return;
  await tryAccounts(lab, first);
  await sendErrorFirst(lab);
  const nonce = `${on.world.nonce}-${on.history.calls}`;
  const longest = { name: 'longest-key', inWords: `a key of ${LONGEST_KEY} characters` };
  await tryForm(lab, lettersOf(nonce, LONGEST_KEY), longest);
  await tryForm(lab, `${nonce} ${ODD}`, { name: 'odd-characters', inWords: 'a key of odd characters' });
}

async function sendOtherBody(lab: KeyLab, key: string | null, first: Exchange): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const second = await lab.reuse(lab.on.fresh(PROBE, key));
    lab.tell('IDEM-07', observeReuse('other-body', first, second), [first, second]);
    if (succeeded(second)) return;
  }
}

async function callOtherOperation(lab: KeyLab, key: string | null, first: Exchange): Promise<void> {
  const { neighbours, world, history } = lab.on;
  const { other } = neighbours;
  if (other === null || world.lasts(other.operation)) return;
  const plan = planOf(other.recipe, PROBE, drawFor(world, `idempotency other ${history.calls}`));
  const last = await lab.call({ ...plan, headers: withKey(other.operation, plan.headers, key) });
  lab.tell('IDEM-07', observeReuse('other-operation', first, last), [first, last]);
}

/** An account of each plan makes something of its own under the key of `first`, and is answered again like any original (IDEM-01). */
async function tryAccounts(lab: KeyLab, first: Exchange): Promise<void> {
  const { reached, world } = lab.on;
  for (const { name } of otherAccounts(world)) {
    const credential = { kind: 'key', name } as const;
    const plan = { ...first.plan, credential };
    const ofAccount = { plan, history: new KeyedHistory(reached.operation).of(null), mark: null, distinct: false };
    const second = await lab.send(ofAccount);
    lab.tell('IDEM-07', observeReuse('other-account', first, second), [first, second]);
    if (!succeeded(second)) continue;
    const again = await lab.send(ofAccount);
    await removeAs(lab, credential, first, [second, again]);
  }
}

/** Removes what another account made, under that account: the run's own clean-up could not. */
async function removeAs(
  lab: KeyLab,
  credential: RequestPlan['credential'],
  first: Exchange,
  made: readonly Exchange[],
): Promise<void> {
  const { remover } = lab.on.neighbours;
  const parameter = parameterNames(remover?.operation.path ?? '').at(-1);
  if (remover === null || parameter === undefined) return;
  const idOf = (answer: Exchange): string | null =>
    succeeded(answer) ? createdId(answer, parameter, answer.plan.path) : null;
  for (const id of new Set(made.map(idOf)))
    if (id !== null && id !== idOf(first)) await lab.call({ ...lab.on.planAt(remover, id, 'remove'), credential });
}

/** A key whose first request was refused, then sent with a valid one. */
async function sendErrorFirst(lab: KeyLab): Promise<void> {
  const { reached, history } = lab.on;
  const schema = jsonBodyType(reached.operation)?.schema ?? null;
  const valid = lab.on.fresh(PROBE, lab.on.keyFor(`${reached.operation.key} error ${history.calls}`));
  const body = valid.plan.body.kind === 'json' ? valid.plan.body.value : undefined;
  const [spoiled] = schema === null ? [] : spoilersOf(reached.description, schema, body);
  const { body: broken } =
    spoiled === undefined ? refusedPlan(valid) : { body: { kind: 'json' as const, value: spoiled.body } };
  const refused = await lab.call({ ...valid.plan, body: broken, intent: 'invalid' });
  if ((refused.response?.status ?? 599) >= 500 || succeeded(refused)) return;
  const second = await lab.send(valid);
  lab.tell('IDEM-07', observeErrorFirst(refused, second), [refused, second]);
}

async function tryForm(lab: KeyLab, key: string, form: Use): Promise<void> {
  const keyed = lab.on.fresh(PROBE, key);
  const answer = await lab.send(keyed);
  lab.tell('IDEM-07', observeForm(form, answer), [answer]);
  if (succeeded(answer)) await lab.send(keyed);
}
