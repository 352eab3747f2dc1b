// What is known of one list while it is examined: its survey and the pages read since, until the list changes.

import type { Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import { pageOf } from '../../checks/pag/page.ts';
import type { Ask, PageRead } from '../../checks/pag/sequence.ts';
import type { Grounds } from '../../contract/grounds.ts';
import type { World } from '../world.ts';
import { type Compare, type Confirmation, confirm } from './confirmation.ts';
import { type ListOperation, pairsOf } from './list-operation.ts';
import type { PageReader } from './page-reader.ts';
import { readOf, type Survey, surveyList } from './survey.ts';

export class Study {
  readonly world: World;
  readonly list: ListOperation;
  #survey: Survey | string | null = null;
  readonly #reads = new Map<string, PageRead>();
  readonly #confirmed = new Map<string, Confirmation>();

  constructor(world: World, list: ListOperation) {
    this.world = world;
    this.list = list;
  }

  /** The survey, made on first use; in words why there is none. */
  async survey(reader: PageReader): Promise<Survey | string> {
    if (this.#survey !== null) return this.#survey;
    const survey = await surveyList(this.list, reader);
    this.#survey = survey;
    if (typeof survey === 'string') return survey;
    for (const read of [survey.bare, ...survey.walk]) this.#reads.set(read.query, read);
    return survey;
  }

  /** How large the list is, and how many pages it has at the smallest limit that was applied to it. */
  grounds(): Grounds {
    if (this.#survey === null || typeof this.#survey === 'string') return {};
    const { sequence } = this.#survey;
    const items = sequence.size ?? sequence.known;
    const shown = [...this.#reads.values()].filter(({ keys, applied }) => keys.length > 0 && keys.length <= applied);
    const smallest = Math.min(items, ...shown.map(({ applied }) => applied));
    return { items, pages: Math.ceil(items / Math.max(1, smallest)) };
  }

  /** Forgets everything: the list has changed. */
  forget(): void {
    this.#survey = null;
    this.#reads.clear();
    this.#confirmed.clear();
  }

  /** The page, from memory where it was read before; null when it could not be read. */
  async read(reader: PageReader, survey: Survey, ask: Ask): Promise<PageRead | null> {
    const pairs = pairsOf(this.list, ask);
    const known = this.#reads.get(readKey(pairs));
    if (known !== undefined) return known;
    const exchange = await reader.ask(pairs, 'walk');
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place);
    if (page === null) return null;
    const read = readOf(this.list, survey, ask, page);
    this.#reads.set(readKey(pairs), read);
    return read;
  }

  /** The page anew, past any memory; null when it could not be read. */
  async readAgain(reader: PageReader, survey: Survey, { ask }: PageRead): Promise<PageRead | null> {
    const exchange = await reader.lookAgain(pairsOf(this.list, ask), 'look-again');
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place);
    return page === null ? null : readOf(this.list, survey, ask, page);
  }

  /** Whether the suspicion shows again on a list at rest; asked once for each pair of pages. */
  async confirm(
    reader: PageReader,
    survey: Survey,
    suspicion: Suspicion,
    later: PageRead,
    compare: Compare,
  ): Promise<Confirmation> {
    const key = `${suspicion.breach.kind}\n${suspicion.earlier?.query ?? ''}\n${later.query}`;
    const known = this.#confirmed.get(key);
    if (known !== undefined) return known;
    const confirmation = await confirm(suspicion, later, (read) => this.readAgain(reader, survey, read), compare);
    if (confirmation.kind !== 'confirmed') {
      this.#reads.delete(later.query);
      return confirmation;
    }
    if (await this.#hasGrownPastEnd(reader, survey)) return { kind: 'changed' };
    this.#confirmed.set(key, confirmation);
    return confirmation;
  }

  /** A list that grows beyond its maximum goes on showing a first page that seems to hold all. */
  async #hasGrownPastEnd(reader: PageReader, survey: Survey): Promise<boolean> {
    const { past } = survey;
    if (past === null || past.keys.length > 0 || past.page.status >= 300) return false;
    const now = await this.readAgain(reader, survey, past);
    return now !== null && now.keys.length > 0;
  }
}

function readKey(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&') || 'no parameter';
}
