// Defects of refusals: what is rightly refused is told by another code than the contract states.
import { type Named, named } from './defect.ts';

export interface CodeDefect extends Named {
  /** The code that is told in place of the stated one. */
  readonly code: string;
}

const otherCode = (clause: string, says: string, code: string): CodeDefect => ({
  ...named(clause, 'other-code', says),
  code,
});

export const CODE_DEFECTS: readonly CodeDefect[] = [
  otherCode('AUTH-01', 'A request with no token is refused with another code.', 'authentication_required'),
  otherCode('AUTH-02', 'A request with an invalid token is refused with another code.', 'token_malformed'),
  otherCode('AUTH-03', 'A request with an expired token is refused with another code.', 'token_expired'),
  otherCode('REQ-01', 'An unknown path is refused with another code.', 'route_not_found'),
  otherCode('REQ-02', 'An unknown id is refused with another code.', 'not_found'),
  otherCode('REQ-03', 'A missing member is refused with another code.', 'missing_field'),
  otherCode('REQ-04', 'A member of another type is refused with another code.', 'invalid_body'),
];
