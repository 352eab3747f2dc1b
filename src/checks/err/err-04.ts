// ERR-04 (must): The status in the body equals the HTTP status.
import { breached } from '../../contract/judgement.ts';
import { placeName } from '../../exchange/envelope.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { type PlacedStatus, statusesIn } from './error-object.ts';

export const err04 = errorCheck({
  clause: 'ERR-04',
  title: 'The status in the body equals the HTTP status',
  about: (error) => statusesIn(error).length > 0,
  judge(error, { exchange }) {
    const status = exchange.response?.status ?? 0;
    const stated = statusesIn(error);
    if (isOfSeveral(status, stated)) return breached([], stated.length);
    const subject = placeName(error.terms.members.status?.at ?? '');
    const breaches = stated.flatMap(({ pointer, status: own }) => {
      if (own === status) return [];
      const told = err('err-04.differs', { subject, stated: own, status });
      return [{ weight: 'breach', ...told, expected: String(status), actual: String(own), pointer } as const];
    });
    return breached(breaches, stated.length);
  },
});

/**
 * Tells whether the errors of one list differ, and the answer has the status of one of them or the general one of their
 * class. Source: JSON:API 1.1, Errors.
 */
function isOfSeveral(status: number, stated: readonly PlacedStatus[]): boolean {
  const own = new Set(stated.map((one) => one.status));
  const isGeneral = status % 100 === 0 && [...own].every((one) => Math.floor(one / 100) <= status / 100);
  return own.size > 1 && (own.has(status) || isGeneral);
}
