// Puts back at the end of a run what it changed and did not make, such as settings: what a read showed before the first change.

import { isDeepStrictEqual } from 'node:util';
import { exactBody } from '../../exchange/body.ts';
import { answeredMs, type Exchange, type PlannedBody, type RequestPlan } from '../../exchange/exchange.ts';
import { isGone, isSuccess } from '../../facts/answered.ts';
import { createdId } from '../../facts/created.ts';
import { createdObject, idOf } from '../../facts/items.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { isOrLiesBelow, trimmed, valuesOf } from '../../facts/paths.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { listingIn } from '../../facts/walked-list.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { contentTypeFor } from '../../openapi/model/media-types.ts';
import type { MediaType } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { Answered, Send } from '../../probes/probe.ts';
import { answeredInKnownState, asLearned } from '../../probes/reach/learned-conditions.ts';
import { firstRecipe, planOf, type Recipe } from '../../probes/reach/recipe.ts';
import { addressIn, describedPathIn, operationAt } from '../../probes/reach/undoing.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import type { Creations } from '../books/creations.ts';
import { setsTheOne } from '../reach/sweeps.ts';
import { asideOf } from './lists-at.ts';
import type { Session } from './session.ts';

const PROBE = 'last/put-back';
/** Maximum number of things whose first state is remembered, and of characters of one, and of a list of them. */
const [MAX_THINGS, MAX_CHARACTERS, MAX_LIST_CHARACTERS] = [500, 20_000, 200_000];
/** A read, the change, where it wants to know the state of the thing once more, and a read. */
const REQUESTS_FOR_ONE = 4;

/** Its members, or the bytes of what is no JSON. */
type State = JsonObject | Buffer;

interface Original {
  readonly thing: State;
  readonly answeredMs: number;
}

export interface OriginalsOptions {
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly creations: Pick<Creations, 'hasMadeAt' | 'keptAt'>;
}

export class Originals {
  readonly #options: OriginalsOptions;
  /** The state that a read showed first, by path. */
  readonly #shown = new Map<string, Original>();
  /** The same as a list showed it first. */
  readonly #listed = new Map<string, Original>();
  /** The paths at which a read found nothing before the first change. */
  readonly #empty = new Set<string>();
  /** The paths of what may have been changed, and was not put back yet. */
  readonly #changed = new Set<string>();
  readonly #stays: string[] = [];

  constructor(options: OriginalsOptions) {
    this.#options = options;
  }

