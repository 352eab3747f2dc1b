// IDEM-06: a mutating operation that does not declare the header takes it silently, also a long key, and one that it had before. A call that
// fails with it is made without it twice, and with it twice again, before anything is said.
import { judgeRefusedHeader, judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, collectedOnCourse, type Experiment, type Outcome } from '../probe.ts';
import { makeVictim } from '../reach/destroy.ts';
import { planOf } from '../reach/recipe.ts';
import { variedPlan } from '../reach/valid-inputs.ts';
import { declared, drawFor, mutates, type Reached, type World } from '../world.ts';
import { keyHeaderOf, keyOf, LONGEST_KEY, longestKeyOf, takesKey, withKey } from './keys.ts';

const PROBE = 'idempotency/silent';
/**
 * `round`: of valid input that plain calls leave out, of which others send the first where no budget bounds the run. `repeats`: a key is sent a
 * second time, with another body. `ends`: what a varied call changed is usually changed back.
 */
const AMOUNTS = { whole: { round: 1, repeats: true, ends: false }, brief: { round: 0, repeats: false, ends: true } };
type Amount = (typeof AMOUNTS)['whole'];

/** Operations of the run that it needs as well. */
interface Others {
  /** Makes what a DELETE deletes. */
  readonly creator: Reached | null;
  /** Declares the key, and shows whether the platform takes long ones. */
  readonly keyed: Reached | null;
}

/** The experiment on one mutating operation that can be called with success, or whose success it brings about itself; null for others. */
export function silentExperiment(world: World, reached: Reached, others: Others): Experiment | null {
  const { operation, proof } = reached;
  if (!mutates(operation) || takesKey(operation)) return null;
  // A DELETE is compared on objects made for it: its first call of the run need not have succeeded.
  if ((operation.method === 'DELETE' ? others.creator : proof) === null) return null;
  const amount = declared(world, AMOUNTS);
  const isTwice = operation.method === 'DELETE' || (amount.ends && restores(operation));
  // Each call of some leaves something, or takes it away.
  const repeats = amount.repeats && operation.method !== 'DELETE' && !world.lasts(operation);
  return {
    probe: PROBE,
    stage: 'lean',
    rank: 88,
    clauses: ['IDEM-06'],
    service: operation.service,
    operation: operation.key,
    cost: isTwice || repeats ? 2 : 1,
    repeatable: false,
    run: () => collectedOnCourse((outcomes) => steps(world, reached, others, { ...amount, repeats }, outcomes)),
  };
}

/** In an order in which an operation that fails every other or every third time is not blamed: it does so once without the header, or succeeds once with it. */
const WITH_HEADER = [true, false, false, true, true] as const;

/** With which key a call was sent, in words. */
const HOW = {
  any: (header: string) => `with ${header}`,
  long: (header: string) => `with an ${header} of ${LONGEST_KEY} characters`,
  used: (header: string) => `with an ${header} that another call had before`,
} as const;
type How = keyof typeof HOW;

function* steps(
  world: World,
  reached: Reached,
  { creator, keyed }: Others,
  { round, repeats }: Amount,
  outcomes: Outcome[],
): Generator<RequestPlan, void, Answered> {
  const { operation } = reached;
  if (world.terms.idempotency?.elsewhere === 'refused') {
    outcomes.push(yield* refused(world, reached, creator));
    return;
  }
  const longKey = (label: string): string => longestKeyOf(operation, world.nonce, `${operation.key} silent ${label}`);
  const shortKey = (turn: number): string => keyOf(operation, world.nonce, `${operation.key} silent ${turn}`);
  const varied = variedPlan(world, reached, round, PROBE);
  if (varied !== null) {
    const { last } = yield { ...varied, headers: withKey(operation, varied.headers, longKey('varied')) };
    // Where it fails its input may be to blame, and it tells nothing of the header.
    if (judgeSilent([last], [], '').kind === 'holds') {
      outcomes.push(toldOf(operation, { keyed: [last], plain: [] }));
      if (restores(operation)) yield planOf(reached.recipe, `${PROBE}/restored`, drawFor(world, PROBE));
      return;
    }
  }
  const used = longKey('first');
  const sends = { creator, label: 'silent', keyAt: (turn: number) => (turn === 0 ? used : shortKey(turn)) };
  const first = yield* compare(world, reached, sends);
  const told = toldOf(operation, first);
  const isLongAlone = told.judgement.kind === 'cannot-tell' && first.keyed.slice(1).some(isAccepted);
  outcomes.push(isLongAlone ? yield* ofLongKeys(world, reached, { creator, keyed }, first, longKey) : told);
  if (told.judgement.kind !== 'holds' || !repeats) return;
  const again = yield* compare(world, reached, { creator, label: 'silent again', keyAt: () => used });
  outcomes.push(toldOf(operation, again, 'used'));
}

