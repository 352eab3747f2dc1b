// Allowances of the error envelope.

import type { Deviation } from '../deviation.ts';
import type { Answer } from '../http/call.ts';
import { asArray, asObject, isObject } from '../json.ts';
import { uuidFrom } from '../store/hash.ts';
import { onAnswer, onError, recode, telling, tolerance } from './tolerance.ts';

const LISTED = ['auth_token_invalid', 'resource_not_found', 'validation_failed'];
const TWO_HOURS_MS = 7_200_000;

function fieldsAs(rewrite: (field: string) => string) {
  return onError((error) => {
    for (const item of asArray(error.errors)) if (isObject(item)) item.field = rewrite(String(item.field));
  });
}

function shifted(error: { timestamp?: unknown }, byMs: number): Date {
  return new Date(Date.parse(String(error.timestamp)) + byMs);
}

/** The error whose connection is lost. */
const ANY_ERROR = 30;

export const ERROR_TOLERANCES: readonly Deviation[] = [
  tolerance(
    'err-02-further-members',
    'Errors carry further members.',
    telling(() => ({ trace_id: '4bf92f3577b34da6', hint: null, meta: { region: 'eu' } })),
  ),
  tolerance(
    'err-02-other-language',
    'Titles and messages are in another script.',
    telling(() => ({ title: 'エラー', message: 'Ошибка – 🚫' })),
  ),
  tolerance(
    'err-02-german',
    'Titles and messages are German for who asks for German.',
    onError((error, call, answer) => {
      if (!(call.headers['accept-language'] ?? '').startsWith('de')) return;
      Object.assign(error, { title: 'Fehler', message: 'Das geht so nicht.' });
      answer.headers['content-language'] = 'de';
    }),
  ),
  tolerance(
    'err-03-digits',
    'Unlisted codes hold digits.',
    onError((error, _call, answer) => {
      if (!LISTED.includes(String(error.code))) recode(error, `http_${answer.status}_v2`);
    }),
  ),
  tolerance(
    'err-05-other-base',
    'The documentation stands at an address that the configuration does not state.',
    () => ({}),
    { docsUrl: 'https://developers.commerce.example/en/reference' },
  ),
  tolerance(
    'err-06-uuid',
    'Request ids are UUIDs.',
    telling((error) => ({ request_id: uuidFrom(String(error.request_id)) })),
  ),
  tolerance(
    'err-06-replayed-error',
    'A replay of an idempotent original that was an error repeats its request_id.',
    () => {
      const kept = new Map<string, Answer>();
      return {
        answer: (call, answer) => {
          const key = call.headers['idempotency-key'];
          if (
            typeof key !== 'string' ||
            call.key === null ||
            answer.status < 400 ||
            answer.status === 429 ||
            answer.status >= 500
          )
            return answer;
          const name = `${call.key.account} ${call.method} ${call.url} ${key} ${JSON.stringify(call.body)}`;
          const original = kept.get(name) ?? { ...answer, body: structuredClone(answer.body) };
          kept.set(name, original);
          return { ...original, body: structuredClone(original.body), headers: answer.headers };
        },
      };
    },
  ),
  tolerance(
    'err-07-query',
    'The instance includes the query string.',
    telling((_error, call) => ({ instance: call.url })),
  ),
  tolerance(
    'err-07-encoding',
    'The instance writes percent-encoding in lower case.',
    telling((error) => ({ instance: String(error.instance).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()) })),
  ),
  tolerance(
    'err-08-offset',
    'Timestamps have an offset and no fractions.',
    telling((error) => ({
      timestamp: shifted(error, TWO_HOURS_MS)
        .toISOString()
        .replace(/\.\d+Z$/, '+02:00'),
    })),
  ),
  tolerance(
    'err-08-microseconds',
    'Timestamps have six digits of fraction.',
    telling((error) => ({ timestamp: String(error.timestamp).replace('Z', '123Z') })),
  ),
  tolerance(
    'err-08-whole-seconds',
    'Timestamps have no fractions.',
    telling((error) => ({ timestamp: String(error.timestamp).replace(/\.\d+/, '') })),
  ),
  tolerance(
    'err-08-skew',
    'Timestamps are two minutes behind.',
    telling((error) => ({ timestamp: shifted(error, -120_000).toISOString() })),
  ),
  tolerance(
    'err-08-ahead',
    'Timestamps and the Date header come from a clock two minutes ahead.',
    onAnswer((call, answer) => {
      answer.headers.date = new Date(call.receivedAt + 120_000).toUTCString();
      const error = asObject(answer.body).error;
      if (answer.status >= 400 && isObject(error)) error.timestamp = shifted(error, 120_000).toISOString();
    }),
  ),
  tolerance(
    'err-09-malformed-json',
    'Malformed JSON is a validation_error of its own code, without fields.',
    onError((error) => {
      if (error.code !== 'malformed_json') return;
      error.type = 'validation_error';
      recode(error, 'json_unreadable');
    }),
  ),
  tolerance(
    'err-09-malformed-field',
    'Malformed JSON is a validation_failed about the body.',
    onError((error) => {
      if (error.code !== 'malformed_json') return;
      Object.assign(error, {
        type: 'validation_error',
        param: 'body',
        errors: [{ field: 'body', code: 'invalid_json', message: 'not JSON' }],
      });
      recode(error, 'validation_failed');
    }),
  ),
  tolerance(
    'err-09-item-members',
    'Listed fields carry further members.',
    onError((error) => {
      for (const item of asArray(error.errors))
        if (isObject(item)) Object.assign(item, { location: 'body', rejected: null });
    }),
  ),
  tolerance(
    'err-10-pointer',
    'Fields are written as pointers: /a/0/b.',
    fieldsAs((field) => `/${field.replace(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`),
  ),
  tolerance(
    'err-10-dotted-index',
    'Indexes in fields follow a dot: a.0.b.',
    fieldsAs((field) => field.replace(/\[(\d+)\]/g, '.$1')),
  ),
  tolerance(
    'err-10-last-first',
    'Fields are listed in another order, and param is the top level of the last.',
    onError((error) => {
      if (!Array.isArray(error.errors)) return;
      error.errors.reverse();
      error.param = String(asObject(error.errors[0]).field).split(/[.[]/, 1)[0];
    }),
  ),
  tolerance(
    'err-11-unlisted',
    'Unlisted codes and types are of their own kind.',
    onError((error) => {
      if (LISTED.includes(String(error.code))) return;
      error.type = 'gateway_error';
      recode(error, `gateway_${String(error.code)}`);
    }),
  ),
  tolerance(
    'err-11-validation-422',
    'Validation errors answer 422.',
    onError((error, _call, answer) => {
      if (error.code !== 'validation_failed') return;
      error.status = 422;
      answer.status = 422;
    }),
  ),
  tolerance(
    'req-03-own-422',
    'Validation errors answer 422 with a code of their own.',
    onError((error, _call, answer) => {
      if (error.code !== 'validation_failed') return;
      error.status = 422;
      answer.status = 422;
      recode(error, 'unprocessable_entity');
    }),
  ),
  tolerance(
    'err-01-problem-json',
    'A refused method is told as application/problem+json.',
    onError((_error, _call, answer) => {
      if (answer.status === 405) answer.headers['content-type'] = 'application/problem+json';
    }),
  ),
  tolerance('err-01-lost-once', 'The connection of one error answer is lost before its body is whole.', () => {
    let errors = 0;
    return {
      answer: (_call, answer) => {
        if (answer.status >= 400 && ++errors === ANY_ERROR) answer.delivery = { breakOff: true };
      },
    };
  }),
];
