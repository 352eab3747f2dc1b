// Keeps secrets and personal data out of everything that is recorded, reported or logged.

export interface Secret {
  /** As shown in place of the value: "key std-1", "locked token". */
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** Knows one more secret from now on: a refreshed token. Known and too short values are left alone. */
  add(secret: Secret): void;
  /** The text with every form of every secret replaced by `[redacted NAME]`; the same string when it holds none. */
  redact(text: string): string;
  /** Names of the secrets that the text holds in any form, each once. */
  found(text: string): readonly string[];
}

/** Shorter values are no credible secrets, and replacing them would spoil ordinary text. */
const SHORTEST_SECRET = 6;
/** Parts of a token (JWT segments, base64 without its edges) count from this length on. */
const SHORTEST_PART = 16;

interface Form {
  readonly name: string;
  readonly marker: string;
}

/**
 * One regular expression over all forms: as is, percent-encoded, JSON-escaped, base64 and base64url at any alignment,
 * and the payload and signature of a JWT on their own. One linear pass a text, nothing kept.
 */
export function createRedactor(secrets: Iterable<Secret> = []): Redactor {
  const forms = new Map<string, Form>();
  let once = /(?!)/;
  let all = /(?!)/g;
  const redactor: Redactor = {
    add(secret) {
      if (secret.value.length < SHORTEST_SECRET || forms.has(secret.value)) return;
      for (const [text, part] of formsOf(secret.value)) {
        if (!forms.has(text)) forms.set(text, { name: secret.name, marker: markerOf(secret.name, part) });
      }
      const pattern = patternOf(forms.keys());
      once = new RegExp(pattern);
      all = new RegExp(pattern, 'g');
    },
    redact: (text) => (once.test(text) ? text.replace(all, (form) => forms.get(form)?.marker ?? form) : text),
    found(text) {
      if (!once.test(text)) return [];
      const names = new Set<string>();
      for (const [form] of text.matchAll(all)) names.add(forms.get(form)?.name ?? '');
      return [...names];
    },
  };
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

/** What stands in place of a secret. Safe inside a JSON string. */
export function markerOf(name: string, part = ''): string {
  return `[redacted ${name.replaceAll(/["\\\]\p{Cc}]/gu, '')}${part}]`;
}

function* formsOf(value: string): Generator<[text: string, part: string]> {
  yield [value, ''];
  yield [encodeURIComponent(value), ''];
  yield [encodeURIComponent(value).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), ''];
  const escaped = JSON.stringify(value).slice(1, -1);
  yield [escaped, ''];
  yield [escaped.replaceAll('/', '\\/'), ''];
  const [, payload, signature, ...more] = value.split('.');
  if (payload !== undefined && signature !== undefined && more.length === 0) {
    if (payload.length >= SHORTEST_PART) yield [payload, ' payload'];
    if (signature.length >= SHORTEST_PART) yield [signature, ' signature'];
  }
  yield* base64FormsOf(value);
}

/** The stretch of base64 that the value causes wherever it begins in a group of three bytes, without the edges that neighbours colour. */
function* base64FormsOf(value: string): Generator<[text: string, part: string]> {
  for (const offset of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
    const skip = offset === 0 ? 0 : 4;
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = whole.toString(encoding).slice(skip);
      if (text.length >= SHORTEST_PART) yield [text, ' in base64'];
    }
  }
}

/** Longest first, so that a whole token wins over its parts. */
function patternOf(forms: Iterable<string>): string {
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return sorted.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
}
