// Reads the address that an object gives of itself: objects of HAL, JSON:API, JSON-LD and OData, and hyperlinked ones of frameworks, say
// where they are, and some have no id beside that.
import { isObject, type JsonObject, membersOf, normal } from '../openapi/json.ts';
import { singular } from './nouns.ts';
import { partedPath } from './paths.ts';

/** Members that hold links of an object. */
const LINKS = /^_?links$/i;
/** Members that hold its own address. Source: JSON-LD 1.1 (@id), OData 4.01 (@odata.id). */
const ADDRESS = /^(self|href|url|uri|@id|@odata\.id)$/i;

/** The last part of the address that the object gives of itself below one of the nouns: 8 of /books/8, and of Books(8). null for none. */
export function idInOwnAddress(object: JsonObject, nouns: readonly string[]): string | null {
  for (const address of ownAddresses(object)) {
    const [path = ''] = address.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/);
    const [above, id] = partedPath(`/${path}`);
    const collection = singular(normal(above.slice(above.lastIndexOf('/') + 1)));
    if (collection !== '' && id !== '' && nouns.includes(collection)) return id;
  }
  return null;
}

function ownAddresses(object: JsonObject): readonly string[] {
  const members = membersOf(object);
  const links = members.flatMap(([name, value]) => (LINKS.test(name) ? selfIn(value) : []));
  return [...links, ...members.flatMap(([name, value]) => (ADDRESS.test(name) ? addressesIn(value) : []))];
}

/** The link to the object itself, among members by their relation or in a list of links that each name theirs. */
function selfIn(links: unknown): readonly string[] {
  if (Array.isArray(links))
    return links.flatMap((link) => (isObject(link) && link.rel === 'self' ? addressesIn(link) : []));
  return isObject(links) ? addressesIn(links.self) : [];
}

function addressesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) && typeof value.href === 'string' ? [value.href] : [];
}
