// LIFE-02 on all that a description lets a client send: what makes an item, replaces or changes it sends each bound, listed value, branch,
// null and absence once, and each time the item is read. What a target loses of one value alone, or under one state, shows only so; and
// a list that leaves out some of what was made (LIFE-01).
import { sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Answered, unlessNotSent } from '../probe.ts';
import { LETTERS } from '../reach/contrary.ts';
import { inputRounds, mayVary, variedInput } from '../reach/valid-inputs.ts';
import type { Reached, World } from '../world.ts';
import { changeOf } from './changes.ts';
import { type Desk, isRead, PROBE } from './desk.ts';
import { type Lifecycle, planAt, type Seen, type Subject, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';

/** Compares what was written with readings; resolves with the last one. `before`: a reading before the write. */
export type Compare = (
  writer: Reached,
  write: Exchange,
  subject: Subject,
  before: Exchange | null,
) => Promise<Exchange>;

/** Tells whether the list shows all of these. */
export type TellListed = (made: readonly Seen[]) => Promise<void>;

/** Items that are there together as their list is looked at: no more, for a run makes but few of a kind. */
const LISTED_TOGETHER = 2;

export class Variety {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  readonly #compare: Compare;
  readonly #letGo: () => void;
  readonly #tellListed: TellListed;
  #unlisted: Seen[] = [];

  constructor(
    world: World,
    cycle: Lifecycle,
    desk: Desk,
    maker: Maker,
    {
      compare,
      letGo,
      tellListed,
    }: { readonly compare: Compare; readonly letGo: () => void; readonly tellListed: TellListed },
  ) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = desk;
    this.#maker = maker;
    this.#compare = compare;
    this.#letGo = letGo;
    this.#tellListed = tellListed;
  }

  /** Where nothing more may be made: changes alone, of an item that stays. They end with what the operation sends at other times. */
  async ofOne(reader: Reached, subject: Subject): Promise<void> {
    for (const writer of [this.#cycle.replacer, this.#cycle.amender]) {
      if (writer === null || !isRead(await this.#desk.read(reader, subject))) continue;
      await this.#changeOne(writer, reader, subject);
      const usual = planAt(this.#world, writer, subject, `${PROBE}/restored`);
      await this.#desk.write({ ...usual, makes: 'nothing' });
    }
  }

  /** Only where what is made can be deleted. */
  async follow(reader: Reached): Promise<void> {
    await this.#ofCreates();
    for (const writer of [this.#cycle.replacer, this.#cycle.amender]) {
      if (writer !== null) await this.#ofChanges(writer, reader);
    }
  }

  /** Items of all values, of which none is needed once it was read and looked for in the list. */
  async #ofCreates(): Promise<void> {
    const { creator } = this.#cycle;
    const look = async (write: Exchange): Promise<void> => {
      const made = subjectOf(this.#cycle, write);
      if (made === null) return;
      this.#unlisted.push({ subject: made, write, reading: await this.#compare(creator, write, made, null) });
      if (this.#unlisted.length >= LISTED_TOGETHER) await this.#list();
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
    await this.#list();
  }

  /** The list, once for several items: what leaves out every third one shows so, too. */
  async #list(): Promise<void> {
    const made = this.#unlisted;
    this.#unlisted = [];
    if (made.length > 0) await this.#tellListed(made);
    this.#letGo();
  }

  /** One item that is given all values, one after another. */
  async #ofChanges(writer: Reached, reader: Reached): Promise<void> {
    const made = await unlessNotSent(() => this.#maker.make());
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) return;
    await this.#changeOne(writer, reader, subject);
    this.#letGo();
  }

  async #changeOne(writer: Reached, reader: Reached, subject: Subject): Promise<void> {
    let before = await this.#desk.read(reader, subject);
    const on = (plan: RequestPlan): RequestPlan => planAt(this.#world, writer, subject, PROBE, changeOf(plan, subject));
    await this.#each(writer, on, async (write) => {
      before = await this.#compare(writer, write, subject, before);
    });
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
