// The clauses on errors: what each says, what it needs, who judges it and how a breach is repaired.
import { A_COMPARISON, AN_ANSWER, EVERY_SUITE, entries, REFUSALS } from './entry.ts';

export const ERR = entries(
  'ERR',
  { severity: 'form', needs: AN_ANSWER, on: ['exchange'], load: EVERY_SUITE, occasions: REFUSALS },
  [
    {
      id: 'ERR-01',
      text: 'The body is one JSON object of the shape that the contract states.',
      tolerance: 'An error without a body is a breach (HEAD aside).',
      judges: ['checks/err/err-01'],
      repair: 'Let one error handler answer everything, proxies and frameworks included, in the one shape of errors.',
    },
    {
      id: 'ERR-02',
      text: 'The members that errors always have are present; strings non-empty, the status an integer.',
      tolerance: 'Further members are allowed.',
      judges: ['checks/err/err-02'],
      repair: 'Fill every member of the error in the one error handler.',
    },
    {
      id: 'ERR-03',
      text: 'The code is written in the form that the contract states.',
      judges: ['checks/err/err-03'],
      repair: 'Write all error codes in the one form.',
    },
    {
      id: 'ERR-04',
      text: 'The status in the body equals the HTTP status.',
      judges: ['checks/err/err-04'],
      repair: 'Take the status in the body from the status that is sent.',
    },
    {
      id: 'ERR-05',
      text: 'The address of the documentation is the one of the code.',
      tolerance: 'Without a configured docs_url: any absolute URL of this form, the same base in every error.',
      on: ['exchange', 'run'],
      judges: ['checks/err/err-05'],
      repair: 'Make the address of the documentation from the code.',
    },
    {
      id: 'ERR-06',
      text: 'The id of the request identifies it: two requests never share one.',
      tolerance: 'A replay of an idempotent original (IDEM-01) may repeat it.',
      // One id alone is shared with no other.
      needs: A_COMPARISON,
      on: ['run'],
      judges: ['checks/err/err-06-request-ids'],
      repair: 'Draw a request id for each request, and do not cache errors.',
    },
    {
      id: 'ERR-07',
      text: 'The instance is the request path that produced the error.',
      tolerance: 'With or without the query string; percent-encoding compared after normalising.',
      judges: ['checks/err/err-07'],
      repair: 'Set the instance to the path of the request as it was sent.',
    },
    {
      id: 'ERR-08',
      text: 'The timestamp is ISO 8601 with date, time and zone.',
      tolerance: "Fractions and any offset allowed. More than 5 minutes from the response's Date header: advisory.",
      judges: ['checks/err/err-08'],
      repair: 'Write the time of the error in ISO 8601 with a zone, such as 2026-01-31T12:00:00Z.',
    },
    {
      id: 'ERR-09',
      text: 'Errors of refused input name the members that offend.',
      tolerance: 'Malformed JSON may name none when its code is another one.',
      judges: ['checks/err/err-09'],
      repair: 'Translate what the validator reports into the names of the members that offend.',
    },
    {
      id: 'ERR-10',
      text: 'The member that an error names is the one that offended: for a probe that spoils exactly one known field, that field.',
      tolerance: '`a.b`, `a[0]`, `/a/b` notations accepted.',
      on: ['exchange', 'experiment'],
      judges: ['checks/err/err-10', 'checks/req/req-01-to-08-answers'],
      experiments: ['probes/requests/bad-requests'],
      repair: 'Name the member that was refused, as the request calls it.',
    },
    {
      id: 'ERR-11',
      text: 'A listed code comes with its type and status.',
      tolerance:
        'The code of refused input with 422: advisory. Unlisted codes and types are allowed and never judged; they are collected as observations.',
      judges: ['checks/err/err-11'],
      repair: 'Keep one table of codes with type and status, and make errors from it.',
    },
    {
      id: 'ERR-12',
      text: 'No response, error or not, echoes the bearer token (a key must not be logged or embedded), and no error carries a stack trace or source path.',
      tolerance: 'The second half is ours: it follows from "may hold personal data" and common sense.',
      // It puts a token or a stack trace into an answer.
      severity: 'security',
      judges: ['checks/err/err-12'],
      repair: 'Never copy headers, exceptions or stack traces into an answer; log them under the request id.',
    },
    {
      id: 'ERR-13',
      text: 'The shape of errors is not used for success.',
      severity: 'schema',
      judges: ['checks/err/err-13'],
      repair: 'Answer errors with a 4xx or 5xx status, not with 2xx.',
    },
    {
      id: 'ERR-14',
      text: "An error's body validates against the contract's error schema, under the media type that the contract names.",
      tolerance: 'Bound by a contract file (problem details: RFC 9457).',
      judges: ['checks/err/err-14'],
      repair: 'Let one error handler write the media type and the members that the contract names.',
    },
  ],
);
