// ERR-07 (must): `instance` is the request path that produced the error. Tolerance: With or without the query string;
//   percent-encoding compared after normalising.
import { breached } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { textMember } from './error-object.ts';
import { isRequestPath } from './request-path.ts';

export const err07 = errorCheck({
  clause: 'ERR-07',
  title: 'error.instance is the request path',
  about: (error) => textMember(error, 'instance') !== null,
  judge(error, { exchange }) {
    const instance = textMember(error, 'instance') ?? '';
    if (isRequestPath(instance, exchange)) return breached([]);
    const actual = shortened(instance);
    const expected = `${exchange.request.path}, with or without the query string`;
    return breached([
      {
        weight: 'breach',
        ...err('err-07.not-request-path', { actual, expected }),
        expected,
        actual,
        pointer: '/error/instance',
      },
    ]);
  },
});
