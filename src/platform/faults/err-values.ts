// ERR-04 to ERR-08: envelopes with a wrong value.
import type { Deviation } from '../deviation.ts';
import { any, err, fixed, invalid, set, status } from './error-fault.ts';
import { everyNth } from './subject.ts';

export const VALUE_FAULTS: readonly Deviation[] = [
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
];