/**
 * The outcome where a long key is refused and a short one is not. How long a key may be is the platform's affair, and a
 * breach only where it takes such keys elsewhere.
 */
function* ofLongKeys(
  world: World,
  reached: Reached,
  { creator, keyed }: Others,
  first: Compared,
  longKey: (label: string) => string,
): Generator<RequestPlan, Outcome, Answered> {
  const { operation } = reached;
  const plan = yield* planFor(world, reached, creator, `silent ${operation.key} long`);
  const again =
    plan === null ? null : (yield { ...plan, headers: withKey(operation, plan.headers, longKey('again')) }).last;
  const long = { keyed: [...first.keyed.slice(0, 1), ...(again === null ? [] : [again])], plain: first.plain };
  const told = toldOf(operation, long, 'long');
  if (told.judgement.kind !== 'breached') return told;
  if (keyed !== null) {
    const own = planOf(keyed.recipe, PROBE, drawFor(world, `silent elsewhere ${operation.key}`));
    const { last } = yield { ...own, headers: withKey(keyed.operation, own.headers, longKey('elsewhere')) };
    if (isAccepted(last)) return { ...told, evidence: [...told.evidence, last] };
  }
  const reason = `keys of ${LONGEST_KEY} characters were seen to be accepted nowhere`;
  return { ...told, judgement: cannotTell('precondition', reason) };
}

function isAccepted({ response }: Exchange): boolean {
  return (response?.status ?? 599) < 400;
}

interface Compared {
  readonly keyed: readonly Exchange[];
  readonly plain: readonly Exchange[];
}

function toldOf(operation: Operation, { keyed, plain }: Compared, how: How = 'any'): Outcome {
  const judgement = judgeSilent(keyed, plain, HOW[how](keyHeaderOf(operation)));
  return outcome('IDEM-06', { service: operation.service, operation: operation.key }, judgement, [...plain, ...keyed]);
}

/** One call with the header, and where it is refused one without. */
function* refused(world: World, reached: Reached, creator: Reached | null): Generator<RequestPlan, Outcome, Answered> {
  const { operation } = reached;
  const on = { service: operation.service, operation: operation.key };
  const key = keyOf(operation, world.nonce, `${operation.key} refused`);
  const plan = yield* planFor(world, reached, creator, `refused ${operation.key}`);
  if (plan === null) return outcome('IDEM-06', on, cannotTell('precondition', 'there is nothing to delete'), []);
  const { last: keyed } = yield { ...plan, headers: withKey(operation, plan.headers, key) };
  const { last: plain } = isAccepted(keyed) ? { last: null } : yield plan;
  const judgement = judgeRefusedHeader(keyed, plain, HOW.any(keyHeaderOf(operation)));
  return outcome('IDEM-06', on, judgement, plain === null ? [keyed] : [plain, keyed]);
}

/** Calls with the header, and without it where the first one fails; each has a body of its own. */
function* compare(
  world: World,
  reached: Reached,
  {
    creator,
    label,
    keyAt,
  }: {
    readonly creator: Reached | null;
    readonly label: string;
    readonly keyAt: (turn: number) => string;
  },
): Generator<RequestPlan, Compared, Answered> {
  const [keyed, plain]: [Exchange[], Exchange[]] = [[], []];
  for (const [turn, withHeader] of WITH_HEADER.entries()) {
    const plan = yield* planFor(world, reached, creator, `${label} ${reached.operation.key} ${turn}`);
    if (plan === null) break;
    const { last } = yield {
      ...plan,
      headers: withKey(reached.operation, plan.headers, withHeader ? keyAt(turn) : null),
    };
    (withHeader ? keyed : plain).push(last);
    if (judgeSilent(keyed, plain, '').kind === 'holds') break;
    if ((last.response?.status ?? 599) >= 400 && !withHeader) break;
  }
  return { keyed, plain };
}

/** Tells whether what a varied call changes is changed back: it is left as the run found or made it. */
function restores({ method }: Operation): boolean {
  return method === 'PUT' || method === 'PATCH';
}

/** The recipe's call with a body of its own; of a DELETE, on an object made for it. Null where none could be made. */
function* planFor(
  world: World,
  reached: Reached,
  creator: Reached | null,
  label: string,
): Generator<RequestPlan, RequestPlan | null, Answered> {
  const { operation, recipe } = reached;
  const from = drawFor(world, label);
  if (operation.method !== 'DELETE') return planOf(recipe, PROBE, from);
  const pathValues = creator === null ? null : yield* makeVictim(world, operation, creator, label);
  return pathValues === null ? null : planOf({ ...recipe, pathValues }, PROBE, from);
}
