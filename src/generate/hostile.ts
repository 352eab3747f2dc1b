// Hostile values: input that no sane client sends and no server may stumble over (REQ-09). Bounded, so that a refusal
// is the application's and not that of a front end with a small buffer.

interface Hostile {
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
}

const LONG_CHARS = 20_000;
/** Beyond the buffers of 64 kB and 100 kB that many servers begin with, far below what front ends refuse. */
const HUGE_CHARS = 128_000;
const DEEP_LEVELS = 500;

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
];

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
