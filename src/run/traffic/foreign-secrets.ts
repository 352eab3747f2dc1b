// Secrets of foreign traffic, kept until the report is written, and taken out of it then. Answers are judged as they came: what a
// recording shows as a secret may be an ordinary value of an answer, and masking that would break what is judged.
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';

/** More are not kept. */
const MOST_KEPT = 2000;
/** So many are looked for in every form, base64 and parts included. Tokens come first, then what a text of the report holds. */
const MOST_SOUGHT = 256;
/** Tokens that are looked for whether or not they show. */
const MOST_TOKENS = 64;
/** Shorter values are no credible secrets anywhere but in their place. */
const SHORTEST = 8;
/** A value of letters, digits aside, is a word; of these only long ones are secrets, and only where their name says so. */
const WORD = /^[A-Za-z]+(?:[-_. /][A-Za-z]+)*$/;
const LONGEST_WORD = 15;
const NAMES_A_WORD = /passw|passphrase|pwd|secret/i;

const SHAPES = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(Bearer|Basic) +(?!\[)[\w.~+/-]{12,}=*/gi;

export class ForeignSecrets {
  readonly #tokens = new Map<string, string>();
  readonly #values = new Map<string, string>();

  /** A value that stands where its name tells of a secret. */
  readonly tell = (name: string, value: string): void => {
    if (this.#values.size < MOST_KEPT && isSearchable(name, value)) this.#values.set(value, name);
  };

  /** What was sent as a token. */
  readonly tellToken = (name: string, value: string): void => {
    if (value.length >= 2 * SHORTEST && this.#tokens.size < MOST_TOKENS) this.#tokens.set(value, name);
    else this.tell(name, value);
  };

  /** What takes them out of the texts of `told`, with what `redactor` knows, and whatever has the shape of a token. */
  sealing(redactor: Redactor, told: unknown): Pick<Redactor, 'conceal'> {
    for (const [value, name] of this.#tokens) redactor.add({ name, value });
    let room = MOST_SOUGHT;
    for (const [value, name] of this.#shownIn(JSON.stringify(told))) {
      if (room === 0) break;
      room -= 1;
      redactor.add({ name, value });
    }
    return { conceal: (text) => withoutShapes(redactor.conceal(text)) };
  }

  /** The values of which the text holds some characters in a row. */
  #shownIn(text: string): ReadonlyMap<string, string> {
    const parts = new Map<string, string>();
    for (const value of this.#values.keys())
      for (const form of [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)])
        for (let at = 0; at + SHORTEST <= form.length; at += 1) parts.set(form.slice(at, at + SHORTEST), value);
    const shown = new Map<string, string>();
    for (let at = 0; parts.size > 0 && at + SHORTEST <= text.length; at += 1) {
      const value = parts.get(text.slice(at, at + SHORTEST));
      if (value !== undefined) shown.set(value, this.#values.get(value) ?? '');
    }
    return shown;
  }
}

function isSearchable(name: string, value: string): boolean {
  if (value.length < SHORTEST) return false;
  return !WORD.test(value) || (value.length > LONGEST_WORD && NAMES_A_WORD.test(name));
}

function withoutShapes(text: string): string {
  return text.replace(SHAPES, (_whole, scheme: string | undefined) =>
    scheme === undefined ? '[redacted token]' : `${scheme} [redacted token]`,
  );
}
