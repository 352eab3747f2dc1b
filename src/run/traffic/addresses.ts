// Which exchanges of a recording are calls of the target: those below its address, without the pages and files of a site
// that lives beside its API.
import { header } from '../../exchange/body.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { Seen } from './seen.ts';

/** Where a request went, below the target's address. */
export interface Place {
  /** The target's address by which it was called, without a slash at its end. */
  readonly base: string;
  /** Below it, percent-encoded. */
  readonly path: string;
  /** Without "?"; empty for none. */
  readonly query: string;
}

/** Origins that are remembered by name; more than these are counted together. */
const MOST_ORIGINS = 200;

export class Addresses {
  readonly #bases: readonly { readonly text: string; readonly origin: string; readonly path: string }[];
  /** How many entries went to each other origin. */
  readonly elsewhere = new Map<string, number>();

  /** `bases`: absolute http addresses, the most usual first. */
  constructor(bases: readonly string[]) {
    this.#bases = bases.map((base) => {
      const { origin, pathname } = new URL(base);
      const path = pathname.replace(/\/+$/, '');
      return { text: `${origin}${path}`, origin, path };
    });
  }

  /** The place of a URL at the target; null for any other, which is counted. */
  placeOf(url: string): Place | null {
    const parsed = URL.parse(url);
    for (const { text, origin, path } of this.#bases) {
      if (parsed?.origin !== origin || !isBelow(parsed.pathname, path)) continue;
      const below = parsed.pathname.slice(path.length);
      return { base: text, path: below === '' ? '/' : below, query: parsed.search.slice(1) };
    }
    this.#count(originOf(parsed));
    return null;
  }

  #count(origin: string): void {
    const name = this.elsewhere.has(origin) || this.elsewhere.size < MOST_ORIGINS ? origin : 'others';
    this.elsewhere.set(name, (this.elsewhere.get(name) ?? 0) + 1);
  }
}

function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}

/** The part of a URL elsewhere that is told: its scheme and host, never more. */
function originOf(url: URL | null): string {
  if (url === null) return 'no URL';
  return url.host === '' ? url.protocol : `${url.protocol}//${url.host}`;
}

/** Tells calls of an API from what else a site answers at the same address. */
export class ApiCalls {
  readonly #catalogue: Catalogue;
  /** The segments that all described paths begin with. */
  readonly #common: string;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#common = commonBeginning(catalogue.operations.map(({ operation }) => operation.path));
  }

  /** Tells whether the exchange is a call of the API: of a described path, below what all of these share, or in JSON. */
  includes({ request, answer }: Seen, { path }: Place): boolean {
    if (this.#catalogue.pathKnown(path).length > 0) return true;
    if (this.#common !== '') return isBelow(path, this.#common);
    const asks = header(request.headers, 'authorization') !== null;
    const type = typeof answer === 'string' ? null : header(answer.headers, 'content-type');
    return asks || (type !== null && isJson(type));
  }
}

/** "/api" of "/api/orders" and "/api/status"; empty where they share nothing. */
function commonBeginning(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => path.split('/').slice(1));
  const literal = first.findIndex(
    (segment, index) => segment.includes('{') || rest.some((segments) => segments[index] !== segment),
  );
  const shared = first.slice(0, literal === -1 ? Math.max(0, first.length - 1) : literal);
  return shared.map((segment) => `/${segment}`).join('');
}
