// Keeps the objects that a run makes on its target: whose each is, counted by operation, held while they are needed, and known until
// they are gone. The bound on their number is in creation-bound.ts.

import type { CreatedByOperation } from '../../contract/report.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames, partedPath, trimmed } from '../../facts/paths.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Knowledge } from '../../probes/reach/knowledge.ts';
import { deleterAt } from '../../probes/reach/undoing.ts';
import { isNamedBy, wordCallOf } from '../../probes/reach/word-calls.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { type Claim, MakerFacts } from './claims.ts';
import type { CreationJournal } from './journal.ts';
import { type Entry, isBy, lineOf, type Made, NOWHERE, OTHERS, RUN, reasonOf, tellerOf } from './made.ts';
import { OpenRequests } from './open-requests.ts';

interface Tally extends Spot {
  deleted: number;
  deletable: boolean;
}

export class Creations {
  readonly #knowledge: Knowledge;
  readonly #catalogue: Catalogue;
  readonly #journal: CreationJournal | null;
  /** The objects that are there, by path, in the order made. */
  readonly #there = new Map<string, Entry>();
  readonly #gone = new Set<string>();
  /** All that was ever there and has an id, by path. */
  readonly #ever = new Map<string, Made>();
  /** Objects that earlier runs made and could not delete, by path. */
  readonly #earlier = new Map<string, Made>();
  /** Paths of what somebody else made, though the answer of a create named it. */
  readonly #others = new Set<string>();
  /** Objects that probes deleted by a DELETE that nobody has seen to be true yet. */
  readonly #unseen = new Map<Described, Entry[]>();
  /** True for deletions that were seen to do what they say, false for those that were seen not to. */
  readonly #deletions = new Map<Described, boolean>();
  readonly #tallies = new Map<string, Tally>();
  #unnamed = 0;
  readonly requests = new OpenRequests();
  readonly facts = new MakerFacts();

  /** Without a journal nothing is written down. */
  constructor(knowledge: Knowledge, catalogue: Catalogue, journal: CreationJournal | null = null) {
    this.#knowledge = knowledge;
    this.#catalogue = catalogue;
    this.#journal = journal;
  }

  /** The paths of the objects that a request of the method, or of its like by words, is about. */
  #namedBy(plan: RequestPlan, method: 'GET' | 'DELETE'): readonly string[] {
    const described = this.#catalogue.operation(plan.operation, plan.service);
    const call = described === null ? null : wordCallOf(described);
    if (call === null) return plan.method === method ? [this.keptAt(trimmed(plan.path))] : [];
    const isSuch = call.deed === (method === 'GET' ? 'shows' : 'removes');
    return isSuch ? [...this.#there.keys(), ...this.#others].filter((path) => isNamedBy(call, plan, path)) : [];
  }

