// LIFE-01 and LIFE-03 on items that stand beside another one: of three that are made in a row the one between is changed and deleted, and the
// others stay as they were. What was sent may hide an item, by a state or a time; that it goes just as another one is deleted is no
// coincidence where it goes so again.

import { judgeStillThere } from '../../checks/life/life-01-created.ts';
import { keptMembers, sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { judgeOtherItem } from '../../checks/life/life-03-partial-update.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isGone } from '../../facts/answered.ts';
import { resourceOf } from '../../facts/resource.ts';
import { mayBeHidden } from '../../facts/states.ts';
import type { Reached, World } from '../world.ts';
import { membersFor, replacementOf, updateOf } from './changes.ts';
import { type Desk, isRead, PROBE, patienceAfter, readUntil } from './desk.ts';
import { type Lifecycle, planAt, type Seen, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';

/** What changes and what deletes the item between the others. */
interface Operations {
  readonly reader: Reached;
  readonly remover: Reached;
  readonly writer: Reached | null;
}

/** What became of the two others. */
interface Row {
  readonly update: Exchange | null;
  readonly others: readonly (Seen & { readonly after: Exchange })[];
}

export class Neighbours {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;

  constructor(world: World, cycle: Lifecycle, desk: Desk, maker: Maker) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = desk;
    this.#maker = maker;
  }

  /** Not within a budget, and only where what is made can be read and deleted. `letGo`: what was made so far is needed no longer. */
  async follow(letGo: () => void): Promise<void> {
    const { reader, remover, amender, replacer, creator } = this.#cycle;
    if (this.#world.isBrief === true || this.#maker.spare() !== null || reader === null || remover === null) return;
    const writer = amender ?? replacer;
    const row = await this.#lookAtRow({ reader, remover, writer });
    letGo();
    for (const [index, { write, reading, after, subject }] of (row?.others ?? []).entries()) {
      const isDoubtful = isGone(after) && mayBeHidden(sentMembers(write));
      const again = isDoubtful ? await this.#lookAtRow({ reader, remover, writer: null }) : null;
      if (isDoubtful) letGo();
      const seenAgain = again?.others[index];
      if (!isDoubtful || (seenAgain !== undefined && isGone(seenAgain.after)))
        this.#desk.tell('LIFE-01', creator, judgeStillThere(after, subject.id), [reading, after]);
      const update = row?.update ?? null;
      if (writer === null || update === null || !isRead(after)) continue;
      const owned = keptMembers(write, reading, membersFor(creator, reader));
      const judgement = judgeOtherItem({ before: reading, update, after, owned, restless: [] });
      this.#desk.tell('LIFE-03', writer, judgement, [reading, update, after]);
    }
  }

  /** Null where no three items could be made, or the one between them is not deleted. */
  async #lookAtRow({ reader, remover, writer }: Operations): Promise<Row | null> {
    const made: Seen[] = [];
    for (let count = 0; count < 3; count += 1) {
      const one = await this.#makeOne(reader);
      if (one === null) return null;
      made.push(one);
    }
    const [first, between, last] = made;
    if (first === undefined || between === undefined || last === undefined) return null;
    const update = writer === null ? null : await this.#change(writer, reader, between);
    const deletion = await this.#desk.write(planAt(this.#world, remover, between.subject, PROBE));
    if (deletion === null || !isRead(deletion)) return null;
    const others = [];
    for (const one of [first, last]) others.push({ ...one, after: await this.#readUnlessGone(reader, deletion, one) });
    return { update, others };
  }

  async #makeOne(reader: Reached): Promise<Seen | null> {
    const write = await this.#desk.write(this.#maker.planOfCreate());
    const subject = write !== null && isRead(write) ? subjectOf(this.#cycle, write) : null;
    if (write === null || subject === null) return null;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    const reading = await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isRead);
    return isRead(reading) ? { subject, write, reading } : null;
  }

  /** The answer that is a success; null for none. */
  async #change(writer: Reached, reader: Reached, { subject, reading }: Seen): Promise<Exchange | null> {
    const members = membersFor(writer, reader);
    const plan =
      writer.operation.method === 'PATCH'
        ? updateOf(this.#world, writer, subject, resourceOf(reading) ?? {}, members)
        : replacementOf(this.#world, writer, subject);
    const update = await this.#desk.write(plan);
    return update !== null && isRead(update) ? update : null;
  }

  /** The item that is there, or is gone for good. */
  #readUnlessGone(reader: Reached, deletion: Exchange, { subject }: Seen): Promise<Exchange> {
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(deletion) };
    return readUntil(
      this.#world,
      since,
      () => this.#desk.read(reader, subject),
      (one) => !isGone(one),
    );
  }
}
