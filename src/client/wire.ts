// A plan as the bytes that go out: target, headers, body. Pure.
import { uriEncoded } from '../exchange/decoded.ts';
import type { HeaderList, Placement, PlannedBody, RequestPlan } from '../exchange/exchange.ts';
import { TRACEPARENT, type TraceContext, traceparentOf } from '../exchange/trace-context.ts';

export interface WireRequest {
  readonly method: string;
  /** Path as the target sees it, without the base address's own path, and without query. */
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderList;
  readonly body: string | null;
  /** Set: each character of the body goes out as one byte. */
  readonly isLatin1?: true;
}

/** A credential as it goes out: where, and the whole value with its scheme. */
export interface Placed {
  readonly in: Placement['in'];
  readonly name: string;
  /** In a query: percent-encoded. */
  readonly value: string;
}

const JSON_TYPE = 'application/json';

/** Bytes of the plan with these credentials; `body` is the plan's as text. Source: CLIENT-09. */
export function wireOf(
  plan: RequestPlan,
  placed: readonly Placed[],
  body: string | null = bodyOf(plan.body),
): WireRequest {
  const at = (place: Placed['in']): readonly Placed[] => placed.filter((one) => one.in === place);
  const namesItself = plan.headers.some(([name]) => name.toLowerCase() === 'user-agent');
  const headers: [string, string][] = namesItself ? [] : [['User-Agent', 'assay']];
  for (const { name, value } of at('header')) headers.push([name, value]);
  const contentType = contentTypeOf(plan.body, plan.placements === undefined);
  if (contentType !== '') headers.push(['Content-Type', contentType]);
  for (const [name, value] of withCookies(plan.headers, at('cookie'))) headers.push([name, value]);
  const queries = at('query').map(({ name, value }) => `${uriEncoded(name)}=${value}`);
  // Some descriptions tell operations apart by a query or a fragment within their paths, which no value brings in.
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(plan.path) ?? [];
  return {
    method: plan.method,
    path: sendable(path),
    query: [sendable(query), sendable(plan.query), ...queries].filter((text) => text !== '').join('&'),
    headers,
    body,
    ...(plan.body.kind === 'raw' && plan.body.isLatin1 === true ? { isLatin1: true } : {}),
  };
}

/**
 * The request with the constant headers of the target. Headers that it has already stay its own, but for the name of the
 * program; cookies are sent together.
 */
export function withConstant(request: WireRequest, constant: HeaderList): WireRequest {
  if (constant.length === 0) return request;
  const own = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const given = new Map(constant.map(([name, value]) => [name.toLowerCase(), value]));
  const headers = request.headers.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    const other = given.get(lower);
    if (other === undefined) return [name, value];
    if (lower === 'cookie') return [name, `${other}; ${value}`];
    return [name, lower === 'user-agent' ? other : value];
  });
  return { ...request, headers: [...headers, ...constant.filter(([name]) => !own.has(name.toLowerCase()))] };
}

/** The request as part of the trace; one that has such a header, its own or the target's constant one, keeps that. */
export function withTrace(request: WireRequest, trace: TraceContext | null): WireRequest {
  if (trace === null || request.headers.some(([name]) => name.toLowerCase() === TRACEPARENT)) return request;
  return { ...request, headers: [...request.headers, [TRACEPARENT, traceparentOf(trace)]] };
}

/** One Cookie header at most (RFC 6265, 5.4). */
function withCookies(headers: HeaderList, placed: readonly Placed[]): HeaderList {
  if (placed.length === 0) return headers;
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';
  const own = headers.filter(isCookie).map(([, value]) => value);
  const text = [...own, ...placed.map(({ name, value }) => `${name}=${value}`)].join('; ');
  return [...headers.filter((header) => !isCookie(header)), ['Cookie', text]];
}

function contentTypeOf(body: PlannedBody, evenWithoutBody: boolean): string {
  if (body.kind === 'none') return evenWithoutBody ? JSON_TYPE : '';
  return body.contentType ?? JSON_TYPE;
}

function bodyOf(body: PlannedBody): string | null {
  if (body.kind === 'none') return null;
  return body.kind === 'raw' ? body.text : (JSON.stringify(body.value) ?? null);
}

/** Whatever may not stand in a request line is percent-encoded; lone surrogates become U+FFFD. */
function sendable(text: string): string {
  return /^[\x21-\x7e]*$/.test(text)
    ? text
    : text.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => uriEncoded(character));
}
