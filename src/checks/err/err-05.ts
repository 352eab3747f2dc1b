// ERR-05 (must): The address of the documentation is the one of the code. Tolerance: Without a configured docs_url:
//   any absolute URL of this form, the same base in every error.
import { type Breach, breached, holds } from '../../contract/judgement.ts';
import type { ErrorTerms } from '../../contract/terms.ts';
import { placeName } from '../../exchange/envelope.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import type { RunLaw } from '../run-law.ts';
import { errorCheck } from './error-check.ts';
import { isOfForm, type PlacedText, type ToldError, textIn, textsIn, toldError } from './error-object.ts';

/** The placeholders that a form of addresses holds for the configured {docs_url} and for the error's code. */
const [BASE, CODE] = ['{docs_url}', '{code}'];

export const err05 = errorCheck({
  clause: 'ERR-05',
  title: 'The address of the documentation is the one of the code',
  // A code that is no code cannot be compared: ERR-03 has it.
  about: (error) => textsIn(error, 'docUrl').length > 0 && (!formOf(error.terms).includes(CODE) || hasCode(error)),
  judge(error, { docsUrl }) {
    const address = addressOf(error);
    const texts = textsIn(error, 'docUrl');
    const breaches = texts.flatMap((placed): readonly Breach[] => {
      const isSound = docsUrl === null ? baseOf(placed.text, address) !== null : isBelow(placed.text, docsUrl, address);
      return isSound ? [] : [breachOf(error, placed, expectedOf(address, docsUrl))];
    });
    return breached(breaches, texts.length);
  },
});

function formOf({ members }: ErrorTerms): string {
  return members.docUrl?.form ?? '';
}

function hasCode(error: ToldError): boolean {
  const code = textIn(error, 'code');
  return code !== null && isOfForm(code, error.terms.members.code?.form ?? null);
}

/** The form with this error's code. */
function addressOf(error: ToldError): string {
  return formOf(error.terms).replaceAll(CODE, textIn(error, 'code') ?? '');
}

function expectedOf(address: string, docsUrl: string | null): string {
  if (address === '') return docsUrl === null ? 'an absolute URL' : `an absolute URL below ${docsUrl}`;
  if (docsUrl !== null) return address.replace(BASE, withoutLastSlashes(docsUrl));
  return address.startsWith(BASE) ? `an absolute URL that ends ${address.slice(BASE.length)}` : address;
}

function breachOf({ terms }: ToldError, { pointer, text }: PlacedText, expected: string): Breach {
  const subject = placeName(terms.members.docUrl?.at ?? '');
  const actual = shortened(text);
  const told = err('err-05.not-doc-url', { subject, form: formOf(terms) || 'an absolute URL', actual, expected });
  return { weight: 'breach', ...told, expected, actual, pointer };
}

/** Tells whether the address is the only one that a configured {docs_url} allows; without a form anything below it. */
function isBelow(url: string, docsUrl: string, address: string): boolean {
  const base = withoutLastSlashes(docsUrl);
  return address === '' ? url.startsWith(base) : url === address.replace(BASE, base);
}

/** The value of {docs_url} in an absolute http(s) URL of the form; null for any other text. */
function baseOf(url: string, address: string): string | null {
  const ending = address.startsWith(BASE) ? address.slice(BASE.length) : '';
  if (!/^https?:\/\//i.test(url) || !url.endsWith(ending)) return null;
  if (ending === '') return (address === '' || url === address) && URL.canParse(url) ? '' : null;
  const base = url.slice(0, -ending.length);
  const parsed = URL.parse(base);
  return parsed === null || parsed.search !== '' || parsed.hash !== '' ? null : withoutLastSlashes(parsed.href);
}

/** A pattern would take time with the square of the slashes. */
function withoutLastSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/**
 * Where no {docs_url} is configured, a law over the run: every error's address has the same base. The first one seen is what
 * the others are compared with, so each run has a law of its own.
 */
export function docUrlBaseLaw(errors: ErrorTerms): RunLaw {
  let first: { readonly base: string; readonly exchange: string } | null = null;
  const subject = placeName(errors.members.docUrl?.at ?? '');
  return {
    clause: 'ERR-05',
    title: 'All errors share one base of the addresses of their documentation',
    observe(exchange) {
      const error = toldError({ exchange, terms: { errors } });
      const placed = error === null ? undefined : textsIn(error, 'docUrl')[0];
      if (error === null || placed === undefined || !formOf(errors).startsWith(BASE)) return null;
      const base = textIn(error, 'code') === null ? null : baseOf(placed.text, addressOf(error));
      if (base === null) return null;
      first ??= { base, exchange: exchange.id };
      if (base === first.base) return { judgement: holds(), exchanges: [exchange.id] };
      const expected = `the base ${first.base}, as in ${first.exchange}`;
      const actual = shortened(base);
      const told = err('err-05.other-base', { subject, actual, expected });
      return {
        judgement: breached([{ weight: 'breach', ...told, expected, actual, pointer: placed.pointer }]),
        exchanges: [first.exchange, exchange.id],
      };
    },
  };
}
