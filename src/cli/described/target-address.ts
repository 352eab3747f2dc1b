// The address that a description alone leads to: its servers, and where it was read, say where the target is.
import { isHttpUrl, isLoopback, withoutTrailingSlash } from '../../config/http-url.ts';
import { asArray } from '../../openapi/json.ts';
import { serverUrl } from '../../openapi/model/servers.ts';

export interface TargetAddress {
  readonly baseUrl: string;
  /** Why it is that one, in words; null: it was stated. */
  readonly because: string | null;
  /** Set where the address brings along all that stands before the paths: it is that of a server which is not the first. */
  readonly isWhole?: true;
}

/**
 * The stated address; else a server on the origin that the description was read from, else its first server that fits, else that
 * origin. A server fits where it is on this machine as the description is, or neither is: what one names, the other does not mean.
 * Null where nothing names a host.
 */
export function targetAddress(
  document: { readonly servers?: unknown },
  location: string,
  stated: string | null,
): TargetAddress | null {
  const isFile = location.startsWith('file:');
  const servers = asArray(document.servers).map((server, index) => ({
    index,
    url: resolved(serverUrl(server), location),
  }));
  if (stated !== null) {
    const baseUrl = withoutTrailingSlash(stated);
    const at = servers.findIndex(({ url }) => url !== null && withoutTrailingSlash(url.href) === baseUrl);
    return { baseUrl, because: null, ...(at > 0 ? { isWhole: true } : {}) };
  }
  const read = new URL(location);
  const fitting = servers.flatMap(({ index, url }) => {
    const fits = url !== null && (isFile || isLoopback(url.hostname) === isLoopback(read.hostname));
    return fits ? [{ index, url }] : [];
  });
  const chosen = fitting.find(({ url }) => url.origin === read.origin) ?? fitting[0];
  if (chosen !== undefined) {
    const baseUrl = withoutTrailingSlash(chosen.url.href);
    return { baseUrl, because: 'as its servers say', ...(chosen.index === 0 ? {} : { isWhole: true }) };
  }
  return isFile ? null : { baseUrl: read.origin, because: 'where it was read' };
}

/** The URL of a server; null where it leads to no host, or paths cannot be appended to it. */
function resolved(url: string, location: string): URL | null {
  // An empty one would be the description itself, below which nothing is served: generators write it for the origin.
  if (url === '') return null;
  const base = location.startsWith('file:') ? undefined : location;
  const found = URL.parse(url, base);
  return found !== null && isHttpUrl(found.href) ? found : null;
}
