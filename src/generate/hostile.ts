// Hostile values: input that no sane client sends and no server may stumble over (REQ-09). Bounded, so that a refusal
// is the application's and not that of a front end with a small buffer.

/** A kind of hostile input. */
export interface Hostile {
  /** Name for codes of breaches: "long-text". */
  readonly code: string;
  /** The same in words. */
  readonly name: string;
}

export interface HostileValue extends Hostile {
  readonly value: unknown;
}

export interface HostileText extends Hostile {
  readonly text: string;
}

export interface HostileBody extends HostileText {
  /** Set: each character is one byte. */
  readonly isLatin1?: true;
  /** Absent: application/json. */
  readonly contentType?: string;
  /** Sent beside the content type. Absent: none. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** A header that is broken by its own grammar. */
export interface HostileHeader extends HostileText {
  readonly header: string;
}

const LONG_CHARS = 20_000;
/** Beyond the buffers of 64 kB and 100 kB that many servers begin with, far below what front ends refuse. */
const HUGE_CHARS = 128_000;
const DEEP_LEVELS = 500;
/** Beyond the stack of readers that call themselves for each level. */
const DEEPEST_LEVELS = 20_000;
/** Beyond the digits that a language reads into one integer where it has a limit. */
const LONG_INTEGER_DIGITS = 5_000;

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { assay: value };
  return value;
}

/** Numbers that are no ids: an operation that takes a list away would else take what others made. */
function negatives(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => -1 - index);
}

/** For members of JSON bodies. */
export const HOSTILE_MEMBERS: readonly HostileValue[] = [
  { code: 'nul', name: 'NUL character', value: 'assay\u0000hidden' },
  { code: 'lone-surrogate', name: 'lone surrogate', value: 'assay\ud800' },
  { code: 'long-string', name: 'very long string', value: 'x'.repeat(LONG_CHARS) },
  { code: 'deep-nesting', name: 'deep nesting', value: nested(DEEP_LEVELS) },
  {
    code: 'emoji-right-to-left',
    name: 'emoji and right-to-left text',
    value: '\u{1f9ea}\u202etset\u202c \u0627\u062e\u062a\u0628\u0627\u0631',
  },
  { code: 'long-array', name: 'very long array', value: negatives(5_000) },
  {
    code: 'proto-member',
    name: '__proto__ member',
    value: JSON.parse('{"__proto__":{"assay":true},"constructor":{"prototype":{"assay":true}}}'),
  },
  { code: 'huge-number', name: 'huge number', value: 1e308 },
  // Both are written as integers, without an exponent.
  { code: 'huge-integer', name: 'integer beyond 64 bits', value: 1e20 },
  { code: 'integer-beyond-32-bits', name: 'integer beyond 32 bits', value: 2 ** 31 },
  { code: 'sql-metacharacters', name: 'SQL and template metacharacters', value: `';--"\${7*7}{{7*7}}<script>%0d%0a` },
  { code: 'empty-string', name: 'empty string', value: '' },
];

/** For members that are numbers: those by which nothing can be divided or counted. */
export const ORDINARY_NUMBERS: readonly HostileValue[] = [
  { code: 'zero', name: 'zero', value: 0 },
  { code: 'negative-number', name: 'negative number', value: -1 },
];

/** For one member of each operation: it is too long to be sent in all of them. */
export const HUGE_STRING: HostileValue = {
  code: 'huge-string',
  name: 'string of 128 kB',
  value: 'x'.repeat(HUGE_CHARS),
};

/** Whole bodies, as text: JSON that parses, but holds what parsers differ on. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  { code: 'number-beyond-range', name: 'number beyond every range', text: '{"assay":1e400,"count":-1e400}' },
  { code: 'duplicate-member', name: 'duplicate member', text: '{"assay":1,"assay":{"assay":[]}}' },
  {
    code: 'proto-at-top',
    name: '__proto__ at the top',
    text: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  },
  { code: 'deep-arrays', name: 'deep nesting of arrays', text: `${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)}` },
  { code: 'array-for-object', name: 'array in place of an object', text: '[[],{},null]' },
  { code: 'null-for-object', name: 'null in place of an object', text: 'null' },
  { code: 'string-for-object', name: 'string in place of an object', text: '"assay"' },
  // A text can be asked at least whether it holds a name.
  { code: 'number-for-object', name: 'number in place of an object', text: '-1' },
  { code: 'not-utf-8', name: 'bytes that are not UTF-8', text: '{"assay":"\u00ff\u00fe"}', isLatin1: true },
  { code: 'long-integer', name: 'integer of 5,000 digits', text: `{"assay":${'9'.repeat(LONG_INTEGER_DIGITS)}}` },
  {
    code: 'deepest-arrays',
    name: 'nesting of 20,000 levels',
    text: `{"assay":${'['.repeat(DEEPEST_LEVELS)}${']'.repeat(DEEPEST_LEVELS)}}`,
  },
  {
    ...{ code: 'other-charset', name: 'another charset than it is written in', text: '{"assay":1}' },
    contentType: 'application/json; charset=utf-16',
  },
  {
    ...{ code: 'unknown-charset', name: 'a charset that does not exist', text: '{"assay":2}' },
    contentType: 'application/json; charset=assay-8',
  },
  {
    ...{ code: 'malformed-media-type', name: 'a malformed media type', text: '{"assay":3}' },
    contentType: 'application/json; =assay; "',
  },
  {
    ...{ code: 'not-encoded', name: 'a coding that it does not have', text: '{"assay":4}' },
    headers: [['Content-Encoding', 'gzip']],
  },
  {
    ...{ code: 'unknown-coding', name: 'a coding that does not exist', text: '{"assay":5}' },
    headers: [['Content-Encoding', 'assay']],
  },
];

/** The same that are no JSON, though lenient readers take them for it. */
export const UNREADABLE_BODIES: readonly HostileBody[] = [
  { code: 'no-bytes', name: 'nothing under the name of JSON', text: '' },
  { code: 'byte-order-mark', name: 'a byte order mark', text: '\ufeff{"assay":6}' },
  { code: 'not-a-number', name: 'NaN', text: '{"assay":NaN,"count":-Infinity}' },
  { code: 'nul-byte', name: 'a NUL byte', text: '\u0000' },
  { code: 'bare-bytes', name: 'bytes alone that are not UTF-8', text: '\u00ff\u00fe\u0000a', isLatin1: true },
];

