// LIFE-02 on all that a description lets a client send: what makes an item, replaces or changes it sends each bound, listed value, branch,
// null and absence once, and each time the item is read. What a target loses of one value alone, or under one state, shows only so.
import { sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Answered, unlessNotSent } from '../probe.ts';
import { LETTERS } from '../reach/contrary.ts';
import { inputRounds, mayVary, variedInput } from '../reach/valid-inputs.ts';
import type { Reached, World } from '../world.ts';
import { changeOf } from './changes.ts';
import { type Desk, isRead, PROBE } from './desk.ts';
import { type Lifecycle, planAt, type Subject, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';

/** Compares what was written with readings; resolves with the last one. `before`: a reading before the write. */
export type Compare = (
  writer: Reached,
  write: Exchange,
  subject: Subject,
  before: Exchange | null,
) => Promise<Exchange>;

export class Variety {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  readonly #compare: Compare;
  readonly #letGo: () => void;

  constructor(
    world: World,
    cycle: Lifecycle,
    desk: Desk,
    maker: Maker,
    { compare, letGo }: { readonly compare: Compare; readonly letGo: () => void },
  ) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = desk;
    this.#maker = maker;
    this.#compare = compare;
    this.#letGo = letGo;
  }

  /** Only where what is made can be deleted. */
  async follow(reader: Reached): Promise<void> {
    await this.#ofCreates();
    for (const writer of [this.#cycle.replacer, this.#cycle.amender]) {
      if (writer !== null) await this.#ofChanges(writer, reader);
    }
  }

  /** Items of all values, of which none is needed once it was read. */
  async #ofCreates(): Promise<void> {
    const { creator } = this.#cycle;
    const look = async (write: Exchange): Promise<void> => {
      const made = subjectOf(this.#cycle, write);
      if (made !== null) await this.#compare(creator, write, made, null);
      this.#letGo();
    };
    this.#letGo();
    const plans = [
      ...LETTERS.map((letters) => this.#maker.planOfLettersCreate(letters)),
      this.#maker.planOfZonedCreate(),
    ];
    for (const plan of plans) {
      const write = await this.#desk.write(plan);
      if (write !== null && isRead(write)) await look(write);
    }
    await this.#each(creator, (plan) => ({ ...plan, needed: 'experiment' }), look);
  }

  /** One item that is given all values, one after another. */
  async #ofChanges(writer: Reached, reader: Reached): Promise<void> {
    const made = await unlessNotSent(() => this.#maker.make());
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) return;
    let before = await this.#desk.read(reader, subject);
    const on = (plan: RequestPlan): RequestPlan => planAt(this.#world, writer, subject, PROBE, changeOf(plan, subject));
    await this.#each(writer, on, async (write) => {
      before = await this.#compare(writer, write, subject, before);
    });
    this.#letGo();
  }

  async #each(
    writer: Reached,
    on: (plan: RequestPlan) => RequestPlan,
    look: (write: Exchange) => Promise<void>,
  ): Promise<void> {
    if (!mayVary(writer)) return;
    const labels = { probe: PROBE, label: `life ${writer.operation.key} varied` };
    const rounds = inputRounds(this.#world, writer, variedInput(this.#world, writer), labels);
    for (let step = rounds.next(); step.done !== true; ) {
      const plan = on(step.value);
      const answered: Answered | null = await unlessNotSent(() => this.#desk.send(plan));
      if (answered === null) return;
      const isLookedAt = isRead(answered.last) && Object.keys(sentMembers(answered.last)).length > 0;
      if (isLookedAt) await look(answered.last);
      step = rounds.next(answered);
    }
  }
}
