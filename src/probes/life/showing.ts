// LIFE-01 and LIFE-05 as lists show them: what was made, and nothing of what was refused.
import { judgeListed } from '../../checks/life/life-01-created.ts';
import { judgeSentIsListed } from '../../checks/life/life-02-sent-is-read.ts';
import { judgeNothingLeft } from '../../checks/life/life-05-refused-create.ts';
import { cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { DescribedMembers } from '../../facts/members.ts';
import { isItem, isOneOf, resourceIn, resourceOf } from '../../facts/resource.ts';
import { markIn } from '../../generate/preferred.ts';
import type { JsonObject } from '../../openapi/json.ts';
import type { Reached, World } from '../world.ts';
import { type Desk, patienceAfter, readUntil, type Since } from './desk.ts';
import { nounsAt, type Seen, type Subject } from './lifecycle.ts';
import { type Listing, readList } from './listing.ts';

/** A list that does not show a new item, or its new values, for so long does not show them at all. ms. */
const LATEST_LIST_MS = 30_000;

/** A write, and the item as reading it by its id shows it afterwards. */
export interface Written {
  readonly write: Exchange;
  readonly item: JsonObject;
  readonly members: DescribedMembers;
  /** The item as it is read by its id now; null where it is not. */
  readonly readAgain: () => Promise<JsonObject | null>;
}

export class Showing {
  readonly #world: World;
  readonly #desk: Desk;
  #isLate = false;

  constructor(world: World, desk: Desk) {
    this.#world = world;
    this.#desk = desk;
  }

  /** Whether the list took longer to show a new item than anything else may take. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** The list once it shows the item, or had the time to; as far as that, or all of it. */
  async untilShown(
    lister: Reached,
    subject: Subject,
    item: JsonObject | null,
    since: Since,
    isWhole: boolean,
  ): Promise<Listing | null> {
    const isEnough = (one: unknown): boolean => !isWhole && isShownAs(subject, one);
    const read = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, isEnough);
    const isSettled = (listing: Listing | null): boolean =>
      listing === null || this.judge(subject, item, listing).kind !== 'breached';
    // That a list shows what was made earlier says nothing of how late it is: it is given the time of any reading.
    const listing = await readUntil(
      this.#world,
      since,
      read,
      (one) => isSettled(one) && (one === null || !this.#mayComeYet(subject, one)),
    );
    if (isSettled(listing)) return listing;
    this.#isLate = true;
    // A list may show new items late: one that never does is told from it by waiting longer than for anything else.
    return readUntil(this.#world, { ...since, patienceMs: LATEST_LIST_MS }, read, isSettled);
  }

  /** The list once it shows the item, or had more time to than for anything else; as far as that, or all of it. */
  late(lister: Reached, subject: Subject): Promise<Listing | null> {
    const isSought = (item: unknown): boolean => isShownAs(subject, item);
    const read = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, isSought);
    const since = { from: this.#world.timing.now(), patienceMs: LATEST_LIST_MS };
    return readUntil(this.#world, since, read, (one) => one === null || one.items.some(isSought));
  }

  /**
   * LIFE-01 on the list: all of these are there, or after a longer wait the first that it leaves out. `showsNew`: whether the list has
   * shown a new item in time; else one of these tells that it does.
   */
  async tellAllListed(lister: Reached, made: readonly Seen[], showsNew: boolean): Promise<void> {
    const collection = made[0]?.subject.collection ?? '';
    const read = (): Promise<Listing | null> => readList(this.#world, lister, collection, this.#desk.send, () => false);
    const missingIn = ({ items }: Listing): Seen | undefined =>
      made.find(({ subject }) => !items.some((item) => isShownAs(subject, item)));
    const mayTell = ({ items }: Listing): boolean =>
      showsNew || made.some(({ subject }) => items.some((item) => isShownAs(subject, item)));
    const since = { from: this.#world.timing.now(), patienceMs: LATEST_LIST_MS };
    const listing = await readUntil(
      this.#world,
      since,
      read,
      (one) => one === null || !one.isWhole || missingIn(one) === undefined || !mayTell(one),
    );
    const missing = listing === null ? undefined : missingIn(listing);
    if (listing === null || !mayTell(listing) || (missing !== undefined && !listing.isWhole)) return;
    if (missing === undefined) {
      this.#desk.tell('LIFE-01', lister, holds(made.length), listing.pages.slice(-1));
      return;
    }
    const { subject, write, reading } = missing;
    const about = {
      id: subject.id,
      nouns: nounsAt(subject),
      item: resourceOf(reading),
      ...listing,
      showsEarlier: null,
    };
    this.#desk.tell('LIFE-01', lister, judgeListed(about), [write, reading, ...listing.pages.slice(-1)]);
  }

  /** LIFE-01 on the list. */
  judge(subject: Subject, item: JsonObject | null, listing: Listing): Judgement {
    const showsEarlier = this.#showsEarlier(subject, listing);
    return judgeListed({ id: subject.id, nouns: nounsAt(subject), item, ...listing, showsEarlier });
  }

  /**
   * LIFE-02 on the list, which is read again while it shows other values than were sent; resolves with it. `listing`: null where it is to be
   * read first.
   */
  async tellValues(
    lister: Reached,
    subject: Subject,
    { write, item, members, readAgain }: Written,
    listing: Listing | null,
  ): Promise<Listing | null> {
    const judge = ({ items }: Listing, read = item): Judgement => {
      const shown = resourceIn(items.find((one) => isShownAs(subject, one)));
      if (shown === null) return cannotTell('precondition', 'the list shows the item no longer');
      return judgeSentIsListed(write, read, shown, members);
    };
    const patienceMs = listing === null ? LATEST_LIST_MS : patienceAfter(write);
    const since = { from: this.#world.timing.now(), patienceMs };
    const again = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, (one) => isShownAs(subject, one));
    const isSettled = (one: Listing | null): boolean => one === null || judge(one).kind !== 'breached';
    const isEnough = listing !== null && isSettled(listing);
    const last = isEnough ? listing : await readUntil(this.#world, since, again, isSettled);
    if (last === null) return null;
    // By the id the item may have been read as it was before a later change.
    const now = judge(last).kind === 'breached' ? await readAgain() : null;
    this.#desk.tell('LIFE-02', lister, judge(last, now ?? item), [write, ...last.pages.slice(-1)]);
    return last;
  }

  /** LIFE-05: what refused creates carried is looked for in the list that shows what was made. */
  tellRefused(
    creator: Reached,
    made: Exchange,
    subject: Subject,
    refused: readonly string[],
    listing: Listing | null,
  ): void {
    if (listing === null) {
      this.#desk.cannotTell(['LIFE-05'], creator, 'no operation lists what refused creates may have left');
      return;
    }
    const shown = listing.items.filter((item) => isShownAs(subject, item));
    const accepted = markIn(jsonText(shown), this.#world.nonce);
    const judgement = judgeNothingLeft({ ...listing, refused, accepted });
    this.#desk.tell('LIFE-05', creator, judgement, [made, ...listing.pages.slice(-1)]);
  }

  /** The list once it no longer shows the item, or had the time to; null where it was not answered. */
  untilGone(lister: Reached, subject: Subject, since: Since): Promise<Listing | null> {
    const isSought = (item: unknown): boolean => isShownAs(subject, item);
    const read = (): Promise<Listing | null> =>
      readList(this.#world, lister, subject.collection, this.#desk.send, isSought);
    return readUntil(this.#world, since, read, (one) => one === null || !one.items.some(isSought));
  }

  #mayComeYet(subject: Subject, listing: Listing): boolean {
    const isShown = listing.items.some((item) => isShownAs(subject, item));
    return listing.isWhole && !isShown && this.#showsEarlier(subject, listing) === true;
  }

  /** Whether the list shows what this run made before; null where it made nothing. */
  #showsEarlier(subject: Subject, { items }: Listing): boolean | null {
    const known = this.#world.knowledge.idsAt(subject.collection, '').filter(({ created }) => created);
    const others = known.map(({ value }) => value).filter((value) => value !== subject.id);
    if (others.length === 0) return null;
    const nouns = nounsAt(subject);
    return items.some((item) => isOneOf(item, others, nouns));
  }
}

/** Whether the item of a list is the one whose life is followed. */
export function isShownAs(subject: Subject, item: unknown): boolean {
  return isItem(item, subject.id, nounsAt(subject));
}