/** For query parameters and path segments, before percent-encoding. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  { code: 'nul', name: 'NUL character', text: 'assay\u0000' },
  { code: 'long-text', name: 'very long text', text: 'x'.repeat(1_500) },
  { code: 'emoji', name: 'emoji', text: '\u{1f9ea}\u{1f469}\u200d\u{1f52c}' },
  { code: 'metacharacters', name: 'metacharacters', text: `';--"\${7*7}{{7*7}}<script>%[(*\\` },
  { code: 'huge-integer', name: 'huge integer', text: '99999999999999999999999999999999' },
  { code: 'proto', name: '__proto__', text: '__proto__' },
  { code: 'negative-number', name: 'negative number', text: '-1' },
  { code: 'commas', name: 'commas alone', text: ',,assay,' },
  // See `withBytes`.
  { code: 'not-utf-8', name: 'bytes that are not UTF-8', text: 'assay\ud800' },
];

/** U+FFFD, for which half of a surrogate pair is encoded, and the bytes that it would be: they are no UTF-8. */
const [REPLACED, BYTES] = ['%EF%BF%BD', '%ED%A0%80'];

/** The encoded text with halves of surrogate pairs as bytes. */
export function withBytes(encoded: string): string {
  return encoded.replaceAll(REPLACED, BYTES);
}

/** The same undone. */
export function withoutBytes(encoded: string): string {
  return encoded.replaceAll(BYTES, REPLACED);
}

/** The same for path segments: behind a slash that is decoded too early another path begins. */
export const HOSTILE_SEGMENTS: readonly HostileText[] = [
  ...HOSTILE_TEXTS,
  { code: 'slash', name: 'encoded slash', text: 'assay/assay' },
];

/** Members that no description names, one of them with a name that many frameworks read as a path. */
export const UNKNOWN_MEMBERS: Readonly<Record<string, unknown>> = {
  assay: null,
  'assay[0].$where': { $ne: 1 },
  '': [null, { '': '' }],
};

/** The ends of what dates are kept as: years that some calendars or columns do not have. */
export const DATES_AT_THEIR_ENDS: readonly string[] = ['0000-01-01', '9999-12-31'];

/** A number, by JSON's grammar, that is beyond every range: readers make it infinite, which most writers cannot write. */
export const BEYOND_RANGE = '1e400';

/** For parameters of numbers: what readers of floating-point numbers take, and writers of JSON cannot write. */
export const NUMBERS_BEYOND_JSON: readonly HostileText[] = [
  { code: 'not-a-number', name: 'NaN', text: 'NaN' },
  { code: 'infinity', name: 'number beyond every range', text: BEYOND_RANGE },
];

/** A field value has visible ASCII characters only. Source: RFC 9110, 5.5. */
const FIELD_VALUE = /^[\x21-\x7e]+$/;
/** Half of the smallest buffer that servers read a header into. */
const LONG_HEADER_CHARS = 4_000;

/** The same for headers, as far as these can carry them. */
export const HOSTILE_HEADERS: readonly HostileText[] = HOSTILE_TEXTS.filter(({ text }) => FIELD_VALUE.test(text)).map(
  (hostile) => (hostile.code === 'long-text' ? { ...hostile, text: 'x'.repeat(LONG_HEADER_CHARS) } : hostile),
);

function malformed(header: string, text: string): HostileHeader {
  return { code: `malformed-${header.toLowerCase()}`, name: `malformed ${header}`, header, text };
}

/** Headers that every server may read, and none need refuse: all go into one request. */
export const MALFORMED_HEADERS: readonly HostileHeader[] = [
  malformed('If-None-Match', '*assay"'),
  malformed('If-Modified-Since', 'Foo, 99 Bar 9999 99:99:99 GMT'),
  malformed('Accept-Encoding', 'gzip;q=assay, ;'),
  malformed('Forwarded', 'for="[assay;=,'),
  malformed('X-Forwarded-For', 'assay, [::'),
  // Bytes beyond ASCII, which are no text in many languages.
  malformed('User-Agent', 'assay \u00e9\u00ff'),
];

/** Headers for which a request is refused as a rule, before much else of it is read. */
export const REFUSED_HEADERS: readonly HostileHeader[] = [
  malformed('Accept', 'assay/;q=x,/'),
  malformed('Range', 'bytes=9-1,assay'),
  malformed('If-Match', 'W/"assay'),
  malformed('If-Unmodified-Since', 'assay'),
  malformed('X-Forwarded-Host', 'assay[:-1'),
  malformed('X-Forwarded-Proto', 'assay:'),
];
