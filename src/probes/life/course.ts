// Follows one resource through its life: it is made, read, listed, deleted and looked for again. Every step serves several
// clauses, so that a kind of resource costs few requests.
import { isSuccess } from '../../checks/answered.ts';
import { judgeListed, judgeReadable } from '../../checks/life/life-01-created.ts';
import { judgeSentIsRead, keptMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { judgePartialUpdate } from '../../checks/life/life-03-partial-update.ts';
import { judgeGone, judgeUnlisted } from '../../checks/life/life-04-deleted.ts';
import { judgeNothingLeft } from '../../checks/life/life-05-refused-create.ts';
import { type Control, differ, judgeReadsAlike, restlessMembers } from '../../checks/life/life-06-reads-alike.ts';
import { observeLate } from '../../checks/life/life-08-observed.ts';
import { isItem, resourceOf } from '../../checks/life/resource.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Fullness } from '../../generate/bodies.ts';
import { markIn } from '../../generate/preferred.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { markedBody } from '../idempotency/bodies.ts';
import { type Outcome, type Send, unlessNotSent } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { assign } from './assigning.ts';
import { assignmentFor } from './assignments.ts';
import { membersFor, replacementOf, updateOf, withMembers } from './changes.ts';
import { Desk, isRead, PROBE } from './desk.ts';
import { type Lifecycle, nounsAt, planAt, type Subject, subjectOf } from './lifecycle.ts';
import { type Listing, readList } from './listing.ts';
import { patienceAfter, readUntil } from './patience.ts';

/** Clauses that a course judges. */
const JUDGED = ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-05', 'LIFE-06', 'LIFE-07'];
/** The clause that is only observed: a budget pays for no request that nothing else is judged by. */
const OBSERVED = 'LIFE-08';
export const LIFE_CLAUSES: readonly string[] = [...JUDGED, OBSERVED];

/** Clauses that a course looks at in this world. */
export function lookedAtIn(world: World): readonly string[] {
  return world.isBrief === true ? JUDGED : LIFE_CLAUSES;
}
/** A second item rests so long before it is read for the first time, and between its readings. ms. */
const SETTLING_MS = 6_000;
const REST_MS = 2_000;
/** A list that does not show a new item for so long does not show it at all. ms. */
const LATEST_LIST_MS = 30_000;

/** One run of a course. */
export class LifeCourse {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  #made = 0;
  /** How much the bodies hold that creates take. */
  #asMade: Fullness = 'full';
  #lastUpdate: RequestPlan | null = null;
  /** Members that differed between two readings without a write in between. */
  #restless: readonly string[] = [];
  /** Whether the list took longer to show a new item than anything else may take. */
  #isLateList = false;

  constructor(world: World, cycle: Lifecycle, send: Send) {
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = new Desk(world, send);
  }

  async run(): Promise<readonly Outcome[]> {
    const { creator } = this.#cycle;
    const made = this.#spare() ?? (await this.#make());
    const status = made.response?.status ?? 0;
    const subject = isSuccess(status) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) {
      const reason = isSuccess(status)
        ? 'the answer of the create shows no id'
        : `the create is ${status === 0 ? 'not answered' : `answered ${status}`}`;
      this.#desk.cannotTell(lookedAtIn(this.#world), creator, reason);
      return this.#desk.outcomes;
    }
    const looked = await this.#afterCreate(subject, made);
    await this.#createAgain(made);
    const reading = looked.reading === null ? null : await this.#afterChanges(subject, made, looked.reading);
    await this.#afterDelete(subject, { ...looked, reading });
    return this.#desk.outcomes;
  }

  /** Where little may be made that stays, the item that the first call of the run has made; null where more may be. */
  #spare(): Exchange | null {
    const { creator } = this.#cycle;
    return this.#world.lasts(creator.operation) ? creator.proof : null;
  }

  /** Makes an item with every member where that is accepted, else one like those that were made before. */
  async #make(): Promise<Exchange> {
    const { creator } = this.#cycle;
    const made = await this.#desk.last(this.#planOfCreate(this.#asMade));
    const isRefused = made.response?.status === 400 || made.response?.status === 422;
    if (!isRefused || this.#asMade === creator.recipe.fullness) return made;
    this.#asMade = creator.recipe.fullness;
    return this.#desk.last(this.#planOfCreate(this.#asMade));
  }

  /** A create with a body of its own. */
  #planOfCreate(fullness: Fullness): RequestPlan {
    const creator = { ...this.#cycle.creator, recipe: { ...this.#cycle.creator.recipe, fullness } };
    this.#made += 1;
    const label = `life ${creator.operation.key} ${this.#made}`;
    const { body } = markedBody(this.#world, creator, label, this.#made);
    const change = body === null ? {} : { body };
    return planOf(creator.recipe, PROBE, drawFor(this.#world, label), { ...change, needed: 'experiment' });
  }

  /** LIFE-01 and LIFE-06; the last reading, null where nothing reads. */
  async #afterCreate(subject: Subject, made: Exchange): Promise<LookedAt> {
    const { reader, lister, creator } = this.#cycle;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(made) };
    const first =
      reader === null ? null : await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isRead);
    const refused = this.#world.knowledge.refusedAt(made.plan.path);
    const item = first !== null && isRead(first) ? resourceOf(first) : null;
    const listing = lister === null ? null : await this.#listShowing(lister, subject, item, since, refused.length > 0);
    this.#judgeRefused(made, subject, refused, listing);
    const shows = listing?.items.some((item) => isItem(item, subject.id, nounsAt(subject))) ?? false;
    if (reader === null || first === null) {
      this.#desk.cannotTell(
        ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-06', 'LIFE-07'],
        creator,
        'no operation reads one item',
      );
      return { reading: null, shows };
    }
    const isListed = listing === null || (!shows && !listing.isWhole) ? null : shows;
    const about = { id: subject.id, isProven: reader.proof !== null, isListed };
    this.#desk.tell('LIFE-01', creator, judgeReadable(first, about), [made, first]);
    if (lister !== null && listing !== null) {
      const judgement = this.#judgeListing(subject, item, listing);
      this.#desk.tell('LIFE-01', lister, judgement, [made, first, ...listing.pages.slice(-1)]);
    }
    return { reading: isRead(first) ? await this.#readAgain(reader, subject, first) : null, shows };
  }

  /** LIFE-08: a create with the body of the item that is there, under a key of its own. */
  async #createAgain({ plan: { body } }: Exchange): Promise<void> {
    const { creator } = this.#cycle;
    if (this.#world.isBrief === true || this.#spare() !== null || body.kind === 'none') return;
    const from = drawFor(this.#world, `life ${creator.operation.key} again`);
    const again = await this.#desk.write(planOf(creator.recipe, PROBE, from, { body }));
    if (again !== null) this.#desk.tell('LIFE-08', creator, observeLate('known-name', again), [again]);
  }

  /** LIFE-08: the delete once more, and an update of what was deleted. */
  async #afterEnd(remover: Reached, subject: Subject): Promise<void> {
    if (this.#world.isBrief === true) return;
    const second = await this.#desk.write(planAt(this.#world, remover, subject, PROBE));
    if (second !== null) this.#desk.tell('LIFE-08', remover, observeLate('second-delete', second), [second]);
    const { amender } = this.#cycle;
    const update = amender === null ? null : await this.#desk.write(this.#lastUpdate);
    if (amender !== null && update !== null)
      this.#desk.tell('LIFE-08', amender, observeLate('update-of-deleted', update), [update]);
  }

  /** LIFE-05: what refused creates carried is looked for in the list that shows what was made. */
  #judgeRefused(
    made: Exchange,
    { id, ...subject }: Subject,
    refused: readonly string[],
    listing: Listing | null,
  ): void {
    const { creator } = this.#cycle;
    if (listing === null)
      this.#desk.cannotTell(['LIFE-05'], creator, 'no operation lists what refused creates may have left');
    else {
      const isMade = (item: unknown): boolean => isItem(item, id, nounsAt({ id, ...subject }));
      const accepted = markIn(jsonText(listing.items.filter(isMade)), this.#world.nonce);
      const judgement = judgeNothingLeft({ ...listing, refused, accepted });
      this.#desk.tell('LIFE-05', creator, judgement, [made, ...listing.pages.slice(-1)]);
    }
  }

  /** The list once it shows the item, or had the time to; as far as that, or all of it. */
  async #listShowing(
    lister: Reached,
    subject: Subject,
    item: JsonObject | null,
    since: Since,
    isWhole: boolean,
  ): Promise<Listing | null> {
    const isSought = (one: unknown): boolean => isItem(one, subject.id, nounsAt(subject));
    const isEnough = (one: unknown): boolean => !isWhole && isSought(one);
    const read = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, isEnough);
    const isSettled = (listing: Listing | null): boolean =>
      listing === null || this.#judgeListing(subject, item, listing).kind !== 'breached';
    const listing = await readUntil(this.#world, since, read, isSettled);
    if (isSettled(listing)) return listing;
    this.#isLateList = true;
    // A list may show new items late: one that never does is told from it by waiting longer than for anything else.
    return readUntil(this.#world, { ...since, patienceMs: LATEST_LIST_MS }, read, isSettled);
  }

  #judgeListing(subject: Subject, item: JsonObject | null, listing: Listing): Judgement {
    const showsEarlier = this.#showsEarlier(subject, listing);
    return judgeListed({ id: subject.id, nouns: nounsAt(subject), item, ...listing, showsEarlier });
  }

  /** Whether the list shows what this run made before; null where it made nothing. */
  #showsEarlier(subject: Subject, { items }: Listing): boolean | null {
    const known = this.#world.knowledge.idsAt(subject.collection, '').filter(({ created }) => created);
    const others = known.filter(({ value }) => value !== subject.id);
    if (others.length === 0) return null;
    return others.some(({ value }) => items.some((item) => isItem(item, value, nounsAt(subject))));
  }

  /** LIFE-06: the item once more; where that differs, a second item shows whether reading is the cause. */
  async #readAgain(reader: Reached, subject: Subject, first: Exchange): Promise<Exchange> {
    const second = await this.#desk.read(reader, subject);
    if (!isRead(second)) return first;
    this.#restless = restlessMembers(first, second);
    const control = differ(first, second) ? await this.#control(reader) : null;
    this.#desk.tell('LIFE-06', reader, judgeReadsAlike(first, second, control), [first, second]);
    return second;
  }

  async #control(reader: Reached): Promise<Control | null> {
    const { creator } = this.#cycle;
    if (this.#world.lasts(creator.operation)) return null;
    const made = await unlessNotSent(() => this.#make());
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) return null;
    await this.#world.timing.sleep(SETTLING_MS);
    const one = await this.#desk.read(reader, subject);
    const two = await this.#desk.read(reader, subject);
    await this.#world.timing.sleep(REST_MS);
    return [one, two, await this.#desk.read(reader, subject), await this.#desk.read(reader, subject)];
  }

  /** LIFE-02 and LIFE-03: what was sent by the create, by a replacement and by an update; resolves with the last reading. */
  async #afterChanges(subject: Subject, made: Exchange, first: Exchange): Promise<Exchange> {
    const { creator, reader, replacer, amender } = this.#cycle;
    if (reader === null) return first;
    const wasChanged = this.#spare() !== null && (replacer !== null || amender !== null);
    let reading = first;
    let owned: readonly string[] = [];
    if (!wasChanged) reading = await this.#compare(creator, made, reader, subject, first);
    owned = keptMembers(made, reading, membersFor(creator, reader));
    const replaced = replacer === null ? null : await this.#desk.write(replacementOf(this.#world, replacer, subject));
    if (replacer !== null && replaced !== null && isRead(replaced)) {
      reading = await this.#compare(replacer, replaced, reader, subject, null);
      owned = keptMembers(replaced, reading, membersFor(replacer, reader));
    } else if (replacer !== null) this.#desk.cannotTell(['LIFE-02'], replacer, writtenInWords('replacement', replaced));
    const last = amender === null ? reading : await this.#afterUpdate(amender, reader, subject, reading, owned);
    await this.#assignOnCreate(reader, subject, last);
    return this.#assignOnUpdate(reader, subject, last);
  }

  /** LIFE-02: the write against a reading, which is repeated while it differs; resolves with the last one. */
  async #compare(
    writer: Reached,
    write: Exchange,
    reader: Reached,
    subject: Subject,
    known: Exchange | null,
  ): Promise<Exchange> {
    const members = membersFor(writer, reader);
    const judge = (reading: Exchange): Judgement => judgeSentIsRead(write, reading, members, this.#restless);
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    let next = known;
    const read = async (): Promise<Exchange> => {
      const reading = next ?? (await this.#desk.read(reader, subject));
      next = null;
      return reading;
    };
    const reading = await readUntil(this.#world, since, read, (one) => judge(one).kind !== 'breached');
    this.#desk.tell('LIFE-02', writer, judge(reading), [write, reading]);
    return reading;
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
      this.#desk.cannotTell(
        ['LIFE-03'],
        amender,
        'no member is described that an update may change and a reading shows',
      );
      return before;
    }
    this.#lastUpdate = plan;
    const update = await this.#desk.write(plan);
    if (update === null || !isRead(update)) {
      this.#desk.cannotTell(['LIFE-02', 'LIFE-03'], amender, writtenInWords('update', update));
      return before;
    }
    const after = await this.#compare(amender, update, reader, subject, null);
    const around = { before, update, after, owned, restless: this.#restless };
    this.#desk.tell('LIFE-03', amender, judgePartialUpdate(around), [before, update, after]);
    return isRead(after) ? after : before;
  }

  /** LIFE-07: a second item is made with members that are not the client's. */
  async #assignOnCreate(reader: Reached, subject: Subject, control: Exchange): Promise<void> {
    const { creator } = this.#cycle;
    const current = resourceOf(control);
    if (this.#spare() !== null || current === null) return;
    const assignment = assignmentFor(membersFor(creator, reader), current, true);
    const plan = this.#planOfCreate(this.#asMade);
    const send = async (members: JsonObject): Promise<Exchange | null> => this.#desk.write(withMembers(plan, members));
    await assign(this.#desk, creator, assignment, send, async (write) => {
      const made = subjectOf(this.#cycle, write);
      return made === null
        ? []
        : [await this.#desk.read(reader, made), control, await this.#desk.read(reader, subject)];
    });
  }

  /** LIFE-07: the item is changed once more, with members that are not the client's. */
  async #assignOnUpdate(reader: Reached, subject: Subject, control: Exchange): Promise<Exchange> {
    const { amender } = this.#cycle;
    const current = resourceOf(control);
    if (amender === null || current === null) return control;
    const members = membersFor(amender, reader);
    const plan = updateOf(this.#world, amender, subject, current, members) ?? this.#lastUpdate;
    if (plan === null) return control;
    const send = async (more: JsonObject): Promise<Exchange | null> => this.#desk.write(withMembers(plan, more));
    let last = control;
    await assign(this.#desk, amender, assignmentFor(members, current, false), send, async () => {
      last = await this.#desk.read(reader, subject);
      return [last, control];
    });
    return isRead(last) ? last : control;
  }

  /** LIFE-04. */
  async #afterDelete(subject: Subject, { reading, shows }: LookedAt): Promise<void> {
    const { remover, reader, lister } = this.#cycle;
    // What others go on to use is deleted only where no delete of this run has taken anything away.
    if (remover === null || (this.#spare() !== null && remover.proof === null)) return;
    const deletion = await this.#desk.last(planAt(this.#world, remover, subject, PROBE));
    const status = deletion.response?.status ?? 0;
    if (!isSuccess(status)) {
      this.#desk.cannotTell(
        ['LIFE-04'],
        remover,
        `the delete is ${status === 0 ? 'not answered' : `answered ${status}`}`,
      );
      return;
    }
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(deletion) };
    if (reader !== null && reading !== null) {
      const after = await readUntil(
        this.#world,
        since,
        () => this.#desk.read(reader, subject),
        (one) => !isRead(one),
      );
      const about = { id: subject.id, before: reading, deletion, after };
      this.#desk.tell('LIFE-04', remover, judgeGone(about), [reading, deletion, after]);
    }
    if (lister !== null && shows && !this.#isLateList)
      await this.#listAfterDelete(lister, remover, subject, deletion, since);
    await this.#afterEnd(remover, subject);
    if ((reader === null || reading === null) && !shows)
      this.#desk.cannotTell(['LIFE-04'], remover, 'what was deleted could be seen neither by reading it nor in a list');
  }

  async #listAfterDelete(
    lister: Reached,
    remover: Reached,
    subject: Subject,
    deletion: Exchange,
    since: Since,
  ): Promise<void> {
    const isSought = (item: unknown): boolean => isItem(item, subject.id, nounsAt(subject));
    const read = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, isSought);
    const listing = await readUntil(this.#world, since, read, (one) => one === null || !one.items.some(isSought));
    if (listing === null) return;
    const judgement = judgeUnlisted(subject.id, nounsAt(subject), listing.items);
    this.#desk.tell('LIFE-04', remover, judgement, [deletion, ...listing.pages.slice(-1)]);
  }
}

interface Since {
  readonly from: number;
  readonly patienceMs: number;
}

/** The last reading of an item, null where there is none, and whether its list showed it. */
interface LookedAt {
  readonly reading: Exchange | null;
  readonly shows: boolean;
}

/** Why a write could not be looked at. */
function writtenInWords(what: string, write: Exchange | null): string {
  if (write === null) return `no ${what} could be sent`;
  return `the ${what} is ${write.response === null ? 'not answered' : `answered ${write.response.status}`}`;
}
