// Hears exchanges, and tells the book of creations what they made, found, read and deleted.

import { exactBody, jsonText } from '../../exchange/body.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn, keyOf } from '../../exchange/idempotency-key.ts';
import { createdId, createdTogether, madeObject, sentId } from '../../facts/created.ts';
import { collectionOfMaking, wordAtEnd } from '../../facts/path-words.ts';
import { partedPath, trimmed } from '../../facts/paths.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { markIn } from '../../generate/preferred.ts';
import { isObject, membersOf } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
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
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { type Claim, claimOf, whoseIs } from './claims.ts';
import type { Creations } from './creations.ts';
import type { CreationJournal } from './journal.ts';
import { holderOf, isBy, type Made, markOf, originOf, toldAs, UNCERTAIN } from './made.ts';

/** An object that an answer shows as made, and whether it is certain that this run made it. */
interface Shown {
  readonly made: Made;
  readonly isCertain: boolean;
}

/** Ids by which a store counts what it makes. */
const COUNTED = /^\d{1,15}$/;

interface Options {
  readonly knowledge: Knowledge;
  readonly catalogue: Catalogue;
  /** The run's id. */
  readonly nonce: string;
  /** Absent: nothing is written down. */
  readonly journal?: CreationJournal;
  /** Tells whether the operation moves money; absent: none does. */
  readonly isPayment?: (spot: Spot) => boolean;
}

export class CreationWatch {
  readonly #creations: Creations;
  readonly #catalogue: Catalogue;
  readonly #options: Options;
  readonly #firstAnswers: FirstAnswers;

  constructor(creations: Creations, options: Options) {
    this.#creations = creations;
    this.#catalogue = options.catalogue;
    this.#options = options;
    this.#firstAnswers = new FirstAnswers(options.catalogue);
  }

  /** Notes what an answer created or deleted, whoever asked for it. */
  observe(exchange: Exchange): void {
    const { plan, response } = exchange;
    const creations = this.#creations;
    this.#noteWritten(exchange);
    this.#learnWhose(exchange);
    this.#noteRenamed(exchange);
    if (response !== null && response.status < 300 && plan.method !== 'POST' && plan.makes !== 'named')
      creations.noteFound(trimmed(plan.path));
    const isAnswered = response !== null && response.status >= 200 && response.status < 300 && plan.operation !== null;
    const made = isAnswered ? this.#shownBy(exchange).map((shown) => this.#take(exchange, shown)) : [];
    if (isAnswered && made.length === 0) this.#noteNothing(exchange);
    if (plan.written !== undefined) this.#tell(plan.written, exchange, made);
    // Whoever undoes looks whether it is true.
    if (plan.undoes === undefined && response !== null && response.status < 300 && response.status !== 202)
      for (const path of creations.removedBy(plan)) creations.markUnseen(path);
  }

