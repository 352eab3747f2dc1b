// LIFE-02 on members whose names are those of a server's own, such as a state: that a client sets them is found out, not taken from the name.
// Where one writer of an item sets a state and another, which is described to take it, is answered a success and leaves it, it is lost; so
// it is where all are described to take it and none sets it. Where clients set it, an update of another member leaves it as it is (LIFE-03).

import { judgeIgnored, judgeSteered, sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { judgeStateKept } from '../../checks/life/life-03-partial-update.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import {
  type DescribedMembers,
  describesItem,
  isClientsOwn,
  isStateOfItem,
  isSteerable,
  memberShape,
} from '../../facts/members.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Reached, World } from '../world.ts';
import { changeOf, membersFor, updateOf, withMembers } from './changes.ts';
import { type Desk, isRead, PROBE, patienceAfter, readUntil } from './desk.ts';
import { type Lifecycle, planAt, type Seen, type Subject, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';

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
  /** Of a flag that the first of these turns one way alone: what sets the value that was lost. */
  readonly other?: Steered;
}

const MOST_CONFIRMED = 3;

export class Steering {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  readonly #noted: Steered[] = [];
  /** Flags that were left by a write of which nothing else shows whether it has arrived. */
  readonly #perhaps: Steered[] = [];

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
      const steered = { writer, name, sent: value, isKept: how === 'same', plan: write.plan };
      if (how === 'same' || (isLeft && isSeen)) this.#noted.push(steered);
      else if (isLeft && typeof value === 'boolean') this.#perhaps.push(steered);
    }
  }

  /**
   * Gives an item a state by an update, where updates are described to take one, and updates another member (LIFE-03). Where the state is
   * not set another one is tried, by an update and by a create. Where a budget bounds the run no other write sends one.
   */
  async tryState(reader: Reached, { subject, reading }: Pick<Seen, 'subject' | 'reading'>): Promise<void> {
    const { creator, amender } = this.#cycle;
    const [state] = amender === null ? [] : statesOf(amender, membersFor(amender, reader));
    const plan = amender === null ? null : planAt(this.#world, amender, subject, PROBE);
    const item = resourceOf(reading);
    if (amender === null || state === undefined || plan === null || item === null) return;
    const { name } = state;
    const empty = { ...plan, body: { kind: 'json', value: {} } as const };
    const others = state.values.filter((value) => sameness(value, item[name]) === 'other').slice(0, 2);
    const by = others.map((sent) => ({ writer: amender, name, sent, isKept: true, plan: empty }));
    // What sets a state back sets it to one of the first.
    const last = { writer: amender, name, sent: state.values.at(-1), isKept: true, plan: empty };
    const isKept = await this.#tellAfterUpdate(reader, amender, last, subject);
    // From the last one no way may lead back.
    if (isKept || sameness(last.sent, item[name]) !== 'other') return;
    for (const one of by) {
      const set = await this.#set(reader, one, one.sent, subject);
      if (set === null) return;
      this.#noted.push({ ...one, isKept: sameness(one.sent, set.read) === 'same' });
    }
    const [lost] = by;
    if (lost === undefined || !isSteerable(membersFor(creator, reader), name)) return;
    const made = await this.#set(reader, { ...lost, writer: creator }, lost.sent, null);
    if (made !== null)
      this.#noted.push({ ...lost, writer: creator, isKept: sameness(lost.sent, made.read) === 'same' });
  }

  /**
   * Turns the first flag that updates are described to take, and back: whether one turns it one way alone. Where a budget bounds the run no
   * other update sends one.
   */
  async tryFlag(reader: Reached, { subject, reading }: Pick<Seen, 'subject' | 'reading'>): Promise<void> {
    const { amender } = this.#cycle;
    const plan = amender === null ? null : planAt(this.#world, amender, subject, PROBE);
    const item = resourceOf(reading);
    if (amender === null || plan === null || item === null) return;
    const members = membersFor(amender, reader);
    const empty = { ...plan, body: { kind: 'json', value: {} } as const };
    const flags = Object.keys(item).filter((name) => typeof item[name] === 'boolean' && isStateOfItem(name));
    const name = flags.find((one) => isSteerable(members, one));
    if (name === undefined) return;
    for (const sent of [!item[name], Boolean(item[name])]) {
      const turned = { writer: amender, name, sent, isKept: true, plan: empty };
      const set = await this.#set(reader, turned, sent, subject);
      if (set === null) return;
      this.#noted.push({ ...turned, isKept: sameness(sent, set.read) === 'same' });
    }
  }

  /** Shows what is suspected once more, on an item of its own. */
  async confirm(reader: Reached): Promise<void> {
    for (const suspect of this.#suspects().slice(0, MOST_CONFIRMED)) await this.#confirm(reader, suspect);
    for (const ignored of this.#ignored(reader).slice(0, MOST_CONFIRMED)) await this.#confirmIgnored(reader, ignored);
    for (const kept of this.#setByChanges().slice(0, MOST_CONFIRMED)) await this.#lookAfterUpdate(reader, kept);
  }

  /** States that all writers are described to take and none has set, whatever was sent: of each what a change has sent. */
  #ignored(reader: Reached): readonly (readonly Steered[])[] {
    const { creator, replacer, amender } = this.#cycle;
    const names = new Set(this.#noted.map(({ name }) => name).filter(isStateOfItem));
    return [...names].flatMap((name) => {
      const takers = [creator, replacer, amender].filter(
        (writer) => writer !== null && isSteerable(membersFor(writer, reader), name),
      );
      const own = this.#noted.filter((one) => one.name === name);
      const isLost = takers.every((taker) => own.some(({ writer, isKept }) => writer === taker && !isKept));
      const isNone = own.every((one) => !this.#sets(one) && !describesItem(membersFor(one.writer, reader)));
      const changes = own.filter(({ writer, isKept }) => writer !== creator && !isKept);
      const values = new Set(own.map(({ sent }) => sent));
      return isLost && isNone && changes.length > 0 && values.size > 1 ? [changes] : [];
    });
  }

  /** A new item is given two values, where it begins with one of them one, and keeps the one that it began with. */
  async #confirmIgnored(reader: Reached, changes: readonly Steered[]): Promise<void> {
    const [{ name, writer } = { name: '', writer: null }] = changes;
    const first = await this.#asMade(reader, name);
    if (first === null || writer === null) return;
    const others = changes.filter(({ sent }) => sameness(sent, first.read) === 'other');
    const sent = [...new Map(others.map((one) => [one.sent, one])).values()].slice(0, 2);
    const around: Exchange[] = [first.write];
    for (const one of sent) {
      const set = await this.#set(reader, one, one.sent, first.subject);
      if (set === null || sameness(first.read, set.read) !== 'same') return;
      around.push(set.write, set.reading);
    }
    if (sent.length === 0) return;
    const values = sent.map((one) => one.sent);
    this.#desk.tell('LIFE-02', writer, judgeIgnored(name, values, first.read), around);
  }

  /** States that a change has set, each with the last value that was kept. */
  #setByChanges(): readonly Steered[] {
    const { creator } = this.#cycle;
    const kept = this.#noted.filter(({ isKept, writer, name }) => isKept && writer !== creator && isStateOfItem(name));
    return [...new Map(kept.map((one) => [one.name, one])).values()];
  }

  /** LIFE-03: a state is set, and another member is updated; where that changes the state, both are done once more. */
  async #lookAfterUpdate(reader: Reached, kept: Steered): Promise<void> {
    const { amender } = this.#cycle;
    const { name } = kept;
    const first = amender === null ? null : await this.#asMade(reader, name);
    if (amender === null || first === null) return;
    const values = this.#noted.filter((one) => one.name === name && one.isKept && one.writer === kept.writer);
    const other = values.find(({ sent }) => sameness(sent, first.read) === 'other') ?? kept;
    await this.#tellAfterUpdate(reader, amender, other, first.subject);
  }

  /** Whether it could be told. */
  async #tellAfterUpdate(reader: Reached, amender: Reached, kept: Steered, subject: Subject): Promise<boolean> {
    const look = () => this.#afterUpdate(reader, amender, kept, subject);
    let looked = await look();
    if (looked !== null && judgeStateKept(looked).kind === 'breached') looked = await look();
    if (looked !== null) this.#desk.tell('LIFE-03', amender, judgeStateKept(looked), looked.around);
    return looked !== null;
  }

  /** The state as it was set, and after an update that does not send it; null where that could not be done. */
  async #afterUpdate(reader: Reached, amender: Reached, kept: Steered, subject: Subject) {
    const { name, sent } = kept;
    const set = await this.#set(reader, kept, sent, subject);
    if (set === null || sameness(sent, set.read) !== 'same') return null;
    const before = await this.#desk.read(reader, subject);
    const item = resourceOf(before);
    if (item === null || sameness(sent, item[name]) !== 'same') return null;
    const plan = updateOf(this.#world, amender, subject, item, membersFor(amender, reader));
    const update = plan === null ? null : await this.#desk.write(plan);
    if (update === null || !isRead(update) || name in sentMembers(update)) return null;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(update) };
    const isKept = (one: Exchange): boolean => sameness(item[name], resourceOf(one)?.[name]) !== 'other';
    const after = await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isKept);
    const shown = isRead(after) ? resourceOf(after) : null;
    if (shown === null) return null;
    return { name, was: item[name], is: shown[name], update, around: [before, update, after] };
  }

  #suspects(): readonly Suspect[] {
    const { replacer, amender } = this.#cycle;
    return [replacer, amender].flatMap((writer) => {
      const own = this.#noted.filter((one) => one.writer === writer);
      const names = new Set(own.map(({ name }) => name));
      return [...names].flatMap((name) => {
        const all = own.filter((one) => one.name === name);
        const others = this.#noted.filter((one) => one.name === name && one.writer !== writer && this.#sets(one));
        const perhaps = this.#perhaps.filter((one) => one.writer === writer && one.name === name);
        if (all.some(({ isKept }) => isKept)) return turnedOneWay([...all, ...perhaps], others);
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
  async #confirm(reader: Reached, { lost, kept, other = kept }: Suspect): Promise<void> {
    const first =
      kept.sent === lost.sent ? await this.#asMade(reader, lost.name) : await this.#set(reader, kept, kept.sent, null);
    if (first === null || sameness(lost.sent, first.read) !== 'other') return;
    const second = await this.#set(reader, lost, lost.sent, first.subject);
    if (second === null || sameness(first.read, second.read) !== 'same') return;
    const third = await this.#set(reader, other, lost.sent, first.subject);
    if (third === null || sameness(lost.sent, third.read) !== 'same') return;
    const { operation } = other.writer;
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

interface State {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** The states that the writer is described to take, with the values that are listed for each. */
function statesOf({ description, operation }: Reached, members: DescribedMembers): readonly State[] {
  const schema = jsonBodyType(operation)?.schema?.value ?? true;
  const names = Object.keys(Object(shapeOf(description, schema).properties));
  return names
    .filter((name) => isStateOfItem(name) && isSteerable(members, name))
    .flatMap((name) => {
      const values = memberShape(description, schema, name)?.enum;
      return Array.isArray(values) && values.length > 1 ? [{ name, values }] : [];
    });
}

/** A flag of the item that its writer turns one way and never the other, while another writer sets it so. Which states follow one another is the target's affair. */
function turnedOneWay(own: readonly Steered[], others: readonly Steered[]): readonly Suspect[] {
  const isFlag = ({ name, sent }: Steered): boolean => isStateOfItem(name) && typeof sent === 'boolean';
  const lost = own.find((one) => isFlag(one) && !own.some(({ sent, isKept }) => sent === one.sent && isKept));
  const kept = own.find((one) => one.isKept && isFlag(one) && one.sent !== lost?.sent);
  const other = others.find(({ sent }) => sent === lost?.sent);
  return lost === undefined || kept === undefined || other === undefined ? [] : [{ lost, kept, other }];
}

/** Whether the reading shows that the write has arrived: another member that it has changed. */
function showsChange(members: DescribedMembers, sent: JsonObject, was: JsonObject, is: JsonObject): boolean {
  return membersOf(sent).some(
    ([name, value]) =>
      isClientsOwn(members, name) && sameness(value, was[name]) === 'other' && sameness(value, is[name]) === 'same',
  );
}
