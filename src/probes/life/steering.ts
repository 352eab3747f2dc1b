// LIFE-02 on members whose names are those of a server's own, such as a state: that a client sets them is found out, not taken from the name.
// Where one writer of an item sets a state and another, which is described to take it, is answered a success and leaves it, it is lost.

import { judgeSteered, sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { type DescribedMembers, isClientsOwn, isSteerable } from '../../checks/life/members.ts';
import { resourceOf } from '../../checks/life/resource.ts';
import { sameness } from '../../checks/life/same-value.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Reached, World } from '../world.ts';
import { changeOf, withMembers } from './changes.ts';
import { type Desk, isRead, PROBE } from './desk.ts';
import { type Lifecycle, planAt, type Subject, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';
import { patienceAfter, readUntil } from './patience.ts';

/** What one write has made of a member that it sent. */
interface Steered {
  readonly writer: Reached;
  readonly name: string;
  readonly sent: unknown;
  readonly isKept: boolean;
  readonly plan: RequestPlan;
}

/** A writer that leaves a member as it is, and another that sets it. */
interface Suspect {
  readonly lost: Steered;
  /** Sets the member, where that is known to another value than was lost. */
  readonly kept: Steered;
}

const MOST_CONFIRMED = 3;

export class Steering {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  readonly #noted: Steered[] = [];

  constructor(world: World, cycle: Lifecycle, desk: Desk, maker: Maker) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = desk;
    this.#maker = maker;
  }

  /** A write, and readings before and after it; `before` is null for a create. */
  note(writer: Reached, members: DescribedMembers, write: Exchange, reading: Exchange, before: Exchange | null): void {
    const [was, is] = [before === null ? null : resourceOf(before), resourceOf(reading)];
    const isCreate = writer === this.#cycle.creator;
    if (is === null || (was === null && !isCreate)) return;
    const sent = sentMembers(write);
    const isSeen = isCreate || showsChange(members, sent, was ?? {}, is);
    for (const [name, value] of membersOf(sent)) {
      if (!isSteerable(members, name) || typeof value === 'object') continue;
      if (was !== null && sameness(value, was[name]) !== 'other') continue;
      const how = sameness(value, is[name]);
      const isLeft = how === 'other' && (was === null || sameness(was[name], is[name]) === 'same');
      if (how === 'same' || (isLeft && isSeen))
        this.#noted.push({ writer, name, sent: value, isKept: how === 'same', plan: write.plan });
    }
  }

  /** Shows what is suspected once more, on an item of its own. */
  async confirm(reader: Reached): Promise<void> {
    for (const suspect of this.#suspects().slice(0, MOST_CONFIRMED)) await this.#confirm(reader, suspect);
  }

  #suspects(): readonly Suspect[] {
    const { replacer, amender } = this.#cycle;
    return [replacer, amender].flatMap((writer) => {
      const own = this.#noted.filter((one) => one.writer === writer);
      const names = new Set(own.map(({ name }) => name));
      return [...names].flatMap((name) => {
        const all = own.filter((one) => one.name === name);
        if (all.some(({ isKept }) => isKept)) return [];
        const others = this.#noted.filter((one) => one.name === name && one.writer !== writer && this.#sets(one));
        const [lost] = all;
        const kept = others.find(({ sent }) => sent !== lost?.sent) ?? others[0];
        return lost === undefined || kept === undefined ? [] : [{ lost, kept }];
      });
    });
  }

  /** A create sets what it kept of two values; one alone may be what all have. */
  #sets({ writer, name, isKept }: Steered): boolean {
    if (!isKept || writer !== this.#cycle.creator) return isKept;
    const kept = this.#noted.filter((one) => one.writer === writer && one.name === name && one.isKept);
    return new Set(kept.map(({ sent }) => sent)).size > 1;
  }

  /** One sets a value, the other leaves it, and the one sets the value of the other, too. */
  async #confirm(reader: Reached, { lost, kept }: Suspect): Promise<void> {
    const first =
      kept.sent === lost.sent ? await this.#asMade(reader, lost.name) : await this.#set(reader, kept, kept.sent, null);
    if (first === null || sameness(lost.sent, first.read) !== 'other') return;
    const second = await this.#set(reader, lost, lost.sent, first.subject);
    if (second === null || sameness(first.read, second.read) !== 'same') return;
    const third = await this.#set(reader, kept, lost.sent, first.subject);
    if (third === null || sameness(lost.sent, third.read) !== 'same') return;
    const { operation } = kept.writer;
    const judgement = judgeSteered({ name: lost.name, sent: lost.sent, read: second.read, setBy: operation.key });
    this.#desk.tell('LIFE-02', lost.writer, judgement, [first.write, second.write, second.reading, third.write]);
  }

  /** A new item, and the value that it begins with. */
  async #asMade(reader: Reached, name: string) {
    const write = await this.#desk.write(this.#maker.planOfCreate());
    const subject = write !== null && isRead(write) ? subjectOf(this.#cycle, write) : null;
    if (write === null || subject === null) return null;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    const reading = await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isRead);
    return { write, reading, read: resourceOf(reading)?.[name], subject };
  }

  /** Has the writer send the value, to an item of its own where it makes items or `subject` is null. Null where that is no success. */
  async #set(reader: Reached, { writer, name, plan }: Steered, value: unknown, subject: Subject | null) {
    const isCreate = writer === this.#cycle.creator;
    const on = isCreate ? null : (subject ?? (await this.#asMade(reader, name))?.subject ?? null);
    if (!isCreate && on === null) return null;
    const sending =
      on === null
        ? this.#maker.planOfCreateWith(name, value)
        : this.#planAt(writer, on, withMembers(plan, { [name]: value }));
    const write = await this.#desk.write(sending);
    const at = write === null || !isRead(write) ? null : (on ?? subjectOf(this.#cycle, write));
    if (write === null || at === null) return null;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    const readOf = (one: Exchange): unknown => resourceOf(one)?.[name];
    const reading = await readUntil(
      this.#world,
      since,
      () => this.#desk.read(reader, at),
      (one) => sameness(value, readOf(one)) === 'same',
    );
    return { write, reading, read: readOf(reading), subject: at };
  }

  #planAt(writer: Reached, subject: Subject, plan: RequestPlan | null): RequestPlan | null {
    return plan === null ? null : planAt(this.#world, writer, subject, PROBE, changeOf(plan, subject));
  }
}

/** Whether the reading shows that the write has arrived: another member that it has changed. */
function showsChange(members: DescribedMembers, sent: JsonObject, was: JsonObject, is: JsonObject): boolean {
  return membersOf(sent).some(
    ([name, value]) =>
      isClientsOwn(members, name) && sameness(value, was[name]) === 'other' && sameness(value, is[name]) === 'same',
  );
}
