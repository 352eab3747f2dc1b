// Follows one resource through its life: it is made, read, listed, deleted and looked for again. Every step serves several
// clauses, so that a kind of resource costs few requests.
import { isSuccess } from '../../checks/answered.ts';
import { judgeListed, judgeReadable } from '../../checks/life/life-01-created.ts';
import { judgeSentIsRead, keptMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { judgePartialUpdate } from '../../checks/life/life-03-partial-update.ts';
import { judgeGone, judgeUnlisted } from '../../checks/life/life-04-deleted.ts';
import { type Control, differ, judgeReadsAlike, restlessMembers } from '../../checks/life/life-06-reads-alike.ts';
import { isItem, resourceOf } from '../../checks/life/resource.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import { markedBody } from '../idempotency/bodies.ts';
import { NotSent, type Outcome, type Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { membersFor, replacementOf, updateOf } from './changes.ts';
import { type Lifecycle, nounsAt, planAt, type Subject, subjectOf } from './lifecycle.ts';
import { type Listing, readList } from './listing.ts';
import { patienceAfter, readUntil } from './patience.ts';

const PROBE = 'life/course';
/** A second item rests so long before it is read for the first time, and between its readings. ms. */
const SETTLING_MS = 6_000;
const REST_MS = 2_000;

/** One run of a course. */
export class LifeCourse {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #send: Send;
  readonly #outcomes: Outcome[] = [];
  #made = 0;
  /** Members that differed between two readings without a write in between. */
  #restless: readonly string[] = [];

  constructor(world: World, cycle: Lifecycle, send: Send) {
    this.#world = world;
    this.#cycle = cycle;
    this.#send = send;
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
      this.#cannotTell(['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-06'], creator, reason);
      return this.#outcomes;
    }
    const looked = await this.#afterCreate(subject, made);
    const reading = looked.reading === null ? null : await this.#afterChanges(subject, made, looked.reading);
    await this.#afterDelete(subject, { ...looked, reading });
    return this.#outcomes;
  }

  /** Where little may be made that stays, the item that the first call of the run has made; null where more may be. */
  #spare(): Exchange | null {
    const { creator } = this.#cycle;
    return this.#world.lasts(creator.operation) ? creator.proof : null;
  }

  /** Makes an item with every member where that is accepted, else one like those that were made before. */
  async #make(): Promise<Exchange> {
    const { creator } = this.#cycle;
    const full = await this.#create({ ...creator, recipe: { ...creator.recipe, fullness: 'full' } });
    const status = full.response?.status ?? 0;
    return status === 400 || status === 422 ? this.#create(creator) : full;
  }

  /** A second item; null where it must not be made. */
  async #makeAnother(): Promise<Exchange | null> {
    try {
      return await this.#make();
    } catch (error) {
      if (error instanceof NotSent) return null;
      throw error;
    }
  }

  async #create(creator: Reached): Promise<Exchange> {
    this.#made += 1;
    const label = `life ${creator.operation.key} ${this.#made}`;
    const { body } = markedBody(this.#world, creator, label, this.#made);
    const change = body === null ? {} : { body };
    return this.#last(planOf(creator.recipe, PROBE, drawFor(this.#world, label), { ...change, needed: 'experiment' }));
  }

  /** LIFE-01 and LIFE-06; the last reading, null where nothing reads. */
  async #afterCreate(subject: Subject, made: Exchange): Promise<LookedAt> {
    const { reader, lister, creator } = this.#cycle;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(made) };
    const first =
      reader === null ? null : await readUntil(this.#world, since, () => this.#read(reader, subject), isRead);
    const listing = lister === null ? null : await this.#listShowing(lister, subject, since);
    const shows = listing?.items.some((item) => isItem(item, subject.id, nounsAt(subject))) ?? false;
    if (reader === null || first === null) {
      this.#cannotTell(['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-06'], creator, 'no operation reads one item');
      return { reading: null, shows };
    }
    const isListed = listing === null || (!shows && !listing.isWhole) ? null : shows;
    const about = { id: subject.id, isProven: reader.proof !== null, isListed };
    this.#tell('LIFE-01', creator, judgeReadable(first, about), [made, first]);
    if (lister !== null && listing !== null) {
      const item = isRead(first) ? resourceOf(first) : null;
      const showsEarlier = this.#showsEarlier(subject, listing);
      const listed = { id: subject.id, nouns: nounsAt(subject), item, ...listing, showsEarlier };
      this.#tell('LIFE-01', lister, judgeListed(listed), [made, first, ...listing.pages.slice(-1)]);
    }
    return { reading: isRead(first) ? await this.#readAgain(reader, subject, first) : null, shows };
  }

  async #listShowing(lister: Reached, subject: Subject, since: Since): Promise<Listing | null> {
    const isSought = (item: unknown): boolean => isItem(item, subject.id, nounsAt(subject));
    const read = (): Promise<Listing | null> => readList(this.#world, lister, subject.collection, this.#send, isSought);
    return readUntil(
      this.#world,
      since,
      read,
      (listing) => listing === null || listing.items.some(isSought) || !listing.isWhole,
    );
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
    const second = await this.#read(reader, subject);
    if (!isRead(second)) return first;
    this.#restless = restlessMembers(first, second);
    const control = differ(first, second) ? await this.#control(reader) : null;
    this.#tell('LIFE-06', reader, judgeReadsAlike(first, second, control), [first, second]);
    return second;
  }

  async #control(reader: Reached): Promise<Control | null> {
    const { creator } = this.#cycle;
    if (this.#world.lasts(creator.operation)) return null;
    const made = await this.#makeAnother();
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) return null;
    await this.#world.timing.sleep(SETTLING_MS);
    const one = await this.#read(reader, subject);
    const two = await this.#read(reader, subject);
    await this.#world.timing.sleep(REST_MS);
    return [one, two, await this.#read(reader, subject), await this.#read(reader, subject)];
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
    const replaced = replacer === null ? null : await this.#write(replacementOf(this.#world, replacer, subject));
    if (replacer !== null && replaced !== null && isRead(replaced)) {
      reading = await this.#compare(replacer, replaced, reader, subject, null);
      owned = keptMembers(replaced, reading, membersFor(replacer, reader));
    } else if (replacer !== null) this.#cannotTell(['LIFE-02'], replacer, writtenInWords('replacement', replaced));
    return amender === null ? reading : this.#afterUpdate(amender, reader, subject, reading, owned);
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
    const judge = (reading: Exchange): Judgement => judgeSentIsRead(write, reading, members);
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(write) };
    let next = known;
    const read = async (): Promise<Exchange> => {
      const reading = next ?? (await this.#read(reader, subject));
      next = null;
      return reading;
    };
    const reading = await readUntil(this.#world, since, read, (one) => judge(one).kind !== 'breached');
    this.#tell('LIFE-02', writer, judge(reading), [write, reading]);
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
      this.#cannotTell(['LIFE-03'], amender, 'no member is described that an update may change and a reading shows');
      return before;
    }
    const update = await this.#write(plan);
    if (update === null || !isRead(update)) {
      this.#cannotTell(['LIFE-02', 'LIFE-03'], amender, writtenInWords('update', update));
      return before;
    }
    const after = await this.#compare(amender, update, reader, subject, null);
    const around = { before, update, after, owned, restless: this.#restless };
    this.#tell('LIFE-03', amender, judgePartialUpdate(around), [before, update, after]);
    return isRead(after) ? after : before;
  }

  /** Null where there is nothing to send, or it must not be sent. */
  async #write(plan: RequestPlan | null): Promise<Exchange | null> {
    if (plan === null) return null;
    try {
      return await this.#last(plan);
    } catch (error) {
      if (error instanceof NotSent) return null;
      throw error;
    }
  }

  /** LIFE-04. */
  async #afterDelete(subject: Subject, { reading, shows }: LookedAt): Promise<void> {
    const { remover, reader, lister } = this.#cycle;
    // What others go on to use is deleted only where no delete of this run has taken anything away.
    if (remover === null || (this.#spare() !== null && remover.proof === null)) return;
    const deletion = await this.#last(planAt(this.#world, remover, subject, PROBE));
    const status = deletion.response?.status ?? 0;
    if (!isSuccess(status)) {
      this.#cannotTell(['LIFE-04'], remover, `the delete is ${status === 0 ? 'not answered' : `answered ${status}`}`);
      return;
    }
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(deletion) };
    if (reader !== null && reading !== null) {
      const after = await readUntil(
        this.#world,
        since,
        () => this.#read(reader, subject),
        (one) => !isRead(one),
      );
      const about = { id: subject.id, before: reading, deletion, after };
      this.#tell('LIFE-04', remover, judgeGone(about), [reading, deletion, after]);
    }
    if (lister !== null && shows) await this.#listAfterDelete(lister, remover, subject, deletion, since);
    if ((reader === null || reading === null) && !shows)
      this.#cannotTell(['LIFE-04'], remover, 'what was deleted could be seen neither by reading it nor in a list');
  }

  async #listAfterDelete(
    lister: Reached,
    remover: Reached,
    subject: Subject,
    deletion: Exchange,
    since: Since,
  ): Promise<void> {
    const isSought = (item: unknown): boolean => isItem(item, subject.id, nounsAt(subject));
    const read = (): Promise<Listing | null> => readList(this.#world, lister, subject.collection, this.#send, isSought);
    const listing = await readUntil(this.#world, since, read, (one) => one === null || !one.items.some(isSought));
    if (listing === null) return;
    const judgement = judgeUnlisted(subject.id, nounsAt(subject), listing.items);
    this.#tell('LIFE-04', remover, judgement, [deletion, ...listing.pages.slice(-1)]);
  }

  #read(reader: Reached, subject: Subject): Promise<Exchange> {
    return this.#last(planAt(this.#world, reader, subject, PROBE));
  }

  async #last(plan: RequestPlan): Promise<Exchange> {
    return (await this.#send(plan)).last;
  }

  #tell(clause: string, { operation }: Reached, judgement: Judgement, evidence: readonly Exchange[]): void {
    this.#outcomes.push(outcome(clause, { service: operation.service, operation: operation.key }, judgement, evidence));
  }

  #cannotTell(clauses: readonly string[], on: Reached, reason: string): void {
    for (const clause of clauses) this.#tell(clause, on, cannotTell('precondition', reason), []);
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

function isRead({ response }: Exchange): boolean {
  return response !== null && isSuccess(response.status);
}

/** Why a write could not be looked at. */
function writtenInWords(what: string, write: Exchange | null): string {
  if (write === null) return `no ${what} could be sent`;
  return `the ${what} is ${write.response === null ? 'not answered' : `answered ${write.response.status}`}`;
}
