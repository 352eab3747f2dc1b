// ERR-01 to ERR-03: envelopes of another shape.
import type { Deviation } from '../deviation.ts';
import { asObject } from '../json.ts';
import { any, DECLARED, drop, err, fixed, invalid, set, status } from './error-fault.ts';

const RECODE: Readonly<Record<number, string>> = {
  405: 'MethodNotAllowed',
  415: 'Unsupported-Media-Type',
  400: 'malformed-json',
  409: 'alreadyTaken',
};

export const SHAPE_FAULTS: readonly Deviation[] = [
  err(
    'ERR-01',
    'bare',
    'Errors are not wrapped: the members of the error stand at the top.',
    any,
    () => (error, _call, answer) => {
      answer.body = error;
    },
    [...DECLARED, 'ERR-02', 'AUTH-01', 'AUTH-02', 'AUTH-03', 'REQ-01', 'REQ-02', 'REQ-03', 'REQ-04', 'REQ-07'],
  ),
  err(
    'ERR-01',
    'second-member',
    'Refused methods and media types carry a second top-level member.',
    status(404, 405, 415),
    () => (error, _call, answer) => {
      answer.body = { success: false, error };
    },
    DECLARED,
  ),
  err(
    'ERR-01',
    'empty',
    'A 404 has no body.',
    status(404),
    () => (_error, _call, answer) => {
      answer.body = undefined;
    },
    ['SCH-03', 'REQ-01', 'REQ-02'],
  ),
  err(
    'ERR-01',
    'list',
    'Malformed JSON is told in a list of errors.',
    (_call, answer) => asObject(asObject(answer.body).error).code === 'malformed_json',
    () => (error, _call, answer) => {
      answer.body = [error];
    },
    [...DECLARED, 'REQ-05'],
  ),
  ...['title', 'message', 'request_id', 'instance', 'timestamp', 'doc_url'].map((member) =>
    err(
      'ERR-02',
      `no-${member.replace('_', '-')}`,
      `Errors of status 404 lack ${member}.`,
      status(404),
      drop(member),
      DECLARED,
    ),
  ),
  err(
    'ERR-02',
    'no-type',
    'Refused methods and media types are told without a type.',
    status(405, 415),
    drop('type'),
    DECLARED,
  ),
  err('ERR-02', 'no-status', 'Errors of status 401 lack the status.', status(401), drop('status'), DECLARED),
  err(
    'ERR-02',
    'no-code',
    'Malformed JSON is told without a code.',
    (_call, answer) => asObject(asObject(answer.body).error).code === 'malformed_json',
    drop('code'),
    DECLARED,
  ),
  err('ERR-02', 'blank-title', 'Errors of status 404 have a title of blanks.', status(404), set('title', '  ')),
  err('ERR-02', 'empty-title', 'Validation errors have an empty title.', invalid, set('title', '')),
  err(
    'ERR-02',
    'status-as-text',
    'The status is a string in errors of status 404.',
    status(404),
    fixed((error) => {
      error.status = String(error.status);
    }),
    DECLARED,
  ),
  err('ERR-03', 'not-snake-case', 'Codes other than the listed three are not in snake_case.', any, () => (error) => {
    if (['auth_token_invalid', 'resource_not_found', 'validation_failed'].includes(String(error.code))) return;
    error.code = RECODE[Number(error.status)] ?? 'OtherError';
    error.doc_url = String(error.doc_url).replace(/[^/]*$/, String(error.code));
  }),
  err(
    'ERR-03',
    'trailing-underscore',
    'The code of an unsupported media type ends in an underscore.',
    status(415),
    () => (error) => {
      error.code = 'unsupported_media_type_';
      error.doc_url = `${String(error.doc_url)}_`;
    },
  ),
];
