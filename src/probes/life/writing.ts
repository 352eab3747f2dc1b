// LIFE-02, LIFE-03 and LIFE-07, and LIFE-01 on further items: what a create, a replacement and an update have sent, against what is read afterwards.

import { judgeReadable, judgeStillThere } from '../../checks/life/life-01-created.ts';
import {
  doubtfullyKept,
  judgeNullIsRead,
  judgeSentIsRead,
  judgeStillRead,
  keptMembers,
  mayBeMadeAnew,
  nullReadAsValue,
  sentMembers,
} from '../../checks/life/life-02-sent-is-read.ts';
import { judgeOtherItem, judgePartialUpdate } from '../../checks/life/life-03-partial-update.ts';
import { appliedMembers } from '../../checks/life/life-07-mass-assignment.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isGone } from '../../facts/answered.ts';
import { type DescribedMembers, isClientsOwn } from '../../facts/members.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { mayBeHidden } from '../../facts/states.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { nullsOf, planChangedBy } from '../reach/contrary.ts';
import type { Reached, World } from '../world.ts';
import { assign, assignedId, assignmentFor } from './assignments.ts';
import { clearedAgain, clearingOf, extremesFor, membersFor, replacementOf, updateOf, withMembers } from './changes.ts';
import { type Desk, isRead, PROBE, patienceAfter, readUntil } from './desk.ts';
import { type Lifecycle, planAt, type Seen, type Subject, subjectOf } from './lifecycle.ts';
import type { Maker } from './maker.ts';
import { Steering } from './steering.ts';
import { type Compare, type TellListed, Variety } from './variety.ts';

/** What changed the item, and with what answer. */
export interface Change {
  readonly writer: Reached;
  readonly write: Exchange;
}

/** Another item than the one whose life is followed. */
export interface Other extends Seen {
  /** Whether by what was sent it may be in no list, or be read no longer after a time. */
  readonly mayBeHidden: boolean;
}

function seenOf(subject: Subject, write: Exchange, reading: Exchange, members: DescribedMembers): Other {
  const shown = resourceOf(reading) ?? {};
  // What the client is not to set, and what the item does not show, was not taken.
  const taken = Object.entries(sentMembers(write)).filter(
    ([name, value]) => isClientsOwn(members, name) || sameness(value, shown[name]) === 'same',
  );
  return { subject, write, reading, mayBeHidden: mayBeHidden(Object.fromEntries(taken)) };
}

export class Writing {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  /** Members that differed between two readings without a write in between. */
  readonly #restless: readonly string[];
  #lastUpdate: RequestPlan | null = null;
  readonly #changes: Change[] = [];
  /** By item, members that were sent and are read as they were sent: they are the client's. */
  readonly #owned = new Map<string, ReadonlySet<string>>();
  readonly #steering: Steering;
  /** Another item than the one whose life is followed, as it was first read; null for none. */
  #other: Other | null = null;
  /** The last update of the one since the other was made; null for none. */
  #changedSince: Exchange | null = null;

