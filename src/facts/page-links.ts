// Reads what a page says of the pages beside it: a cursor, or an address, in its body or in a header.

import type { LinkTerms, PagingTerms, Place } from '../contract/terms.ts';
import { exactBody, header } from '../exchange/body.ts';
import { uriEncoded } from '../exchange/decoded.ts';
import type { Exchange, HeaderList } from '../exchange/exchange.ts';
import { linkTarget } from '../exchange/link-header.ts';
import { isObject, tokensOf, valueAt } from '../openapi/json.ts';
import type { Page } from './page.ts';

/** How the pages of a list follow one another, as the contract says. */
export type FollowTerms = Pick<PagingTerms, 'style' | 'links' | 'more' | 'parameters'>;

/** The clause on lists whose pages follow one another so; null for a list of another kind. */
export function followClause(stated: Pick<PagingTerms, 'style'> | null): 'PAG-14' | 'PAG-15' | null {
  if (stated?.style === 'cursor') return 'PAG-14';
  return stated?.style === 'links' ? 'PAG-15' : null;
}

/** The cursor or the address of the next page as its page tells it; null where the list ends. */
export function nextTold({ exchange, more, items }: Page, terms: FollowTerms, size: number | null): string | null {
  const { next } = terms.links;
  if (next === null || more === false) return null;
  const told = linkTold(exchange, next);
  const isOfItems = 'at' in next && next.at.split('/').includes('*');
  // A cursor that is a member of the last item always stands there: without a word on what follows, a page that is not full is the last.
  if (isOfItems && terms.more === null && size !== null && items.length < size) return null;
  return told;
}

/** The text that the answer holds at the place; null for nothing. */
export function linkTold(exchange: Exchange, place: LinkTerms): string | null {
  const { response } = exchange;
  if (response === null) return null;
  if ('header' in place)
    return place.rel === null
      ? wholeHeader(response.headers, place.header)
      : linkTarget(response.headers, place.header, place.rel);
  const body = exactBody(exchange);
  return body.ok ? textOf(lastAt(body.value, place.at)) : null;
}

/** The header that is a cursor or an address by itself; null where it is absent or empty. */
function wholeHeader(headers: HeaderList, name: string): string | null {
  return header(headers, name)?.trim() || null;
}

/** A link of JSON:API may be an object with its address. */
function textOf(value: unknown): string | null {
  const told = isObject(value) ? value.href : value;
  if (typeof told === 'number') return String(told);
  return typeof told === 'string' && told !== '' ? told : null;
}

/** The value at the place; where `*` stands for each item of a list, that of the last. */
function lastAt(body: unknown, place: Place): unknown {
  const tokens = tokensOf(place);
  if (!tokens.includes('*')) return valueAt(body, place);
  return tokens.reduce((value: unknown, token) => {
    if (token === '*') return Array.isArray(value) ? value.at(-1) : undefined;
    return isObject(value) ? value[token] : undefined;
  }, body);
}

/** Where an address leads: below the service, or to another host. */
export type Address =
  | { readonly kind: 'here'; readonly path: string; readonly query: string }
  | { readonly kind: 'elsewhere'; readonly host: string }
  | { readonly kind: 'none' };

/** The address, resolved against that of the request whose answer told it. Source: RFC 3986, 5. */
export function addressOf({ request, plan }: Exchange, told: string): Address {
  if (!URL.canParse(told, request.url)) return { kind: 'none' };
  const [from, to] = [new URL(request.url), new URL(told, request.url)];
  // Behind a proxy that hands on the host that it was called by, links name that one.
  const isNamed = to.host === header(request.headers, 'host');
  // Who follows a link out of TLS sends the key in the clear.
  const isBare = from.protocol === 'https:' && to.protocol === 'http:';
  if (isBare || (hostOf(to) !== hostOf(from) && !isNamed)) return { kind: 'elsewhere', host: to.origin };
  const base = from.pathname.endsWith(plan.path) ? from.pathname.slice(0, -plan.path.length) : '';
  if (!to.pathname.startsWith(base)) return { kind: 'elsewhere', host: `${to.host}${to.pathname}` };
  return { kind: 'here', path: to.pathname.slice(base.length), query: to.search.slice(1) };
}

/** A proxy in front may speak another scheme: the usual ports of both are one. */
function hostOf({ hostname, port }: URL): string {
  return port === '' ? hostname : `${hostname}:${port}`;
}

/** Tells whether pages tell an address in place of a cursor. */
export function isByAddress({ style, links }: FollowTerms): boolean {
  return style === 'links' || (links.next !== null && 'header' in links.next && links.next.rel !== null);
}

/** Asks for the next page as its page tells it, by a cursor or an address; null where it leads to another host. */
export function askForNext(
  from: Exchange,
  told: string,
  terms: FollowTerms,
): Pick<Exchange['plan'], 'path' | 'query'> | null {
  const { turn } = terms.parameters;
  if (isByAddress(terms) || turn === null) {
    const address = addressOf(from, told);
    return address.kind === 'here' ? address : null;
  }
  return turnedTo(from, turn, told);
}

/** Asks for another page as this one was asked for, but for the parameter that turns pages. */
export function turnedTo({ plan }: Exchange, turner: string, value: string): Pick<Exchange['plan'], 'path' | 'query'> {
  const others = plan.query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(turner));
  return { path: plan.path, query: [...others, `${uriEncoded(turner)}=${uriEncoded(value)}`].join('&') };
}
