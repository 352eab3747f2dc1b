// RED-01: a redirect carries a Location that parses as a URL, absolute or relative. It is stated of the 302; what another status
// that redirects lacks is an advisory. So is a URL that only parses because parsers mend it.
//
// RED-01 (must): A 302 carries a Location that parses as a URL, absolute or relative. The harness does not follow it.
import { breached } from '../../contract/judgement.ts';
import { headers } from '../../exchange/body.ts';
import { shortened } from '../../facts/answered.ts';
import type { ExchangeCheck } from '../check.ts';

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const EXPECTED = 'a Location that is a URL, absolute or relative';

export const red01: ExchangeCheck = {
  clause: 'RED-01',
  title: 'A redirect carries a Location that is a URL',
  applies: ({ exchange }) => REDIRECTS.includes(exchange.response?.status ?? 0),
  judge({ exchange }) {
    const { request, response } = exchange;
    const locations = headers(response?.headers ?? [], 'location');
    if (locations.length > 0 && locations.every((location) => isUrlReference(location, request.url)))
      return breached([]);
    const isMended = locations.length > 0 && locations.every((location) => parsesMended(location, request.url));
    const isAbsent = locations.length === 0;
    const actual = isAbsent ? 'absent' : locations.map((value) => shortened(value)).join(' and ');
    const status = response?.status;
    const [code, cause] = isAbsent
      ? ['red-01.no-location', 'a redirect has no Location']
      : ['red-01.not-url', 'the Location of a redirect is not a URL'];
    const message = `the Location of the ${status} is ${actual}, expected ${EXPECTED}`;
    const weight = status === 302 && !isMended ? 'breach' : 'advisory';
    return breached([{ weight, code, cause, message, expected: EXPECTED, actual }]);
  },
};

/** Characters that never stand in a URL (RFC 3986). Parsers mend them; brackets and | are common in queries and let pass. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN = /[\u0000-\u0020\u007f<>"\\^`{}]/;
/** An http URL has a host: `new URL` would take one from what follows. */
const WEB_SCHEME = /^https?:/i;
const WEB_AUTHORITY = /^https?:\/\/[^/]/i;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Tells whether the text is a URI reference: an absolute URL, or one whose first segment holds no colon (RFC 3986, 4.2). */
export function isUrlReference(text: string, base: string): boolean {
  if (text === '' || FORBIDDEN.test(text)) return false;
  if (WEB_SCHEME.test(text) && !WEB_AUTHORITY.test(text)) return false;
  if (SCHEME.test(text)) return URL.canParse(text);
  const [firstSegment = ''] = text.split(/[/?#]/, 1);
  return !firstSegment.includes(':') && URL.canParse(text, base);
}

/** Characters that parsers write in percent-encoding, or as a slash. */
const MENDED = /[ "\\^`{}]/g;
/** A rootless text with blanks is a sentence rather than a path. */
const ROOTED = /^(?:https?:\/\/|[/?#.])/i;

/** Tells whether the text is a URI reference but for characters that every parser of URLs mends. Source: WHATWG URL. */
function parsesMended(text: string, base: string): boolean {
  return ROOTED.test(text) && isUrlReference(text.trim().replace(MENDED, '-'), base);
}
