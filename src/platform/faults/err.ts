// ERR-01 to ERR-12: the catalogue's defects of errors in some errors of the platform, and those that it alone can have.
import { ERROR_DEFECTS, ofErrors, ofMember, recoded, saying, telling } from '../../defects/errors.ts';
import type { Deviation } from '../deviation.ts';
import type { Call } from '../http/call.ts';
import { asArray, asObject } from '../json.ts';
import { any, coded, errorFaults, invalid, status } from './error-fault.ts';
import { fault } from './fault.ts';
import { everyNth } from './subject.ts';

const inGerman = (call: Call): boolean => (call.headers['accept-language'] ?? '').startsWith('de');
const isListed = coded('auth_token_invalid', 'resource_not_found', 'validation_failed');
/** An envelope that a description declares is judged by its schema, too. */
const DECLARED = ['SCH-01'];
const FIELD_NAMED = ['REQ-03', 'REQ-04', 'REQ-07'];

/** Defects of errors that take what the platform knows. */
const OWN = [
  ...ofErrors('ERR-01', {
    'text-in-german': [
      'What a read does not find is told in a plain text to who asks for German.',
      () => ({ text: 'Nicht gefunden', headers: { 'content-type': 'text/plain' } }),
    ],
  }),
  ...ofMember('ERR-04', 'status', { 'one-status': ['The body of a 404 says 400.', 400] }),
  ...ofMember('ERR-05', 'docUrl', {
    'other-base': [
      'The documentation address of a 401 has another base.',
      (address) => address.replace(/^.*(?=\/errors\/)/, 'https://help.commerce.example'),
    ],
    'by-language': [
      'The documentation address names the language that is asked for.',
      (address) => address.replace('/errors/', '/de/errors/'),
    ],
  }),
  ...ofErrors('REQ-04', {
    'code-by-language': [
      'The code of refused fields is German for who asks for German.',
      (error) => recoded(error, 'pruefung_fehlgeschlagen'),
    ],
  }),
  ...ofMember('ERR-06', 'requestId', {
    constant: ['All errors carry the same request_id.', 'req_0000000000000000'],
    'by-path': [
      'Errors of one path share their request_id.',
      (_id, { path }) => `req_${Buffer.from(path).toString('hex').slice(-24)}`,
    ],
  }),
  ...ofMember('ERR-07', 'instance', {
    'without-prefix': ['The instance of a 401 lacks the prefix /api/v1.', (path) => path.replace('/api/v1', '')],
  }),
  ...ofErrors('ERR-09', {
    'without-body': [
      'Deleting an unknown id is told as a validation_error, without param and the list of fields.',
      ({ body, ...error }) => {
        const told = { ...asObject(body.error), status: 400, type: 'validation_error' };
        return { ...recoded({ ...error, body: { error: told } }, 'invalid_id'), status: 400 };
      },
    ],
    'item-message-missing': [
      'The second and later listed fields have no message.',
      ({ body }) => {
        const error = asObject(body.error);
        const errors = asArray(error.errors).map((one, at) =>
          at === 0 ? one : { ...asObject(one), message: undefined },
        );
        return { json: { error: { ...error, errors } } };
      },
    ],
  }),
  ...ofErrors('ERR-10', {
    'wrong-field': [
      'Both param and the listed field name a field that did not offend.',
      ({ sent, body, errors }) => {
        const { param } = asObject(body.error);
        const other = Object.keys(asObject(sent)).find((name) => name !== param) ?? 'other';
        return telling(body, { param: other, field: other }, errors);
      },
    ],
  }),
  ...ofMember('ERR-11', 'type', {
    'auth-type': ['An auth_token_invalid has the type invalid_request_error.', 'invalid_request_error'],
    'validation-type': ['A validation_failed has the type invalid_request_error.', 'invalid_request_error'],
  }),
  ...ofErrors('ERR-11', {
    'wrong-status': [
      'A refused method is told as resource_not_found with 405.',
      (error) => recoded(error, 'resource_not_found'),
    ],
  }),
  ...ofErrors('ERR-12', {
    'token-in-not-found': [
      'A 404 carries the request headers for debugging.',
      ({ body, authorization }) => ({ json: { error: { ...asObject(body.error), debug: { authorization } } } }),
    ],
    'trace-behind-value': [
      'Validation errors repeat the rejected value, and a stack trace behind it.',
      (error) =>
        JSON.stringify(error.sent ?? '').length > 20_000
          ? saying(error, `${'x'.repeat(60_000)} is refused\n    at validate (/srv/app/src/validation/body.ts:41:13)`)
          : null,
    ],
  }),
];

const err = errorFaults([...ERROR_DEFECTS, ...OWN]);

const SHAPES: readonly Deviation[] = [
  err('err-01-bare', any, {
    says: 'Errors are not wrapped: the members of the error stand at the top.',
    alsoBreaks: [...DECLARED, 'ERR-02', 'AUTH-01', 'AUTH-02', 'AUTH-03', 'REQ-01', 'REQ-02', ...FIELD_NAMED],
  }),
  err('err-01-second-member', status(404, 405, 415), {
    says: 'Refused methods and media types carry a second top-level member.',
    alsoBreaks: DECLARED,
  }),
  err('err-01-empty', status(404), { says: 'A 404 has no body.', alsoBreaks: ['SCH-03', 'REQ-01', 'REQ-02'] }),
  err('err-01-list', coded('malformed_json'), {
    says: 'Malformed JSON is told in a list of errors.',
    alsoBreaks: [...DECLARED, 'REQ-05'],
  }),
  err('err-01-text-in-german', (call, answer) => inGerman(call) && call.method === 'GET' && answer.status === 404, {
    alsoBreaks: ['SCH-02'],
  }),
  fault('err-01-breaks-off', 'The body of a 404 ends in its midst, and the connection with it.', () => ({
    answer: (_call, answer) => (answer.status === 404 ? { ...answer, delivery: { breakOff: true } } : answer),
  })),
  fault('err-01-breaks-off-refused-input', 'What is told of refused input ends in its midst, on one operation.', () => {
    let path = '';
    return {
      answer(call, answer) {
        if (!invalid(call, answer)) return answer;
        path ||= call.method === 'POST' ? call.path : '';
        return call.path === path ? { ...answer, delivery: { breakOff: true } } : answer;
      },
    };
  }),
];