  /**
   * A change may give a thing of this run another name: then it stands there, and nothing else would delete it. The answer shows the name that
   * was sent; a number may be the id of something else, of which the answer repeats what it was sent.
   */
  #noteRenamed(exchange: Exchange): void {
    const { plan, response, sentAt } = exchange;
    const isChange = plan.method === 'PATCH' || plan.method === 'PUT';
    if (!isChange || response === null || response.status >= 300) return;
    const thing = this.#creations.ownAt(plan.path);
    if (thing === null) return;
    const { collection } = thing;
    const id = createdId(exchange, addressIn(this.#catalogue, collection), collection);
    const isName = id !== null && id !== thing.id && !/^-?\d+$/.test(id);
    if (!isName || !Object.values(sentMembers(exchange)).includes(id)) return;
    const path = pathIn(collection, id);
    if (this.#creations.isForeign(path, [collection, id], sentAt)) return;
    this.#creations.expectAgain(path);
    this.#creations.add({ ...thing, id, path, deleter: deleterAt(this.#catalogue, path) });
  }

  /** A thing that is made elsewhere (POST /send makes a message) may bear an id that is answered here. */
  #noteNothing(exchange: Exchange): void {
    const { plan } = exchange;
    this.#creations.facts.learn(spotKey(plan), 'made-nothing');
    const id = mayAdd(plan) ? createdId(exchange, '', plan.path) : null;
    const { named } = this.#creations.facts;
    const call = { ...originOf(plan), collection: plan.path, mark: markOf(plan, this.#options.nonce) };
    if (id !== null) named.set(id, [...(named.get(id) ?? []), call]);
  }

  #tell(intent: number, exchange: Exchange, made: readonly Made[]): void {
    const status = exchange.response?.status ?? null;
    for (const one of made.length === 0 ? [null] : made)
      this.#options.journal?.tell(intent, { status, ...(one === null ? {} : toldAs(one)) });
    this.#creations.requests.answer(intent, exchange);
  }

  /** A refused request is looked for later by the text that it carried. */
  #noteWritten({ plan: { method, path, body }, response }: Exchange): void {
    if (method === 'GET') return;
    const mark = markOf({ body }, this.#options.nonce);
    const status = response?.status ?? 0;
    const isRefused = method === 'POST' && status >= 400 && status < 500 && status !== 408 && status !== 429;
    if (mark !== null) this.#options.knowledge.noteWritten(path, mark, isRefused);
  }

  /** Takes in an object that the answer shows as made. */
  #take(exchange: Exchange, { made: told, isCertain }: Shown): Made {
    const { plan } = exchange;
    const shown = told.id === null ? told : { ...told, shown: madeObject(exchange) };
    const known = { holder: holderOf(plan), mark: markOf(plan, this.#options.nonce) };
    // Some give the number of what was deleted to the next thing: only under a key may an answer be a replay.
    const isReplay =
      keyOf(exchange, this.#catalogue.operation(plan.operation, plan.service)?.operation.keyHeader) !== null;
    if (this.#isNamed(exchange) || !isReplay) this.#creations.expectAgain(told.path);
    if (!isCertain) {
      // An object that may be somebody else's is not deleted.
      const made = { ...shown, deleter: null };
      const isAccepted = acceptedAt(this.#catalogue, exchange) !== null;
      const whose = known.mark === null ? 'uncertain' : 'doubtful';
      this.#creations.add(made, { ...known, isAccepted, whose, why: UNCERTAIN });
      return made;
    }
    this.#creations.add(shown, { ...known, whose: shown.id === null ? 'nameless' : 'ours' });
    if (shown.id !== null) this.#creations.facts.learn(spotKey(plan), 'makes');
    if (shown.id !== null && plan.makes !== 'named') this.#claim(exchange, shown, known.mark);
    return shown;
  }

  /** The answer tells whose the object is: a reading may show that it is somebody else's, unless a list showed what was there. */
  #claim({ plan, sentAt }: Exchange, { path, collection }: Made, mark: string | null): void {
    if (this.#options.knowledge.wasRead(collection, sentAt)) return;
    const maker = spotKey(plan);
    const claim = readerAt(this.#catalogue, path) === null ? null : claimOf(plan, maker, mark);
    if (claim !== null) this.#creations.claim(path, claim);
    else if (this.#creations.facts.isDistrusted(maker)) this.#creations.disown(path, [mark]);
  }

  /** A reading tells whose a thing is that answers left open: this run's where it shows what the request carried that made it. */
  #learnWhose(exchange: Exchange): void {
    const { plan, response } = exchange;
    if (response?.status !== 200) return;
    for (const entry of this.#creations.readBy(plan)) {
      if (typeof entry.whose === 'object') this.#weigh(entry.path, entry.whose, exchange);
      else if (entry.whose === 'doubtful' && response.body.toLowerCase().includes(entry.mark ?? ''))
        this.#creations.own(entry);
    }
  }

  /** A reading that shows that this run made the thing stands for all of its operation. */
  #weigh(path: string, claim: Claim, reading: Exchange): void {
    const { facts } = this.#creations;
    const whose = whoseIs(reading, claim);
    if (whose === 'own') this.#creations.believe(claim.maker);
    if (whose === 'others') facts.learn(claim.maker, 'named-others');
    this.#creations.endDoubt({ path });
    if (facts.isDistrusted(claim.maker)) this.#creations.disown(path, claim.marks);
  }

  /** The objects that the answer, a success, shows as made. */
  #shownBy(exchange: Exchange): readonly Shown[] {
    const made = this.madeBy(exchange);
    const isOne = made !== null && made.id !== null;
    const together = isOne ? [] : this.#madeTogether(exchange);
    if (together.length > 0) return together;
    if (made === null || (!isOne && this.#firstAnswers.isRepeated(exchange))) return [];
    return [{ made, isCertain: !isOne || this.#isCertain(exchange, made) }];
  }

  /** The objects that the answer to a create of several shows; each is new where it shows what only this run sends, or all are. */
  #madeTogether(exchange: Exchange): readonly Shown[] {
    const { plan, response, sentAt } = exchange;
    if (plan.method !== 'POST' || !this.#isAdding(plan)) return [];
    const collection = collectionOfMaking(plan.path) ?? plan.path;
    const isWhole = response?.status === 201 && plan.body.kind === 'json' && Array.isArray(plan.body.value);
    const all = createdTogether(exchange, addressIn(this.#catalogue, collection), collection);
    return all.flatMap(({ id, item }) => {
      const path = pathIn(collection, id);
      if (this.#creations.isForeign(path, [collection, id], sentAt)) return [];
      const made = { ...originOf(plan), collection, id, path, deleter: deleterAt(this.#catalogue, path) };
      const isCertain = isWhole || (item !== null && markIn(jsonText(item), this.#options.nonce) !== null);
      return [{ made, isCertain }];
    });
  }

  /** The object that the success of a request made; null for none. */
  madeBy(exchange: Exchange): Made | null {
    const { plan } = exchange;
    if (!this.#isNamed(exchange)) return mayAdd(plan) ? this.#addedBy(exchange) : null;
    // Some make a thing under an id of their own where none has the name: Location tells it.
    const path = undoingOf(this.#catalogue, exchange, null, this.#options.nonce)?.path ?? plan.path;
    const [collection, id] = partedPath(path);
    return { ...originOf(plan), collection, id, path, deleter: deleterAt(this.#catalogue, path) };
  }

  #addedBy(exchange: Exchange): Made | null {
    const { path: collection } = exchange.plan;
    const [id, isCreated] = [this.#idIn(exchange), exchange.response?.status === 201];
    const undoing = undoingOf(this.#catalogue, exchange, id, this.#options.nonce);
    // A list showed the object before the request was sent: somebody else made it, and this run another one or none.
    const isTold = !this.#wasListed(exchange, id, undoing);
    if (isTold && !isCreated && id !== null && !this.#isMaking(exchange, id)) return null;
    const origin = { ...originOf(exchange.plan), collection };
    if (isTold && undoing !== null) return { ...origin, ...undoing, id: id ?? partedPath(undoing.path)[1] };
    if (isTold && id !== null) return { ...origin, id, path: pathIn(collection, id), deleter: null };
    const isNew = (isTold && isCreated) || this.#isNew(exchange, id !== null);
    return isNew ? { ...origin, id: null, path: collection, deleter: null } : null;
  }

  #wasListed({ plan: { path }, sentAt }: Exchange, id: string | null, undoing: Undoing | null): boolean {
    if (id !== null && this.#creations.isForeign(pathIn(path, id), [path, id], sentAt)) return true;
    return undoing !== null && this.#creations.isForeign(undoing.path, partedPath(undoing.path), sentAt);
  }

  /**
   * Tells whether there is, or will be, a new item of the collection, whatever the answer names: one that shows a list has searched, and a
   * 200 that names a thing may have found it.
   */
  #isNew(exchange: Exchange, isNamed: boolean): boolean {
    const { plan, response } = exchange;
    if (response === null || !this.#isAdding(plan)) return false;
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
    if (this.#creations.facts.has(spotKey(plan), 'makes') && acceptedAt(this.#catalogue, exchange) !== null)
      return true;
    if (response === null || response.status === 201 || plan.makes === 'named') return true;
    // The name that was sent is an address if the answer shows it: where it can be read, that tells.
    const isNamed = id !== null && markIn(id, nonce) !== null;
    if (isNamed && readerAt(this.#catalogue, pathIn(plan.path, id)) === null) return true;
    return response.body.includes(nonce) || markIn(response.body, nonce) !== null || this.#countsOn(plan, id);
  }

  /** Tells whether the id is a number above one that the operation gave to what this run made: then it is given for the first time. */
  #countsOn(by: Spot, id: string | null): boolean {
    if (id === null || !COUNTED.test(id)) return false;
    return this.#creations
      .everMade()
      .some((made) => isBy(made, by) && made.deleter !== null && isBelow(made.id ?? '', id));
  }

  #idIn(exchange: Exchange): string | null {
    const { plan, response } = exchange;
    const accepted = acceptedAt(this.#catalogue, exchange);
    if (accepted !== null) return partedPath(accepted)[1];
    const address = addressIn(this.#catalogue, plan.path);
    const shown = createdId(exchange, address, collectionOfMaking(plan.path) ?? plan.path);
    if (shown !== null) return shown;
    const sent = hasFound(exchange) ? null : sentId(exchange, address, plan.path);
    const isOwn = response?.status === 201 || (sent !== null && markIn(sent, this.#options.nonce) !== null);
    return isOwn ? sent : null;
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
    if (plan.path.split('/').includes(uriEncoded(id))) return false;
    if (this.#hasItems(plan)) return true;
    const isNamedSo = this.#catalogue.match('GET', plan.path) !== null || collectionOfMaking(plan.path) !== null;
    return isNamedSo && (this.#creations.facts.has(spotKey(plan), 'makes') || this.#isCertain(exchange, { id }));
  }

  /** Tells whether the request, which succeeded, has made a thing under the name that it gave. */
  #isNamed({ plan, response }: Exchange): boolean {
    if (plan.makes === 'named' || response?.status !== 201) return plan.makes === 'named';
    const described = this.#catalogue.operation(plan.operation, plan.service);
    return plan.method === 'PUT' || (described !== null && makesByName(described.operation, described.description));
  }

  /** Tells whether the request adds to a collection. */
  #isAdding(plan: RequestPlan): boolean {
    return collectionOfMaking(plan.path) !== null || this.#hasItems(plan);
  }

  #hasItems({ operation, service }: RequestPlan): boolean {
    const described = this.#catalogue.operation(operation, service);
    return described !== null && hasItems(this.#catalogue, described.operation);
  }
}

function mayAdd({ method, path }: RequestPlan): boolean {
  const { deed } = wordAtEnd(path) ?? {};
  return method === 'POST' && deed !== 'removes' && deed !== 'empties';
}

/** Tells whether the answer is a number or a list: a search has counted or found things by the name that was sent. */
function hasFound(exchange: Exchange): boolean {
  const body = exactBody(exchange);
  const isOfSearch = body.ok && (typeof body.value === 'number' || Array.isArray(body.value));
  return isOfSearch && exchange.response?.status !== 201;
}

function isBelow(one: string, other: string): boolean {
  return COUNTED.test(one) && Number(one) < Number(other);
}

/** Knows which answers repeat the first one under their key: what shows no id is told from a replay by nothing else. */
class FirstAnswers {
  readonly #catalogue: Catalogue;
  /** Bodies of the first answers, by path, account and key. */
  readonly #bodies = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Tells whether the success has the body of the first one under its key, of an operation that takes keys. */
  isRepeated({ plan, response }: Exchange): boolean {
    const described = this.#catalogue.operation(plan.operation, plan.service);
    const key = keyIn(plan.headers, described?.operation.keyHeader);
    if (key === null || response === null || described === null || !takesKey(described.operation)) return false;
    const { credential } = plan;
    const place = JSON.stringify([plan.path, credential.kind === 'key' ? credential.name : credential.kind, key]);
    const first = this.#bodies.get(place);
    if (first === undefined) this.#bodies.set(place, response.body);
    return first === response.body;
  }
}
