// Looks for secrets in what a run wrote, byte by byte: every run of eight characters, in any case, as it stands and under
// escapes, base64 and hex, compressed parts unpacked. It shares nothing with what keeps the secrets out.
import { gunzipSync } from 'node:zlib';

/** Eight characters of a secret, and where they were found. */
export interface Leak {
  readonly artefact: string;
  /** How the artefact was read: "unescaped, base64". */
  readonly reading: string;
  readonly secret: string;
  /** The eight characters with what stands around them. */
  readonly around: string;
}

export interface Artefact {
  readonly name: string;
  readonly text: string;
}

const RUN = 8;
/** Shorter secrets are not looked for. */
const SHORTEST = 16;
const AROUND = 40;
/** How each JWT begins, whoever made it: these letters ({"alg":") are no secret. */
const JWT_START = 'eyJhbGciOiJ';

/** Every leak of a secret of sixteen characters or more, at most one for each reading of each artefact. `known`: texts that are no leak. */
export function leaksIn(
  artefacts: readonly Artefact[],
  secrets: readonly string[],
  known: ReadonlySet<string> = new Set(),
): readonly Leak[] {
  const runs = new Runs(secrets.filter((secret) => secret.length >= SHORTEST));
  const leaks: Leak[] = [];
  for (const { name, text } of artefacts) {
    for (const whole of unpacked(text)) {
      if (known.has(whole)) continue;
      for (const [reading, read] of readings(whole)) {
        const at = runs.firstIn(read);
        if (at === null) continue;
        const around = read.slice(Math.max(0, at.index - AROUND), at.index + AROUND);
        leaks.push({ artefact: name, reading, secret: at.secret, around });
      }
    }
  }
  return leaks;
}

/** Which eight characters belong to which secret; most places of a text are passed by their first and last letter. */
class Runs {
  readonly #secretOf = new Map<string, string>();
  readonly #ends = new Uint8Array(65_536);

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      for (const text of [secret, Buffer.from(secret).toString('latin1')].map((one) => one.toLowerCase())) {
        const first = secret.startsWith(JWT_START) ? JWT_START.length - RUN + 1 : 0;
        for (let index = first; index + RUN <= text.length; index += 1) {
          this.#secretOf.set(text.slice(index, index + RUN), secret);
          this.#ends[endsAt(text, index)] = 1;
        }
      }
    }
  }

  firstIn(read: string): { readonly index: number; readonly secret: string } | null {
    const text = read.toLowerCase();
    for (let index = 0; index + RUN <= text.length; index += 1) {
      if (this.#ends[endsAt(text, index)] === 0) continue;
      const secret = this.#secretOf.get(text.slice(index, index + RUN));
      if (secret !== undefined) return { index, secret };
    }
    return null;
  }
}

function endsAt(text: string, index: number): number {
  return ((text.charCodeAt(index) & 0xff) << 8) | (text.charCodeAt(index + RUN - 1) & 0xff);
}

/** The text without what is compressed in it, and that unpacked. */
function* unpacked(text: string): Generator<string> {
  const packed: string[] = [];
  yield text.replaceAll(/H4sI[A-Za-z0-9+/]{40,}={0,2}/g, (base64) => {
    packed.push(base64);
    return '';
  });
  for (const base64 of packed) yield* unpacked(gunzipSync(Buffer.from(base64, 'base64')).toString());
}

/** A quote that ends or begins a text of JSON: one that belongs to the text, as a secret's would, is escaped. */
const BARE_QUOTE = /(?<!\\)"/g;
/** Stands for such a quote, and for no letter of a secret. */
const NO_QUOTE = '\ue000';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text as it is, with escapes undone level by level, and what stands in each of these in base64 and hex. */
function* readings(text: string): Generator<readonly [reading: string, read: string]> {
  let plain = isJson(text) ? text.replaceAll(BARE_QUOTE, NO_QUOTE) : text;
  for (let level = 0; level < 6; level += 1) {
    const name = level === 0 ? 'as it is' : `unescaped ${level} times`;
    yield [name, plain];
    const joined = plain.replaceAll(/[\s\0\u200b]+/g, '');
    if (joined !== plain) yield [`${name}, joined`, joined];
    yield* encodedIn(joined, name);
    const less = unescaped(plain);
    if (less === plain) break;
    plain = less;
  }
}

function* encodedIn(text: string, name: string, depth = 0): Generator<readonly [string, string]> {
  const base64: string[] = [];
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{11,}/g)) {
    for (const skip of [0, 1, 2, 3]) base64.push(Buffer.from(run.slice(skip), 'base64').toString('latin1'));
  }
  const read = base64.join('\n');
  yield [`${name}, base64`, read];
  if (depth < 1 && /[A-Za-z0-9+/_-]{11,}/.test(read)) yield* encodedIn(read, `${name}, base64`, depth + 1);
  const hex: string[] = [];
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}){8,}[0-9a-f]?/gi)) {
    for (const skip of [0, 1]) hex.push(Buffer.from(run.slice(skip), 'hex').toString('latin1'));
  }
  yield [`${name}, hex`, hex.join('\n')];
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** One level of JSON's, the URL's and HTML's escapes undone, one kind after the other. */
function unescaped(text: string): string {
  return text
    .replaceAll(/\\(?:u([0-9a-f]{4})|(["\\/nrt]))/gi, (_, hex?: string, one = '') =>
      hex === undefined ? (CONTROLS[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code < 0x110000 ? String.fromCodePoint(code) : whole;
    });
}
