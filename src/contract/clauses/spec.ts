// The clauses on descriptions: what each says, what it needs, who judges it and how a breach is repaired.
import { A_DESCRIPTION, entries } from './entry.ts';

export const SPEC = entries('SPEC', { severity: 'form', needs: A_DESCRIPTION, on: ['description'] }, [
  {
    id: 'SPEC-01',
    text: "Each service's description is valid OpenAPI 3.0.x or 3.1.x.",
    tolerance: 'Errors name file, JSON pointer, rule.',
    judges: ['checks/spec/spec-01'],
    openapi: 'description',
    repair: 'Repair the description at the JSON pointer; `npx assay specs FILE` checks it without a run.',
  },
  {
    id: 'SPEC-02',
    level: 'should',
    text: 'OpenAPI version and info.version are those that the contract states for the service.',
    tolerance: 'A description that is absent makes its service "not testable", never "pass".',
    judges: ['checks/spec/spec-02'],
    repair: 'Set `openapi` and `info.version` of the description to the values of the contract.',
  },
  {
    id: 'SPEC-03',
    text: 'The security schemes are exactly those that the contract names.',
    judges: ['checks/spec/spec-03'],
    repair: 'Declare the security schemes of the contract, and remove others.',
  },
  {
    id: 'SPEC-04',
    text: 'Every operation that requires authentication requires a scheme that the contract names, and no other one.',
    tolerance:
      'Operations with `security: []` are public (e.g. registration, liveness); one that then answers 401 without a token breaches AUTH-06 and SPEC-04, either may be reported.',
    on: ['description', 'experiment'],
    judges: ['checks/spec/spec-04', 'checks/auth/auth-01-to-06-refusals'],
    experiments: ['probes/auth/refusals'],
    occasions: ['AUTH-06'],
    repair: 'Give each operation that needs a token `security: [{ bearer: [] }]`, and public ones `security: []`.',
  },
  {
    id: 'SPEC-05',
    text: 'All paths are under the prefix that the contract states (its liveness check excepted); none is internal.',
    tolerance: 'Taking `servers[].url` into account.',
    judges: ['checks/spec/spec-05'],
    repair: 'Move the path below the prefix, and leave internal paths out of the published description.',
  },
  {
    id: 'SPEC-06',
    text: 'No operation declares a cursor parameter or a version request header; no list operation a sort or order parameter.',
    judges: ['checks/spec/spec-06'],
    repair: 'Remove cursor, sort and order parameters and version headers from the description.',
  },
  {
    id: 'SPEC-07',
    text: 'The header for idempotency keys is declared on the operations that the contract names.',
    tolerance: 'Declared elsewhere: observation.',
    judges: ['checks/spec/spec-07'],
    repair: 'Declare the header parameter for keys on the operation.',
  },
  {
    id: 'SPEC-08',
    level: 'should',
    text: 'No operation is marked deprecated.',
    tolerance: 'One that is, is listed.',
    judges: ['checks/spec/spec-08'],
    repair: 'Remove `deprecated: true`, or the operation.',
  },
  {
    id: 'SPEC-09',
    level: 'discover',
    text: 'Operations, resources (tags), statuses declared per service, against the counts that the source gives.',
    tolerance: 'A drift table, never a verdict.',
    judges: ['checks/spec/spec-09'],
    repair: 'Nothing is to be repaired: compare the counts with what was published.',
  },
  {
    id: 'SPEC-10',
    text: 'The documented operations are described as the contract says: parameters of the query with their types, required members of the body, bodies JSON.',
    tolerance: 'Only for operations that the description contains; those it lacks are listed under SPEC-09.',
    judges: ['checks/spec/spec-10'],
    repair: 'Give the parameter or property the type that the source documents.',
  },
]);
