// IDEM-02, -03, -04 and -08 on operations that change a thing, such as POST /wallets/{id}/topups: the thing is read before and after each turn of
// sends, all of one body but for the one that changes it. What seems a breach must show twice.

import { differenceOf } from '../../checks/idem/idem-04-separate.ts';
import { judgeTurn, type SaidOfThing, type TurnKind, UNSHOWN } from '../../checks/idem/shown-by-thing.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { membersChanged, ThingEffects, type Turn } from '../../facts/thing-effects.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { type Conversation, unlessNotSent } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import { refusedPlan } from './between.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';
import { nearKeysOf } from './near-keys.ts';

const PROBE = 'idempotency/on-a-thing';
const ROUNDS = 2;
/** Readings and sends of a round, and where each send makes something. `isWhole`: of all turns, and not of a key that was answered before alone. */
const CALLS = { usual: 40, creating: 24 };
const FEW = { cost: 6, isWhole: false };
/** Time after which all is done that a send sets going. ms. */
const SETTLING_MS = 1000;
const TOGETHER = 3;

/** The experiment; null where nothing reads what a send changes. */
export function thingExperiment(on: KeyedOperation): Conversation | null {
  const { thing } = on.neighbours;
  if (thing === null) return null;
  const whole = { cost: on.creates ? CALLS.creating : CALLS.usual, isWhole: true };
  const { cost, isWhole } = on.declared({ whole, brief: whole, shared: FEW });
  const isBound = on.world.terms.idempotency?.otherBody != null;
  const clauses = ['IDEM-02', ...(isWhole ? ['IDEM-03', 'IDEM-04'] : []), ...(isWhole && isBound ? ['IDEM-08'] : [])];
  return keyExperiment(on, { probe: PROBE, stage: 'quiet', rank: 44, clauses, cost, ...on.leaving }, (lab) => {
    const readings = new Readings(lab, thing);
    return lookTwice(lab, () => (isWhole ? readings.turns() : readings.fewTurns()));
  });
}

async function lookTwice(lab: KeyLab, look: () => Promise<readonly Said[] | null>): Promise<void> {
  let before: readonly Said[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const said = await look();
    if (said === null) return lab.tell('IDEM-02', cannotTell('precondition', 'a send was no success'), []);
    const isAgain = (one: Said): boolean =>
      before.some(({ clause, members }) => clause === one.clause && members.some((name) => one.members.includes(name)));
    const isDoubtful = (one: Said): boolean => one.members.length > 0 && !isAgain(one);
    for (const one of said)
      if (!isDoubtful(one)) lab.tell(one.clause, one.judgement, one.evidence);
      else if (round === ROUNDS) lab.tell(one.clause, RESTLESS, one.evidence);
    if (!said.some(isDoubtful)) return;
    before = said;
  }
}

const RESTLESS: Judgement = cannotTell('precondition', 'the thing that a send changes does not keep still');

type Said = SaidOfThing & { readonly evidence: readonly Exchange[] };

/** Readings of the thing between sends. */
class Readings {
  readonly #lab: KeyLab;
  readonly #thing: Reached;
  #turns: (readonly [TurnKind, Turn])[] = [];
  #last: Exchange | null = null;
  /** True where an effect shows a while after its answer. */
  #isLate = false;

  constructor(lab: KeyLab, thing: Reached) {
    this.#lab = lab;
    this.#thing = thing;
  }

