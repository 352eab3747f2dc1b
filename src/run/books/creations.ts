// Keeps the objects that a run makes on its target: counted by operation, held while they are needed, and known until
// they are gone. The bound on their number is in creation-bound.ts.

import type { CreatedByOperation } from '../../contract/report.ts';
import { exactBody, jsonText } from '../../exchange/body.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { createdId, createdTogether, madeObject, sentId } from '../../facts/created.ts';
import { collectionOfMaking } from '../../facts/path-words.ts';
import { parameterNames, partedPath, trimmed } from '../../facts/paths.ts';
import { markIn } from '../../generate/preferred.ts';
import { isObject, membersOf } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { makesByName } from '../../probes/reach/chains.ts';
import type { Knowledge } from '../../probes/reach/knowledge.ts';
import {
  acceptedAt,
  addressIn,
  deleterAt,
  hasItems,
  pathIn,
  readerAt,
  type Undoing,
  undoingOf,
} from '../../probes/reach/undoing.ts';
import { isNamedBy, wordCallOf } from '../../probes/reach/word-calls.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { Claims, claimOf } from './claims.ts';
import { FirstAnswers } from './first-answers.ts';
import type { AnnouncedResult, CreationJournal } from './journal.ts';

/** One object that the run made. */
export interface Made {
  /** The service and the operation that made it. */
  readonly service: string | null;
  readonly operation: string;
  /** Concrete path of the collection. */
  readonly collection: string;
  readonly id: string | null;
  /** Its concrete path, the collection's where it shows no id. */
  readonly path: string;
  /** The operation that deletes it; null where none is described. */
  readonly deleter: Described | null;
  /** True where this run answers for the operation that created it; false: another shard does. */
  readonly ours: boolean;
  readonly credential: Credential;
  /** Members that may address it, where the answer of its create is known. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

interface Entry extends Made {
  /** The holder that needs it: the whole run, an experiment by the object that names it, or nothing. */
  holder: unknown;
  /** Set while it is being deleted. */
  isLeaving: boolean;
  /** Why it stays, once it was tried to delete it. */
  why: string | null;
  /** The text in the request that made it, by which a list may show it; null for none, absent where the request is not known. */
  readonly mark?: string | null;
}

/** An object that is not known by an id of its own, and the text of the request that made it. */
interface Nameless extends Made {
  /** The key under which it is kept. */
  readonly key: string;
  readonly mark: string;
}

interface Tally {
  made: number;
  deleted: number;
  deletable: boolean;
}

const NO_DELETE = 'no DELETE is described';
const UNCERTAIN = 'nothing in the answer shows that this run made it';
const OTHERS = 'the answer of its create names what somebody else made';
const NO_ID = 'the answer showed no id';
const NOT_DELETED = 'it was not deleted in time';
const RUN = 'run';

/** A request of which something may have come that no answer told of. */
export type OpenRequest = RequestPlan & {
  /** Set: it was sent any number of times. */
  readonly isRepeated?: true;
};

export interface CreationsOptions {
  /** The run's id. */
  readonly nonce: string;
  /** Absent: nothing is written down. */
  readonly journal?: CreationJournal;
  /** Tells whether the operation moves money; absent: none does. */
  readonly isPayment?: (plan: RequestPlan) => boolean;
}

