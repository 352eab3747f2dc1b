// Deletes the objects that this run made, newest first, where the description offers a DELETE: an object goes after
// those below it. An answer is believed once it was seen to be true: what can still be read is not gone.

import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isGone } from '../../facts/answered.ts';
import { FirstLists } from '../../facts/first-lists.ts';
import { parameterNames, valuesOf } from '../../facts/paths.ts';
import { deletionShown } from '../../facts/states.ts';
import { isObject } from '../../openapi/json.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Answered, Send } from '../../probes/probe.ts';
import { answeredInKnownState, asLearned } from '../../probes/reach/learned-conditions.ts';
import { firstRecipe, planOf, type Recipe } from '../../probes/reach/recipe.ts';
import { readerAt } from '../../probes/reach/undoing.ts';
import { naming, placeValues, wordCallOf } from '../../probes/reach/word-calls.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import { type Made, markOf, NOWHERE } from '../books/made.ts';
import { asideOf, listAt } from './lists-at.ts';
import { adoptNewcomers, comparedLists, type NewcomerSearch } from './newcomers.ts';
import type { Originals } from './originals.ts';
import { adoptStrays, type Lost, type StraySearch } from './strays.ts';

const PROBE = 'last/clean-up';
/** After so many refusals of one DELETE in a row no more of it are sent. */
const MOST_REFUSALS = 3;
/** A deletion that was accepted only (202), or is not seen at once, is waited for so long in all. ms. */
const PAUSES_MS = [200, 800, 2000];

export interface UndoerOptions extends StraySearch {
  readonly pause: (ms: number) => Promise<void>;
  readonly originals: Originals;
}

export class Undoer {
  readonly #options: UndoerOptions;
  /** Refusals in a row, by the DELETE. */
  readonly #refusals = new Map<Described, number>();
  /** Objects that were tried at the end: none is tried for ever. */
  readonly #tried = new Set<Made>();

  readonly #search: NewcomerSearch;

  constructor(options: UndoerOptions) {
    this.#options = options;
    this.#search = { ...options, firstLists: new FirstLists() };
  }

  /** Notes what an answer shows that has to be there again at the end, or to be gone. */
  observe(exchange: Exchange): void {
    const { world, originals } = this.#options;
    originals.observe(exchange);
    this.#search.firstLists.observe(exchange, world.listPlace(exchange.plan.operation ?? ''));
  }