  constructor(world: World, cycle: Lifecycle, desk: Desk, maker: Maker, restless: readonly string[]) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = desk;
    this.#maker = maker;
    this.#restless = restless;
    this.#steering = new Steering(world, cycle, desk, maker);
  }

  /** The update that was sent last; null for none. */
  get lastUpdate(): RequestPlan | null {
    return this.#lastUpdate;
  }

  /** The replacement and the update that changed the item. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Another item than the one whose life is followed; null for none. */
  get other(): Other | null {
    return this.#other;
  }

  /** Whether no change of the item was accepted: one may have hidden or moved it. */
  get isUnchanged(): boolean {
    return this.#changes.length === 0 && this.#changedSince === null;
  }

  /** Compares the create, then a replacement and an update; resolves with the last reading. */
  async follow(subject: Subject, made: Exchange, first: Exchange): Promise<Exchange> {
    const { creator, reader, replacer, amender } = this.#cycle;
    if (reader === null) return first;
    const wasChanged = this.#maker.spare() !== null && (replacer !== null || amender !== null);
    let reading = first;
    if (!wasChanged) reading = await this.#compare(creator, made, reader, subject, first);
    let owned = keptMembers(made, reading, membersFor(creator, reader));
    await this.#compareContrary(reader);
    const replaced = replacer === null ? null : await this.#desk.write(replacementOf(this.#world, replacer, subject));
    if (replacer !== null && replaced !== null && isRead(replaced)) {
      this.#changes.push({ writer: replacer, write: replaced });
      reading = await this.#compare(replacer, replaced, reader, subject, null);
      owned = keptMembers(replaced, reading, membersFor(replacer, reader));
      reading = await this.#assignOnReplacement(replacer, reader, subject, reading);
    } else if (replacer !== null) this.#desk.cannotTell(['LIFE-02'], replacer, writtenInWords('replacement', replaced));
    const updated = amender === null ? reading : await this.#afterUpdate(amender, reader, subject, reading, owned);
    const last = amender === null ? updated : await this.#clear(amender, reader, subject, updated);
    await this.#assignOnCreate(reader, subject, last);
    return this.#assignOnUpdate(reader, subject, last);
  }

  /**
   * LIFE-02: the write against a reading, which is repeated while it differs; resolves with the last one. LIFE-01 where what was made
   * cannot be read at all. `before`: what was read before a change; null where that was a success, or nothing is asked of it.
   */
  async #compare(
    writer: Reached,
    write: Exchange,
    reader: Reached,
    subject: Subject,
    known: Exchange | null,
    before: Exchange | null = null,
  ): Promise<Exchange> {
    const members = membersFor(writer, reader);
    const mayBeGone = write.plan.method !== 'POST' && (before === null || isRead(before));
    const judge = (reading: Exchange): Judgement =>
      isRead(reading) || !mayBeGone
        ? judgeSentIsRead(write, reading, members, this.#restless, before)
        : judgeStillRead(write, reading, subject.id);
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    let next = known;
    const read = async (): Promise<Exchange> => {
      const reading = next ?? (await this.#desk.read(reader, subject));
      next = null;
      return reading;
    };
    const mayBeMissed = write.plan.method === 'POST' && !mayBeHidden(sentMembers(write));
    const isMissing = (one: Exchange): boolean => mayBeMissed && isGone(one);
    const reading = await readUntil(
      this.#world,
      since,
      read,
      (one) => judge(one).kind !== 'breached' && !isMissing(one),
    );
    if (isMissing(reading)) {
      const about = { id: subject.id, isProven: true, isListed: null };
      this.#desk.tell('LIFE-01', writer, judgeReadable(reading, about), [write, reading]);
    }
    if (isRead(reading)) {
      this.#tellPartial(writer, write, subject, before, reading);
      this.#steering.note(writer, members, write, reading, before);
      const owned = this.#owned.get(subject.id) ?? [];
      this.#owned.set(subject.id, new Set([...owned, ...keptMembers(write, reading, members)]));
    }
    const name = doubtfullyKept(write, reading, members, before);
    if (name !== null) {
      const was = resourceOf(reading)?.[name];
      const again = await clearedAgain(this.#desk, { writer, reader, members }, { write, subject, name, was });
      const last = again ?? { before: null, write, reading };
      const judgement = judgeSentIsRead(last.write, last.reading, members, this.#restless, last.before);
      const around = [...(last.before === null ? [] : [last.before]), last.write, last.reading];
      this.#desk.tell('LIFE-02', writer, judgement, around);
      return last.reading;
    }
    this.#desk.tell('LIFE-02', writer, judge(reading), [...(before === null ? [] : [before]), write, reading]);
    return (await this.#afterNull(writer, write, reader, subject, reading)) ?? reading;
  }

  /** LIFE-03: an update leaves what earlier writes have set, also where it is not the first. */
  #tellPartial(amender: Reached, update: Exchange, subject: Subject, before: Exchange | null, after: Exchange): void {
    const owned = [...(this.#owned.get(subject.id) ?? [])];
    if (update.plan.method !== 'PATCH' || before === null || !isRead(before) || owned.length === 0) return;
    const around = { before, update, after, owned, restless: this.#restless };
    this.#desk.tell('LIFE-03', amender, judgePartialUpdate(around), [before, update, after]);
  }

  /** LIFE-02: null that is read as a value: whether that is a default shows a write without the member. Resolves with the reading after it. */
  async #afterNull(
    writer: Reached,
    write: Exchange,
    reader: Reached,
    subject: Subject,
    reading: Exchange,
  ): Promise<Exchange | null> {
    const { plan } = write;
    const members = membersFor(writer, reader);
    const name = plan.method === 'PATCH' ? null : nullReadAsValue(write, reading, members, this.#restless);
    if (name === null || plan.body.kind !== 'json') return null;
    const { [name]: _null, ...all } = sentMembers(write);
    // What is not the client's to set may have been sent along.
    const own = Object.fromEntries(Object.entries(all).filter(([member]) => isClientsOwn(members, member)));
    const schema = jsonBodyType(writer.operation)?.schema ?? null;
    const others = [all, own].find((body) => isValid(writer.description, schema, body));
    if (others === undefined) return null;
    const isMade = plan.method === 'POST';
    const readAfter = async (next: RequestPlan): Promise<Exchange | null> => {
      const written = await this.#desk.write(next);
      const shown = written === null || !isRead(written) ? null : isMade ? subjectOf(this.#cycle, written) : subject;
      return shown === null ? null : this.#desk.read(reader, shown);
    };
    const without = await readAfter({ ...plan, body: { ...plan.body, value: others } });
    if (without === null) return null;
    const again = mayBeMadeAnew(name, { first: reading, without }) ? await readAfter(plan) : null;
    const judgement = judgeNullIsRead(name, { first: reading, without, again });
    this.#desk.tell('LIFE-02', writer, judgement, [write, reading, without, ...(again === null ? [] : [again])]);
    return isMade ? null : (again ?? without);
  }

  /**
   * LIFE-02: an item with other values than usual; what is refused shows nothing. Where a budget bounds the run the second item
   * has them.
   */
  async #compareContrary(reader: Reached): Promise<void> {
    const { creator } = this.#cycle;
    if (this.#world.isBrief === true || this.#maker.spare() !== null) return;
    const write = await this.#desk.write(this.#maker.planOfContraryCreate());
    const made = write !== null && isRead(write) ? subjectOf(this.#cycle, write) : null;
    if (write === null || made === null) return;
    const reading = await this.#compare(creator, write, reader, made, null);
    this.#other = seenOf(made, write, reading, membersFor(creator, reader));
  }

  /**
   * LIFE-01 and LIFE-03 on another item that was made before the last changes of this one, and before it was deleted: neither was meant for it. Resolves
   * with it as it was read last; null for none.
   */
  async lookAtOther(): Promise<Other | null> {
    const { creator, reader, amender } = this.#cycle;
    if (reader === null || this.#other === null || !isRead(this.#other.reading)) return null;
    const { subject, write, reading: before } = this.#other;
    const update = this.#changedSince;
    const owned = keptMembers(write, before, membersFor(creator, reader));
    const judgeChanged = (after: Exchange): Judgement | null =>
      amender === null || update === null || !isRead(after)
        ? null
        : judgeOtherItem({ before, update, after, owned, restless: this.#restless });
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    const after = await readUntil(
      this.#world,
      since,
      () => this.#desk.read(reader, subject),
      (one) => !isGone(one) && judgeChanged(one)?.kind !== 'breached',
    );
    if (!this.#other.mayBeHidden)
      this.#desk.tell('LIFE-01', creator, judgeStillThere(after, subject.id), [before, after]);
    const changed = judgeChanged(after);
    if (amender !== null && update !== null && changed !== null)
      this.#desk.tell('LIFE-03', amender, changed, [before, update, after]);
    return { ...this.#other, reading: after };
  }

  /** LIFE-02: null for a member that has a value, where null is described. Resolves with the last reading. */
  async #clear(amender: Reached, reader: Reached, subject: Subject, before: Exchange): Promise<Exchange> {
    const plan = clearingOf(this.#world, amender, subject, resourceOf(before) ?? {}, membersFor(amender, reader));
    const update = plan === null ? null : await this.#desk.write(plan);
    if (update === null || !isRead(update)) return before;
    const after = await this.#compare(amender, update, reader, subject, null, before);
    return isRead(after) ? after : before;
  }

  /**
   * LIFE-02: all values that the description spans; of states alone where a budget bounds the run. Where little may be made the one item is given
   * them that there is. `letGo`: what was made so far is needed no longer. `tellListed`: LIFE-01 on the list of what is made so.
   */
  async compareAll(subject: Subject, letGo: () => void, tellListed: TellListed): Promise<void> {
    const { reader } = this.#cycle;
    if (reader === null) return;
    const isOne = this.#maker.spare() !== null;
    if (this.#world.isBrief === true) {
      if (this.#other === null || isOne) return;
      await this.#steering.tryState(reader, this.#other);
      await this.#steering.tryFlag(reader, this.#other);
      return this.#steering.confirm(reader);
    }
    const compare: Compare = (writer, write, on, before) => this.#compare(writer, write, reader, on, null, before);
    const variety = new Variety(this.#world, this.#cycle, this.#desk, this.#maker, { compare, letGo, tellListed });
    if (isOne) return variety.ofOne(reader, subject);
    await variety.follow(reader);
    await this.#steering.confirm(reader);
    letGo();
  }

  /** LIFE-03: one member is changed. */
  async #afterUpdate(
    amender: Reached,
    reader: Reached,
    subject: Subject,
    before: Exchange,
    owned: readonly string[],
  ): Promise<Exchange> {
    const plan = updateOf(this.#world, amender, subject, resourceOf(before) ?? {}, membersFor(amender, reader));
    if (plan === null) {
      const reason = 'no member is described that an update may change and a reading shows';
      this.#desk.cannotTell(['LIFE-03'], amender, reason);
      return before;
    }
    this.#lastUpdate = plan;
    const update = await this.#desk.write(plan);
    if (update === null || !isRead(update)) {
      this.#desk.cannotTell(['LIFE-02', 'LIFE-03'], amender, writtenInWords('update', update));
      return before;
    }
    this.#changes.push({ writer: amender, write: update });
    this.#changedSince = update;
    const after = await this.#compare(amender, update, reader, subject, null);
    const around = { before, update, after, owned, restless: this.#restless };
    this.#desk.tell('LIFE-03', amender, judgePartialUpdate(around), [before, update, after]);
    return isRead(after) ? after : before;
  }

  /**
   * LIFE-07: a second item is made with members that are not the client's; where a budget bounds the run with other values than
   * usual as well (LIFE-02), unless these are refused.
   */
  async #assignOnCreate(reader: Reached, subject: Subject, control: Exchange): Promise<void> {
    const { creator } = this.#cycle;
    const current = resourceOf(control);
    if (this.#maker.spare() !== null || current === null) return;
    const assignment = assignmentFor(membersFor(creator, reader), current, true);
    const isBrief = this.#world.isBrief === true;
    const others = isBrief ? [this.#maker.planOfUnusualCreate(), this.#maker.planOfContraryCreate()] : [];
    const usual = this.#maker.planOfCreate();
    const offers = new Offers([...others.filter((plan) => plan !== null), usual]);
    await assign(this.#desk, creator, assignment, offers.sentWith(this.#desk), async (write, sent) => {
      const made = subjectOf(this.#cycle, write);
      if (made === null) return { reading: null, controls: [] };
      const reading = await this.#readAssigned(reader, made, sent);
      if (offers.taken !== usual) await this.#compare(creator, write, reader, made, reading);
      this.#other ??= seenOf(made, write, reading, membersFor(creator, reader));
      const controls = [control, await this.#desk.read(reader, subject)];
      const given = appliedMembers({ write, sent, reading, controls }).filter((name) => assignment.few.includes(name));
      const unsure = given.length === 0 ? [] : await this.#notGivenAgain(reader, sent, given);
      return { reading, controls, unsure };
    });
  }

  /** The item as it is read by the id that the create answered; where nothing is there, by the one that was sent: the answer may hide that it was taken. */
  async #readAssigned(reader: Reached, made: Subject, sent: JsonObject): Promise<Exchange> {
    const reading = await this.#desk.read(reader, made);
    const id = assignedId(sent);
    if (!isGone(reading) || id === null) return reading;
    const other = await this.#desk.read(reader, { ...made, id });
    return isRead(other) ? other : reading;
  }

  /** Of members that a second item may have by itself, those that further items do not show when they are sent, or show when they are not. */
  async #notGivenAgain(reader: Reached, sent: JsonObject, names: readonly string[]): Promise<readonly string[]> {
    const members = Object.fromEntries(names.map((name) => [name, sent[name]]));
    let open = names;
    // What is given by turns is told from what is given as it is sent; where what is made can be deleted, so is what chance gives.
    const turns = [true, false, false, true, ...(this.#cycle.remover === null ? [] : [false, true, true, false])];
    for (const isSent of turns) {
      if (open.length === 0) break;
      const plan = this.#maker.planOfCreate();
      const item = await this.#shownOnce(reader, isSent ? withMembers(plan, members) : plan);
      open = open.filter((name) => item !== null && (sameness(sent[name], item[name]) === 'same') === isSent);
    }
    return names.filter((name) => !open.includes(name));
  }

  /** What reading an item shows that is made for it, and deleted where that is described: few may be there together. Null where none is. */
  async #shownOnce(reader: Reached, plan: RequestPlan | null): Promise<JsonObject | null> {
    const { remover } = this.#cycle;
    const write = await this.#desk.write(plan);
    const made = write !== null && isRead(write) ? subjectOf(this.#cycle, write) : null;
    if (made === null) return null;
    const item = resourceOf(await this.#desk.read(reader, made));
    if (remover !== null) await this.#desk.write(planAt(this.#world, remover, made, PROBE));
    return item;
  }

  /**
   * LIFE-07: the item is replaced once more, with members that are not the client's. Where a budget bounds the run an update shows it; where there
   * is none, the replacement has null where it may (LIFE-02), unless that is refused.
   */
  async #assignOnReplacement(
    replacer: Reached,
    reader: Reached,
    subject: Subject,
    control: Exchange,
  ): Promise<Exchange> {
    const current = isRead(control) ? resourceOf(control) : null;
    const plan = replacementOf(this.#world, replacer, subject);
    const isBrief = this.#world.isBrief === true;
    if (current === null || plan === null || (isBrief && this.#cycle.amender !== null)) return control;
    const nulled = isBrief ? planChangedBy(nullsOf, replacer, plan) : null;
    const offers = new Offers([...(nulled === null ? [] : [nulled]), plan]);
    const assignment = assignmentFor(membersFor(replacer, reader), current, false);
    let last = control;
    await assign(this.#desk, replacer, assignment, offers.sentWith(this.#desk), async (write) => {
      last = await this.#desk.read(reader, subject);
      if (offers.taken === nulled) last = await this.#compare(replacer, write, reader, subject, last, control);
      return { reading: last, controls: [control] };
    });
    return isRead(last) ? last : control;
  }

  /**
   * LIFE-07: the item is changed once more, with members that are not the client's; where a budget bounds the run to its extremes as well
   * (LIFE-02), unless these are refused.
   */
  async #assignOnUpdate(reader: Reached, subject: Subject, control: Exchange): Promise<Exchange> {
    const { amender } = this.#cycle;
    const current = resourceOf(control);
    if (amender === null || current === null) return control;
    const members = membersFor(amender, reader);
    const plan = updateOf(this.#world, amender, subject, current, members) ?? this.#lastUpdate;
    if (plan === null) return control;
    const extremes = this.#world.isBrief === true ? extremesFor(amender, current, members) : {};
    const unusual = Object.keys(extremes).length === 0 ? null : withMembers(plan, extremes);
    const offers = new Offers([...(unusual === null ? [] : [unusual]), plan]);
    let last = control;
    await assign(
      this.#desk,
      amender,
      assignmentFor(members, current, false),
      offers.sentWith(this.#desk),
      async (write) => {
        last = await this.#desk.read(reader, subject);
        this.#changedSince = write;
        if (offers.taken === unusual) {
          this.#changes.push({ writer: amender, write });
          await this.#compare(amender, write, reader, subject, last, control);
        }
        return { reading: last, controls: [control] };
      },
    );
    return isRead(last) ? last : control;
  }
}

/** Writes of which the first is sent that is accepted. */
class Offers {
  readonly #plans: RequestPlan[];

  constructor(plans: readonly RequestPlan[]) {
    this.#plans = [...plans];
  }

  /** The one that was accepted, or the last. */
  get taken(): RequestPlan | null {
    return this.#plans[0] ?? null;
  }

  /** Sends them with these members as well. */
  sentWith(desk: Desk): (members: JsonObject) => Promise<Exchange | null> {
    return async (members) => {
      for (;;) {
        const [plan = null, ...others] = this.#plans;
        const write = plan === null ? null : await desk.write(withMembers(plan, members));
        if (others.length === 0 || (write !== null && isRead(write))) return write;
        this.#plans.shift();
      }
    };
  }
}

/** Why a write could not be looked at. */
function writtenInWords(what: string, write: Exchange | null): string {
  if (write === null) return `no ${what} could be sent`;
  return `the ${what} is ${write.response === null ? 'not answered' : `answered ${write.response.status}`}`;
}
