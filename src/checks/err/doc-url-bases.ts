// ERR-05 without a configured {docs_url}, a law over the run: every error's doc_url has the same base. The first one seen
// is what the others are compared with.
//
// ERR-05 (must): `doc_url` is `{docs_url}/errors/{code}`. Tolerance: Without a configured docs_url: any absolute URL
//   ending so, the same base in every error.
import { breached, holds } from '../../contract/judgement.ts';
import { err } from '../../wording/err.ts';
import { shortened } from '../answered.ts';
import type { RunLaw } from '../run-law.ts';
import { docUrlBase } from './doc-url.ts';
import { errorObjectOf, textMember } from './error-object.ts';

/** The law with no base seen yet: one a run. Only for targets without a configured docsUrl. */
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
