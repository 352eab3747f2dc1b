// The contract as data: one entry a clause, in catalogue order. Ids are fixed: never renumbered, never reused.
// Texts are the contract's own; a check or a probe names its clause by id and never repeats the text.
import type { Clause, ClauseFamily, Level } from './clause.ts';

function clause(id: string, level: Level, text: string, tolerance: string): Clause {
  return { id, family: id.slice(0, id.lastIndexOf('-')) as ClauseFamily, level, text, tolerance };
}

/** Every clause of the contract, by family in the contract's order, by number within a family. */
export const CLAUSES: readonly Clause[] = [
  clause(
    'SPEC-01',
    'must',
    "Each service's description is valid OpenAPI 3.0.x or 3.1.x.",
    'Errors name file, JSON pointer, rule.',
  ),
  clause(
    'SPEC-02',
    'should',
    'OpenAPI version and info.version are those of the Versioning table (Admin 3.0.0/1.0.0, AI 3.0.0/1.0, Store 3.1.0/0.0.0-pending).',
    'A pending Store export is reported as *pending*, not as a failure: an absent Store description makes Store "not testable", never "pass".',
  ),
  clause(
    'SPEC-03',
    'must',
    'There is exactly one security scheme, named `bearer`: http, bearer, JWT.',
    '`bearerFormat` compared without regard to case.',
  ),
  clause(
    'SPEC-04',
    'must',
    'Every operation that requires authentication carries the requirement `bearer`, and no other scheme is required.',
    'Operations with `security: []` are public (e.g. registration, liveness); one that then answers 401 without a token breaches AUTH-06 and SPEC-04, either may be reported.',
  ),
  clause(
    'SPEC-05',
    'must',
    'All paths are under `/api/v1` (the health path `/api/health/live` excepted); none is under `/api/internal/`.',
    'Taking `servers[].url` into account.',
  ),
  clause(
    'SPEC-06',
    'must',
    'No operation declares a cursor parameter or a version request header; no list operation a sort or order parameter.',
    '',
  ),
  clause(
    'SPEC-07',
    'must',
    '`Idempotency-Key` is declared on `POST /api/v1/stores` and `POST /api/v1/stores/process-payment`.',
    'Declared elsewhere: observation.',
  ),
  clause('SPEC-08', 'should', 'No operation is marked deprecated.', 'One that is, is listed.'),
  clause(
    'SPEC-09',
    'discover',
    'Operations, resources (tags), statuses declared per service, against the counts that the source gives.',
    'A drift table, never a verdict.',
  ),
  clause(
    'SPEC-10',
    'must',
    'The documented operations are described as the source says: `email` and `password` required strings on registration, limit and offset strings, limit and page numbers (`integer` or `number`) where stated, bodies JSON.',
    'Only for operations that the description contains; those it lacks are listed under SPEC-09.',
  ),
  clause(
    'SCH-01',
    'must',
    'A response body validates against the schema declared for its operation, status and media type.',
    '3.0 (nullable, exclusiveMinimum booleans) and 3.1 (JSON Schema 2020-12) dialects. Formats date-time, date, email, uri, uuid, hostname, ipv4, ipv6 are asserted in both. `readOnly` properties may be in responses; `writeOnly` ones must not be.',
  ),
  clause(
    'SCH-02',
    'must',
    'The content type is one that the operation declares for that status (parameters such as charset aside); errors are JSON.',
    '',
  ),
  clause('SCH-03', 'must', 'A 204 (and a 304) carries no body; a body that is declared is not empty.', ''),
  clause('SCH-04', 'must', 'Declared response headers are present when required and validate.', ''),
  clause('SCH-05', 'must', 'A success or redirect status is declared for the operation (`2XX`, `default` count).', ''),
  clause(
    'SCH-06',
    'must',
    'No 5xx in answer to a request, valid or not, other than 503.',
    'Every attempt is judged: a 5xx other than 503 is a breach even if a retry succeeds. A 503 that stays after the retries is reported here.',
  ),
  clause('SCH-07', 'must', '402, 423 and 430 are not used.', ''),
  clause(
    'SCH-08',
    'should',
    'An error status outside {400,401,403,404,405,409,415,422,429,503} is declared for the operation.',
    '405, 415, 422 and 429 need no declaration.',
  ),
  clause(
    'SCH-09',
    'should',
    'Properties that the schema does not mention (where it allows them) are listed as drift.',
    '',
  ),
  clause(
    'ERR-01',
    'must',
    'The body is one JSON object with the single top-level key `error`, an object.',
    'An error without a body is a breach (HEAD aside).',
  ),
  clause(
    'ERR-02',
    'must',
    '`type`, `code`, `title`, `message`, `status`, `doc_url`, `request_id`, `instance`, `timestamp` are always present; strings non-empty, `status` an integer.',
    'Further members inside `error` are allowed.',
  ),
  clause('ERR-03', 'must', '`code` is snake_case (`[a-z][a-z0-9]*(_[a-z0-9]+)*`).', ''),
  clause('ERR-04', 'must', '`status` equals the HTTP status.', ''),
  clause(
    'ERR-05',
    'must',
    '`doc_url` is `{docs_url}/errors/{code}`.',
    'Without a configured docs_url: any absolute URL ending so, the same base in every error.',
  ),
  clause(
    'ERR-06',
    'must',
    '`request_id` identifies the request: two requests never share one.',
    'A replay of an idempotent original (IDEM-01) may repeat it.',
  ),
  clause(
    'ERR-07',
    'must',
    '`instance` is the request path that produced the error.',
    'With or without the query string; percent-encoding compared after normalising.',
  ),
  clause(
    'ERR-08',
    'must',
    '`timestamp` is ISO 8601 with date, time and zone.',
    "Fractions and any offset allowed. More than 5 minutes from the response's Date header: advisory.",
  ),
  clause(
    'ERR-09',
    'must',
    'Errors of type `validation_error` carry `param` (string) and a non-empty `errors[]` of `{field, code, message}`, strings, `code` snake_case.',
    'Malformed JSON may answer without `param`/`errors` when its code is not `validation_failed`.',
  ),
  clause(
    'ERR-10',
    'must',
    '`param` is the top-level field that offended: it is the first path segment of one of `errors[].field`, and for a probe that spoils exactly one known field, that field.',
    '`a.b`, `a[0]`, `/a/b` notations accepted.',
  ),
  clause(
    'ERR-11',
    'must',
    'A listed code comes with its type and status: auth_token_invalid/authentication_error/401, resource_not_found/invalid_request_error/404, validation_failed/validation_error/400.',
    'validation_failed with 422: advisory. Unlisted codes and types are allowed and never judged; they are collected as observations.',
  ),
  clause(
    'ERR-12',
    'must',
    'No response, error or not, echoes the bearer token (a key must not be logged or embedded), and no error carries a stack trace or source path.',
    'The second half is ours: it follows from "may hold personal data" and common sense.',
  ),
  clause(
    'ERR-13',
    'must',
    'The envelope is not used for success: a 2xx body has no top-level `error` object of this shape.',
    '',
  ),
  clause(
    'ERR-14',
    'must',
    "An error's body validates against the contract's error schema, under the media type that the contract names.",
    'Bound by a contract file (problem details: RFC 9457).',
  ),
  clause(
    'AUTH-01',
    'must',
    'On every operation that requires authentication, a request without a token is answered 401 with code `auth_token_invalid`.',
    '429 first: retried.',
  ),
  clause(
    'AUTH-02',
    'must',
    'The same for an invalid token: random, altered signature, `alg: none`, wrong scheme (Basic), token in the query only, empty.',
    'One or more of these per operation, all of them on some; configurable.',
  ),
  clause(
    'AUTH-03',
    'must',
    'The same for an expired token.',
    'With a configured expired token; else a token crafted as expired counts under AUTH-02 and this is "not tested".',
  ),
  clause(
    'AUTH-04',
    'must',
    'A valid token of a locked account is answered 403.',
    'Needs a configured locked token; else "not tested".',
  ),
  clause(
    'AUTH-05',
    'must',
    'The same token is accepted by Admin, Store and AI.',
    'Services not testable are left out and named.',
  ),
  clause('AUTH-06', 'must', 'A public operation does not demand a token.', ''),
  clause(
    'AUTH-07',
    'discover',
    "Whether a 401 or 404 tells a stranger that an account or a resource exists (register's 409 aside).",
    '',
  ),
  clause(
    'AUTH-08',
    'discover',
    'Whether what one account created can be read or changed by another (needs keys of two accounts; `expect.isolation: true` makes it a `must`).',
    '',
  ),
  clause(
    'REQ-01',
    'must',
    'An unknown path (authenticated) → 404 `resource_not_found`.',
    'Trailing slashes and letter case are not probed.',
  ),
  clause(
    'REQ-02',
    'must',
    'An unknown resource id, in the path or (export requests) in the body, → 404 `resource_not_found`.',
    'Only for ids that are well formed by the schema; a malformed id may be 400. A PUT that declares 201 may create.',
  ),
  clause(
    'REQ-03',
    'must',
    'A missing required body field → 400 `validation_failed`, that field named.',
    '422 in place of 400, whatever its code: advisory.',
  ),
  clause(
    'REQ-04',
    'must',
    'A field of the wrong JSON type → 400 `validation_failed`, that field named.',
    'Servers may coerce scalars between string, number and boolean (accepting is an advisory); an object or array in place of a scalar must be rejected. `null` for an optional field accepted: advisory.',
  ),
  clause('REQ-05', 'must', 'Malformed JSON → 4xx with the envelope.', 'Code not judged.'),
  clause(
    'REQ-06',
    'must',
    'A method not described on a known path, and an unsupported media type → 4xx (404, 405, 415 or 400) with the envelope.',
    'Probed only with what does no harm should it exist (GET, HEAD, an unregistered method): never an undeclared POST, PUT, PATCH or DELETE. OPTIONS, and HEAD where GET is described, may succeed. The media-type probe sends a body that is not valid JSON; valid JSON accepted under another type is an observation.',
  ),
  clause(
    'REQ-07',
    'must',
    '`POST /api/v1/auth/register`: 201 once; 400 `validation_failed` when `email` or `password` is missing; 409 when the email is registered.',
    '',
  ),
  clause(
    'REQ-08',
    'should',
    'A value outside declared constraints (enum, format, min/max, pattern) → 400 `validation_failed`.',
    'Accepting it is an advisory.',
  ),
  clause(
    'REQ-09',
    'must',
    'No request, valid or not, goes unanswered for 30 s. Hostile input (very long strings and arrays, deep nesting, emoji, NUL, lone surrogates, `__proto__`, huge numbers, duplicate query parameters) → never 5xx, never a hang, never a dropped connection without an answer.',
    '',
  ),
  clause(
    'PAG-01',
    'must',
    '`GET /auth/activity/logs` answers the envelope data, total, page, limit, total_pages, all integers but `data`; no `has_more`.',
    '',
  ),
  clause(
    'PAG-02',
    'must',
    'Page is 1-indexed: without parameters page is 1 and limit 20; page=1 equals no page.',
    'Data may grow between calls: compare on a settled target, re-check once before judging.',
  ),
  clause(
    'PAG-03',
    'must',
    'At most 100 items a page: `limit` above 100 never returns more than 100 items nor reports a limit above 100.',
    'Clamp or 400 `validation_failed`: both allowed, observed.',
  ),
  clause(
    'PAG-04',
    'must',
    'total_pages = ceil(total / limit), and `page`, `limit` echo what was applied.',
    'total 0: total_pages 0 or 1.',
  ),
  clause('PAG-05', 'must', 'Every page but the last holds exactly `limit` items; none holds more.', ''),
  clause(
    'PAG-06',
    'must',
    'For every limit, walking page 1..total_pages yields each item exactly once, `total` in all, and the same sequence for every limit.',
    'Items compared whole, or by id where they have one.',
  ),
  clause(
    'PAG-07',
    'must',
    'limit+offset lists: parameters are strings of digits; the page at (limit, offset) is the slice [offset, offset+limit) of the whole, for every pair.',
    'For limits up to the maximum found (PAG-13); above it the limit applied counts, here and in PAG-08, -09. Array or envelope; shape constant for one endpoint.',
  ),
  clause('PAG-08', 'must', 'limit+page lists: the same law with offset = (page−1)·limit.', ''),
  clause(
    'PAG-09',
    'must',
    "limit-only lists never return more than `limit` items; a smaller limit returns a subset of a larger one's.",
    'Order not promised; observed.',
  ),
  clause('PAG-10', 'must', 'A bare array ends with an empty array: past the end answers `[]` with 200.', ''),
  clause('PAG-11', 'must', 'No `Link` header.', ''),
  clause(
    'PAG-12',
    'must',
    'Bad values (0, −1, abc, 1.5, 10^12, empty, repeated) → 400 `validation_failed` or a sane page within the limits; never 5xx, never all rows.',
    '',
  ),
  clause(
    'PAG-13',
    'discover',
    'Default and maximum page size, order, behaviour past the last page, on every list but the activity log.',
    '',
  ),
  clause(
    'PAG-14',
    'must',
    'Cursor lists: following `next` from the first page to the end yields each item once, the same sequence for every size, and ends; no page but the last is empty or short of its size.',
    'Bound by a contract file. A list that changes meanwhile as for PAG-06. A made-up cursor → 4xx, never 5xx and never the first page with a 200 in silence; an old cursor may expire with a 4xx.',
  ),
  clause(
    'PAG-15',
    'must',
    'Lists by links (`Link: rel="next"`, or a pointer): each link stays on the service, keeps filters and size, and following them yields each item once; `prev`, `first`, `last` lead where they say.',
    "Bound by a contract file. RFC 8288; relative references resolve against the request's address.",
  ),
  clause(
    'IDEM-01',
    'must',
    'The same key and request again → the original response: status and body equal, where the first answer was 2xx; also after 50 and more other calls of any kind in between.',
    'Body compared as JSON; per-request headers and, in errors, request_id and timestamp may differ.',
  ),
  clause(
    'IDEM-02',
    'must',
    'The effect happens once: after n sends with one key, one resource more exists.',
    "Seen through the list operation, by identity, tolerant of others' writes.",
  ),
  clause(
    'IDEM-03',
    'must',
    'The same key sent concurrently → at most one effect; each answer is the original or a 4xx with the envelope (409 and the like), never 5xx.',
    '',
  ),
  clause(
    'IDEM-04',
    'must',
    'Different keys (and no key) → separate effects.',
    'A 409 for a duplicate of an equal body is no breach; answering with the first resource is.',
  ),
  clause(
    'IDEM-05',
    'must',
    '`process-payment` is never executed twice for one key: same payment result whenever, and however often, and after however many other calls in between, it is resent.',
    'The source says both "never replayed" and "returns the original response": read as never executed twice, the result returned. The harness itself never resends a payment without its key.',
  ),
  clause(
    'IDEM-06',
    'must',
    'Other mutating operations accept the header silently: it never turns a success into an error.',
    '',
  ),
  clause(
    'IDEM-07',
    'discover',
    'Same key with another body; the same key on the other operation or by another account; keys whose first answer was an error; key lifetime beyond 10 minutes; the longest key and odd characters.',
    '',
  ),
  clause(
    'IDEM-08',
    'must',
    'The same key with another body is refused with the status that the contract states, and has no effect.',
    'Bound by a contract file; under the commerce contract it stays an observation (IDEM-07).',
  ),
  clause(
    'RATE-01',
    'must',
    'Normal API calls (authenticated calls of described operations) carry X-RateLimit-Limit, -Remaining and -Reset.',
    'Health checks and 401s exempt. Reset may be epoch seconds, epoch milliseconds, delta seconds or a date: which one is observed; numeric applies to Limit and Remaining.',
  ),
  clause('RATE-02', 'must', '0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.', ''),
  clause(
    'RATE-03',
    'must',
    'Remaining falls by at least one per successful call of a key within a window, and comes back after Reset.',
    'Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket) allowed.',
  ),
  clause(
    'RATE-04',
    'must',
    "No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while Remaining says calls are left.",
    'Burst and cost weights are "not shown": a bucket may refill during the window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key\'s limiter where the key is refused on other operations too, until Reset.',
  ),
  clause(
    'RATE-05',
    'must',
    "A 429 carries the envelope, and its Retry-After, when present, is whole seconds or an HTTP date not before the response's Date less one second.",
    'Absent Retry-After: advisory.',
  ),
  clause('RATE-06', 'must', 'After waiting as Retry-After says, the call is accepted.', 'One second of slack.'),
  clause('RATE-07', 'must', "Limits are per key: exhausting one key leaves another's untouched.", 'Needs two keys.'),
  clause(
    'RATE-08',
    'must',
    'Ceilings do not fall from Standard to Growth to Enterprise, and plans are not all the same.',
    'Needs keys of two plans or more; "all the same" is an advisory.',
  ),
  clause(
    'RATE-09',
    'must',
    '`POST /auth/activity/export` called again and again by one user answers 429, and another user is not throttled by it.',
    'Within 200 calls sent in 10 s; the second half needs keys of two users.',
  ),
  clause(
    'RATE-10',
    'must',
    'The measured ceiling per plan equals what X-RateLimit-Limit states.',
    'Within 1 %; for a bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if any, are judged too.',
  ),
  clause(
    'RATE-11',
    'discover',
    'Window length, algorithm (fixed, sliding, bucket), burst, cost per endpoint, for each plan.',
    '',
  ),
  clause(
    'RATE-12',
    'must',
    '`RateLimit` and `RateLimit-Policy` parse as structured fields (RFC 9651), name a policy that is stated, and agree with each other, with `X-RateLimit-*` where both are sent, and with what is admitted.',
    'Bound by a contract file. The newest draft and draft 7 (`limit=, remaining=, reset=`) are told apart, and which one is used is observed.',
  ),
  clause(
    'VER-01',
    'must',
    'A header that carries a version (X-API-Version, API-Version, Accept-Version, Stripe-Version style) is ignored: same status and shape.',
    '',
  ),
  clause('VER-02', 'must', 'No Sunset and no Deprecation header.', ''),
  clause('VER-03', 'discover', 'Whether anything answers under `/api/v2`.', ''),
  clause(
    'RED-01',
    'must',
    'A 302 carries a Location that parses as a URL, absolute or relative. The harness does not follow it.',
    '',
  ),
  clause(
    'HEALTH-01',
    'must',
    '`GET /api/health/live` answers without a token, 200.',
    'Rate-limit headers absent or non-numeric: fine.',
  ),
  clause(
    'INT-01',
    'must',
    'Nothing under `/api/internal/` answers a public key with a success.',
    '401, 403, 404 all fine. Probed: AI usage logs per store (ai/usage, stores/{storeId}/ai/usage), policy hs-codes, tax rates sync-history, with and without v1, and a nonsense path.',
  ),
  clause(
    'LIFE-01',
    'should',
    'What a create answered with 2xx and an id can be read by that id, and its list shows it.',
    'Lists that filter by state or do not show new items at once: the item read alone decides.',
  ),
  clause(
    'LIFE-02',
    'should',
    'What was sent is what is read: each member that is accepted and not read-only has the value that was sent.',
    'Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order of sets); write-only members are not compared; a documented default fills what was absent.',
  ),
  clause(
    'LIFE-03',
    'should',
    'A partial update changes the members that were sent and no other.',
    'Timestamps, versions, computed totals may change: members that change on their own between two reads are not compared.',
  ),
  clause(
    'LIFE-04',
    'should',
    'After a delete answered with 2xx, reading the id gives 404 (or 410), and the list no longer shows it.',
    'A soft delete that shows itself in the resource (a state, `deleted_at`) is an observation.',
  ),
  clause(
    'LIFE-05',
    'should',
    'A create that was refused with 4xx leaves nothing behind.',
    'Looked for by the name or email that only this request carried.',
  ),
  clause(
    'LIFE-06',
    'should',
    'A read changes nothing: reading an item twice without writes in between gives the same, members that change on their own aside.',
    'Counters of views and `last_seen` kinds are observations.',
  ),
  clause(
    'LIFE-07',
    'should',
    'Read-only and undeclared members of a request are refused or ignored, never applied (mass assignment): `id`, owner, plan, role, price paid, state.',
    'Applied only where the next read shows the sent value and a control shows that it would not be there by itself.',
  ),
  clause(
    'LIFE-08',
    'discover',
    'What a second delete, an update of a deleted id, and a create with a known name answer.',
    '',
  ),
  clause(
    'COND-01',
    'must',
    'A write with an `If-Match` that names a former state is refused with 412 and changes nothing; with the present one it succeeds.',
    'Weak tags never match (412).',
  ),
  clause(
    'COND-02',
    'must',
    'A read with an `If-None-Match` that names the present state is answered 304 without a body, with the same ETag; after a change 200.',
    'Compared weakly.',
  ),
  clause(
    'COND-03',
    'must',
    'Two states that differ never have the same strong ETag; the same state read twice has the same.',
    'Members that change by themselves aside.',
  ),
  clause(
    'HOOK-01',
    'must',
    "A delivery is signed with HMAC-SHA256 over its raw body (alone, or with a timestamp or id joined to it) under the subscription's secret.",
    'Header name and form are "not shown": configured, or discovered by trying the known forms over the received headers.',
  ),
  clause(
    'HOOK-02',
    'must',
    'A delivery that was not accepted is delivered again, with a signature that still verifies.',
    'Schedule observed; no redelivery within the waiting time: not tested.',
  ),
  clause(
    'HOOK-03',
    'discover',
    'Event kinds, payload shape, header names, retry schedule, ids that repeat on redelivery.',
    '',
  ),
  clause('CLIENT-01', 'must', '400, 404, 409 are not retried.', ''),
  clause('CLIENT-02', 'must', '401 and 403 are not retried with the same token.', ''),
  clause(
    'CLIENT-03',
    'must',
    '429 and 503 are retried, at most 4 retries, after Retry-After (seconds or HTTP date).',
    '250 ms early at most. The source\'s "attempts" may count the first request: a fifth request is an advisory, our own client stops at four.',
  ),
  clause(
    'CLIENT-04',
    'must',
    'Without Retry-After: 1000 ms doubling per attempt, capped at 30000 ms, plus 0–250 ms jitter.',
    '',
  ),
  clause('CLIENT-05', 'must', 'Other 5xx: exponential backoff from 250 ms, at most 4 attempts.', ''),
  clause(
    'CLIENT-06',
    'must',
    'A retry resends the same Idempotency-Key where declared; a payment is never resent without it.',
    '',
  ),
  clause('CLIENT-07', 'must', 'A 302 is not followed by a server-to-server client.', ''),
  clause('CLIENT-08', 'must', 'Clients switch on `error.code`: an unknown `type` or code does not break them.', ''),
  clause(
    'CLIENT-09',
    'must',
    'Every authenticated request carries `Authorization: Bearer` and `Content-Type: application/json`.',
    '',
  ),
  clause('CLIENT-10', 'must', 'Pages are walked to their stated end: page = total_pages, or an empty array.', ''),
  clause(
    'CLIENT-11',
    'must',
    'The token and `error.message` appear in no log that the client writes.',
    'stdout, stderr and files in its working folder.',
  ),
];

const byId = new Map(CLAUSES.map((entry) => [entry.id, entry]));

/** The clause with this id. Throws on an id that the contract does not know: a programming error, never user input. */
export function clauseById(id: string): Clause {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`the contract has no clause ${id}`);
  return found;
}

/** Whether a breach of the clause lets strangers in or tells them secrets: ERR-12, INT-01 and AUTH-*. */
export function isSecurityClause(id: string): boolean {
  return id === 'ERR-12' || id === 'INT-01' || id.startsWith('AUTH-');
}

/** Whether the contract knows this id. */
export function isClauseId(id: string): boolean {
  return byId.has(id);
}
