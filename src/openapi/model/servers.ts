// The base path that servers[].url puts before every path of a description.
import { asArray, asObject, asString } from '../json.ts';

/** The URL of a server, variables at their defaults. */
export function serverUrl(value: unknown): string {
  const server = asObject(value);
  const variables = asObject(server.variables);
  return (asString(server.url) ?? '').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    return asString(asObject(variables[name]).default) ?? '';
  });
}

/**
 * Path part of the first server's URL, variables at their defaults, without a trailing slash: "/v1" or "". A relative one is
 * relative to the path of the description. Source: OpenAPI, Server Object.
 */
export function basePath(servers: unknown, ofDescription = '/'): string {
  const path = serverUrl(asArray(servers)[0])
    .replace(/^[a-z][a-z0-9+.-]*:/i, '')
    .replace(/^\/\/[^/?#]*/, '')
    .replace(/[?#].*$/, '');
  const absolute = path === '' || path.startsWith('/') ? path : new URL(path, `http://any${ofDescription}`).pathname;
  return absolute.replace(/\/+$/, '');
}
