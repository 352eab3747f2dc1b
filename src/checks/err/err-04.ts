// ERR-04 (must): `status` equals the HTTP status.
import { breached } from '../../contract/judgement.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { integerMember } from './error-object.ts';

export const err04 = errorCheck({
  clause: 'ERR-04',
  title: 'error.status equals the HTTP status',
  about: (error) => integerMember(error, 'status') !== null,
  judge(error, { exchange }) {
    const stated = integerMember(error, 'status');
    const status = exchange.response?.status;
    if (stated === status) return breached([]);
    return breached([
      {
        weight: 'breach',
        ...err('err-04.differs', { stated, status }),
        expected: String(status),
        actual: String(stated),
        pointer: '/error/status',
      },
    ]);
  },
});
