// Texts without their escapes, with the way back: which stretch of the original a stretch of the decoded text came from.
// Pure ECMAScript: k6's scripts run it too.

/** One stretch of a text that was replaced. */
export interface Replaced {
  /** Where its replacement stands in the decoded text, and how long that is. */
  readonly at: number;
  readonly length: number;
  /** Where it stood in the original; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A text that was made from another by replacing some stretches of it. */
export interface Decoded {
  readonly text: string;
  /** In order. */
  readonly replaced: readonly Replaced[];
}

/** Escapes of escapes are undone so many times. */
export const MAX_LEVELS = 6;

/**
 * Escapes of JSON and JavaScript, of URLs, and of HTML. Without groups: they would cost more than all the rest. A backslash
 * that escapes nothing leaves what follows it alone, for that may be an escape of another kind: `\%20`.
 */
const BACKSLASHED = /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[\\/"'`nrtbf])/;
const OF_URLS_AND_HTML = /%[0-9a-f]{2}|&(?:#x[0-9a-f]{1,6};?|#[0-9]{1,7};?|[a-z]{2,6};)/;
const ESCAPE = new RegExp(`${BACKSLASHED.source}|${OF_URLS_AND_HTML.source}`, 'gi');
const NO_BACKSLASH = new RegExp(OF_URLS_AND_HTML.source, 'gi');
/** Characters between a secret's letters where it is wrapped over lines, or is UTF-16 that is read as UTF-8. */
const APART = /[\s\0\u00ad\u200b-\u200d\ufeff]+/g;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
/** Names that HTML has for what may stand in a secret. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', plus: '+', equals: '=', sol: '/', bsol: '\\' },
  ...{ percnt: '%', num: '#', dollar: '$', lowbar: '_', hyphen: '-', dash: '-', period: '.', comma: ',', colon: ':' },
  ...{ semi: ';', excl: '!', quest: '?', commat: '@', ast: '*', verbar: '|', vert: '|', hat: '^', grave: '`' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{', rcub: '}' },
  rbrace: '}',
};

/** The text with its escapes undone once. What only looks like an escape stays. */
export function unescapedOnce(text: string): string {
  return text.replace(ESCAPE, meaningOf);
}

/** `unescapedOnce`, with the way back. */
export function unescapedWithOrigins(text: string): Decoded {
  return withOrigins(text, ESCAPE, meaningOf);
}

/** The text with the escapes of URLs and HTML alone undone once: a backslash may be a letter of a secret. */
export function unescapedBesideBackslashes(text: string): string {
  return text.replace(NO_BACKSLASH, meaningOf);
}

/** `unescapedBesideBackslashes`, with the way back. */
export function unescapedBesideBackslashesWithOrigins(text: string): Decoded {
  return withOrigins(text, NO_BACKSLASH, meaningOf);
}

/** The text without white space, and without what does not show. */
export function joined(text: string): string {
  return text.replace(APART, '');
}

/** `joined`, with the way back. */
export function joinedWithOrigins(text: string): Decoded {
  return withOrigins(text, APART, () => '');
}

/** The text with all escapes undone, escapes of escapes too, and joined. */
export function plainText(text: string): string {
  let plain = text;
  for (let level = 0; level < MAX_LEVELS; level += 1) plain = unescapedOnce(plain);
  return joined(plain);
}

/** The escape that begins before the index and ends behind it. */
export function escapeAround(escapes: readonly Replaced[], index: number): Replaced | undefined {
  const before = lastBy(escapes, ({ start }) => start < index);
  return before !== undefined && index < before.end ? before : undefined;
}

/** The stretch of the original that became [start, end) of the decoded text. */
export function originOf({ replaced }: Decoded, start: number, end: number): readonly [start: number, end: number] {
  const first = lastBy(replaced, ({ at }) => at <= start);
  const last = lastBy(replaced, ({ at }) => at < end);
  return [originOfUnit(first, start)[0], originOfUnit(last, end - 1)[1]];
}

function originOfUnit(before: Replaced | undefined, index: number): readonly [start: number, end: number] {
  if (before === undefined) return [index, index + 1];
  const { at, length, start, end } = before;
  if (index < at + length) return [start, end];
  const origin = end + index - at - length;
  return [origin, origin + 1];
}

/** The last of the stretches for which this is true; it is true of all before, too. */
function lastBy(replaced: readonly Replaced[], isBefore: (one: Replaced) => boolean): Replaced | undefined {
  let [low, high] = [0, replaced.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(replaced[middle] as Replaced)) low = middle + 1;
    else high = middle;
  }
  return replaced[low - 1];
}

function withOrigins(text: string, pattern: RegExp, means: (found: string) => string): Decoded {
  const replaced: Replaced[] = [];
  let shorter = 0;
  const plain = text.replace(pattern, (found, start: number) => {
    const meaning = means(found);
    replaced.push({ at: start - shorter, length: meaning.length, start, end: start + found.length });
    shorter += found.length - meaning.length;
    return meaning;
  });
  return { text: plain, replaced };
}

function meaningOf(found: string): string {
  const [first, second] = [found.charAt(0), found.charAt(1)];
  if (first === '%') return characterOf(Number.parseInt(found.slice(1), 16), found);
  if (first === '\\') {
    if (found.length > 2) return characterOf(Number.parseInt(found.slice(2), 16), found);
    return CONTROLS[second] ?? second;
  }
  if (second !== '#') return ENTITIES[found.slice(1, -1).toLowerCase()] ?? found;
  const isHex = found.charAt(2) === 'x' || found.charAt(2) === 'X';
  return characterOf(Number.parseInt(found.slice(isHex ? 3 : 2), isHex ? 16 : 10), found);
}

function characterOf(code: number, otherwise: string): string {
  if (code < 0x10000) return String.fromCharCode(code);
  return code > 0x10ffff ? otherwise : String.fromCodePoint(code);
}
