// Reads the `Link` header (RFC 8288, 3): targets with their relations. Several headers, several links in one, quoted and bare values, and
// several relations of one link are all allowed.
import type { HeaderList } from './exchange.ts';

/** One link: `<target>; name=value; name="value"`. */
const LINK = /<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+\*?\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]*))?)*)/g;
const PARAMETER = /;\s*([\w!#$&+.^`|~-]+\*?)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;
/** A longer value is no header that a server sends on purpose. */
const MAX_LENGTH = 8192;

/** The target of the first link with this relation, as it is written; null where no link of the header has it. */
export function linkTarget(headers: HeaderList, name: string, rel: string): string | null {
  const wanted = rel.toLowerCase();
  for (const [, value] of headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()))
    for (const [, target = '', parameters = ''] of value.slice(0, MAX_LENGTH).matchAll(LINK))
      if (relationsIn(parameters).includes(wanted)) return target;
  return null;
}

/** The first of several `rel` counts. Source: RFC 8288, 3.3. */
function relationsIn(parameters: string): readonly string[] {
  for (const [, name = '', quoted, bare] of parameters.matchAll(PARAMETER))
    if (name.toLowerCase() === 'rel')
      return (quoted ?? bare ?? '')
        .toLowerCase()
        .split(/\s+/)
        .filter((one) => one !== '');
  return [];
}
