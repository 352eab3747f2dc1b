// Follows one resource through its life: it is made, read, listed, changed, deleted and looked for again. Every step serves
// several clauses, so that a kind of resource costs few requests.

import { filteredBy, judgeListed, judgeReadable, judgeStillThere } from '../../checks/life/life-01-created.ts';
import { sentMembers } from '../../checks/life/life-02-sent-is-read.ts';
import { judgeGone, judgeGoneBelow, judgeUnlisted } from '../../checks/life/life-04-deleted.ts';
import { judgeConflict, judgeNoDouble } from '../../checks/life/life-05-refused-create.ts';
import { type Control, differ, judgeReadsAlike, restlessMembers } from '../../checks/life/life-06-reads-alike.ts';
import { observeLate } from '../../checks/life/life-08-observed.ts';
import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { encodeSegment, valuesOf } from '../../facts/paths.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { mayBeHidden } from '../../facts/states.ts';
import { markIn } from '../../generate/preferred.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { endedBy, type Outcome, type Send, unlessNotSent } from '../probe.ts';
import { contraryOf, planChangedBy } from '../reach/contrary.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { membersFor } from './changes.ts';
import { Desk, isRead, PROBE, patienceAfter, readUntil, type Since } from './desk.ts';
import { type Lifecycle, nounsAt, planAt, type Seen, type Subject, subjectOf } from './lifecycle.ts';
import { type Listing, readList } from './listing.ts';
import { Maker } from './maker.ts';
import { Neighbours } from './neighbours.ts';
import { isShownAs, Showing } from './showing.ts';
import { type Change, type Other, Writing } from './writing.ts';

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

/** One run of a course. */
export class LifeCourse {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  readonly #desk: Desk;
  readonly #maker: Maker;
  readonly #showing: Showing;
  readonly #neighbours: Neighbours;
  readonly #letGo: () => void;
  readonly #isNeeded: boolean;
  readonly #below: Lifecycle | null;
  /** The list after the item was deleted; null where it was not read. */
  #listedLast: Listing | null = null;

  /**
   * `letGo`: what the course has made so far is needed no longer. `isNeeded`: things are made below the item that the run's first call has
   * made, and other courses follow them. `below`: what can be made below the item.
   */
  constructor(
    world: World,
    cycle: Lifecycle,
    send: Send,
    {
      letGo = () => {},
      isNeeded = false,
      below = null,
    }: { readonly letGo?: () => void; readonly isNeeded?: boolean; readonly below?: Lifecycle | null } = {},
  ) {
    this.#below = below;
    this.#isNeeded = isNeeded;
    this.#world = world;
    this.#cycle = cycle;
    this.#desk = new Desk(world, send);
    this.#maker = new Maker(world, cycle, this.#desk);
    this.#showing = new Showing(world, this.#desk);
    this.#neighbours = new Neighbours(world, cycle, this.#desk, this.#maker);
    this.#letGo = letGo;
  }

