// ERR-09 to ERR-11: what validation errors say of the fields, and codes that come with another type or status.
import type { Deviation } from '../deviation.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { DECLARED, drop, err, fixed, invalid, set, status } from './error-fault.ts';

function items(error: JsonObject): JsonObject[] {
  return asArray(error.errors).filter(isObject);
}

export const FIELD_FAULTS: readonly Deviation[] = [
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
