// Answers kept under load, without secrets and error messages before they reach a file. Run by k6: it writes the files of
// samples.
import { blankErrorMessages } from '../../exchange/error-messages.ts';
import { type Form, formsOf } from '../../exchange/secrets/forms.ts';
import { KnownSecrets } from '../../exchange/secrets/known-secrets.ts';
import { RunSearch } from '../../exchange/secrets/run-search.ts';
import type { SampledAnswer } from './line.ts';

/** A key's secret with the texts by which it is known. Costly to make: all VUs of an instance share it. */
export interface PreparedSecret {
  readonly name: string;
  readonly value: string;
  readonly forms: readonly Form[];
}

/** `value`: as it is sent. */
export function prepared(key: string, value: string): PreparedSecret {
  return { name: `key ${key}`, value, forms: formsOf(value) };
}

/** What headers of limits usually are. Looking closer at each would cost the generator what it is to measure. */
const USUAL = /^(?:.{0,7}|\d{1,13}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** Takes secrets out of what a target says: any eight characters in a row. */
export class Concealer {
  readonly #secrets: readonly PreparedSecret[];
  #made: KnownSecrets | null = null;

  constructor(secrets: readonly PreparedSecret[]) {
    this.#secrets = secrets;
  }

  /** The value of a header. */
  value(value: string): string {
    return USUAL.test(value) ? value : this.#known().conceal(value);
  }

  /** The answer, with what it echoed. */
  answer(answer: SampledAnswer): SampledAnswer {
    const known = this.#known();
    const echoed: { secret: string; where: string }[] = [];
    const clean = (text: string, where: string): string => {
      const shown = known.conceal(text);
      if (shown !== text) for (const secret of known.found(text)) echoed.push({ secret, where });
      return shown;
    };
    const headers = this.#headers(answer.headers, clean);
    const body = clean(answer.body, 'body');
    const isSame = body === answer.body && headers === answer.headers;
    const shown = { ...answer, headers, body: blankErrorMessages(body) };
    return isSame ? shown : { ...shown, concealed: true, echoed };
  }

  /** All are looked at together first: most answers hold nothing. */
  #headers(
    headers: SampledAnswer['headers'],
    clean: (text: string, where: string) => string,
  ): SampledAnswer['headers'] {
    const names = Object.keys(headers);
    const all = names.map((name) => `${name} ${headers[name]}`).join('\n\n');
    const known = this.#known();
    if (known.conceal(all) === all) return headers;
    const shown: Record<string, string> = {};
    for (const name of names) {
      const where = known.conceal(name).toLowerCase();
      shown[clean(name, where)] = clean(headers[name] ?? '', where);
    }
    return shown;
  }

  /** Made for the first answer that is kept: most VUs keep none. */
  #known(): KnownSecrets {
    if (this.#made === null) {
      const forms = (value: string): readonly Form[] => this.#secrets.find((one) => one.value === value)?.forms ?? [];
      this.#made = new KnownSecrets(new RunSearch(), forms);
      for (const { name, value } of this.#secrets) this.#made.add({ name, value });
    }
    return this.#made;
  }
}
