// The clauses on credentials: what each says, what it needs, who judges it and how a breach is repaired.
import { A_REFUSAL, entries, TWO_ANSWERS } from './entry.ts';

export const AUTH = entries('AUTH', { severity: 'security', needs: A_REFUSAL, on: ['experiment'] }, [
  {
    id: 'AUTH-01',
    text: 'On every operation that requires authentication, a request without a token is refused.',
    tolerance: '429 first: retried.',
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals', 'probes/auth/requirements'],
    openapi: 'description',
    shownByTraffic: true,
    repair: 'Put the operation behind the same authentication as the others; refuse before anything is read.',
  },
  {
    id: 'AUTH-02',
    text: 'The same for an invalid token: random, altered signature, `alg: none`, wrong scheme (Basic), token in the query only, empty.',
    tolerance: 'One or more of these per operation, all of them on some; configurable.',
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals', 'probes/auth/invalid-tokens', 'probes/auth/requirements'],
    openapi: 'description',
    repair:
      'Verify signature and algorithm of every token before its claims are used, and read it from the Authorization header alone.',
  },
  {
    id: 'AUTH-03',
    text: 'The same for an expired token.',
    tolerance:
      'With a configured expired token; else a token crafted as expired counts under AUTH-02 and this is "not tested".',
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    openapi: 'description',
    repair: 'Check `exp` of the token on every request.',
  },
  {
    id: 'AUTH-04',
    text: 'A valid token of a locked account is refused as the contract states.',
    tolerance: 'Needs a configured locked token; else "not tested".',
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    repair: 'Look the account up on every request, and refuse it while it is locked.',
  },
  {
    id: 'AUTH-05',
    text: 'The same token is accepted by all services.',
    tolerance: 'Services not testable are left out and named.',
    // A good token is refused.
    severity: 'availability',
    needs: { answers: 1, services: 2 },
    judges: ['run/smoke/smoke-any'],
    experiments: ['probes/auth/accounts', 'probes/auth/borrowed-requests'],
    repair: 'Let all services verify tokens with the same keys, issuer and audience.',
  },
  {
    id: 'AUTH-06',
    text: 'A public operation does not demand a token.',
    severity: 'availability',
    judges: ['checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    openapi: 'description',
    repair: 'Take the public operation out of the authentication.',
  },
  {
    id: 'AUTH-07',
    level: 'discover',
    text: 'Whether a 401 or 404 tells a stranger that an account or a resource exists (a registration that is refused aside).',
    needs: TWO_ANSWERS,
    judges: ['checks/auth/auth-07-told-apart'],
    experiments: ['probes/auth/accounts', 'probes/auth/registered-email'],
    repair: 'Decide whether strangers may learn of accounts; answer both cases alike if not.',
  },
  {
    id: 'AUTH-08',
    level: 'discover',
    text: 'Whether what one account created can be read or changed by another (needs keys of two accounts; `expect.isolation: true` makes it a `must`).',
    judges: ['probes/auth/accounts'],
    experiments: ['probes/auth/accounts'],
    openapi: 'description',
    repair: "Add the account to every query, so that other accounts' ids are not found.",
  },
]);