  /** Notes what a read shows, and what a write may have changed. */
  observe(exchange: Exchange): void {
    const { method, query, undoes } = exchange.plan;
    if (undoes === true) return;
    const path = trimmed(exchange.plan.path);
    if (method === 'GET') this.#showItems(path, exchange);
    if (method === 'GET' && query === '') this.#show(path, exchange);
    const overwritten = method === 'POST' ? this.#overwrittenBy(path, exchange) : null;
    if (overwritten !== null) this.#changed.add(overwritten);
    if (method === 'PUT' || method === 'PATCH' || (method === 'POST' && this.#setterAt(path) !== null))
      this.#noteWrite(path, exchange);
  }

  #noteWrite(path: string, { response, sentAt }: Exchange): void {
    const { catalogue, creations } = this.#options;
    const status = response?.status ?? 599;
    if (status >= 300 && status < 500) return;
    if (this.#writerAt(path) === null || catalogue.match('GET', path) === null) return;
    // A read beside the change may have shown either state.
    for (const states of this.#changed.has(path) ? [] : [this.#shown, this.#listed])
      if ((states.get(path)?.answeredMs ?? 0) > sentAt) states.delete(path);
    this.#changed.add(creations.keptAt(path));
  }

  /** Notes the items of a list to which a POST adds: it may change one of them instead, where others live. */
  #showItems(path: string, exchange: Exchange): void {
    const { catalogue, world } = this.#options;
    if (operationAt(catalogue, 'POST', path) === null) return;
    const [address, noun] = [addressIn(catalogue, path), lastNoun(path)];
    const place = world.listPlace(exchange.plan.operation ?? '');
    const items = isKept(exchange, MAX_LIST_CHARACTERS) ? listingIn(exchange, place).items : [];
    for (const item of items.filter(isObject)) {
      const id = idOf(item, address, noun);
      const at = id === null ? null : describedPathIn(catalogue, path, id);
      const isNew = at !== null && !this.#listed.has(at) && !this.#changed.has(at) && this.#listed.size < MAX_THINGS;
      if (isNew) this.#listed.set(at, { thing: item, answeredMs: answeredMs(exchange) });
    }
  }

  /** The path of what was there before, which the answer to a create shows with what the create has sent in its place; null for none. */
  #overwrittenBy(path: string, exchange: Exchange): string | null {
    const id = isSuccess(exchange.response?.status ?? 0)
      ? createdId(exchange, addressIn(this.#options.catalogue, path), path)
      : null;
    const at = id === null ? null : describedPathIn(this.#options.catalogue, path, id);
    const body = exactBody(exchange);
    const [first, now] = [at === null ? undefined : this.#firstAt(at), createdObject(body.ok ? body.value : null)];
    if (first === undefined || now === null || first.answeredMs > exchange.sentAt) return null;
    const { thing } = first;
    if (Buffer.isBuffer(thing)) return null;
    const isSent = ([name, value]: [string, unknown]): boolean =>
      name in thing && isDeepStrictEqual(now[name], value) && !isDeepStrictEqual(thing[name], value);
    return Object.entries(sentMembers(exchange)).some(isSent) ? at : null;
  }

  #firstAt(path: string): Original | undefined {
    return this.#shown.get(path) ?? this.#listed.get(path);
  }

  #show(path: string, exchange: Exchange): void {
    const isNew = !this.#shown.has(path) && !this.#changed.has(path) && this.#shown.size < MAX_THINGS;
    const writer = isNew ? this.#writerAt(path) : null;
    if (writer === null) return;
    if (isGone(exchange)) this.#empty.add(path);
    const thing = isKept(exchange, MAX_CHARACTERS) ? stateOf(exchange, writer) : null;
    if (thing !== null) this.#shown.set(path, { thing, answeredMs: answeredMs(exchange) });
  }

  /** Tells whether what stands at the path was read before the first change, so that it can be put back, or nothing stood there. */
  knows(path: string): boolean {
    return this.#shown.has(trimmed(path)) || this.#empty.has(trimmed(path));
  }

  /** The operation that changes the thing at the path; null for none. */
  #writerAt(path: string): Described | null {
    const { catalogue } = this.#options;
    return catalogue.match('PUT', path) ?? catalogue.match('PATCH', path) ?? this.#setterAt(path);
  }

  /** The POST that sets the one thing at the path; null for none. */
  #setterAt(path: string): Described | null {
    const post = operationAt(this.#options.catalogue, 'POST', path);
    return post !== null && setsTheOne(post) ? post : null;
  }

  /** The paths of what was changed, and neither made by the run nor a part of what it made. */
  #concerned(): readonly string[] {
    const { creations } = this.#options;
    const isOwn = (path: string): boolean => isOrLiesBelow(path, (at) => creations.hasMadeAt(at));
    return [...this.#changed].filter((path) => !isOwn(path) && !this.#isListOfOwn(path, isOwn));
  }

  /** Tells whether the path is that of a list to which a POST adds, of which no reading showed what others have. */
  #isListOfOwn(path: string, isOwn: (path: string) => boolean): boolean {
    const isAddedTo = operationAt(this.#options.catalogue, 'POST', path) !== null && this.#setterAt(path) === null;
    return isAddedTo && this.#listed.keys().every((item) => !item.startsWith(`${path}/`) || isOwn(item));
  }

  get hasWork(): boolean {
    return this.#concerned().length > 0;
  }

  /** How many requests it takes at most. */
  cost(): number {
    return REQUESTS_FOR_ONE * this.#concerned().length;
  }

  /** A sentence for each thing that could not be put back, or was not yet. */
  stays(): readonly string[] {
    return [...this.#stays, ...this.#concerned().map((path) => `${path}: it was not put back in time`)];
  }

  /** Puts back what can be; what cannot is told in `stays`. A run that ends meanwhile leaves the rest to the next call. */
  async putBack(session: Session): Promise<void> {
    for (const path of this.#concerned()) {
      const why = await this.#whyNot(path, session);
      this.#changed.delete(path);
      if (why !== null) this.#stays.push(`${path}: ${why}`);
    }
  }

  async #whyNot(path: string, session: Session): Promise<string | null> {
    const [writer, reader] = [this.#writerAt(path), this.#options.catalogue.match('GET', path)];
    if (writer === null) return 'no PUT or PATCH is described that would put it back';
    if (reader === null) return 'no GET is described that would show it';
    let why: string | null = 'nothing was sent';
    const putting = asideOf(PROBE, writer.operation, async (send) => {
      why = await this.#putBackOne(path, { writer, reader }, send);
    });
    await session.perform(putting);
    return why;
  }

  /** Why the thing is not as it was; null where it is. */
  async #putBackOne(
    path: string,
    by: { readonly writer: Described; readonly reader: Described },
    send: Send,
  ): Promise<string | null> {
    const first = this.#firstAt(path);
    const look = async (): Promise<Exchange> => (await send(this.#planAt(path, by.reader))).last;
    // A write that failed may have named nothing.
    if (first === undefined) return isGone(await look()) ? null : 'nothing showed what it was before';
    const before = stateIn(first.thing, by.writer);
    if (takenBy(by.writer, before).length === 0) return 'reading it shows nothing of what can be changed';
    const read = async (): Promise<State | null> => {
      const state = stateOf(await look(), by.writer);
      return state === null ? null : stateIn(state, by.writer);
    };
    const now = await read();
    if (now === null) return 'it can be read no longer';
    const changed = changedMembers(before, now, by.writer);
    if (changed.length === 0) return null;
    const body = bodyOf(by.writer, before, by.writer.operation.method === 'PATCH' ? changed : null);
    if (body === null) return 'what was there cannot be sent as the description has it';
    const write = (): Promise<Answered> => send(this.#planAt(path, by.writer, body));
    const { response } = await answeredInKnownState(this.#options.world, this.#recipeAt(path, by.writer), write);
    if (!isSuccess(response?.status ?? 0))
      return `${by.writer.operation.key} was answered ${response?.status ?? 'nothing'}`;
    const after = await read();
    return after !== null && changedMembers(before, after, by.writer).length === 0
      ? null
      : `${by.writer.operation.key} did not put it back`;
  }

  #recipeAt(path: string, { operation, description }: Described): Recipe {
    const { world } = this.#options;
    const credential = ordinaryCredential(world, operation);
    const values = valuesOf(operation.path, path);
    return asLearned(world, firstRecipe(description, operation, values, credential, drawFor(world, PROBE)));
  }

  #planAt(path: string, described: Described, value?: State): RequestPlan {
    const media = bodyType(described.operation);
    const body = value === undefined || media === null ? {} : { body: bodyThatSets(value, media, described) };
    const change = { ...body, undoes: true, makes: 'nothing' } as const;
    return planOf(this.#recipeAt(path, described), PROBE, drawFor(this.#options.world, PROBE), change);
  }
}

/** The state that a success shows of what the writer changes; null for none. */
function stateOf(exchange: Exchange, { operation }: Described): State | null {
  const { response } = exchange;
  if (response === null || !isSuccess(response.status) || response.truncated) return null;
  const body = exactBody(exchange);
  if (body.ok && isObject(body.value)) return body.value;
  const media = bodyType(operation);
  if (media === null || isJson(media.mediaType)) return null;
  if (response.octets !== undefined) return Buffer.from(response.octets, 'latin1');
  return response.garbled === undefined ? Buffer.from(response.body) : null;
}

/** Tells whether the answer can be kept and sent again: it is short enough, and hides no secret. */
function isKept({ response }: Exchange, maxCharacters: number): boolean {
  return response !== null && response.body.length <= maxCharacters && !response.body.includes('[redacted ');
}

/** The state as the writer takes it: the thing, or where that wraps it, the member that holds most of what can be written. */
function stateIn(thing: State, writer: Described): State {
  if (Buffer.isBuffer(thing)) return thing;
  const held = (one: JsonObject): number => takenBy(writer, one).length;
  const inner = held(thing) > 0 ? [] : Object.values(thing).filter(isObject);
  return inner.reduce((best, one) => (held(one) > held(best) ? one : best), thing);
}

/** The names of the members that the operation takes: those of its body, or all where it does not name any. Bytes are one without a name. */
function takenBy({ description, operation }: Described, thing: State): readonly string[] {
  if (Buffer.isBuffer(thing)) return [''];
  const { properties } = shapeOf(description, bodyType(operation)?.schema?.value);
  return Object.keys(thing).filter((name) => !isObject(properties) || Object.hasOwn(properties, name));
}

function changedMembers(before: State, now: State, writer: Described): readonly string[] {
  const at = (state: State, name: string): unknown => (Buffer.isBuffer(state) ? state : state[name]);
  return takenBy(writer, before).filter((name) => !isDeepStrictEqual(at(before, name), at(now, name)));
}

/** The body that sets the members, all where `names` is null, as they were; null where none is sound. */
function bodyOf(writer: Described, thing: State, names: readonly string[] | null): State | null {
  if (Buffer.isBuffer(thing)) return thing;
  const schema = bodyType(writer.operation)?.schema ?? null;
  const members = (names ?? takenBy(writer, thing)).map((name) => [name, thing[name]] as const);
  // Some show as null what they take only as absent.
  const forms = [members, members.filter(([, value]) => value !== null)].map((one) => Object.fromEntries(one));
  return forms.find((form) => isValid(writer.description, schema, form)) ?? null;
}

function bodyThatSets(state: State, media: MediaType, { description }: Described): PlannedBody {
  if (!Buffer.isBuffer(state)) return encodedBody(description, media, state);
  return { kind: 'raw', text: state.toString('latin1'), contentType: contentTypeFor(media), isLatin1: true };
}