  async run(): Promise<readonly Outcome[]> {
    try {
      return await this.#follow();
    } catch (error) {
      throw endedBy(error, this.#desk.outcomes);
    }
  }

  async #follow(): Promise<readonly Outcome[]> {
    const { creator } = this.#cycle;
    const made = this.#maker.spare() ?? (await this.#maker.make());
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
    await this.#createAgain(made, subject, looked.reading);
    const writing = new Writing(this.#world, this.#cycle, this.#desk, this.#maker, looked.restless);
    const reading = looked.reading === null ? null : await writing.follow(subject, made, looked.reading);
    if (reading !== null && looked.shows) await this.#listAfterChange(subject, reading, writing.changes);
    await this.#listBoth({ subject, write: made, reading: looked.reading }, looked.shows, writing);
    await this.#afterDelete(subject, { ...looked, reading }, writing);
    await this.#listOther(await writing.lookAtOther());
    await writing.compareAll(subject, this.#letGo, (all) => this.#listAll(looked.shows ? made : null, all));
    await this.#neighbours.follow(this.#letGo);
    return this.#desk.outcomes;
  }

  /** LIFE-01, LIFE-05 and LIFE-06. */
  async #afterCreate(subject: Subject, made: Exchange): Promise<LookedAt> {
    const { reader, lister, creator } = this.#cycle;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(made) };
    const first =
      reader === null ? null : await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isRead);
    const item = first !== null && isRead(first) ? resourceOf(first) : null;
    const refused = await this.#refusedAt(made.plan.path);
    const listing =
      lister === null ? null : await this.#showing.untilShown(lister, subject, item, since, refused.length > 0);
    this.#showing.tellRefused(creator, made, subject, refused, listing);
    const shows = listing?.items.some((one) => isShownAs(subject, one)) ?? false;
    if (reader === null || first === null) {
      const clauses = ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-06', 'LIFE-07'];
      this.#desk.cannotTell(clauses, creator, 'no operation reads one item');
      return { reading: null, shows, restless: [] };
    }
    const isListed = listing === null || (!shows && !listing.isWhole) ? null : shows;
    const about = { id: subject.id, isProven: reader.proof !== null, isListed };
    this.#desk.tell('LIFE-01', creator, judgeReadable(first, about), [made, first]);
    if (lister !== null && listing !== null) {
      const judgement = this.#showing.judge(subject, item, listing);
      this.#desk.tell('LIFE-01', lister, judgement, [made, first, ...listing.pages.slice(-1)]);
      if (item !== null && judgement.kind === 'cannot-tell') await this.#listAsOthers(reader, lister, item, listing);
      if (item !== null && shows) {
        const about = {
          write: made,
          item,
          members: membersFor(creator, reader),
          readAgain: this.#reading(reader, subject),
        };
        await this.#showing.tellValues(lister, subject, about, listing);
      }
    }
    return isRead(first) ? { ...(await this.#readAgain(reader, subject, first)), shows } : { ...UNREAD, shows };
  }

  /** LIFE-01 where the list may leave an item out by its state: a second one is made in the state of those that are listed. */
  async #listAsOthers(reader: Reached, lister: Reached, item: JsonObject, { items }: Listing): Promise<void> {
    const filter = filteredBy(item, items);
    if (filter?.listed === undefined || this.#world.isBrief === true || this.#maker.spare() !== null) return;
    const made = await this.#desk.write(this.#maker.planOfCreateWith(filter.name, filter.listed));
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (made === null || subject === null) return;
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(made) };
    const reading = await readUntil(this.#world, since, () => this.#desk.read(reader, subject), isRead);
    const other = isRead(reading) ? resourceOf(reading) : null;
    const listing = await this.#showing.untilShown(lister, subject, other, since, false);
    if (listing === null) return;
    const judgement = this.#showing.judge(subject, other, listing);
    this.#desk.tell('LIFE-01', lister, judgement, [made, reading, ...listing.pages.slice(-1)]);
  }

  /** Texts that refused creates have carried. Where none of the run was refused so far, one is sent that must be. */
  async #refusedAt(path: string): Promise<readonly string[]> {
    const known = this.#world.knowledge.refusedAt(path);
    if (known.length > 0 || this.#cycle.lister === null) return known;
    await this.#desk.write(this.#maker.planOfRefusedCreate());
    return this.#world.knowledge.refusedAt(path);
  }

  /** LIFE-08: a create with the body of the item that is there, under a key of its own. */
  async #createAgain({ plan: { body } }: Exchange, subject: Subject, before: Exchange | null): Promise<void> {
    const { creator } = this.#cycle;
    if (this.#world.isBrief === true || this.#maker.spare() !== null || body.kind === 'none') return;
    const from = drawFor(this.#world, `life ${creator.operation.key} again`);
    const again = await this.#desk.write(planOf(creator.recipe, PROBE, from, { body }));
    if (again === null) return;
    this.#desk.tell('LIFE-08', creator, observeLate('known-name', again), [again]);
    if (again.response?.status === 409) await this.#afterConflict(again.plan, subject, before);
  }

  /** LIFE-05: a create that conflicts with the item that is there, with other values: it changes nothing of that, and adds nothing to the list. */
  async #afterConflict(plan: RequestPlan, subject: Subject, before: Exchange | null): Promise<void> {
    const { creator, reader, lister } = this.#cycle;
    const other = planChangedBy(contraryOf, creator, plan);
    const from = drawFor(this.#world, `life ${creator.operation.key} in conflict`);
    const write =
      other === null ? null : await this.#desk.write(planOf(creator.recipe, PROBE, from, { body: other.body }));
    if (write?.response?.status !== 409) return;
    if (reader !== null && before !== null && isRead(before)) {
      const after = await this.#desk.read(reader, subject);
      this.#desk.tell('LIFE-05', creator, judgeConflict(before, write, after), [before, write, after]);
    }
    if (lister === null) return;
    const listing = await readList(this.#world, lister, subject.collection, this.#desk.send, () => false);
    if (listing === null) return;
    const judgement = judgeNoDouble({
      items: listing.items,
      mark: this.#markOf(write),
      id: subject.id,
      nouns: nounsAt(subject),
    });
    this.#desk.tell('LIFE-05', creator, judgement, [write, ...listing.pages.slice(-1)]);
  }

  #markOf({ plan: { body } }: Exchange): string | null {
    return body.kind === 'json' ? markIn(jsonText(body.value), this.#world.nonce) : null;
  }

  /** LIFE-06: the item once more; where that differs, a second item shows whether reading is the cause. */
  async #readAgain(reader: Reached, subject: Subject, first: Exchange): Promise<Omit<LookedAt, 'shows'>> {
    const second = await this.#desk.read(reader, subject);
    if (!isRead(second)) return { reading: first, restless: [] };
    const control = differ(first, second) ? await this.#control(reader) : null;
    this.#desk.tell('LIFE-06', reader, judgeReadsAlike(first, second, control), [first, second]);
    return { reading: second, restless: restlessMembers(first, second) };
  }

  async #control(reader: Reached): Promise<Control | null> {
    const { creator } = this.#cycle;
    if (this.#world.lasts(creator.operation)) return null;
    const made = await unlessNotSent(() => this.#maker.make());
    const subject = made !== null && isRead(made) ? subjectOf(this.#cycle, made) : null;
    if (subject === null) return null;
    await this.#world.timing.sleep(SETTLING_MS);
    const one = await this.#desk.read(reader, subject);
    const two = await this.#desk.read(reader, subject);
    await this.#world.timing.sleep(REST_MS);
    return [one, two, await this.#desk.read(reader, subject), await this.#desk.read(reader, subject)];
  }

  /** LIFE-02 on the list, which showed the item before it was changed. */
  async #listAfterChange(subject: Subject, reading: Exchange, changes: readonly Change[]): Promise<void> {
    const { lister, reader } = this.#cycle;
    const item = isRead(reading) ? resourceOf(reading) : null;
    if (lister === null || reader === null || item === null) return;
    let listing: Listing | null = null;
    for (const { writer, write } of changes) {
      const readAgain = this.#reading(reader, subject);
      const written = { write, item, members: membersFor(writer, reader), readAgain };
      listing = await this.#showing.tellValues(lister, subject, written, listing);
    }
  }

  #reading(reader: Reached, subject: Subject): () => Promise<JsonObject | null> {
    return async () => resourceOf(await this.#desk.read(reader, subject));
  }

  /** LIFE-04. */
  async #afterDelete(subject: Subject, { reading, shows }: LookedAt, writing: Writing): Promise<void> {
    const { remover, reader, lister } = this.#cycle;
    // What others go on to use is deleted only where no delete of this run has taken anything away.
    if (remover === null || (this.#maker.spare() !== null && remover.proof === null)) return;
    if (this.#maker.spare() !== null && this.#isNeeded) {
      this.#desk.cannotTell(['LIFE-04'], remover, 'what is made below the item is still looked at');
      return;
    }
    const below = await this.#makeBelow(subject);
    const deletion = await this.#desk.last(planAt(this.#world, remover, subject, PROBE));
    const status = deletion.response?.status ?? 0;
    if (!isSuccess(status)) {
      const reason = `the delete is ${status === 0 ? 'not answered' : `answered ${status}`}`;
      this.#desk.cannotTell(['LIFE-04'], remover, reason);
      if (writing.isUnchanged) await this.#afterLoss(subject, reading, status);
      return;
    }
    const since = { from: this.#world.timing.now(), patienceMs: patienceAfter(deletion) };
    if (reader !== null && reading !== null) {
      const read = (): Promise<Exchange> => this.#desk.read(reader, subject);
      const after = await readUntil(this.#world, since, read, (one) => !isRead(one));
      const about = { id: subject.id, before: reading, deletion, after };
      const gone = judgeGone(about);
      this.#desk.tell('LIFE-04', remover, gone, [reading, deletion, after]);
      if (below !== null && gone.kind === 'holds') await this.#belowAfterDelete(remover, below, deletion, since);
    }
    if (lister !== null && shows && !this.#showing.isLate)
      await this.#listAfterDelete(lister, remover, subject, deletion, since);
    await this.#afterEnd(remover, subject, writing);
    if ((reader === null || reading === null) && !shows)
      this.#desk.cannotTell(['LIFE-04'], remover, 'what was deleted could be seen neither by reading it nor in a list');
  }

  /** Something below the item that is about to be deleted; null where none is made. Not within a budget. */
  async #makeBelow({ id, collection }: Subject): Promise<Subject | null> {
    const cycle = this.#below;
    if (cycle === null || this.#world.isBrief === true || this.#maker.spare() !== null) return null;
    const { operation, recipe } = cycle.creator;
    const above = valuesOf(operation.path, `${collection}/${encodeSegment(id)}/${operation.path.split('/').at(-1)}`);
    const from = drawFor(this.#world, `life ${operation.key} below`);
    const made = await this.#desk.write(
      planOf({ ...recipe, pathValues: { ...recipe.pathValues, ...above } }, PROBE, from),
    );
    return made === null || !isRead(made) ? null : subjectOf(cycle, made);
  }

  /** LIFE-04: what stands below what was deleted. Its path names an id that is there no longer. */
  async #belowAfterDelete(remover: Reached, below: Subject, deletion: Exchange, since: Since): Promise<void> {
    const reader = this.#below?.reader ?? null;
    if (reader === null) return;
    const read = (): Promise<Exchange> => this.#desk.read(reader, below);
    const after = await readUntil(this.#world, since, read, (one) => !isRead(one));
    this.#desk.tell('LIFE-04', remover, judgeGoneBelow(below.id, after), [deletion, after]);
  }

  /** LIFE-01: the item that was there at its last reading, and is not found by the delete. */
  async #afterLoss(subject: Subject, before: Exchange | null, status: number): Promise<void> {
    const { reader, creator } = this.#cycle;
    if (reader === null || before === null || !isRead(before) || (status !== 404 && status !== 410)) return;
    const after = await this.#desk.read(reader, subject);
    this.#desk.tell('LIFE-01', creator, judgeStillThere(after, subject.id), [before, after]);
  }

  async #listAfterDelete(
    lister: Reached,
    remover: Reached,
    subject: Subject,
    deletion: Exchange,
    since: Since,
  ): Promise<void> {
    const listing = await this.#showing.untilGone(lister, subject, since);
    if (listing === null) return;
    this.#listedLast = listing;
    const judgement = judgeUnlisted(subject.id, nounsAt(subject), listing.items);
    this.#desk.tell('LIFE-04', remover, judgement, [deletion, ...listing.pages.slice(-1)]);
  }

  /** LIFE-01: the list that showed the first item in time shows another one, too, which has other values. */
  async #listOther(other: Other | null): Promise<void> {
    const [{ lister }, listing] = [this.#cycle, this.#listedLast];
    if (other === null || lister === null || listing === null || !isRead(other.reading)) return;
    const { subject, write, reading } = other;
    if (other.mayBeHidden) return;
    const isThere = listing.items.some((one) => isShownAs(subject, one));
    const last = isThere ? listing : await this.#showing.late(lister, subject);
    if (last === null) return;
    const about = { id: subject.id, nouns: nounsAt(subject), item: resourceOf(reading), ...last, showsEarlier: null };
    this.#desk.tell('LIFE-01', lister, judgeListed(about), [write, reading, ...last.pages.slice(-1)]);
  }

  /** LIFE-01 where a budget bounds the run and the list did not show the first item: it may show the other one, which was made later. */
  async #listBoth(
    { subject, write, reading }: Pick<Seen, 'subject' | 'write'> & { readonly reading: Exchange | null },
    isShown: boolean,
    { other }: Writing,
  ): Promise<void> {
    const { lister } = this.#cycle;
    if (lister === null || this.#world.isBrief !== true || isShown || this.#showing.isLate) return;
    if (reading === null || other === null || other.mayBeHidden || mayBeHidden(sentMembers(write))) return;
    await this.#showing.tellAllListed(lister, [{ subject, write, reading }, other], false);
  }

  /**
   * LIFE-01: a list that shows some of what is made shows all of it. What a state or a time may hide that the first item did not have is
   * left out. `first`: null where the list did not show that one.
   */
  async #listAll(first: Exchange | null, made: readonly Seen[]): Promise<void> {
    const { lister } = this.#cycle;
    if (lister === null || this.#showing.isLate) return;
    const known = first === null ? {} : sentMembers(first);
    const differing = (write: Exchange): JsonObject =>
      Object.fromEntries(
        Object.entries(sentMembers(write)).filter(([name, value]) => sameness(value, known[name]) !== 'same'),
      );
    const alike = made.filter(({ write, reading }) => isRead(reading) && !mayBeHidden(differing(write)));
    if (alike.length > 0) await this.#showing.tellAllListed(lister, alike, first !== null);
  }

  /** LIFE-08: the delete once more, and an update of what was deleted. */
  async #afterEnd(remover: Reached, subject: Subject, { lastUpdate }: Writing): Promise<void> {
    if (this.#world.isBrief === true) return;
    const second = await this.#desk.write(planAt(this.#world, remover, subject, PROBE));
    if (second !== null) this.#desk.tell('LIFE-08', remover, observeLate('second-delete', second), [second]);
    const { amender } = this.#cycle;
    const update = amender === null ? null : await this.#desk.write(lastUpdate);
    if (amender === null || update === null) return;
    this.#desk.tell('LIFE-08', amender, observeLate('update-of-deleted', update), [update]);
    // It may be there again, and nothing else of the run knows of it.
    if (isRead(update)) await this.#desk.write(planAt(this.#world, remover, subject, PROBE));
  }
}

/** What was seen of an item after it was made. */
interface LookedAt {
  /** The last reading; null where there is none. */
  readonly reading: Exchange | null;
  /** Whether its list showed it. */
  readonly shows: boolean;
  /** Members that differed between two readings without a write in between. */
  readonly restless: readonly string[];
}

const UNREAD = { reading: null, restless: [] } as const;