export class Creations {
  readonly #knowledge: Knowledge;
  readonly #catalogue: Catalogue;
  readonly #options: CreationsOptions;
  /** The objects that are there, by path, in the order made. */
  readonly #there = new Map<string, Entry>();
  readonly #gone = new Set<string>();
  /** All that was ever there and has an id, by path. */
  readonly #ever = new Map<string, Made>();
  /** Objects that earlier runs made and could not delete, by path. */
  readonly #earlier = new Map<string, Made>();
  /** Objects that probes deleted by a DELETE that nobody has seen to be true yet. */
  readonly #unseen = new Map<Described, Entry[]>();
  /** Deletions that were seen to do what they say. */
  readonly #believed = new Set<Described>();
  readonly #tallies = new Map<string, Tally & Spot>();
  /** Requests that were announced and not answered, or by a failure of the server, by their numbers. */
  readonly #open = new Map<number, OpenRequest>();
  /** Texts of the requests that made what may be somebody else's, by its path. */
  readonly #doubts = new Map<string, string>();
  readonly #claims = new Claims();
  /** Paths of what somebody else made, though the answer of a create named it. */
  readonly #others = new Set<string>();
  /** Paths that a Location named of what was accepted. */
  readonly #accepted = new Set<string>();
  /** Keys in `#there` of objects that are not known by an id of theirs, and have not been looked for in a list yet. */
  readonly #nameless = new Set<string>();
  /** Paths of objects that a list alone has shown as this run's. */
  readonly #adopted = new Set<string>();
  /** Operations of which something was found where their answers say that it is, by spot. */
  readonly #findable = new Set<string>();
  readonly #firstAnswers: FirstAnswers;
  readonly #barren = new Set<string>();
  /** Operations of which an answer has shown for certain that they make things, by spot. */
  readonly #makers = new Set<string>();
  readonly #doubtful = new Set<number>();
  #unnamed = 0;
  /** Requests that were not answered, and of which nobody can tell whether something came of them. */
  unknown = 0;

  constructor(knowledge: Knowledge, catalogue: Catalogue, options: CreationsOptions) {
    this.#knowledge = knowledge;
    this.#catalogue = catalogue;
    this.#firstAnswers = new FirstAnswers(catalogue);
    this.#options = options;
  }

  /** Something may come of the request from now on. */
  announce(intent: number, plan: OpenRequest): void {
    this.#open.set(intent, plan);
  }

