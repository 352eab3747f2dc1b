// SPEC-08 (should): No operation is marked deprecated. Tolerance: One that is, is listed.
import { breached, toldBreach } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import { operationCheck } from './operation-check.ts';

export const spec08 = operationCheck({
  clause: 'SPEC-08',
  title: 'The operation is not marked deprecated',
  judge({ deprecated, key, pointer }) {
    if (!deprecated) return breached([]);
    const message = `${key} is marked deprecated, expected no such mark`;
    const kind = ['spec-08.deprecated', 'an operation is deprecated'] as const;
    return breached([toldBreach(kind, message, 'no mark', 'deprecated: true', appended(pointer, 'deprecated'))]);
  },
});