  /** Judgements of the turns of a round; null where its first send is no success. */
  async turns(): Promise<readonly Said[] | null> {
    this.#turns = [];
    // Earlier sends may go on to change it.
    await this.#lab.pause(SETTLING_MS);
    const before = await this.#read();
    const keyed = await this.#lab.first();
    const { original } = keyed.history;
    if (original === null) return null;
    const restless = await this.#settle();
    const first: Turn = { before, sent: [original], after: this.#last ?? before };
    if (new ThingEffects([first], null, restless).members?.length === 0)
      return [{ clause: 'IDEM-02', judgement: UNSHOWN, members: [], evidence: [before, original, first.after] }];
    // Where no more may be made, the turns before that count.
    const more = await unlessNotSent(() => this.#moreTurns(keyed));
    return this.#said(new ThingEffects([first, ...(more?.alike ?? [])], more?.other ?? null, restless));
  }

  /** All turns but the first; resolves with those of one effect each, of its body and of another. */
  async #moreTurns(keyed: Keyed): Promise<{ readonly alike: readonly Turn[]; readonly other: Turn | null }> {
    const { on } = this.#lab;
    const rekeyed = (label: string): Keyed => on.rekeyed(keyed, on.keyFor(`${label} ${on.history.calls}`));
    const other = await this.#turn(null, () => this.#lab.send(on.fresh(PROBE)));
    await this.#turn('again', () => this.#lab.send(keyed));
    const burst = rekeyed('together');
    await this.#turn('together', () => this.#lab.together(burst, TOGETHER));
    await this.#turn('other-key-at-once', () =>
      Promise.all(['one', 'two'].map((label) => this.#lab.send(rekeyed(label)))),
    );
    if (!on.creates) await this.#tryKeys(keyed);
    const key = keyIn(keyed.plan.headers, on.reached.operation.keyHeader);
    await this.#turn('other-body', () => this.#lab.send(on.fresh(PROBE, key)));
    const last = await this.#turn('other-key-equal-body', () => this.#lab.send(rekeyed('last')));
    return { alike: [last], other: other.sent.every(succeeded) ? other : null };
  }

  /** Keys that are near to another, and no key. */
  async #tryKeys(keyed: Keyed): Promise<void> {
    const { on } = this.#lab;
    for (const [key, near] of nearKeysOf(on, `${on.world.nonce} near ${on.history.calls}`)) {
      await this.#turn('other-key-equal-body', () => this.#lab.send(on.rekeyed(keyed, key)));
      await this.#turn(differenceOf({ earlier: key, key: near, hasKnownBody: true }), () =>
        this.#lab.send(on.rekeyed(keyed, near)),
      );
    }
    if (on.pays || keyParameter(on.reached.operation)?.required === true) return;
    for (let count = 0; count < 2; count += 1)
      await this.#turn('no-key-equal-body', () => this.#lab.send(on.rekeyed(keyed, null)));
  }

  /** The same where little may be made: a key that was answered before is sent again, and what it did at first is not known. */
  async fewTurns(): Promise<readonly Said[] | null> {
    this.#turns = [];
    const keyed = this.#lab.on.shared(0);
    if (keyed === null) return null;
    const restless = await this.#settle();
    await this.#turn('again', () => this.#lab.send(keyed));
    return this.#said(new ThingEffects([], null, restless));
  }

  /** Waits until the thing keeps still; resolves with the members that change by themselves, or count requests that are refused. */
  async #settle(): Promise<readonly string[]> {
    const { on } = this.#lab;
    const first = await this.#read();
    await this.#lab.pause(SETTLING_MS);
    const settled = await this.#read();
    this.#isLate = membersChanged({ before: first, after: settled }).length > 0;
    if (jsonBodyType(on.reached.operation) !== null) await this.#lab.call(refusedPlan(on));
    if (this.#isLate) await this.#lab.pause(SETTLING_MS);
    this.#last = await this.#read();
    return membersChanged({ before: settled, after: this.#last });
  }

  /** Sends between two readings, the later of which waits for what shows late; what is of no kind is judged by none. */
  async #turn(kind: TurnKind | null, send: () => Promise<Exchange | readonly Exchange[]>): Promise<Turn> {
    const before = this.#last ?? (await this.#read());
    const sent = [await send()].flat();
    let turn: Turn = { before, sent, after: await this.#read() };
    if (this.#isLate || sent.length > 1 || kind === null || membersChanged(turn).length === 0) {
      await this.#lab.pause(SETTLING_MS);
      turn = { before, sent, after: await this.#read() };
    }
    this.#last = turn.after;
    if (kind !== null) this.#turns.push([kind, turn]);
    return turn;
  }

  #said(thing: ThingEffects): readonly Said[] {
    return this.#turns.flatMap(([kind, turn]) => {
      const said = judgeTurn(kind, turn, thing);
      return said === null ? [] : [{ ...said, evidence: [turn.before, ...turn.sent, turn.after] }];
    });
  }

  /** Reads the thing that the operation's own calls change. */
  #read(): Promise<Exchange> {
    const { world, reached } = this.#lab.on;
    const { recipe } = this.#thing;
    const own = Object.entries(reached.recipe.pathValues).filter(([name]) => Object.hasOwn(recipe.pathValues, name));
    const pathValues = { ...recipe.pathValues, ...Object.fromEntries(own) };
    return this.#lab.call(planOf({ ...recipe, pathValues }, PROBE, drawFor(world, PROBE)));
  }
}
