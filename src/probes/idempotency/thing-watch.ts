// Reads a thing before and after sends that change it, and notes in the histories of their keys how many effects it shows.

import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { fewer } from '../../facts/effects.ts';
import { anyChanged, membersChanged, ThingEffects, type Turn } from '../../facts/thing-effects.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import type { Outcome } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import { refusedPlan } from './between.ts';
import type { Keyed } from './keyed-operation.ts';
import type { KeyLab } from './lab.ts';

const PROBE = 'idempotency/on-a-thing';
const MAX_LOOKS = 3;
/** Time after which all is done that a send sets going. ms. */
const SETTLING_MS = 1000;
const REST_MS = 1500;
/** Time without sends in which a thing that others change as often shows it. ms. */
const CONTROL_MS = 5000;

const UNSHOWN = cannotTell('precondition', 'the thing that a send changes does not show it');
const UNSENT = cannotTell('precondition', 'a send was no success');
const RESTLESS = cannotTell('precondition', 'the thing that a send changes does not keep still');

type Answers = Exchange | readonly Exchange[];

export class ThingWatch {
  readonly #lab: KeyLab;
  readonly #thing: Reached;
  #last: Exchange | null = null;
  /** True where an effect shows a while after its answer. */
  #isLate = false;
  /** Members that change by themselves, or count requests that are refused. */
  readonly #restless = new Set<string>();
  #first: Turn | null = null;
  #effects: ThingEffects;

  /** `isMade`: the thing is what a send has made. */
  constructor(lab: KeyLab, thing: Reached, { isMade = false } = {}) {
    this.#lab = lab;
    this.#thing = thing;
    this.#effects = new ThingEffects([], null, this.#restless, { isMade });
  }

  /** Learns from a first send which members show its effect; null where none does, or it is no success. */
  async first(): Promise<Keyed | null> {
    const lab = this.#lab;
    // Earlier sends may go on to change it.
    await lab.pause(SETTLING_MS);
    const before = await this.#read();
    const keyed = await lab.first();
    const { original, answers } = keyed.history;
    if (original !== null) await this.settle(keyed);
    const first = { before, sent: answers, after: this.#last ?? before };
    this.#first = first;
    this.#effects = new ThingEffects([first], null, this.#restless);
    if (original !== null && this.#effects.members?.length !== 0) return keyed;
    lab.tell('IDEM-02', original === null ? UNSENT : UNSHOWN, [before, ...answers, first.after]);
    return null;
  }

  /** Waits until the thing keeps still, and learns which members do not. The key had its effect by then. */
  async settle({ history }: Keyed): Promise<void> {
    const lab = this.#lab;
    const first = await this.#read();
    await lab.pause(SETTLING_MS);
    const settled = await this.#read();
    this.#last = settled;
    this.#isLate = membersChanged({ before: first, after: settled }).length > 0;
    if (jsonBodyType(lab.on.reached.operation) !== null) await lab.call(refusedPlan(lab.on.fresh(PROBE)));
    await this.rest(this.#isLate ? SETTLING_MS : 0);
    history.add('watched', [first, settled]);
  }

  /** Lets keys rest: what is forgotten after a second is. A member that changes meanwhile shows nothing from then on. */
  async rest(ms = REST_MS): Promise<void> {
    if (ms > 0) await this.#lab.pause(ms);
    const [before, after] = [this.#last, await this.#read()];
    this.#last = after;
    if (before !== null) for (const member of anyChanged({ before, after })) this.#restless.add(member);
  }

  /** Learns from a send of another body, and from one of a body like the first, which members count effects. */
  async count(other: Keyed, alike: Keyed): Promise<void> {
    const [unlike, like] = [await this.send(other), await this.send(alike)];
    const alikes = [this.#first, like].filter((turn) => turn !== null);
    this.#effects = new ThingEffects(alikes, other.history.original === null ? null : unlike, this.#restless);
  }

  /** Sends it between readings, and judges nothing. */
  async send(keyed: Keyed): Promise<Turn> {
    const turn = await this.#turn(() => this.#lab.send(keyed));
    keyed.history.add('watched', [turn.before, turn.after]);
    return turn;
  }

  /** Judges the effect of the last of the keys, which are sent at once, beside those of the others. Each look has keys of its own. */
  judge(keysOf: (look: number) => Promise<readonly Keyed[]>, send = sendOnce): Promise<void> {
    return this.#lookTwice(async (look) => {
      const keys = await keysOf(look);
      const turn = await this.#turn(async () => (await Promise.all(keys.map((one) => send(this.#lab, one)))).flat());
      const [last, ...others] = keys.toReversed();
      const dueTo = (some: readonly Keyed[]): number =>
        some.filter(({ history: { original } }) => original !== null && turn.sent.includes(original)).length;
      const effects = this.#effects.effectsIn(turn, dueTo(keys));
      const own = effects && fewer(effects, dueTo(others));
      return last && [last.history, 'watched', [turn.before, turn.after], own];
    });
  }

  /** Judges another body under a known key; `control`: the same body under a key of its own. */
  reuse({ history }: Keyed, other: Keyed, control: Keyed): Promise<void> {
    return this.#lookTwice(async () => {
      const turn = await this.#turn(() => this.#lab.reuse(other));
      const evidence = [...turn.sent, ...control.history.answers, turn.before, turn.after];
      return [history, 'reused', evidence, this.#effects.effectsIn(turn, 0)];
    });
  }

  /** Notes what each look shows. A breach must show twice in the same member, and not while nothing is sent. */
  async #lookTwice(look: (turn: number) => Promise<Parameters<KeyLab['note']> | undefined>): Promise<void> {
    const seen = new Set<string>();
    for (let turn = 1; turn <= MAX_LOOKS; turn += 1) {
      const lab = this.#lab.anew();
      const fact = await look(turn);
      if (fact !== undefined) lab.note(...fact);
      const places = lab.outcomes.flatMap(placesOf);
      if (places.every((place) => seen.has(place))) {
        this.#lab.outcomes.push(...lab.outcomes);
        return;
      }
      for (const place of places) seen.add(place);
      if (turn < MAX_LOOKS) await this.rest(CONTROL_MS);
      else for (const { clause, evidence } of lab.outcomes) this.#lab.tell(clause, RESTLESS, evidence);
    }
  }

  /** Sends between two readings, the later of which waits for what shows late. */
  async #turn(send: () => Promise<Answers>): Promise<Turn> {
    const before = this.#last ?? (await this.#read());
    const sent = [await send()].flat();
    let turn: Turn = { before, sent, after: await this.#read() };
    if (this.#isLate || sent.length > 1 || membersChanged(turn).length === 0) {
      await this.#lab.pause(SETTLING_MS);
      turn = { before, sent, after: await this.#read() };
    }
    this.#last = turn.after;
    return turn;
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

function sendOnce(lab: KeyLab, keyed: Keyed): Promise<Answers> {
  return lab.send(keyed);
}

function placesOf({ judgement }: Outcome): readonly string[] {
  return judgement.kind === 'breached' ? judgement.breaches.map(({ code, pointer }) => `${code} ${pointer}`) : [];
}
