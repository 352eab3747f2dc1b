// The clauses on requests that are wrong: what each says, what it needs, who judges it and how a breach is repaired.
import { A_REFUSAL, entries } from './entry.ts';

export const REQ = entries('REQ', { severity: 'schema', needs: A_REFUSAL, on: ['experiment'] }, [
  {
    id: 'REQ-01',
    text: 'An unknown path is refused as the contract states.',
    tolerance: 'Trailing slashes and letter case are not probed.',
    judges: ['checks/req/req-01-to-08-answers'],
    experiments: ['probes/requests/platform-places'],
    repair: 'Let the fallback route answer as where an id is not found.',
  },
  {
    id: 'REQ-02',
    text: 'An unknown resource id, in the path or in a body that names things by the contract, is refused as an unknown path is.',
    tolerance:
      'Only for ids that are well formed by the schema; a malformed id may be 400. A PUT that declares 201 may create.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/unknown-ids', 'probes/requests/deleted'],
    openapi: 'description',
    repair: 'Answer 404 where the look-up of an id gives nothing.',
  },
  {
    id: 'REQ-03',
    text: 'A missing required body field is refused, that field named.',
    tolerance: '422 in place of 400, whatever its code: advisory.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
    shownByTraffic: 'no request that is known to the byte lacked one required field, and no other thing',
    repair: 'Validate required members before the handler runs, and name the one that lacks.',
  },
  {
    id: 'REQ-04',
    text: 'A field of the wrong JSON type is refused, that field named.',
    tolerance:
      'Servers may coerce scalars between string, number and boolean (accepting is an advisory); an object or array in place of a scalar must be rejected. `null` for an optional field accepted: advisory.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
    shownByTraffic: 'no request that is known to the byte had one field of the wrong type, and no other flaw',
    repair: 'Validate types strictly, without conversion, and name the member.',
  },
  {
    id: 'REQ-05',
    text: 'Malformed JSON → 4xx with the envelope.',
    tolerance: 'Code not judged.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/not-understood'],
    openapi: 'description',
    shownByTraffic: 'no request that is known to the byte was malformed JSON',
    repair: 'Catch the JSON parser, and answer 400 in the one shape of errors.',
  },
  {
    id: 'REQ-06',
    text: 'A method not described on a known path, and an unsupported media type → 4xx (404, 405, 415 or 400) with the envelope.',
    tolerance:
      'Probed only with what does no harm should it exist (GET, HEAD, an unregistered method): never an undeclared POST, PUT, PATCH or DELETE. OPTIONS, and HEAD where GET is described, may succeed. The media-type probe sends a body that is not valid JSON; valid JSON accepted under another type is an observation.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/not-understood'],
    openapi: 'description',
    repair: 'Let the router answer 405, 404 or 415 in the one shape of errors.',
  },
  {
    id: 'REQ-07',
    text: 'An email is registered once: a second registration of it is refused, and so is one that lacks a required member.',
    judges: ['checks/req/req-07-registration'],
    experiments: ['probes/requests/registration'],
    repair: 'Make emails unique in the database, and refuse a second registration.',
  },
  {
    id: 'REQ-08',
    level: 'should',
    text: 'A value outside declared constraints (enum, format, min/max, pattern) is refused.',
    tolerance: 'Accepting it is an advisory.',
    judges: ['checks/req/req-01-to-08-answers', 'checks/req/status-classes'],
    experiments: ['probes/requests/bad-requests', 'probes/requests/spoiled-parameters'],
    openapi: 'description',
    repair: 'Validate enum, format and bounds as described, and refuse what breaks them.',
  },
  {
    id: 'REQ-09',
    text: 'No request, valid or not, goes unanswered for 30 s. Hostile input (very long strings and arrays, deep nesting, emoji, NUL, lone surrogates, `__proto__`, huge numbers, duplicate query parameters) → never 5xx, never a hang, never a dropped connection without an answer.',
    // No answer comes.
    severity: 'availability',
    needs: { hostile: 1 },
    judges: ['checks/req/req-09-unanswered'],
    experiments: ['probes/requests/hostile-input'],
    openapi: 'description',
    shownByTraffic: true,
    repair: 'Bound the size and the depth of input, and give every handler a time limit.',
  },
]);