const PRESENCE: readonly Deviation[] = [
  ...['title', 'message', 'request_id', 'instance', 'timestamp', 'doc_url'].map((name) =>
    err(`err-02-no-${name.replace('_', '-')}`, status(404), {
      says: `Errors of status 404 lack ${name}.`,
      alsoBreaks: DECLARED,
    }),
  ),
  err('err-02-no-type', status(405, 415), {
    says: 'Refused methods and media types are told without a type.',
    alsoBreaks: DECLARED,
  }),
  err('err-02-no-status', status(401), { says: 'Errors of status 401 lack the status.', alsoBreaks: DECLARED }),
  err('err-02-no-code', coded('malformed_json'), {
    says: 'Malformed JSON is told without a code.',
    alsoBreaks: DECLARED,
  }),
  err('err-02-blank-title', status(404), { says: 'Errors of status 404 have a title of blanks.' }),
  err('err-02-empty-title', invalid, { says: 'Validation errors have an empty title.' }),
  err('err-02-status-as-text', status(404), {
    says: 'The status is a string in errors of status 404.',
    alsoBreaks: DECLARED,
  }),
];

const VALUES: readonly Deviation[] = [
  err('err-03-not-snake-case', (call, answer) => !isListed(call, answer), {
    says: 'Codes other than the listed three are not in snake_case.',
  }),
  err('err-03-trailing-underscore', status(415), {
    says: 'The code of an unsupported media type ends in an underscore.',
  }),
  err('err-04-status-differs', any),
  err('err-04-one-status', status(404)),
  err('err-04-status-differs', any, {
    id: 'err-04-one-in-seven',
    says: 'One error in seven states a status other than its own.',
    due: () => everyNth(7),
  }),
  err('err-05-no-code', any),
  err('err-05-other-code', status(404), { says: 'The documentation address of a 404 names another code.' }),
  err('err-05-relative', invalid, { says: 'The documentation address of validation errors is relative.' }),
  err('err-05-other-base', status(401)),
  err('err-05-by-language', inGerman),
  err('req-04-code-by-language', (call, answer) => inGerman(call) && invalid(call, answer), { alsoBreaks: ['REQ-02'] }),
  err('err-06-constant', any),
  err('err-06-shared', any, {
    id: 'err-06-every-seventh',
    says: 'One error in seven repeats the request_id of the one before.',
    due: () => everyNth(7),
  }),
  err('err-06-by-path', status(404)),
  err('err-07-template', (call) => call.route?.operation.path.includes('{') === true),
  err('err-07-without-prefix', status(401)),
  err('err-07-constant', (call, answer) => call.route === null && answer.status === 404, {
    says: 'The instance of an unknown path is always the same.',
  }),
  err('err-07-parent', (call, answer) => call.route !== null && answer.status === 404, {
    says: 'The instance of an unknown id is the collection.',
  }),
  err('err-08-no-zone', any),
  err('err-08-date-only', status(404), { says: 'Timestamps of a 404 have no time.' }),
  err('err-08-epoch', invalid, { says: 'Timestamps of validation errors count seconds.' }),
  err('err-08-http-date', status(401), { says: 'Timestamps of a 401 are HTTP dates.' }),
];

const INPUT: readonly Deviation[] = [
  err('err-09-no-param', invalid, { alsoBreaks: ['ERR-10', ...FIELD_NAMED] }),
  err('err-09-no-errors', invalid),
  err('err-09-empty-errors', invalid),
  err(
    'err-09-without-body',
    (call, answer) => call.method === 'DELETE' && call.route !== null && answer.status === 404,
    { alsoBreaks: ['REQ-02'] },
  ),
  err('err-09-no-item-code', invalid, { alsoBreaks: DECLARED }),
  err('err-09-item-code-case', invalid),
  err('err-09-item-message-missing', invalid, { alsoBreaks: DECLARED }),
  err('err-10-nested-param', invalid, { alsoBreaks: FIELD_NAMED }),
  err('err-10-other-param', invalid, { alsoBreaks: FIELD_NAMED }),
  err('err-10-wrong-field', invalid, { alsoBreaks: FIELD_NAMED }),
  err('err-11-type', coded('resource_not_found'), { says: 'A resource_not_found has the type not_found_error.' }),
  err('err-11-auth-type', status(401)),
  err('err-11-validation-type', invalid),
  err('err-11-wrong-status', status(405, 415)),
  err('err-12-token-in-message', status(401), { says: 'The message of a 401 repeats the token.' }),
  err('err-12-token-in-not-found', status(404)),
  err('err-12-stack-trace', invalid, { says: 'Validation errors carry a stack trace.' }),
  err('err-12-trace-behind-value', invalid),
  err('err-12-source-path', coded('malformed_json'), {
    says: 'Malformed JSON is told with the path of a source file.',
  }),
];

export const ERR_FAULTS: readonly Deviation[] = [...SHAPES, ...PRESENCE, ...VALUES, ...INPUT];
