// ERR-05 (must): `doc_url` is `{docs_url}/errors/{code}`. Tolerance: Without a configured docs_url: any absolute URL
//   ending so, the same base in every error.
import { breached, holds } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import type { RunLaw } from '../run-law.ts';
import { errorCheck } from './error-check.ts';
import { errorObjectOf, isSnakeCase, textMember } from './error-object.ts';

export const err05 = errorCheck({
  clause: 'ERR-05',
  title: 'error.doc_url is {docs_url}/errors/{code}',
  // A code that is no code cannot be compared: ERR-03 has it.
  about: (error) => isSnakeCase(textMember(error, 'code') ?? '') && textMember(error, 'doc_url') !== null,
  judge(error, { docsUrl }) {
    const code = textMember(error, 'code') ?? '';
    const docUrl = textMember(error, 'doc_url') ?? '';
    const sound = docsUrl === null ? docUrlBase(docUrl, code) !== null : docUrl === docUrlFor(docsUrl, code);
    if (sound) return breached([]);
    const actual = shortened(docUrl);
    const expected = docsUrl === null ? `an absolute URL that ends /errors/${code}` : docUrlFor(docsUrl, code);
    return breached([
      {
        weight: 'breach',
        ...err('err-05.not-doc-url', { actual, expected }),
        expected,
        actual,
        pointer: '/error/doc_url',
      },
    ]);
  },
});

/** The only doc_url that a configured {docs_url} allows for this code. */
function docUrlFor(docsUrl: string, code: string): string {
  return `${withoutLastSlashes(docsUrl)}/errors/${code}`;
}

/** The base of an absolute http(s) URL that ends `/errors/{code}`; null for any other text. */
function docUrlBase(docUrl: string, code: string): string | null {
  const ending = `/errors/${code}`;
  if (!/^https?:\/\//i.test(docUrl) || !docUrl.endsWith(ending)) return null;
  const base = docUrl.slice(0, -ending.length);
  const url = URL.parse(base);
  return url === null || url.search !== '' || url.hash !== '' ? null : withoutLastSlashes(url.href);
}

/** A pattern would take time with the square of the slashes. */
function withoutLastSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/**
 * Where no {docs_url} is configured, a law over the run: every error's doc_url has the same base. The first one seen is what
 * the others are compared with, so each run has a law of its own.
 */
export function docUrlBaseLaw(): RunLaw {
  let first: { readonly base: string; readonly exchange: string } | null = null;
  return {
    clause: 'ERR-05',
    title: 'All errors share one base of doc_url',
    observe(exchange) {
      const error = errorObjectOf(exchange);
      const code = error && textMember(error, 'code');
      const docUrl = error && textMember(error, 'doc_url');
      const base = code && docUrl ? docUrlBase(docUrl, code) : null;
      if (base === null) return null;
      first ??= { base, exchange: exchange.id };
      if (base === first.base) return { judgement: holds(), exchanges: [exchange.id] };
      const expected = `the base ${first.base}, as in ${first.exchange}`;
      const actual = shortened(base);
      const told = err('err-05.other-base', { actual, expected });
      return {
        judgement: breached([{ weight: 'breach', ...told, expected, actual, pointer: '/error/doc_url' }]),
        exchanges: [first.exchange, exchange.id],
      };
    },
  };
}
