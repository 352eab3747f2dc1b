// Plants of ERR: envelopes that lack something, tell it wrongly, or let out what they must not.

import type { Subject } from '../../checks/check.ts';
import { textIn, toldError } from '../../checks/err/error-object.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { ERROR_WIDE_ROLES } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import { lastName } from '../../exchange/envelope.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import { asObject, type JsonObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { type AnswerPlant, type Changed, withBody } from '../plant.ts';
import { declaresJsonSuccess } from './schemas.ts';

const { members = {}, codes = {} } = COMMERCE_TERMS.errors ?? {};
const ENVELOPE_MEMBERS = ERROR_WIDE_ROLES.map((role) => lastName(members[role]?.at ?? ''));

const NO_ERROR = 'the operation answered no error';
const NO_VALIDATION = 'no input was refused with a list of errors';

interface Entry
  extends Omit<AnswerPlant, 'change' | 'concerns' | 'at' | 'lacks'>,
    Partial<Pick<AnswerPlant, 'concerns' | 'lacks'>> {
  /** The members that differ (undefined: left out); null where this error cannot show the defect. */
  error(error: JsonObject, subject: Subject, earlier: Exchange | null): JsonObject | null;
}

/** Tells whether the contract has the envelope, and something of a request can offend. */
function isRefusable(operation: Operation, description: unknown, contract: Subject['contract']): boolean {
  const { security, parameters } = operation;
  const isOpen = security.length === 0 && parameters.length === 0 && operation.requestBody === null;
  return isCommerce(operation, description, contract) && !isOpen;
}

function isCommerce(_operation: Operation, _description: unknown, contract: Subject['contract']): boolean {
  return contract === 'commerce';
}

/** Tells whether something of a request can offend: a body, or a parameter of the query. */
function takesInput(operation: Operation, description: unknown, contract: Subject['contract']): boolean {
  const { requestBody, parameters } = operation;
  return (
    isCommerce(operation, description, contract) &&
    (requestBody !== null || parameters.some((one) => one.in === 'query'))
  );
}

function plant({ error: members, lacks = NO_ERROR, ...entry }: Entry): AnswerPlant {
  return {
    ...{ at: 'operation', concerns: isRefusable, lacks },
    ...entry,
    change(subject, _pick, earlier) {
      const error = errorIn(subject);
      const { response } = subject.exchange;
      const changed = error === null ? null : members(error, subject, earlier);
      if (error === null || response === null || changed === null) return null;
      const body = asObject(bodyOf(subject.exchange));
      return { response: withBody(response, { ...body, error: { ...error, ...changed } }) };
    },
  };
}

/** A plant that changes the answer as a whole. */
function whole(
  entry: Omit<AnswerPlant, 'change' | 'concerns' | 'at' | 'lacks'>,
  change: (response: RecordedResponse, error: JsonObject) => Changed,
): AnswerPlant {
  return {
    ...{ at: 'operation', concerns: isRefusable, lacks: NO_ERROR },
    ...entry,
    change(subject) {
      const error = errorIn(subject);
      const { response } = subject.exchange;
      return error === null || response === null ? null : change(response, error);
    },
  };
}

/** The `error` object of an error. */
function errorIn(subject: Subject): JsonObject | null {
  const told = toldError(subject);
  return told === null ? null : asObject(told.body.error);
}

function bodyOf(exchange: Exchange): unknown {
  const body = jsonBody(exchange);
  return body.ok ? body.value : null;
}

function isValidation(error: JsonObject): boolean {
  return error.type === 'validation_error' && Array.isArray(error.errors) && error.errors.length > 0;
}

export const errorPlants: readonly AnswerPlant[] = [
  whole({ id: 'err-01-bare', clause: 'ERR-01', text: 'An error stands without its envelope.' }, (response, error) => ({
    response: withBody(response, error),
  })),
  whole({ id: 'err-01-html', clause: 'ERR-01', text: 'An error is a page of HTML.' }, (response) => ({
    response: withBody(response, '<html><body>error</body></html>'),
  })),
  whole({ id: 'err-01-beside', clause: 'ERR-01', text: 'Another member stands beside error.' }, (response, error) => ({
    response: withBody(response, { error, success: false }),
  })),
  whole({ id: 'err-01-empty', clause: 'ERR-01', text: 'An error has no body.' }, (response) => ({
    response: withBody(response, ''),
  })),
  ...ENVELOPE_MEMBERS.map((name) =>
    plant({
      ...{ id: `err-02-no-${name.replaceAll('_', '-')}`, clause: 'ERR-02', text: `An error lacks ${name}.` },
      error: () => ({ [name]: undefined }),
    }),
  ),
  plant({
    ...{ id: 'err-02-status-as-text', clause: 'ERR-02', text: 'error.status is a text.' },
    error: ({ status }) => ({ status: String(status) }),
  }),
  plant({
    ...{ id: 'err-03-camel-case', clause: 'ERR-03', text: 'error.code is no snake_case.' },
    error: () => ({ code: 'notFound' }),
  }),
  plant({
    ...{ id: 'err-04-differs', clause: 'ERR-04', text: 'error.status differs from the HTTP status.' },
    error: ({ status }) => (typeof status === 'number' ? { status: status === 500 ? 400 : 500 } : null),
  }),
  plant({
    ...{ id: 'err-05-elsewhere', clause: 'ERR-05', text: 'error.doc_url leads to another code.' },
    error: ({ doc_url }) => (typeof doc_url === 'string' ? { doc_url: `${doc_url}-other` } : null),
  }),
  plant({
    ...{ id: 'err-06-shared', clause: 'ERR-06', text: 'Two requests share one request_id.' },
    lacks: 'no two errors could share a request_id',
    error(error, { terms }, earlier) {
      const known = earlier === null ? null : toldError({ exchange: earlier, terms });
      const id = known === null ? null : textIn(known, 'requestId');
      return id === null || id === error.request_id ? null : { request_id: id };
    },
  }),
  plant({
    ...{ id: 'err-07-elsewhere', clause: 'ERR-07', text: 'error.instance is another path.' },
    error: ({ instance }) => (typeof instance === 'string' ? { instance: '/assay/elsewhere' } : null),
  }),
  plant({
    ...{ id: 'err-08-no-zone', clause: 'ERR-08', text: 'error.timestamp has no zone.' },
    error: ({ timestamp }) => (typeof timestamp === 'string' ? { timestamp: '2026-01-31T12:00:00' } : null),
  }),
  plant({
    ...{ id: 'err-09-no-errors', clause: 'ERR-09', text: 'A validation error lists no errors.', lacks: NO_VALIDATION },
    concerns: takesInput,
    error: (error) => (isValidation(error) ? { errors: undefined } : null),
  }),
  plant({
    ...{ id: 'err-09-no-param', clause: 'ERR-09', text: 'A validation error lacks param.', lacks: NO_VALIDATION },
    concerns: takesInput,
    error: (error) => (isValidation(error) ? { param: undefined } : null),
  }),
  plant({
    ...{ id: 'err-10-other-param', clause: 'ERR-10', text: 'error.param names no listed field.', lacks: NO_VALIDATION },
    concerns: takesInput,
    error: (error) => (isValidation(error) ? { param: 'assay_other' } : null),
  }),
  plant({
    ...{ id: 'err-11-other-type', clause: 'ERR-11', text: 'A listed code comes with another type.' },
    lacks: 'no error had a listed code',
    error: ({ code }) => (Object.hasOwn(codes, String(code)) ? { type: 'api_error' } : null),
  }),
  plant({
    ...{ id: 'err-12-trace', clause: 'ERR-12', text: 'An error carries a stack trace.' },
    error: () => ({
      title:
        'TypeError: cannot read\n    at handle (/srv/app/src/server/orders.js:120:14)\n    at run (/srv/app/src/main.js:8:3)',
    }),
  }),
  whole({ id: 'err-12-token', clause: 'ERR-12', text: 'An error echoes the bearer token.' }, (response) => ({
    response,
    echoed: [{ secret: 'sent token', where: 'body' }],
  })),
  {
    ...{ id: 'err-13-envelope', clause: 'ERR-13', text: 'A success carries the envelope of errors.', at: 'operation' },
    lacks: 'the operation never succeeded with a body',
    concerns: (operation, description, contract) =>
      isCommerce(operation, description, contract) && declaresJsonSuccess(operation),
    change({ exchange }) {
      const response = wholeResponse(exchange);
      if (response === null || !isSuccess(response.status) || !jsonBody(exchange).ok) return null;
      const error = {
        type: 'api_error',
        code: 'failed',
        title: 'Failed',
        message: 'It failed.',
        status: 500,
        doc_url: '',
        request_id: 'req_1',
      };
      return { response: withBody(response, { error }) };
    },
  },
];