  /** Requests of which something may have come that no answer tells of. */
  open(): readonly OpenRequest[] {
    return [...this.#open.values()];
  }

  /** Closes the open requests, once their objects were looked for; nobody can tell what came of `unknown` of them. */
  closeOpen(unknown: number): void {
    this.#open.clear();
    this.unknown += unknown;
  }

  /** Notes what an answer created or deleted, whoever asked for it. */
  observe(exchange: Exchange): void {
    const { plan, response } = exchange;
    this.#noteWritten(exchange);
    this.#settleDoubt(exchange);
    this.#noteFound(exchange);
    const isAnswered = response !== null && response.status >= 200 && response.status < 300 && plan.operation !== null;
    const made = isAnswered ? this.#take(exchange) : [];
    if (isAnswered && made.length === 0) this.#barren.add(spotKey(plan));
    if (plan.written !== undefined) this.#close(plan.written, exchange, made);
    // Whoever undoes looks whether it is true.
    if (plan.undoes === undefined && response !== null && response.status < 300 && response.status !== 202)
      for (const path of this.#namedBy(plan, 'DELETE')) this.#markUnseen(path);
  }

  /** The paths of the objects that a request of the method, or of its like by words, is about. */
  #namedBy(plan: RequestPlan, method: 'GET' | 'DELETE'): readonly string[] {
    const described = plan.operation === null ? null : this.#catalogue.operation(plan.operation, plan.service);
    const call = described === null ? null : wordCallOf(described);
    if (call === null) return plan.method === method ? [this.keptAt(trimmed(plan.path))] : [];
    const isSuch = call.deed === (method === 'GET' ? 'shows' : 'removes');
    return isSuch ? [...this.#there.keys(), ...this.#others].filter((path) => isNamedBy(call, plan, path)) : [];
  }

  /** The path under which an object of this run is kept that the target takes by another member than its id; else the path itself. */
  keptAt(path: string): string {
    const [collection, value] = partedPath(path);
    if (this.#there.has(path) || !this.#knowledge.takesMembers) return path;
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

  /** Takes in the objects that the answer shows as made. */
  #take(exchange: Exchange): readonly Made[] {
    const shown = this.madeBy(exchange);
    const isOne = shown !== null && shown.id !== null;
    const together = isOne ? [] : this.#madeTogether(exchange);
    if (together.length > 0) return together.map(([made, isCertain]) => this.#takeOne(exchange, made, isCertain));
    if (shown === null || (!isOne && this.#firstAnswers.isRepeated(exchange))) return [];
    return [this.#takeOne(exchange, shown, !isOne || this.#isCertain(exchange, shown))];
  }

  #takeOne(exchange: Exchange, told: Made, isCertain: boolean): Made {
    const { plan } = exchange;
    const shown = told.id === null ? told : { ...told, shown: madeObject(exchange) };
    const mark = markOf(plan, this.#options.nonce);
    if (isCertain) {
      if (shown.id !== null) this.#makers.add(spotKey(plan));
      const key = this.add(shown, holderOf(plan), null, mark);
      if (shown.id === null) this.#nameless.add(key);
      else if (plan.makes !== 'named') this.#noteClaim(exchange, shown, mark);
      return shown;
    }
    // An object that may be somebody else's is not deleted.
    const made = { ...shown, deleter: null };
    this.add(made, holderOf(plan), UNCERTAIN, mark);
    if (acceptedAt(this.#catalogue, exchange) !== null) this.#accepted.add(made.path);
    if (mark !== null) this.#doubts.set(made.path, mark);
    return made;
  }

  /** The answer tells whose the object is: a reading may show that it is somebody else's, unless a list showed what was there. */
  #noteClaim({ plan, sentAt }: Exchange, { path, collection }: Made, mark: string | null): void {
    const maker = spotKey(plan);
    if (this.#knowledge.wasRead(collection, sentAt)) return;
    const claim = readerAt(this.#catalogue, path) === null ? null : claimOf(plan, maker, mark);
    if (claim !== null) this.#claims.note(path, claim);
    else if (this.#claims.isDistrusted(maker)) this.#disown(path, [mark]);
  }

  /** The objects that the answer to a create of several shows, each with whether it is new: it shows what only this run sends, or all do. */
  #madeTogether(exchange: Exchange): readonly (readonly [Made, boolean])[] {
    const { plan, response, sentAt } = exchange;
    const maker = plan.operation === null ? null : this.#catalogue.operation(plan.operation, plan.service);
    if (plan.method !== 'POST' || maker === null) return [];
    const collection = collectionOfMaking(plan.path) ?? plan.path;
    if (collection === plan.path && !hasItems(this.#catalogue, maker.operation)) return [];
    const isWhole = response?.status === 201 && plan.body.kind === 'json' && Array.isArray(plan.body.value);
    const all = createdTogether(exchange, addressIn(this.#catalogue, collection), collection);
    return all.flatMap(({ id, item }) => {
      const path = pathIn(collection, id);
      if (this.#isForeign(path, [collection, id], sentAt)) return [];
      const { service, operation, credential } = plan;
      const spot = { service, operation: operation ?? '', ours: plan.elsewhere === undefined, credential };
      const made = { ...spot, collection, id, path, deleter: deleterAt(this.#catalogue, path) };
      return [[made, isWhole || (item !== null && markIn(jsonText(item), this.#options.nonce) !== null)] as const];
    });
  }

  /** An object is this run's where reading it shows what the request carried that made it. */
  #settleDoubt(exchange: Exchange): void {
    const { plan, response } = exchange;
    if (response?.status !== 200 || (this.#doubts.size === 0 && this.#claims.size === 0)) return;
    const shown = response.body.toLowerCase();
    for (const path of this.#namedBy(plan, 'GET')) {
      const refuted = this.#claims.refutedBy(path, exchange);
      if (refuted.length > 0) this.#disown(path, refuted);
      const [entry, mark] = [this.#there.get(path), this.#doubts.get(path)];
      if (entry?.why !== UNCERTAIN || mark === undefined || !shown.includes(mark)) continue;
      this.#makers.add(spotKey(entry));
      this.endDoubt(entry);
      for (const one of [entry, ...this.#acceptedBy(entry)]) this.#claim(one);
    }
  }

  /** Somebody else made what stands at the path: what the requests with these marks made is elsewhere, and a list may show it. */
  #disown(path: string, marks: readonly (string | null)[]): void {
    const entry = this.#there.get(path);
    if (entry === undefined) return;
    this.#others.add(path);
    this.#there.delete(path);
    this.#ever.delete(path);
    if (entry.id !== null) this.#knowledge.forget(entry.collection, entry.id);
    this.#options.journal?.gone(path);
    this.#tallyOf(entry).made -= 1;
    const made = { ...entry, id: null, path: entry.collection, deleter: null };
    for (const mark of marks) this.#nameless.add(this.add(made, entry.holder, OTHERS, mark));
  }

  #acceptedBy(by: Spot): readonly Entry[] {
    return [...this.#there.values()].filter(
      (entry) => entry.why === UNCERTAIN && this.#accepted.has(entry.path) && isBy(entry, by),
    );
  }

  #claim(entry: Entry): void {
    const deleter = deleterAt(this.#catalogue, entry.path);
    this.#there.set(entry.path, { ...entry, deleter, why: null });
    this.#tallyOf(entry).deletable ||= deleter !== null;
  }

  #noteFound({ plan, response }: Exchange): void {
    if (response === null || response.status >= 300 || plan.method === 'POST') return;
    const path = this.keptAt(trimmed(plan.path));
    const entry = this.#adopted.has(path) ? undefined : this.#there.get(path);
    if (entry !== undefined && plan.makes !== 'named') this.#findable.add(spotKey(entry));
  }

  /** A refused request is looked for later by the text that it carried. */
  #noteWritten({ plan: { method, path, body }, response }: Exchange): void {
    if (method === 'GET') return;
    const mark = markOf({ body }, this.#options.nonce);
    const status = response?.status ?? 0;
    const isRefused = method === 'POST' && status >= 400 && status < 500 && status !== 408 && status !== 429;
    if (mark !== null) this.#knowledge.noteWritten(path, mark, isRefused);
  }

  #close(intent: number, { plan, response }: Exchange, made: readonly Made[]): void {
    const status = response?.status ?? null;
    for (const one of made.length === 0 ? [null] : made)
      this.#options.journal?.tell(intent, { status, ...(one === null ? {} : toldAs(one)) });
    // After a failure of the server or the connection the effect may be there; a key ties it to the next attempt's.
    const isClear = status !== null && status < 500;
    if (!isClear && keyIn(plan.headers) === null) this.#doubtful.add(intent);
    if (isClear && !this.#doubtful.has(intent)) this.#open.delete(intent);
  }

  /** Takes in what an earlier run made and what still stands: it counts for the limits, and is not deleted by this run. */
  inherit(made: Made): void {
    this.#earlier.set(made.path, made);
  }

  /** How much of what earlier runs made with the operation still stands; of all operations where none is named. */
  inherited(by: Spot | null = null): number {
    return [...this.#earlier.values()].filter((made) => by === null || isBy(made, by)).length;
  }

  /** Takes in what was made, once: a replay shows it again. Returns the key under which it is kept. */
  add(made: Made, holder: unknown = null, why: string | null = null, mark?: string | null): string {
    const isNew = made.id === null || !this.isKnown(made.path);
    if (!isNew) return made.path;
    this.#earlier.delete(made.path);
    this.#unnamed += 1;
    const key = made.id === null ? `${made.path} ${this.#unnamed}` : made.path;
    this.#there.set(key, { ...made, holder, isLeaving: false, why, ...(mark === undefined ? {} : { mark }) });
    if (made.id !== null) this.#ever.set(made.path, made);
    const tally = this.#tallyOf(made);
    tally.made += 1;
    tally.deletable ||= made.deleter !== null;
    return key;
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
    const isSuch = ([key, entry]: [string, Entry]): boolean =>
      mark === null
        ? entry.id === null && entry.path === made.collection && isBy(entry, made)
        : entry.mark === mark && this.#nameless.has(key);
    const key = [...this.#there].find(isSuch)?.[0];
    if (key !== undefined && this.#there.delete(key)) this.#tallyOf(made).made -= 1;
    this.#adopted.add(made.path);
    // The list shows what only the request held, whatever a reading has shown.
    this.#others.delete(made.path);
    this.add(made);
  }

  /** The objects that are not known by an id of theirs, with the texts of the requests that made them. */
  nameless(): readonly Nameless[] {
    return [...this.#nameless].flatMap((key) => {
      const entry = this.#there.get(key);
      return entry?.mark == null ? [] : [{ ...entry, key, mark: entry.mark }];
    });
  }

  /** They were looked for: those that were not found stay nameless. */
  endNameless(sought: readonly Nameless[]): void {
    for (const { key } of sought) this.#nameless.delete(key);
  }

  #tallyOf({ service, operation }: Spot): Tally {
    const key = spotKey({ service, operation });
    const tally = this.#tallies.get(key) ?? { service, operation, made: 0, deleted: 0, deletable: false };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** The object that the success of a request made; null for none. */
  madeBy(exchange: Exchange): Made | null {
    const { plan, response } = exchange;
    const { service, credential, path: collection } = plan;
    const status = response?.status ?? 0;
    const isNamed = plan.makes === 'named' || (status === 201 && this.#makesByName(plan));
    if (!isNamed && plan.method !== 'POST') return null;
    const maker = { service, operation: plan.operation ?? '', ours: plan.elsewhere === undefined, credential };
    const id = isNamed ? null : this.#idIn(exchange);
    const undoing = undoingOf(this.#catalogue, exchange, id, this.#options.nonce);
    // Some make a thing under an id of their own where none has the name: Location tells it.
    if (isNamed) return { ...maker, ...this.#named(undoing?.path ?? plan.path) };
    // A list showed the object before the request was sent: somebody else made it, and this run another one or none.
    const isTold = !this.#wasListed(exchange, id, undoing);
    if (isTold && status !== 201 && id !== null && !this.#isMaking(exchange, id)) return null;
    if (isTold && (status === 201 || id !== null))
      return { ...maker, collection, id: idOf(undoing, id), ...placeOf(undoing, collection, id) };
    return this.#isNew(exchange, id !== null)
      ? { ...maker, collection, id: null, path: collection, deleter: null }
      : null;
  }

  #wasListed({ plan: { path }, sentAt }: Exchange, id: string | null, undoing: Undoing | null): boolean {
    if (id !== null && this.#isForeign(pathIn(path, id), [path, id], sentAt)) return true;
    return undoing !== null && this.#isForeign(undoing.path, partedPath(undoing.path), sentAt);
  }

  /**
   * Tells whether there is, or will be, a new item of the collection, whatever the answer names: one that shows a list has searched, and a
   * 200 that names a thing may have found it.
   */
  #isNew(exchange: Exchange, isNamed: boolean): boolean {
    const { plan, response } = exchange;
    const maker = plan.operation === null ? null : this.#catalogue.operation(plan.operation, plan.service);
    const isAdding =
      collectionOfMaking(plan.path) !== null || (maker !== null && hasItems(this.#catalogue, maker.operation));
    if (response === null || !isAdding) return false;
    if (response.status === 201 || response.status === 202) return true;
    const body = exactBody(exchange);
    const members = body.ok && isObject(body.value) ? membersOf(body.value).map(([, value]) => value) : [];
    return !isNamed && (!body.ok || isObject(body.value)) && !members.some(Array.isArray);
  }

  /** Tells whether the object is new: the answer says so, repeats what only this run sends, or the object is called by that. */
  #isCertain(exchange: Exchange, { id }: Pick<Made, 'id'>): boolean {
    const { plan, response } = exchange;
    const { nonce } = this.#options;
    // The Location of what was accepted is believed once a thing that one named was read, and was this run's.
    if (this.#makers.has(spotKey(plan)) && acceptedAt(this.#catalogue, exchange) !== null) return true;
    if (response === null || response.status === 201 || plan.makes === 'named') return true;
    // The name that was sent is an address if the answer shows it: where it can be read, that tells.
    const isNamed = id !== null && markIn(id, nonce) !== null;
    if (isNamed && readerAt(this.#catalogue, pathIn(plan.path, id)) === null) return true;
    return response.body.includes(nonce) || markIn(response.body, nonce) !== null;
  }

  #idIn(exchange: Exchange): string | null {
    const { plan, response } = exchange;
    const accepted = acceptedAt(this.#catalogue, exchange);
    if (accepted !== null) return partedPath(accepted)[1];
    const address = addressIn(this.#catalogue, plan.path);
    const shown = createdId(exchange, address, collectionOfMaking(plan.path) ?? plan.path);
    if (shown !== null) return shown;
    const sent = sentId(exchange, address, plan.path);
    const isOwn = response?.status === 201 || (sent !== null && markIn(sent, this.#options.nonce) !== null);
    return isOwn ? sent : null;
  }

  /** Tells whether the run must leave alone what stands at the path: this program did not make it, as a list or a reading shows. */
  isOthers(called: string): boolean {
    const path = this.keptAt(called);
    const [collection, id] = partedPath(path);
    if (this.#others.has(path)) return true;
    if (this.#earlier.has(path) || !this.#isForeign(path, [collection, id])) return false;
    return !this.#knowledge.isOwn(collection, id);
  }

  /** Tells whether a list showed it before `beforeMs`, and not because this run had made it, or a reading that it is not this run's. */
  #isForeign(path: string, [collection, id]: readonly [string, string], beforeMs?: number): boolean {
    if (this.isKnown(path)) return false;
    return this.#others.has(path) || this.#knowledge.isListed(collection, id, beforeMs);
  }

  /**
   * Tells whether the operation makes the objects whose ids it answers, whatever the status: a payment, or an item of a
   * collection. Where a list alone is described of the collection, or the path says by a word that it makes something, an answer of
   * it is to repeat what only this run sends: this one, or one before.
   */
  #isMaking(exchange: Exchange, id: string): boolean {
    const { plan } = exchange;
    if (this.#options.isPayment?.(plan) === true) return true;
    // A thing that the path names already is changed.
    if (plan.path.split('/').includes(encodeURIComponent(id))) return false;
    const maker = plan.operation === null ? null : this.#catalogue.operation(plan.operation, plan.service);
    if (maker !== null && hasItems(this.#catalogue, maker.operation)) return true;
    const isNamedSo = this.#catalogue.match('GET', plan.path) !== null || collectionOfMaking(plan.path) !== null;
    return isNamedSo && (this.#makers.has(spotKey(plan)) || this.#isCertain(exchange, { id }));
  }

  #makesByName({ method, operation, service }: RequestPlan): boolean {
    const described = operation === null ? null : this.#catalogue.operation(operation, service);
    return method === 'PUT' || (described !== null && makesByName(described.operation, described.description));
  }

  #named(path: string): Pick<Made, 'collection' | 'id' | 'path' | 'deleter'> {
    const [collection, id] = partedPath(path);
    // A deleted object may be made again under its name.
    this.#gone.delete(path);
    return { collection, id, path, deleter: deleterAt(this.#catalogue, path) };
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
    this.#claims.end(path);
    if (entry === undefined) return;
    this.#there.delete(path);
    this.#tallyOf(entry).deleted += 1;
    this.#options.journal?.gone(path);
  }

  #markUnseen(path: string): void {
    const entry = this.#there.get(path);
    this.markGone(path);
    if (entry?.deleter == null || this.#believed.has(entry.deleter)) return;
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
    if (why === null) {
      this.#believed.add(deleter);
      return;
    }
    this.#believed.delete(deleter);
    for (const entry of entries) {
      this.#gone.delete(entry.path);
      this.#there.set(entry.path, { ...entry, why, holder: null });
      this.#tallyOf(entry).deleted -= 1;
    }
  }

  /**
   * Tells whether a thing that is not found is there no longer: something that its operation made was found where the answer of its
   * create says. What is known from elsewhere than its create is believed to have been there.
   */
  isFindable(made: Made): boolean {
    const isBelow = [...this.#gone].some((path) => made.path.startsWith(`${path}/`));
    return isBelow || this.#findable.has(spotKey(made)) || this.#there.get(made.path)?.mark === undefined;
  }

  /** The object is not where the answer of its create says: it is somewhere else, and stays. */
  markNowhere(made: Made, why: string): void {
    this.markStays(made, why);
    this.#nameless.add(made.path);
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
    return [...this.#there.values()].filter(({ holder, id }) => holder === RUN && id !== null);
  }

  /** The object is found no more: it is needed no longer, and where nothing could delete it, it is no longer counted. */
  letGo({ path, deleter }: Made): void {
    const entry = this.#there.get(path);
    if (entry !== undefined) entry.holder = null;
    if (deleter === null) this.markGone(path);
  }

  /** How much of what the operation made is there; of all operations where none is named. */
  count(by: Spot | null = null): number {
    return [...this.#there.values()].filter((entry) => by === null || isBy(entry, by)).length;
  }

  /** Tells whether the operation has made anything so far. */
  hasMade(by: Spot): boolean {
    return this.#tallies.has(spotKey(by));
  }

  /** Tells whether it succeeded and has made nothing: it searches, or acts on what there is. */
  isBarren(by: Spot): boolean {
    return this.#barren.has(spotKey(by)) && !this.hasMade(by);
  }

  /** The oldest object of the operation (null: of any) that can be deleted and is not needed; null where there is none. */
  oldestFree(by: Spot | null): Made | null {
    for (const entry of this.#there.values()) {
      if (entry.holder !== null || entry.isLeaving || entry.why !== null || entry.deleter === null) continue;
      if (by === null || isBy(entry, by)) return entry;
    }
    return null;
  }

  /** The number of objects that are this run's by the word of their creates alone: they are read before they are deleted. */
  get claimed(): number {
    return this.#claims.size;
  }

  /** The object at the path that is this run's by the word of its create alone, which reading could refute; null for none. */
  claimedAt(called: string): Made | null {
    const path = this.keptAt(called);
    return this.#claims.isOpen(path) ? (this.#there.get(path) ?? null) : null;
  }

  /** The objects that may be somebody else's as far as is known, and that reading could show to be this run's; of all operations where none is named. */
  inDoubt(by: Spot | null = null): readonly Made[] {
    return [...this.#there.values()]
      .filter(({ path }) => this.#doubts.has(path))
      .filter((one) => by === null || isBy(one, by));
  }

  /** The object was read: what that did not settle stays open. */
  endDoubt({ path }: Made): void {
    this.#doubts.delete(path);
    this.#claims.end(path);
  }

  /** Tells whether something that the operation made could not be deleted. */
  isStuck(by: Spot): boolean {
    return [...this.#there.values()].some((entry) => entry.why !== null && isBy(entry, by));
  }

  /** The objects that are there, newest first. */
  left(): readonly Made[] {
    return [...this.#there.values()].toReversed();
  }

  /** The objects that stay if nothing more is deleted, a line each. */
  lines(): readonly string[] {
    return this.left().map(lineOf);
  }

  /** The same with the reason of each. */
  linesWithReasons(): readonly string[] {
    return [...this.#there.values()].toReversed().map((entry) => `${lineOf(entry)}: ${reasonOf(entry)}`);
  }

  /** The objects that the run made in numbers, operation by operation, in the order of their first ones. `untried`: why nobody tried to delete one. */
  byOperation(untried?: string): readonly CreatedByOperation[] {
    return [...this.#tallies.values()].map((tally) => {
      const left = [...this.#there.values()].filter((entry) => isBy(entry, tally));
      const reasons = left.map((entry) => reasonOf(entry, untried));
      const { service, operation, made, deleted, deletable } = tally;
      return {
        ...{ service, operation: operation ?? '', made, deleted, left: left.length, deletable },
        reasons: [...new Set(reasons)],
      };
    });
  }
}

function toldAs({ id, path, deleter }: Made): Omit<AnnouncedResult, 'status'> {
  if (id === null) return { unnamed: path };
  return deleter === null ? { made: path } : { made: path, undoable: true };
}

function reasonOf({ why, id, deleter }: Entry, untried = NOT_DELETED): string {
  return why ?? (id === null ? NO_ID : deleter === null ? NO_DELETE : untried);
}

/** How the object is told of: what made it, and its id. */
function lineOf({ collection, id }: Pick<Made, 'collection' | 'id'>): string {
  return `POST ${collection}${id === null ? '' : ` → ${id}`}`;
}

function isBy(entry: Spot, by: Spot): boolean {
  return entry.operation === by.operation && entry.service === by.service;
}

function holderOf({ needed, experiment }: RequestPlan): unknown {
  if (needed === undefined) return null;
  return needed === 'run' || experiment === undefined ? RUN : experiment;
}

/** The id by which it is deleted. */
function idOf(undoing: Undoing | null, id: string | null): string | null {
  return id ?? (undoing === null ? null : partedPath(undoing.path)[1]);
}

function placeOf(undoing: Undoing | null, collection: string, id: string | null): Pick<Made, 'path' | 'deleter'> {
  if (undoing !== null) return undoing;
  return { path: id === null ? collection : pathIn(collection, id), deleter: null };
}

/** The text in the body that no other request holds, in small letters; null for none. */
export function markOf({ body }: Pick<RequestPlan, 'body'>, nonce: string): string | null {
  if (body.kind === 'none') return null;
  return markIn(body.kind === 'raw' ? body.text : jsonText(body.value), nonce);
}
