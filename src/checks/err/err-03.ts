// ERR-03 (must): `code` is snake_case (`[a-z][a-z0-9]*(_[a-z0-9]+)*`).
import { breached } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { isSnakeCase, textMember } from './error-object.ts';

export const err03 = errorCheck({
  clause: 'ERR-03',
  title: 'error.code is snake_case',
  about: (error) => textMember(error, 'code') !== null,
  judge(error) {
    const code = textMember(error, 'code') ?? '';
    if (isSnakeCase(code)) return breached([]);
    const actual = shortened(code);
    const expected = 'snake_case: [a-z][a-z0-9]*(_[a-z0-9]+)*';
    return breached([
      {
        weight: 'breach',
        ...err('err-03.not-snake-case', { actual, expected }),
        expected,
        actual,
        pointer: '/error/code',
      },
    ]);
  },
});
