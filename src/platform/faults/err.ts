// ERR-01 to ERR-11: envelopes of another shape or with a wrong value, and what validation errors say of the fields.
import type { Deviation } from '../deviation.ts';
import type { Call } from '../http/call.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { any, DECLARED, drop, err, fixed, invalid, set, status } from './error-fault.ts';
import { everyNth } from './subject.ts';

const inGerman = (call: Call): boolean => (call.headers['accept-language'] ?? '').startsWith('de');

const RECODE: Readonly<Record<number, string>> = {
  405: 'MethodNotAllowed',
  415: 'Unsupported-Media-Type',
  400: 'malformed-json',
  409: 'alreadyTaken',
};

function items(error: JsonObject): JsonObject[] {
  return asArray(error.errors).filter(isObject);
}

export const ERR_FAULTS: readonly Deviation[] = [
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
  err(
    'ERR-01',
    'text-in-german',
    'What a read does not find is told in a plain text to who asks for German.',
    (call, answer) => inGerman(call) && call.method === 'GET' && answer.status === 404,
    () => (_error, _call, answer) => {
      answer.text = 'Nicht gefunden';
      answer.headers['content-type'] = 'text/plain';
    },
    ['SCH-02'],
  ),
  err(
    'ERR-01',
    'breaks-off',
    'The body of a 404 ends in its midst, and the connection with it.',
    status(404),
    () => (_error, _call, answer) => {
      answer.delivery = { breakOff: true };
    },
  ),
  err(
    'ERR-01',
    'breaks-off-refused-input',
    'What is told of refused input ends in its midst, on one operation.',
    invalid,
    () => {
      let path = '';
      return (_error, call, answer) => {
        path ||= call.method === 'POST' ? call.path : '';
        if (call.path === path) answer.delivery = { breakOff: true };
      };
    },
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
  err('ERR-04', 'status-differs', 'The status in the body is always 500.', any, set('status', 500)),
  err('ERR-04', 'one-status', 'The body of a 404 says 400.', status(404), set('status', 400)),
  err('ERR-04', 'one-in-seven', 'One error in seven states a status other than its own.', any, () => {
    const due = everyNth(7);
    return (error) => {
      if (due()) error.status = Number(error.status) + 1;
    };
  }),
  err(
    'ERR-05',
    'no-code',
    'The documentation address does not end in the code.',
    any,
    fixed((error) => {
      error.doc_url = String(error.doc_url).replace(/\/[^/]*$/, '');
    }),
  ),
  err(
    'ERR-05',
    'other-code',
    'The documentation address of a 404 names another code.',
    status(404),
    fixed((error) => {
      error.doc_url = String(error.doc_url).replace(/[^/]*$/, 'not_found');
    }),
  ),
  err(
    'ERR-05',
    'relative',
    'The documentation address of validation errors is relative.',
    invalid,
    fixed((error) => {
      error.doc_url = `/errors/${String(error.code)}`;
    }),
  ),
  err(
    'ERR-05',
    'other-base',
    'The documentation address of a 401 has another base.',
    status(401),
    fixed((error) => {
      error.doc_url = `https://help.commerce.example/errors/${String(error.code)}`;
    }),
  ),
  err(
    'ERR-05',
    'by-language',
    'The documentation address names the language that is asked for.',
    inGerman,
    fixed((error) => {
      error.doc_url = String(error.doc_url).replace('/errors/', '/de/errors/');
    }),
  ),
  err(
    'REQ-04',
    'code-by-language',
    'The code of refused fields is German for who asks for German.',
    (call, answer) => inGerman(call) && invalid(call, answer),
    fixed((error) => {
      error.code = 'pruefung_fehlgeschlagen';
      error.doc_url = String(error.doc_url).replace(/[^/]*$/, 'pruefung_fehlgeschlagen');
    }),
    ['REQ-02'],
  ),
  err('ERR-06', 'constant', 'All errors carry the same request_id.', any, set('request_id', 'req_0000000000000000')),
  err('ERR-06', 'every-seventh', 'One error in seven repeats the request_id of the one before.', any, () => {
    const due = everyNth(7);
    let before: unknown;
    return (error) => {
      if (due()) error.request_id = before;
      before = error.request_id;
    };
  }),
  err(
    'ERR-06',
    'by-path',
    'Errors of one path share their request_id.',
    status(404),
    fixed((error, call) => {
      error.request_id = `req_${Buffer.from(call.path).toString('hex').slice(-24)}`;
    }),
  ),
  err(
    'ERR-07',
    'template',
    'The instance is the path template instead of the path.',
    (call) => call.route?.operation.path.includes('{') === true,
    fixed((error, call) => {
      error.instance = call.route?.operation.path;
    }),
  ),
  err(
    'ERR-07',
    'without-prefix',
    'The instance of a 401 lacks the prefix /api/v1.',
    status(401),
    fixed((error) => {
      error.instance = String(error.instance).replace('/api/v1', '');
    }),
  ),
  err(
    'ERR-07',
    'constant',
    'The instance of an unknown path is always the same.',
    (call, answer) => call.route === null && answer.status === 404,
    set('instance', '/api/v1'),
  ),
  err(
    'ERR-07',
    'parent',
    'The instance of an unknown id is the collection.',
    (call, answer) => call.route !== null && answer.status === 404,
    fixed((error) => {
      error.instance = String(error.instance).replace(/\/[^/]*$/, '');
    }),
  ),
  err(
    'ERR-08',
    'no-zone',
    'Timestamps have no zone.',
    any,
    fixed((error) => {
      error.timestamp = String(error.timestamp).replace('Z', '');
    }),
  ),
  err(
    'ERR-08',
    'date-only',
    'Timestamps of a 404 have no time.',
    status(404),
    fixed((error) => {
      error.timestamp = String(error.timestamp).slice(0, 10);
    }),
  ),
  err(
    'ERR-08',
    'epoch',
    'Timestamps of validation errors count seconds.',
    invalid,
    fixed((error, call) => {
      error.timestamp = String(Math.floor(call.receivedAt / 1000));
    }),
  ),
  err(
    'ERR-08',
    'http-date',
    'Timestamps of a 401 are HTTP dates.',
    status(401),
    fixed((error, call) => {
      error.timestamp = new Date(call.receivedAt).toUTCString();
    }),
  ),
  err('ERR-09', 'no-param', 'Validation errors lack param.', invalid, drop('param'), [
    'ERR-10',
    'REQ-03',
    'REQ-04',
    'REQ-07',
  ]),
  err('ERR-09', 'no-errors', 'Validation errors lack the list of fields.', invalid, drop('errors')),
  err('ERR-09', 'empty-errors', 'The list of fields is empty.', invalid, set('errors', [])),
  err(
    'ERR-09',
    'without-body',
    'Deleting an unknown id is told as a validation_error, without param and the list of fields.',
    (call, answer) => call.method === 'DELETE' && call.route !== null && answer.status === 404,
    () => (error, _call, answer) => {
      answer.status = 400;
      Object.assign(error, { status: 400, type: 'validation_error', code: 'invalid_id' });
      error.doc_url = String(error.doc_url).replace(/[^/]*$/, 'invalid_id');
    },
    ['REQ-02'],
  ),
  err(
    'ERR-09',
    'no-item-code',
    'Listed fields have no code.',
    invalid,
    fixed((error) => {
      for (const item of items(error)) delete item.code;
    }),
    DECLARED,
  ),
  err(
    'ERR-09',
    'item-code-case',
    'Codes of listed fields are in camelCase.',
    invalid,
    fixed((error) => {
      for (const item of items(error)) item.code = 'invalidType';
    }),
  ),
  err(
    'ERR-09',
    'item-message-missing',
    'The second and later listed fields have no message.',
    invalid,
    fixed((error) => {
      for (const item of items(error).slice(1)) delete item.message;
    }),
    DECLARED,
  ),
  err(
    'ERR-10',
    'nested-param',
    'param is the whole path of the field.',
    invalid,
    fixed((error) => {
      const first = items(error)[0];
      if (first === undefined) return;
      const nested = String(first.field).includes('.') ? String(first.field) : `body.${String(first.field)}`;
      error.param = nested;
    }),
    ['REQ-03', 'REQ-04', 'REQ-07'],
  ),
  err(
    'ERR-10',
    'other-param',
    'param names a field that is not among the failing ones.',
    invalid,
    set('param', 'request'),
    ['REQ-03', 'REQ-04', 'REQ-07'],
  ),
  err(
    'ERR-10',
    'wrong-field',
    'Both param and the listed field name a field that did not offend.',
    invalid,
    fixed((error, call) => {
      const other = Object.keys(asObject(call.body)).find((name) => name !== error.param) ?? 'other';
      error.param = other;
      for (const item of items(error)) item.field = other;
    }),
    ['REQ-03', 'REQ-04', 'REQ-07'],
  ),
  err(
    'ERR-11',
    'type',
    'A resource_not_found has the type not_found_error.',
    (_call, answer) => asObject(asObject(answer.body).error).code === 'resource_not_found',
    set('type', 'not_found_error'),
  ),
  err(
    'ERR-11',
    'auth-type',
    'An auth_token_invalid has the type invalid_request_error.',
    status(401),
    set('type', 'invalid_request_error'),
  ),
  err(
    'ERR-11',
    'validation-type',
    'A validation_failed has the type invalid_request_error.',
    invalid,
    set('type', 'invalid_request_error'),
  ),
  err(
    'ERR-11',
    'wrong-status',
    'A refused method is told as resource_not_found with 405.',
    status(405, 415),
    fixed((error) => {
      error.code = 'resource_not_found';
      error.doc_url = String(error.doc_url).replace(/[^/]*$/, 'resource_not_found');
    }),
  ),
];
