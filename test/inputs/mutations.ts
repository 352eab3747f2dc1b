// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax under test
// Ways in which a file that somebody hands over is broken, by accident or on purpose. A text of JSON is changed where a value
// stands; any text is cut, and its bytes are replaced.
import fc from 'fast-check';

/** Texts of JSON that no value of JavaScript is written as. */
const RAW: Readonly<Record<string, string>> = {
  deepLists: '['.repeat(20_000) + ']'.repeat(20_000),
  deepObjects: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  beyondMeasure: '1e999',
  sixtyDigits: '9'.repeat(60),
  prototype: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  loneSurrogate: '"\\ud800"',
  longText: `"${'x'.repeat(100_000)}"`,
  manyItems: `[${'{},'.repeat(20_000)}{}]`,
  twice: '{"a":1,"a":{"b":2}}',
};

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, -0, '', ' ', 'x', '\0', '../../..', '/etc/passwd', '${NO_SUCH_NAME}'],
  ...[
    [],
    {},
    [[]],
    [null],
    { '': '' },
    { __proto__: null },
    '*'.repeat(300),
    'http://127.0.0.1:1/',
    'file:///dev/zero',
  ],
];

const marker = (name: string): string => `@@${name}@@`;

/** The JSON text of the value with some of the places in it holding something else, gone, or named otherwise. */
export function brokenJson(value: unknown): fc.Arbitrary<string> {
  const change = fc.record({
    /** Which of the places, counted round. */
    at: fc.nat(),
    how: fc.constantFrom('replace' as const, 'replace' as const, 'remove' as const, 'rename' as const),
    what: fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...Object.keys(RAW).map(marker)), fc.jsonValue()),
    name: fc.constantFrom('__proto__', 'constructor', 'toString', '', '$ref', 'x'.repeat(5000)),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    let text = JSON.stringify(value);
    for (const { at, how, what, name } of changes) {
      const places = countedPlaces(JSON.parse(text));
      let left = at % places;
      const changed = changedIn(JSON.parse(text), (holder, key) => {
        if (left-- !== 0) return;
        if (how === 'rename' && !Array.isArray(holder)) {
          const own = holder[key];
          delete holder[key];
          Object.defineProperty(holder, name, { value: own, enumerable: true, configurable: true, writable: true });
        } else if (how === 'remove' && !Array.isArray(holder)) delete holder[key];
        else holder[key] = what;
      });
      text = JSON.stringify(changed);
    }
    return Object.entries(RAW).reduce((whole, [name, raw]) => whole.replaceAll(`"${marker(name)}"`, raw), text);
  });
}

type Holder = Record<string, unknown>;

/** Calls `visit` for every place below the root, the root itself held by an object of its own. */
function changedIn(root: unknown, visit: (holder: Holder, key: string) => void): unknown {
  const outer: Holder = { root };
  const walk = (holder: Holder, key: string): void => {
    const inner = holder[key];
    visit(holder, key);
    if (typeof inner === 'object' && inner !== null && holder[key] === inner)
      for (const name of Object.keys(inner)) walk(inner as Holder, name);
  };
  walk(outer, 'root');
  return outer.root ?? null;
}

function countedPlaces(root: unknown): number {
  let places = 0;
  changedIn(root, () => {
    places += 1;
  });
  return places;
}

const BYTES: readonly Buffer[] = [
  Buffer.of(0xff),
  Buffer.of(0xc0, 0xaf),
  Buffer.of(0xed, 0xa0, 0x80),
  Buffer.of(0),
  Buffer.of(0xef, 0xbb, 0xbf),
  Buffer.of(0xff, 0xfe),
  ...[
    '{',
    ']',
    '"',
    '\\',
    '\n',
    '\t- ',
    ': ',
    '&a [*a]',
    '*a',
    '!!js/function',
    '--- ',
    '<<: ',
    '%',
    '\u2028',
    '-----',
  ].map((text) => Buffer.from(text)),
];

/** The bytes cut, or with others in the place of some. */
export function brokenBytes(valid: Buffer): fc.Arbitrary<Buffer> {
  const cut = fc.nat(valid.length).map((length) => valid.subarray(0, length));
  const doubled = fc.nat(valid.length).map((from) => Buffer.concat([valid, valid.subarray(from)]));
  const place = fc.record({ from: fc.nat(valid.length), length: fc.nat(20), put: fc.constantFrom(...BYTES) });
  const replaced = fc
    .array(place, { minLength: 1, maxLength: 4 })
    .map((places) =>
      places.reduce(
        (bytes, { from, length, put }) =>
          Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(Math.min(from + length, bytes.length))]),
        valid,
      ),
    );
  const odd = fc.constantFrom(
    ...[Buffer.alloc(0), Buffer.from('null'), Buffer.from('[]'), Buffer.from('\0'.repeat(5000))],
    ...[Buffer.from('['.repeat(50_000)), Buffer.from('{"a":'.repeat(50_000)), Buffer.from('- '.repeat(20_000))],
    ...[Buffer.from(aliasBomb()), Buffer.from('a: &a\n  b: *a\n'), Buffer.from(valid.toString(), 'utf16le')],
  );
  return fc.oneof(cut, replaced, replaced, doubled, odd);
}

/** A few lines of YAML whose aliases stand for a thousand million values. */
function aliasBomb(): string {
  const lines = Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join()}]`);
  return `l0: &l0 [x]\n${lines.join('\n')}\n`;
}
