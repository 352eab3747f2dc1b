// The store of books below the styles, which answers as the style writes it.

import type { Clock } from '../../src/clock/clock.ts';
import { uriDecoded } from '../../src/exchange/decoded.ts';
import type { Answer, Asked, ForeignApi } from './in-memory.ts';
import {
  type Defect,
  type Doing,
  descriptionOf,
  isRecord,
  json,
  type Kept,
  type Members,
  OWN,
  SHELF,
  type Style,
  USUAL,
} from './styles.ts';

export function stylesApi(style: Style, defect: Defect = {}, store: Kept[] = firstBooks(style)): ForeignApi {
  return {
    description: descriptionOf(style),
    contract: ['contract: 1', 'name: Books API contract'],
    start: (clock) => serverOf(style, defect, store, clock),
  };
}

export function firstBooks(style: Style): Kept[] {
  return ['Emma', 'Persuasion', 'Sanditon'].map((title, at) => ({
    id: style.id(at + 1),
    members: { title, pages: 100 + at, genre: 'novel' },
  }));
}

function refusal(status: number): Answer {
  return { status, body: { reason: 'refused' } };
}

function serverOf(style: Style, defect: Defect, store: Kept[], clock: Clock): (asked: Asked) => Answer {
  const routes = (Object.entries(style.routes) as [Doing, readonly [string, string]][]).map(
    ([doing, [method, path]]) => ({ doing, method, pattern: patternOf(path) }),
  );
  const books = new Shelf(style, defect, store, clock);
  return (asked) => {
    if (asked.path === '/shelves' && asked.method === 'GET') return { status: 200, body: [{ id: SHELF }] };
    const found = routes.filter(({ pattern }) => pattern.test(asked.path));
    const route = found.find(({ method }) => method === asked.method);
    if (route === undefined) return refusal(found.length === 0 ? 404 : 405);
    const groups = route.pattern.exec(asked.path)?.groups ?? {};
    if (groups.shelfId !== undefined && groups.shelfId !== SHELF) return refusal(404);
    return books[route.doing](asked, Object.entries(groups).find(([name]) => name !== 'shelfId')?.[1] ?? '');
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/()]+)')}$`);
}

class Shelf {
  readonly #style: Style;
  readonly #defect: Defect;
  readonly #books: Kept[];
  readonly #clock: Clock;
  readonly #first: ReadonlySet<unknown>;
  readonly #gone = new Set<string>();
  /** The books as they stood from each time on, the latest last. */
  readonly #stood: { readonly fromMs: number; readonly books: readonly Kept[] }[];
  #count: number;

  constructor(style: Style, defect: Defect, books: Kept[], clock: Clock) {
    this.#style = style;
    this.#defect = defect;
    this.#books = books;
    this.#clock = clock;
    this.#first = new Set(books.map(({ id }) => id));
    this.#stood = [{ fromMs: Number.NEGATIVE_INFINITY, books: [...books] }];
    this.#count = books.length;
  }

