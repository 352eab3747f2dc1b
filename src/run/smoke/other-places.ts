// Finds out whether a target serves what is described, and names the places where it may serve it instead: below the path of another
// of the description's servers, below none, or at a shorter or longer base address. Pure.

import { header, jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { essence } from '../../exchange/media-type.ts';
import { asArray, asObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { declaredMedia, declaredResponse } from '../../openapi/model/responses.ts';
import { basePath } from '../../openapi/model/servers.ts';

/** A place that an operation may be served at. */
export interface OtherPlace {
  readonly path: string;
  /** The setting that makes requests go there, with its value. */
  readonly setting: string;
}

const PAGE = 'text/html';

/** Tells whether the answer is 404, or a web server's page in place of a success that is described as something else. */
export function isUnserved(exchange: Exchange, operation: Operation): boolean {
  const { response } = exchange;
  if (response === null) return false;
  if (response.status === 404) return true;
  const declared = declaredResponse(operation, response.status);
  const isPage = essence(header(response.headers, 'content-type') ?? '') === PAGE && !jsonBody(exchange).ok;
  if (response.status >= 300 || !isPage || declared === null) return false;
  return declared.content.length > 0 && declaredMedia(declared, PAGE) === null;
}

/** Tells whether the answer shows that something of this path is served: a success that fits, or a refusal of the credential. */
export function isServed(exchange: Exchange, operation: Operation): boolean {
  const status = exchange.response?.status ?? 0;
  return [401, 403].includes(status) || (status >= 200 && status < 300 && !isUnserved(exchange, operation));
}

/** Below the same base address: behind the path of each of the description's servers, and behind none. */
export function placesBelow(operation: Operation, { document }: Description): readonly OtherPlace[] {
  const template = templateOf(operation, document);
  const prefixes = new Set([...asArray(asObject(document).servers).map((server) => basePath([server])), '']);
  return [...prefixes]
    .map((prefix) => ({ path: `${prefix}${template}`, setting: basePathSetting(operation, prefix) }))
    .filter(({ path }) => path !== operation.path);
}

/** At other base addresses of the same host; the path that stands before the operation's template stays as it is. */
export function placesBeside(
  baseUrl: string,
  operation: Operation,
  { document }: Description,
): readonly (OtherPlace & { readonly baseUrl: string })[] {
  const template = templateOf(operation, document);
  const prefix = operation.path.slice(0, operation.path.length - template.length);
  return otherBases(baseUrl, operation.path).map((other) => ({
    baseUrl: other,
    path: operation.path,
    setting: `target.baseUrl to ${other} and ${basePathSetting(operation, prefix)}`,
  }));
}

/**
 * Base addresses on the same host that may be meant: without the path, without the end that the operation's path begins
 * with, and with each beginning of the operation's path behind it.
 */
export function otherBases(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/+$/, '');
  const segments = path.split('/').slice(1, 3);
  const beginnings = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
  const shorter = beginnings.filter((one) => base.endsWith(one)).map((one) => base.slice(0, -one.length));
  const longer = beginnings.map((one) => `${base}${one}`);
  const all = [...shorter, '', ...longer].map((one) => `${origin}${one}`);
  return [...new Set(all)].filter((one) => one !== `${origin}${base}`);
}

function basePathSetting({ service }: Operation, prefix: string): string {
  return `services.${service}.basePath to ${prefix === '' ? '/' : prefix}`;
}

/** The path as the description has it, without what its servers or the configuration put before it. */
function templateOf({ path }: Operation, document: unknown): string {
  const templates = Object.keys(asObject(asObject(document).paths)).filter((one) => path.endsWith(one));
  return templates.reduce((longest, one) => (one.length > longest.length ? one : longest), '') || path;
}
