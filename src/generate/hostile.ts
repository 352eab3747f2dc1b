// Hostile values: input that no sane client sends and no server may stumble over (REQ-09). Bounded, so that a refusal
// is the application's and not that of a front end with a small buffer.

export interface HostileValue {
  /** What it is, in words that group findings. */
  readonly name: string;
  readonly value: unknown;
}

const LONG = 20_000;
const DEEP = 500;

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { assay: value };
  return value;
}

/** For members of JSON bodies. */
export const HOSTILE_MEMBERS: readonly HostileValue[] = [
  { name: 'NUL character', value: 'assay\u0000hidden' },
  { name: 'lone surrogate', value: 'assay\ud800' },
  { name: 'very long string', value: 'x'.repeat(LONG) },
  { name: 'deep nesting', value: nested(DEEP) },
  { name: 'emoji and right-to-left text', value: '\u{1f9ea}\u202etset\u202c \u0627\u062e\u062a\u0628\u0627\u0631' },
  { name: 'very long array', value: Array.from({ length: 5_000 }, (_, index) => index) },
  {
    name: '__proto__ member',
    value: JSON.parse('{"__proto__":{"assay":true},"constructor":{"prototype":{"assay":true}}}'),
  },
  { name: 'huge number', value: 1e308 },
  { name: 'huge integer', value: 9_007_199_254_740_993n.toString() },
  { name: 'SQL and template metacharacters', value: `';--"\${7*7}{{7*7}}<script>%0d%0a` },
  { name: 'empty string', value: '' },
];

/** Whole bodies, as text: JSON that parses, but holds what parsers differ on. */
export const HOSTILE_BODIES: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'number beyond every range', text: '{"assay":1e400,"count":-1e400}' },
  { name: 'duplicate member', text: '{"assay":1,"assay":{"assay":[]}}' },
  { name: '__proto__ at the top', text: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}' },
  { name: 'deep nesting of arrays', text: `${'['.repeat(DEEP)}${']'.repeat(DEEP)}` },
  { name: 'array in place of an object', text: '[[],{},null]' },
  { name: 'null in place of an object', text: 'null' },
  { name: 'string in place of an object', text: '"assay"' },
];

/** For query parameters and path segments, before percent-encoding. */
export const HOSTILE_TEXTS: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'NUL character', text: 'assay\u0000' },
  { name: 'very long text', text: 'x'.repeat(1_500) },
  { name: 'emoji', text: '\u{1f9ea}\u{1f469}\u200d\u{1f52c}' },
  { name: 'metacharacters', text: `';--"\${7*7}{{7*7}}<script>` },
  { name: 'huge integer', text: '99999999999999999999999999999999' },
  { name: '__proto__', text: '__proto__' },
];
