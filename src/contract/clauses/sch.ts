// The clauses on answers against their description: what each says, what it needs, who judges it and how a breach is repaired.
import { AN_ANSWER, EVERY_SUITE, entries, REFUSALS } from './entry.ts';

export const SCH = entries('SCH', { severity: 'schema', needs: AN_ANSWER, on: ['exchange'], load: EVERY_SUITE }, [
  {
    id: 'SCH-01',
    text: 'A response body validates against the schema declared for its operation, status and media type.',
    tolerance:
      '3.0 (nullable, exclusiveMinimum booleans) and 3.1 (JSON Schema 2020-12) dialects. Formats date-time, date, email, uri, uuid, hostname, ipv4, ipv6 are asserted in both. `readOnly` properties may be in responses; `writeOnly` ones must not be.',
    judges: ['checks/sch/sch-01'],
    experiments: ['probes/reach/depth'],
    openapi: 'description',
    repair: 'Change the serialiser of the answer or its schema, so that both have the same members and types.',
  },
  {
    id: 'SCH-02',
    text: 'The content type is one that the operation declares for that status (parameters such as charset aside); errors are JSON.',
    judges: ['checks/sch/sch-02'],
    openapi: 'description',
    repair: 'Send the content type that the operation declares; errors are `application/json`.',
  },
  {
    id: 'SCH-03',
    text: 'A 204 (and a 304) carries no body; a body that is declared is not empty.',
    judges: ['checks/sch/sch-03'],
    openapi: 'description',
    repair: 'Send no body with 204 and 304, and a body where one is declared.',
  },
  {
    id: 'SCH-04',
    text: 'Declared response headers are present when required and validate.',
    judges: ['checks/sch/sch-04'],
    openapi: 'description',
    repair: 'Send the header with a value of its schema, or declare it as optional.',
  },
  {
    id: 'SCH-05',
    text: 'A success or redirect status is declared for the operation (`2XX`, `default` count).',
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    repair: 'Declare the status for the operation, or answer with a declared one.',
  },
  {
    id: 'SCH-06',
    text: 'No 5xx in answer to a request, valid or not, other than 503.',
    tolerance:
      'Every attempt is judged: a 5xx other than 503 is a breach even if a retry succeeds. A 503 that stays after the retries is reported here.',
    // A 5xx leaves a client without an answer.
    severity: 'availability',
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    occasions: REFUSALS,
    repair: 'Find the exception by its request id, and answer bad input with 400 before it reaches that code.',
  },
  {
    id: 'SCH-07',
    text: 'Statuses that the contract rules out are not used.',
    severity: 'form',
    judges: ['checks/sch/sch-05-to-08-statuses'],
    repair: 'Answer with a status that the contract allows, such as 400, 403 or 429.',
  },
  {
    id: 'SCH-08',
    level: 'should',
    text: 'An error status is declared for the operation, unless it needs no declaration.',
    tolerance: 'None need the statuses that the contract lists, else those that HTTP itself answers with.',
    severity: 'form',
    judges: ['checks/sch/sch-05-to-08-statuses'],
    openapi: 'description',
    occasions: REFUSALS,
    repair: 'Declare the error status for the operation, or use a common one.',
  },
  {
    id: 'SCH-09',
    level: 'should',
    text: 'Properties that the schema does not mention (where it allows them) are listed as drift.',
    severity: 'form',
    judges: ['checks/sch/sch-09'],
    openapi: 'description',
    repair: 'Describe the property, or stop sending it.',
  },
]);
