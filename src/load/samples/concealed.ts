// Answers kept under load, without secrets and error messages before they reach a file. Run by k6: it writes the files of
// samples.
import { blankErrorMessages } from '../../exchange/error-messages.ts';
import { type Form, formsOf } from '../../exchange/secrets/forms.ts';
import { holds, isInParts, KnownSecrets, type Letters, lettersOf } from '../../exchange/secrets/known-secrets.ts';
import { RunSearch, searchable } from '../../exchange/secrets/runs.ts';
import type { SampledAnswer } from './line.ts';

/** A secret with the texts by which it is known. */
export interface PreparedSecret {
  readonly name: string;
  readonly value: string;
  readonly forms: readonly Form[];
  /** Set for what every request carries beside its token: an answer that gives it back echoes no credential. */
  readonly mayBeQuoted?: true;
}

/** Secrets made ready to look at answers. Costly to make: all VUs of an instance share it. */
export interface PreparedSecrets {
  /** Pattern of all secrets, as a search takes it. */
  readonly all: string;
  readonly letters: Letters;
  /** True where some are too short to show by their parts. */
  readonly someShort: boolean;
}

/** `name`: as reports call the secret; `value`: as it is sent. */
export function prepared(name: string, value: string): PreparedSecret {
  return { name, value, forms: formsOf(value) };
}

/** Joins secrets that were prepared one by one. */
export function preparedAll(secrets: readonly PreparedSecret[]): PreparedSecrets {
  const long = secrets.filter(({ value }) => isInParts(value));
  return {
    all: searchable(long.flatMap(({ forms }) => forms.map(({ text }) => text))),
    letters: long.some(({ value }) => lettersOf(value) === 'any') ? 'any' : 'ordinary',
    someShort: long.length < secrets.length,
  };
}

/** Usual values of headers of limits. Looking closer at each would cost the generator what it is to measure. */
const USUAL = /^(?:.{0,7}|\d{1,13}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** Takes secrets out of what a target says: any eight characters in a row. */
export class Concealer {
  readonly #secrets: () => readonly PreparedSecret[];
  readonly #prepared: () => PreparedSecrets;
  #all: PreparedSecrets | null = null;
  #search: RunSearch | null = null;
  #made: KnownSecrets | null = null;

  /** Each is asked once, for the first answer that needs it: most VUs keep none, and most answers hold no secret. */
  constructor(secrets: () => readonly PreparedSecret[], all: () => PreparedSecrets) {
    this.#secrets = secrets;
    this.#prepared = all;
  }

  /** The value of a header. */
  value(value: string): string {
    return USUAL.test(value) || this.#isClean(value) ? value : this.#known().conceal(value);
  }

  /** The answer, with what it echoed. */
  answer(answer: SampledAnswer): SampledAnswer {
    const echoed: { secret: string; where: string }[] = [];
    const clean = (text: string, where: string): string => {
      if (this.#isClean(text)) return text;
      const shown = this.#known().conceal(text);
      if (shown !== text)
        for (const secret of this.#known().found(text)) if (!this.#mayQuote(secret)) echoed.push({ secret, where });
      return shown;
    };
    const headers = this.#headers(answer.headers, clean);
    const body = clean(answer.body, 'body');
    const isSame = body === answer.body && headers === answer.headers;
    const shown = { ...answer, headers, body: blankErrorMessages(body) };
    return isSame ? shown : { ...shown, concealed: true, echoed };
  }

  /** A method: k6's engine fails at private fields that hold functions. */
  #mayQuote(secret: string): boolean {
    return this.#secrets().some(({ name, mayBeQuoted }) => name === secret && mayBeQuoted === true);
  }

  /** All are looked at together first: most answers hold nothing. */
  #headers(
    headers: SampledAnswer['headers'],
    clean: (text: string, where: string) => string,
  ): SampledAnswer['headers'] {
    const names = Object.keys(headers);
    const all = names.map((name) => `${name} ${headers[name]}`).join('\n\n');
    if (this.#isClean(all)) return headers;
    const shown: Record<string, string> = {};
    for (const name of names) {
      const where = this.#known().conceal(name).toLowerCase();
      shown[clean(name, where)] = clean(headers[name] ?? '', where);
    }
    return shown;
  }

  /** Asks no more than whether there is anything: a hundredth of the cost of telling what it is. */
  #isClean(text: string): boolean {
    this.#all ??= this.#prepared();
    const { all, letters, someShort } = this.#all;
    this.#search ??= new RunSearch(all);
    return !someShort && !holds(text, this.#search, letters);
  }

  #known(): KnownSecrets {
    if (this.#made === null) {
      const secrets = this.#secrets();
      const forms = (value: string): readonly Form[] => secrets.find((one) => one.value === value)?.forms ?? [];
      this.#made = new KnownSecrets(new RunSearch(), forms);
      for (const { name, value } of secrets) this.#made.add({ name, value });
    }
    return this.#made;
  }
}