  /** The path under which an object of this run is kept that the target takes by another member than its id; else the path itself. */
  keptAt(path: string): string {
    if (this.#there.has(path) || !this.#knowledge.takesMembers) return path;
    const [collection, value] = partedPath(path);
    const reader = this.#catalogue.match('GET', path);
    const parameter = parameterNames(reader?.operation.path ?? '').at(-1);
    if (reader === null || parameter === undefined) return path;
    const { operation } = reader;
    if (!this.#knowledge.takesMember(operation, parameter)) return path;
    const isThat = ({ collection: place, id, shown }: Made): boolean =>
      place === collection &&
      id !== null &&
      this.#knowledge.addressOf(operation, parameter, shown ?? null, id) === value;
    return this.everMade().find(isThat)?.path ?? path;
  }

  /** The paths of what the request deletes, in the path or by its words, as far as this run knows of it. */
  removedBy(plan: RequestPlan): readonly string[] {
    return this.#namedBy(plan, 'DELETE');
  }

  /** The things of this run that the request reads. */
  readBy(plan: RequestPlan): readonly Entry[] {
    return this.#namedBy(plan, 'GET').flatMap((path) => this.#there.get(path) ?? []);
  }

  /** The thing at the path, where it has an id and is known to be this run's; null for any other. */
  ownAt(called: string): Entry | null {
    const entry = this.#there.get(this.keptAt(trimmed(called))) ?? null;
    return entry?.id == null || entry.whose !== 'ours' ? null : entry;
  }

  /** Something was read or changed at the path: where the answer of a create led there, it told where the thing is. */
  noteFound(called: string): void {
    const entry = this.#there.get(this.keptAt(called));
    if (entry !== undefined && entry.whose !== 'listed') this.facts.learn(tellerOf(entry), 'told-where-it-is');
  }

  /** The thing is this run's by the word of its create: a reading may show that it is somebody else's. */
  claim(path: string, claim: Claim): void {
    const entry = this.#there.get(path);
    const earlier = typeof entry?.whose === 'object' ? entry.whose.marks : [];
    if (entry === undefined || (entry.whose !== 'ours' && earlier.length === 0)) return;
    const marks = [...new Set([...earlier, ...claim.marks])];
    if (!this.facts.has(claim.maker, 'named-its-own')) entry.whose = { ...claim, marks };
  }

  /** The word of the operation is believed from now on. */
  believe(maker: string): void {
    this.facts.learn(maker, 'named-its-own');
    for (const entry of this.#there.values())
      if (typeof entry.whose === 'object' && entry.whose.maker === maker) entry.whose = 'ours';
  }

  /** The thing was read, and is this run's, as is each that a Location of the same operation named of what was accepted. */
  own(read: Entry): void {
    this.facts.learn(spotKey(read), 'makes');
    for (const entry of this.#all(read)) {
      if (entry !== read && entry.isAccepted !== true) continue;
      const deleter = deleterAt(this.#catalogue, entry.path);
      this.#there.set(entry.path, { ...entry, deleter, why: null, whose: 'ours', isAccepted: false });
      this.#tallyOf(entry).deletable ||= deleter !== null;
    }
  }

  /** Somebody else made what stands at the path: what the requests with these marks made is elsewhere, and a list may show it. */
  disown(path: string, marks: readonly (string | null)[]): void {
    const entry = this.#there.get(path);
    if (entry === undefined) return;
    const { collection, id, holder } = entry;
    this.#others.add(path);
    this.#there.delete(path);
    this.#ever.delete(path);
    if (id !== null) this.#knowledge.forget(collection, id);
    this.#journal?.gone(path);
    const made = { ...entry, id: null, path: collection, deleter: null };
    for (const mark of marks) this.add(made, { holder, mark, why: OTHERS, whose: 'nameless' });
  }

  /** Takes in what an earlier run made and what still stands: it counts for the limits, and is not deleted by this run. */
  inherit(made: Made): void {
    this.#earlier.set(made.path, made);
  }

  /** How much of what earlier runs made with the operation still stands; of all operations where none is named. */
  inherited(by: Spot | null = null): number {
    return [...this.#earlier.values()].filter((made) => by === null || isBy(made, by)).length;
  }

  /** Takes in what was made, once: a replay shows it again. */
  add(made: Made, known: Partial<Pick<Entry, 'whose' | 'holder' | 'why' | 'mark' | 'isAccepted'>> = {}): void {
    if (made.id !== null && this.isKnown(made.path)) return;
    this.#earlier.delete(made.path);
    this.#unnamed += 1;
    const key = made.id === null ? `${made.path} ${this.#unnamed}` : made.path;
    this.#there.set(key, { ...made, whose: 'ours', holder: null, why: null, ...known, isLeaving: false });
    if (made.id !== null) this.#ever.set(made.path, made);
    this.#tallyOf(made).deletable ||= made.deleter !== null;
  }

  /** The objects that the run made and knows the id of, whether they are still there or not. */
  everMade(): readonly Made[] {
    return [...this.#ever.values()];
  }

  /** Tells whether one of them has this path. */
  hasMadeAt(path: string): boolean {
    return this.#ever.has(path);
  }

  /**
   * Takes in what a list shows of the request with the mark, which may have been counted when it was answered and is known now. null: the
   * request was sent any number of times, and made any of those that are counted so.
   */
  identify(made: Made, mark: string | null): void {
    const isSuch = (entry: Entry): boolean =>
      mark === null
        ? entry.id === null && entry.path === made.collection && isBy(entry, made)
        : entry.mark === mark && entry.whose === 'nameless';
    const key = [...this.#there].find(([, entry]) => isSuch(entry))?.[0];
    if (key !== undefined) this.#there.delete(key);
    // The list shows what only the request held, whatever a reading has shown.
    this.#others.delete(made.path);
    this.add(made, { whose: 'listed' });
  }

  /** A list showed all of its collection, at `shown`: of what has no name, or is not found by one that is doubtful, `unknown` at most are there. */
  endUnfound(list: string, shown: ReadonlySet<string>, unknown: number): void {
    const isDoubtful = ({ id, whose, why }: Entry): boolean => id === null || whose === 'uncertain' || why === NOWHERE;
    const isSuch = (one: Entry): boolean => one.collection === list && isDoubtful(one) && !shown.has(one.path);
    for (const [key] of [...this.#there].filter(([, entry]) => isSuch(entry)).slice(unknown)) this.#there.delete(key);
  }

  /** The objects that are not known by an id of theirs, with the texts of the requests that made them. */
  nameless(): readonly Entry[] {
    return this.#all().filter(({ whose, mark }) => whose === 'nameless' && mark != null);
  }

  /** They were looked for: those that were not found stay as they are. */
  endNameless(sought: readonly Entry[]): void {
    for (const entry of sought) entry.whose = 'ours';
  }

  #tallyOf({ service, operation }: Spot): Tally {
    const key = spotKey({ service, operation });
    const tally = this.#tallies.get(key) ?? { service, operation, deleted: 0, deletable: false };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Tells whether the run must leave alone what stands at the path: this program did not make it, as a list or a reading shows. */
  isOthers(called: string): boolean {
    const path = this.keptAt(called);
    const [collection, id] = partedPath(path);
    if (this.#others.has(path)) return true;
    if (this.#earlier.has(path) || !this.isForeign(path, [collection, id])) return false;
    return !this.#knowledge.isOwn(collection, id);
  }

  /** Tells whether a list showed it before `beforeMs`, and not because this run had made it, or a reading that it is not this run's. */
  isForeign(path: string, [collection, id]: readonly [string, string], beforeMs?: number): boolean {
    if (this.isKnown(path)) return false;
    return this.#others.has(path) || this.#knowledge.isListed(collection, id, beforeMs);
  }

  /** Tells whether all evidence says that what stands at the path is this run's, or an earlier one's as that wrote it down. */
  isOurs(path: string): boolean {
    const whose = this.#there.get(path)?.whose;
    if (whose === undefined) return this.#gone.has(path) || this.#earlier.has(path);
    return whose === 'ours' || whose === 'listed';
  }

  /** Tells whether what stands, or stood, at the path is known to be this run's. */
  isKnown(path: string): boolean {
    return this.#there.has(path) || this.#gone.has(path);
  }

  /** The object at the path is there no longer. */
  markGone(path: string): void {
    const entry = this.#there.get(path);
    this.#gone.add(path);
    this.#earlier.delete(path);
    if (entry === undefined) return;
    this.#there.delete(path);
    this.#tallyOf(entry).deleted += 1;
    this.#journal?.gone(path);
  }

  /** A deleted object may be made again under its name. */
  expectAgain(path: string): void {
    this.#gone.delete(path);
  }

  /** A probe deleted the object at the path, as the DELETE says. */
  markUnseen(path: string): void {
    const entry = this.#there.get(path);
    this.markGone(path);
    if (entry?.deleter == null || this.#deletions.get(entry.deleter) === true) return;
    this.#unseen.set(entry.deleter, [...(this.#unseen.get(entry.deleter) ?? []), entry]);
  }

  /** Something that the operation made and a probe deleted, while nobody knows whether its DELETE tells the truth; null for nothing. */
  unseenBy(by: Spot): Made | null {
    for (const [first] of this.#unseen.values()) if (first !== undefined && isBy(first, by)) return first;
    return null;
  }

  /** The DELETE was seen to do what it says, or (a reason) not to: then what it took away is there. */
  confirm(deleter: Described, why: string | null): void {
    const entries = this.#unseen.get(deleter) ?? [];
    this.#unseen.delete(deleter);
    this.#deletions.set(deleter, why === null);
    for (const entry of why === null ? [] : entries) {
      this.#gone.delete(entry.path);
      this.#there.set(entry.path, { ...entry, why, holder: null });
      this.#tallyOf(entry).deleted -= 1;
    }
  }

  /** Tells whether the DELETE was seen to do what it says; null: nobody has looked. */
  isTrue(deleter: Described): boolean | null {
    return this.#deletions.get(deleter) ?? null;
  }

  /**
   * Tells whether a thing that is not found is there no longer: something that its operation made was found where the answer of its
   * create says. What is known from elsewhere than its create is believed to have been there.
   */
  isFindable(made: Made): boolean {
    const isBelow = [...this.#gone].some((path) => made.path.startsWith(`${path}/`));
    return (
      isBelow || this.facts.has(tellerOf(made), 'told-where-it-is') || this.#there.get(made.path)?.mark === undefined
    );
  }

  /** The object is not where the answer of its create says: it is somewhere else, and stays. */
  markNowhere(made: Made, why: string): void {
    this.markStays(made, why);
    const entry = this.#there.get(made.path);
    if (entry !== undefined) entry.whose = 'nameless';
  }

  /** The object stays, for this reason. */
  markStays(made: Made, why: string): void {
    for (const entry of this.#there.values()) if (entry.path === made.path && entry.why === null) entry.why = why;
  }

  markLeaving(made: Made, isLeaving: boolean): void {
    const entry = this.#there.get(made.path);
    if (entry !== undefined) entry.isLeaving = isLeaving;
  }

  /** Ends the need of the experiment of this name for the objects that it made. */
  release(holder: unknown): void {
    for (const entry of this.#there.values()) if (entry.holder === holder) entry.holder = null;
  }

  /** The objects made by the run that the whole run needs and can name. */
  needed(): readonly Made[] {
    return this.#all().filter(({ holder, id }) => holder === RUN && id !== null);
  }

  /** The object is found no more: it is needed no longer, and where nothing could delete it, it is no longer counted. */
  letGo({ path, deleter }: Made): void {
    const entry = this.#there.get(path);
    if (entry !== undefined) entry.holder = null;
    if (deleter === null) this.markGone(path);
  }

  #all(by: Spot | null = null): readonly Entry[] {
    return [...this.#there.values()].filter((entry) => by === null || isBy(entry, by));
  }

  /** How much of what the operation made is there; of all operations where none is named. */
  count(by: Spot | null = null): number {
    return this.#all(by).length;
  }

  /** Tells whether the operation has made anything so far. */
  hasMade(by: Spot): boolean {
    return this.#tallies.has(spotKey(by));
  }

  /** Tells whether it succeeded and has made nothing: it searches, or acts on what there is. */
  isBarren(by: Spot): boolean {
    return this.facts.has(spotKey(by), 'made-nothing') && !this.hasMade(by);
  }

  /** The oldest object of the operation (null: of any) that can be deleted and is not needed; null where there is none. */
  oldestFree(by: Spot | null): Made | null {
    const isFree = ({ holder, isLeaving, why, deleter }: Entry): boolean =>
      holder === null && !isLeaving && why === null && deleter !== null;
    return this.#all(by).find(isFree) ?? null;
  }

  /** The number of objects that are this run's by the word of their creates alone: they are read before they are deleted. */
  get claimed(): number {
    return this.#all().filter(({ whose }) => typeof whose === 'object').length;
  }

  /** The object at the path that is this run's by the word of its create alone, which reading could refute; null for none. */
  claimedAt(called: string): Made | null {
    const entry = this.#there.get(this.keptAt(called));
    return typeof entry?.whose === 'object' ? entry : null;
  }

  /** The objects that may be somebody else's as far as is known, and that reading could show to be this run's; of all operations where none is named. */
  inDoubt(by: Spot | null = null): readonly Made[] {
    return this.#all(by).filter(({ whose }) => whose === 'doubtful');
  }

  /** The object was read: what that did not settle stays open. */
  endDoubt({ path }: Pick<Made, 'path'>): void {
    const entry = this.#there.get(path);
    if (entry?.whose === 'doubtful') entry.whose = 'uncertain';
    if (typeof entry?.whose === 'object') entry.whose = 'ours';
  }

  /** Tells whether something that the operation made could not be deleted. */
  isStuck(by: Spot): boolean {
    return this.#all(by).some(({ why }) => why !== null);
  }

  /** The objects that are there, newest first. */
  left(): readonly Entry[] {
    return this.#all().toReversed();
  }

  /** The objects that stay if nothing more is deleted, a line each. */
  lines(): readonly string[] {
    return this.left().map(lineOf);
  }

  /** The objects that the run made in numbers, operation by operation, in the order of their first ones. `untried`: why nobody tried to delete one. */
  byOperation(untried?: string): readonly CreatedByOperation[] {
    return [...this.#tallies.values()].map((tally) => {
      const left = this.#all(tally);
      const reasons = left.map((entry) => reasonOf(entry, untried));
      const { service, operation, deleted, deletable } = tally;
      const made = deleted + left.length;
      return {
        ...{ service, operation: operation ?? '', made, deleted, left: left.length, deletable },
        reasons: [...new Set(reasons)],
      };
    });
  }
}
