// ERR-05 (must): `doc_url` is `{docs_url}/errors/{code}`. Tolerance: Without a configured docs_url: any absolute URL
//   ending so, the same base in every error.
import { breached } from '../../contract/judgement.ts';
import { err } from '../../wording/err.ts';
import { shortened } from '../answered.ts';
import { docUrlBase, docUrlFor } from './doc-url.ts';
import { errorCheck } from './error-check.ts';
import { isSnakeCase, textMember } from './error-object.ts';

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
