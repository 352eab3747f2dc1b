// SPEC-08 (should): No operation is marked deprecated. Tolerance: One that is, is listed.
import { breached } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import { operationCheck } from './operation-check.ts';

export const spec08 = operationCheck({
  clause: 'SPEC-08',
  title: 'The operation is not marked deprecated',
  judge({ deprecated, key, pointer }) {
    if (!deprecated) return breached([]);
    const message = `${key} is marked deprecated, expected no such mark`;
    const place = appended(pointer, 'deprecated');
    return breached([
      {
        weight: 'breach',
        code: 'spec-08.deprecated',
        cause: 'an operation is deprecated',
        message,
        expected: 'no mark',
        actual: 'deprecated: true',
        pointer: place,
      },
    ]);
  },
});