  list(): Answer {
    const atMs = this.#clock.now() - this.#style.listLagMs;
    const books = this.#stood.findLast(({ fromMs }) => fromMs <= atMs)?.books ?? [];
    const shown = books.filter(({ id }) => this.#defect.hidesNew !== true || this.#first.has(id));
    return { status: 200, body: this.#style.listed(shown.map((one) => this.#itemOf(one))) };
  }

  create(asked: Asked): Answer {
    const sent = this.#read(asked, true);
    if (sent === null) return refusal(422);
    const members = { ...USUAL, ...sent };
    this.#count += 1;
    const id = this.#style.id(this.#count);
    this.#keep(id, members);
    const { status, hasBody, hasLocation } = this.#style.created;
    return {
      status,
      headers: hasLocation ? { location: this.#pathOf(id) } : {},
      ...(hasBody ? { body: this.#shown({ id, members }) } : {}),
    };
  }

  #keep(id: Kept['id'], members: Members): void {
    const kept = this.#defect.creates === undefined ? members : this.#defect.creates(members, this.#books);
    if (kept !== null) this.#books.push({ id, members: kept });
    this.#note();
  }

  #note(): void {
    this.#stood.push({ fromMs: this.#clock.now(), books: [...this.#books] });
  }

  read(_asked: Asked, id: string): Answer {
    const at = this.#at(id);
    return at < 0 ? this.#missing(id) : this.#told(this.#books[at] as Kept);
  }

  #missing(id: string): Answer {
    return refusal(this.#gone.has(id) ? this.#style.gone : 404);
  }

  replace(asked: Asked, id: string): Answer {
    return this.#changed(asked, id, (sent) => ({ ...USUAL, ...sent }), true);
  }

  change(asked: Asked, id: string): Answer {
    return this.#changed(asked, id, (sent, before) => ({ ...before, ...sent }), false);
  }

  remove(asked: Asked, id: string): Answer {
    const at = this.#at(id);
    if (at < 0) return refusal(404);
    const refused = this.#refusedFor(asked, this.#books[at] as Kept);
    if (refused !== null) return refused;
    if (this.#defect.keepsDeleted !== true) {
      this.#books.splice(at, 1);
      this.#gone.add(id);
      this.#note();
    }
    return this.#style.removed === 200 ? { status: 200, body: { deleted: true } } : { status: this.#style.removed };
  }

  #changed(asked: Asked, id: string, merged: (sent: Members, before: Members) => Members, isWhole: boolean): Answer {
    const at = this.#at(id);
    const book = this.#books[at];
    if (book === undefined && !(isWhole && this.#style.isNamedByCallers)) return this.#missing(id);
    const sent = this.#read(asked, isWhole);
    if (sent === null) return refusal(422);
    if (book === undefined) return this.#named(uriDecoded(id), { ...USUAL, ...sent });
    const refused = this.#refusedFor(asked, book);
    if (refused !== null) return refused;
    const after = merged(sent, book.members);
    const { writes, patches } = this.#defect;
    const members = (isWhole ? writes : (patches ?? writes))?.(book.members, sent, after) ?? after;
    this.#books[at] = { id: book.id, members };
    this.#note();
    return this.#told({ id: book.id, members: after });
  }

  #named(id: string, members: Members): Answer {
    this.#keep(id, members);
    return { status: 201, body: this.#shown({ id, members }) };
  }

  #refusedFor(asked: Asked, book: Kept): Answer | null {
    if (!this.#style.needsVersion) return null;
    const named = asked.headers.get('if-match');
    if (named === undefined) return refusal(428);
    return named === versionOf(book) || named === '*' ? null : refusal(412);
  }

  #told(book: Kept): Answer {
    const headers: Record<string, string> = this.#style.needsVersion ? { etag: versionOf(book) } : {};
    return { status: 200, headers, body: this.#shown(book) };
  }

  #shown(book: Kept): unknown {
    return this.#style.shown(this.#itemOf(book));
  }

  #itemOf({ id, members }: Kept): unknown {
    const { idMember } = this.#style;
    return this.#style.item({ ...(idMember === null ? {} : { [idMember]: id }), ...members }, this.#pathOf(id));
  }

  #pathOf(id: Kept['id']): string {
    const path = this.#style.routes.read?.[1] ?? '';
    return path.replace('{shelfId}', SHELF).replace(/\{\w+\}/, String(id));
  }

  #at(id: string): number {
    return this.#books.findIndex((one) => String(one.id) === uriDecoded(id));
  }

  #read(asked: Asked, isWhole: boolean): Members | null {
    const type = isWhole ? json : this.#style.mediaTypeOfChange;
    if (!(asked.headers.get('content-type') ?? '').startsWith(type)) return null;
    const members = this.#style.taken(parsed(asked.body));
    if (!isRecord(members) || (isWhole && members.title === undefined)) return null;
    return Object.entries(members).every(([name, value]) => isSound(name, value)) ? members : null;
  }
}

function versionOf({ members }: Kept): string {
  return `"${Buffer.from(JSON.stringify(members)).toString('base64url').slice(0, 40)}"`;
}

function isSound(name: string, value: unknown): boolean {
  if (name === 'title') return typeof value === 'string' && value !== '' && [...value].length <= 80;
  if (name === 'pages') return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 5000;
  return name === 'genre' && OWN.genre.enum.includes(String(value)) && typeof value === 'string';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // What is no JSON is refused.
    return undefined;
  }
}