  /** How many requests it takes at most to delete what can be deleted, where each is answered. */
  cost(): number {
    const { creations, catalogue } = this.#options;
    const deleters = creations.left().flatMap(({ deleter }) => deleter ?? []);
    const unseen = [...new Set(deleters)].filter((one) => creations.isTrue(one) === null);
    // Objects of unanswered requests are looked for in lists, and deleted. Those that no list shows are not.
    const open = Map.groupBy([...creations.requests.all(), ...creations.nameless()], ({ path }) => path);
    const sought = [...open].filter(([path]) => listAt(catalogue, path) !== null);
    const searches = sought.reduce((sum, [, requests]) => sum + 1 + requests.length, 0);
    const looks = 2 * creations.inDoubt().length + creations.claimed;
    const newcomers = comparedLists(this.#search).length;
    return deleters.length + unseen.length + searches + looks + newcomers + this.#options.originals.cost();
  }

  /** True where something can be deleted that nobody has tried to yet, or may have been made that no answer told of. */
  get hasWork(): boolean {
    const { creations, originals } = this.#options;
    const isOpen = creations.requests.all().length + creations.inDoubt().length + creations.nameless().length > 0;
    return (
      isOpen || originals.hasWork || creations.left().some((made) => made.deleter !== null && !this.#tried.has(made))
    );
  }

  /**
   * Deletes what can be deleted, what unanswered requests have made included, and what was refused once more when the rest
   * is gone; what stays is marked so. Resolves with the requests of which nobody can tell whether something came of them.
   */
  async undoAll(lost: readonly Lost[] = this.#lost()): Promise<readonly Lost[]> {
    for (const made of this.#options.creations.inDoubt()) await this.look(made);
    const refused = await this.#undoEach(this.#options.creations.left());
    const known = new Set(this.#options.creations.left());
    const untold = await adoptStrays(this.#options, lost);
    this.#options.creations.requests.close(untold.length);
    await this.findNameless();
    await this.#undoEach(this.#options.creations.left().filter((made) => !known.has(made)));
    await this.#undoEach(refused);
    await this.#options.originals.putBack(this.#options.session);
    const told = new Set<Made>(this.#options.creations.left());
    await adoptNewcomers(this.#search);
    await this.#undoEach(this.#options.creations.left().filter((made) => !told.has(made)));
    return untold;
  }

  /** Looks in lists for the objects of which no answer showed an id. */
  async findNameless(): Promise<void> {
    const { creations } = this.#options;
    const sought = creations.nameless();
    const lost = sought.map(({ mark = null, ...made }) => ({
      ...made,
      mark,
      path: made.collection,
      isRepeated: false,
    }));
    if (lost.length > 0) await adoptStrays(this.#options, lost);
    creations.endNameless(sought);
  }

  /** Looks which of the objects that nothing deletes are gone all the same. */
  async lookForAbsent(): Promise<void> {
    const { creations } = this.#options;
    for (const made of creations.left())
      if (made.deleter === null && (await this.#isAbsent(made))) creations.markGone(made.path);
  }

  async #isAbsent(made: Made): Promise<boolean> {
    const reader = made.id === null ? null : readerAt(this.#options.catalogue, made.path);
    return reader !== null && isGone((await this.#options.session.send(this.#planAt(reader, made))).last);
  }

  /** Those whose DELETE was refused. */
  async #undoEach(all: readonly Made[]): Promise<readonly Made[]> {
    const refused: Made[] = [];
    for (const made of all) {
      if ((await this.undo(made)) === 'refused') refused.push(made);
      this.#tried.add(made);
    }
    return refused;
  }

  #lost(): readonly Lost[] {
    const { creations, world } = this.#options;
    return creations.requests.all().map((plan) => {
      const { service, operation, path, credential, isRepeated = false } = plan;
      return { service, operation: operation ?? '', path, credential, mark: markOf(plan, world.nonce), isRepeated };
    });
  }

  /**
   * Reads an object of which the answer to its create did not show whether this run made it: what it shows is noted. The word of a create is
   * not believed for a reading that is not answered.
   */
  async look(made: Made): Promise<void> {
    const { catalogue, creations, session } = this.#options;
    const reader = readerAt(catalogue, made.path);
    let isLost = false;
    const looking = (described: Described) =>
      asideOf(PROBE, described.operation, async (send) => {
        isLost = (await send(this.#planAt(described, made))).last.response === null;
      });
    if (reader !== null) await session.perform(looking(reader), made.ours);
    if (!isLost || creations.claimedAt(made.path) === null) creations.endDoubt(made);
  }

  /** Deletes one object; where that fails, it is marked as staying. */
  async undo(made: Made): Promise<'gone' | 'refused' | 'stays'> {
    const { creations } = this.#options;
    if (creations.claimedAt(made.path) !== null) await this.look(made);
    if (made.deleter === null) return 'stays';
    if (creations.claimedAt(made.path) === null) return this.#delete(made, made.deleter);
    creations.markStays(made, 'no reading was answered that would show whose it is');
    return 'refused';
  }

  async #delete(made: Made, deleter: Described): Promise<'gone' | 'refused' | 'stays'> {
    const { creations, world } = this.#options;
    if (creations.isOthers(made.path)) {
      creations.markStays(made, 'it was there before this run could make it');
      return 'stays';
    }
    if ((this.#refusals.get(deleter) ?? 0) >= MOST_REFUSALS) {
      // It may have gone with what was deleted meanwhile.
      const isAgain = this.#tried.has(made) && creations.isFindable(made);
      if (isAgain && (await this.#isAbsent(made))) creations.markGone(made.path);
      else creations.markStays(made, 'its DELETE was refused for others');
      return 'refused';
    }
    const why = await this.#removed(made, deleter);
    if (why === null) {
      creations.markGone(made.path);
      if (made.id !== null) world.knowledge.forget(made.collection, made.id);
      return 'gone';
    }
    if (why === NOWHERE) creations.markNowhere(made, why);
    else creations.markStays(made, why);
    return 'refused';
  }

  /** Why the object is still there; null where it is gone. */
  async #removed(made: Made, deleter: Described): Promise<string | null> {
    let why: string | null = 'its DELETE was not sent';
    const removal = asideOf(PROBE, deleter.operation, async (send) => {
      why = await this.#remove(made, deleter, send);
    });
    await this.#options.session.perform(removal, made.ours);
    return why;
  }

  async #remove(made: Made, deleter: Described, send: Send): Promise<string | null> {
    const { world, creations } = this.#options;
    const call = (): Promise<Answered> => send(this.#planAt(deleter, made));
    const last = await answeredInKnownState(world, recipeAt(world, deleter, made), call);
    const status = last.response?.status ?? 0;
    const refused = refusalIn(status);
    const refusals = this.#refusals.get(deleter) ?? 0;
    this.#refusals.set(deleter, refused === null ? 0 : refusals + 1);
    if (refused !== null) return refused;
    const isPlain = status < 300 && status !== 202;
    const isBelieved = creations.isTrue(deleter);
    if (isPlain && isBelieved === true) return null;
    const isThere = await this.#canBeRead(made, send, isBelieved === false ? [0] : [0, ...PAUSES_MS]);
    if (isThere === true) this.#refusals.set(deleter, 1);
    const why = isThere === true ? `its DELETE is answered ${status}, and it can still be read` : null;
    if (why === null && isGone(last) && !creations.isFindable(made)) return NOWHERE;
    if (isPlain && isThere !== null) creations.confirm(deleter, why);
    return why;
  }

  /** Looks whether an object that a probe deleted is gone: what its DELETE says counts from then on, or does not. */
  async confirm(made: Made): Promise<void> {
    const { deleter: described, ours } = made;
    if (described === null) return;
    const looking = asideOf(PROBE, described.operation, async (send) => {
      const isThere = await this.#canBeRead(made, send, [0, ...PAUSES_MS]);
      this.#options.creations.confirm(described, isThere === true ? 'it was deleted, and can still be read' : null);
    });
    await this.#options.session.perform(looking, ours);
  }

  /** Tells whether the object can be read, looked at until it cannot; null where that cannot be told. */
  async #canBeRead(made: Made, send: Send, pausesMs: readonly number[]): Promise<boolean | null> {
    const { catalogue, pause } = this.#options;
    const reader = readerAt(catalogue, made.path);
    if (reader === null) return null;
    for (const ms of pausesMs) {
      if (ms > 0) await pause(ms);
      const { last } = await send(this.#planAt(reader, made));
      const status = last.response?.status ?? 0;
      if (status === 404 || status === 410 || saysDeleted(last)) return false;
      if (status < 200 || status >= 300) return null;
    }
    return true;
  }

  #planAt(described: Described, made: Made): RequestPlan {
    return { ...planAt(this.#options.world, described, made, PROBE), undoes: true };
  }
}

/** A call of the operation for the object, under the key that it was made with. */
export function planAt(world: World, described: Described, made: Made, probe: string): RequestPlan {
  const recipe = recipeAt(world, described, made);
  const call = wordCallOf(described);
  const change = call === null || made.id === null ? {} : naming(call, made.id, recipe);
  return planOf(recipe, probe, drawFor(world, 'clean'), change);
}

function recipeAt(world: World, described: Described, made: Made): Recipe {
  const { operation, description } = described;
  const credential = made.credential.kind === 'key' ? made.credential : ordinaryCredential(world, operation);
  const call = wordCallOf(described);
  const values = { ...(call === null ? valuesOf(operation.path, made.path) : placeValues(call, made.path)) };
  const name = parameterNames(operation.path).at(-1) ?? '';
  if (call === null && made.id !== null && values[name] === made.id) {
    const object = world.knowledge.objectAt(made.collection, name, made.id) ?? made.shown ?? null;
    values[name] = world.knowledge.addressOf(operation, name, object, made.id);
  }
  return asLearned(world, firstRecipe(description, operation, values, credential, drawFor(world, 'clean')));
}

/** Tells whether what can still be read is nothing, or says that it was deleted. */
function saysDeleted(exchange: Exchange): boolean {
  const body = jsonBody(exchange);
  if (!body.ok) return false;
  if (!isObject(body.value)) return body.value === null;
  return Object.keys(body.value).length === 0 || deletionShown(null, body.value) !== null;
}

/** How a DELETE is answered that does not say that the thing is gone; null for one that does. */
function refusalIn(status: number): string | null {
  if (status === 0) return 'its DELETE is not answered';
  const isDone = status >= 200 && status < 300;
  return isDone || status === 404 || status === 410 ? null : `its DELETE is answered ${status}`;
}
