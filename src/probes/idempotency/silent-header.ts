// IDEM-06: a mutating operation that does not declare the header takes it silently, also a long key, and one that it had before. A call that
// fails with it is made without it twice, and with it twice again, before anything is said.
import { judgeRefusedHeader, judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, collectedOnCourse, type Experiment, type Outcome } from '../probe.ts';
import { makeVictim } from '../reach/destroy.ts';
import { planOf } from '../reach/recipe.ts';
import { isServed, variedPlan } from '../reach/valid-inputs.ts';
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
    companions: 'keyed',
    stage: 'lean',
    rank: 88,
    clauses: ['IDEM-06'],
    ...spotOf(operation),
    cost: isTwice || repeats ? 2 : 1,
    run: () =>
      collectedOnCourse((outcomes) => new Calls(world, reached, others).judge({ ...amount, repeats }, outcomes)),
  };
}

/** With which key a call was sent, in words. */
const HOW = {
  any: (header: string) => `with ${header}`,
  long: (header: string) => `with an ${header} of ${LONGEST_KEY} characters`,
  used: (header: string) => `with an ${header} that another call had before`,
} as const;

/** Steps of the experiment, and their result. */
type Steps<T> = Generator<RequestPlan, T, Answered>;

interface Compared {
  readonly keyed: readonly Exchange[];
  readonly plain: readonly Exchange[];
}

/** Calls of one operation, with the header and without. */
class Calls {
  readonly #world: World;
  readonly #reached: Reached;
  readonly #others: Others;

  constructor(world: World, reached: Reached, others: Others) {
    this.#world = world;
    this.#reached = reached;
    this.#others = others;
  }

  *judge({ round, repeats }: Amount, outcomes: Outcome[]): Steps<void> {
    const [world, { operation, recipe }] = [this.#world, this.#reached];
    const shortKey = (label: string): string => keyOf(this.#reached, world.nonce, `${operation.key} ${label}`);
    if (world.terms.idempotency?.elsewhere === 'refused') {
      const { keyed, plain } = yield* this.#compare('refused', [shortKey('refused'), null]);
      const judgement = judgeRefusedHeader(keyed[0], plain[0], HOW.any(keyHeaderOf(operation)));
      outcomes.push(outcome('IDEM-06', spotOf(operation), judgement, [...plain, ...keyed]));
      return;
    }
    const varied = variedPlan(world, this.#reached, round, PROBE);
    const last = varied === null ? null : yield* this.#send(varied, this.#longKey('varied'));
    // Where it fails its input may be to blame, and it tells nothing of the header.
    if (last !== null && isServed(last)) {
      outcomes.push(this.#told({ keyed: [last], plain: [] }));
      if (restores(operation)) yield planOf(recipe, `${PROBE}/restored`, drawFor(world, PROBE));
      return;
    }
    const used = this.#longKey('first');
    // An operation that fails every other or every third time is not blamed: it does so once without the header, or succeeds once with it.
    const first = yield* this.#compare('silent', [used, null, null, shortKey('silent 3'), shortKey('silent 4')]);
    const told = this.#told(first);
    const isLongAlone = told.judgement.kind === 'cannot-tell' && first.keyed.slice(1).some(isServed);
    outcomes.push(isLongAlone ? yield* this.#ofLongKeys(first) : told);
    if (told.judgement.kind !== 'holds' || !repeats) return;
    outcomes.push(this.#told(yield* this.#compare('silent again', [used, null, null, used, used]), 'used'));
  }

  /**
   * The outcome where a long key is refused and a short one is not. How long a key may be is the platform's affair, and a
   * breach only where it takes such keys elsewhere.
   */
  *#ofLongKeys(first: Compared): Steps<Outcome> {
    const { operation } = this.#reached;
    const again = yield* this.#compare('silent long', [this.#longKey('again')]);
    const told = this.#told({ keyed: [...first.keyed.slice(0, 1), ...again.keyed], plain: first.plain }, 'long');
    const { keyed } = this.#others;
    if (told.judgement.kind !== 'breached') return told;
    if (keyed !== null) {
      const own = planOf(keyed.recipe, PROBE, drawFor(this.#world, `silent elsewhere ${operation.key}`));
      const last = yield* this.#send(own, this.#longKey('elsewhere'), keyed.operation);
      if (isServed(last)) return { ...told, evidence: [...told.evidence, last] };
    }
    const reason = `keys of ${LONGEST_KEY} characters were seen to be accepted nowhere`;
    return { ...told, judgement: cannotTell('precondition', reason) };
  }

  /** Calls with these keys, null for none, each with a body of its own: until the first one is served, or one without a key fails. */
  *#compare(label: string, keys: readonly (string | null)[]): Steps<Compared> {
    const [keyed, plain]: [Exchange[], Exchange[]] = [[], []];
    for (const [turn, key] of keys.entries()) {
      const plan = yield* this.#plan(`${label} ${this.#reached.operation.key} ${turn}`);
      if (plan === null) break;
      const last = yield* this.#send(plan, key);
      (key === null ? plain : keyed).push(last);
      if (isServed(last) ? turn === 0 : key === null) break;
    }
    return { keyed, plain };
  }

  *#send(plan: RequestPlan, key: string | null, operation = this.#reached.operation): Steps<Exchange> {
    return (yield { ...plan, headers: withKey(operation, plan.headers, key) }).last;
  }

  /** The recipe's call with a body of its own; of a DELETE, on an object made for it. Null where none could be made. */
  *#plan(label: string): Steps<RequestPlan | null> {
    const { operation, recipe } = this.#reached;
    const from = drawFor(this.#world, label);
    if (operation.method !== 'DELETE') return planOf(recipe, PROBE, from);
    const { creator } = this.#others;
    const pathValues = creator === null ? null : yield* makeVictim(this.#world, operation, creator, label);
    return pathValues === null ? null : planOf({ ...recipe, pathValues }, PROBE, from);
  }

  #longKey(label: string): string {
    const { operation } = this.#reached;
    return longestKeyOf(this.#reached, this.#world.nonce, `${operation.key} silent ${label}`);
  }

  #told({ keyed, plain }: Compared, how: keyof typeof HOW = 'any'): Outcome {
    const { operation } = this.#reached;
    const judgement = judgeSilent(keyed, plain, HOW[how](keyHeaderOf(operation)));
    return outcome('IDEM-06', spotOf(operation), judgement, [...plain, ...keyed]);
  }
}

/** Tells whether what a varied call changes is changed back: it is left as the run found or made it. */
function restores({ method }: Operation): boolean {
  return method === 'PUT' || method === 'PATCH';
}
