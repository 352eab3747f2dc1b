// SPEC-04 (must): Every operation that requires authentication requires a scheme that the contract names, and no
//   other one. Tolerance: Operations with `security: []` are public (e.g. registration, liveness); one that then
//   answers 401 without a token breaches AUTH-06 and SPEC-04, either may be reported.
import { breached, toldBreach } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import { asObject, valueAt } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { DescriptionCheck, DescriptionJudgement } from '../check.ts';
import { operationCheck } from './operation-check.ts';

const requirements = operationCheck({
  clause: 'SPEC-04',
  title: 'An operation that requires authentication requires the schemes of the contract and nothing else',
  judge({ security, key, pointer }, _description, { terms }) {
    const { schemes } = terms.description;
    // An empty alternative makes authentication optional; without any other, the operation is public.
    const alternatives = security.filter((schemes) => schemes.length > 0);
    if (alternatives.length === 0) return null;
    const foreign = [...new Set(alternatives.flat())].filter((name) => !schemes.includes(name));
    if (foreign.length === 0) return breached([]);
    const actual = alternatives.map((schemes) => schemes.join(' and ')).join(', or ');
    const expected = schemes.join(' or ');
    const message = `${key} requires ${actual}, expected ${expected} alone`;
    const [code, cause] = alternatives.flat().some((name) => schemes.includes(name))
      ? ['spec-04.other-scheme', `a scheme other than ${expected} is required`]
      : ['spec-04.absent', `the requirement ${expected} is absent`];
    return breached([toldBreach([code, cause], message, expected, actual, pointer)]);
  },
});

export const spec04: DescriptionCheck = {
  ...requirements,
  judge: (description, under) => [...requirements.judge(description, under), ...silence(description, under.terms)],
};

/** A description that nowhere speaks of security calls nothing public: `security: []` would. */
function silence(
  description: Description,
  { health, registration, description: { schemes } }: Terms,
): readonly DescriptionJudgement[] {
  const { document, operations } = description;
  const isSaid = (at: unknown): boolean => asObject(at).security !== undefined;
  const guarded = operations.filter(({ key }) => key !== registration?.operation && key !== health?.operation);
  if (guarded.length === 0 || isSaid(document) || operations.some(({ pointer }) => isSaid(valueAt(document, pointer))))
    return [];
  const expected = `the requirement ${schemes.join(' or ')}, or security: [] where an operation is public`;
  const message = `no operation of ${guarded.length} requires anything, expected ${expected}`;
  const kind = ['spec-04.nowhere', 'the description speaks of no requirement'] as const;
  return [{ operation: null, judgement: breached([toldBreach(kind, message, expected, 'absent', '')]) }];
}
