// Plants of ERR: errors that lack something, tell it wrongly, or let out what they must not, at the places that the contract names.

import type { Subject, Under } from '../../checks/check.ts';
import { isOfForm, membersIn, type ToldError, textIn, toldError } from '../../checks/err/error-object.ts';
import { ERROR_WIDE_ROLES, type ErrorRole, type ErrorTerms } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isCode, isListed } from '../../exchange/envelope.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import { valueAt } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type AnswerPlant, type Changed, errorBody, type Told, withAt, withBody, withTold } from '../plant.ts';
import { declaresJsonSuccess } from './schemas.ts';

const NO_ERROR = 'the operation answered no error';
const NO_VALIDATION = 'no input was refused with a list of errors';

/** Words for members, however the contract names them. */
const WORDS: Readonly<Record<string, string>> = {
  docUrl: 'the address of its documentation',
  requestId: "its request's id",
};

type Named = Omit<AnswerPlant, 'change' | 'concerns' | 'at' | 'lacks'> & Partial<Pick<AnswerPlant, 'lacks'>>;

/** Tells whether the contract's errors can have the defect. */
type Has = (errors: ErrorTerms, under: Under) => boolean;

interface Entry extends Named {
  readonly has: Has;
  /** Set: only what takes input can have it. */
  readonly ofInput?: true;
  /** The members that differ; null where this error cannot show the defect. */
  error(error: ToldError, subject: Subject, earlier: Exchange | null): Told | null;
}

/** Tells whether something of a request can offend. */
function isRefusable({ security, parameters, requestBody }: Operation): boolean {
  return security.length > 0 || parameters.length > 0 || requestBody !== null;
}

/** Tells whether something of a request can offend: a body, or a parameter of the query. */
function takesInput({ requestBody, parameters }: Operation): boolean {
  return requestBody !== null || parameters.some((one) => one.in === 'query');
}

function concerned(has: Has, may: (operation: Operation) => boolean) {
  return (operation: Operation, _description: Description, under: Under): boolean => {
    const { errors } = under.terms;
    return errors !== null && has(errors, under) && may(operation);
  };
}

function plant({ error, has, ofInput, lacks = NO_ERROR, ...entry }: Entry): AnswerPlant {
  return {
    ...{ at: 'operation', concerns: concerned(has, ofInput === true ? takesInput : isRefusable), lacks },
    ...entry,
    change(subject, _pick, earlier) {
      const told = toldError(subject);
      const { response } = subject.exchange;
      const changed = told === null ? null : error(told, subject, earlier);
      if (told === null || response === null || changed === null) return null;
      return { response: withBody(response, withTold(told.body, changed, told.terms)) };
    },
  };
}

/** A plant that changes the answer as a whole. */
function whole(
  { has = () => true, ...entry }: Named & { readonly has?: Has },
  change: (response: RecordedResponse, error: ToldError) => Changed,
): AnswerPlant {
  return {
    ...{ at: 'operation', concerns: concerned(has, isRefusable), lacks: NO_ERROR },
    ...entry,
    change(subject) {
      const told = toldError(subject);
      const { response } = subject.exchange;
      return told === null || response === null ? null : change(response, told);
    },
  };
}

/** Tells whether errors always have the member. */
const having =
  (role: ErrorRole): Has =>
  ({ members }) =>
    members[role] !== undefined && !members[role].isOptional;
const enveloped: Has = ({ envelope, members }) => envelope !== null && !isListed(envelope, members);

/** The first that stands where the contract has the member. */
function memberOf(error: ToldError, role: ErrorRole): unknown {
  return membersIn(error, role)[0]?.value;
}

/** Tells whether the error is one of refused input that names members. */
function isValidation(error: ToldError, { terms }: Subject): boolean {
  const code = terms.requests.invalid?.code ?? null;
  return code !== null && isCode(textIn(error, 'code') ?? '', code) && textIn(error, 'field') !== null;
}

/** The list in which fields stand; null for none, and where it is the envelope itself. */
function listOf({ envelope, members }: ErrorTerms): string | null {
  const at = members.field?.at ?? '';
  const list = at.includes('/*') ? at.slice(0, at.indexOf('/*')) : null;
  return list === envelope ? null : list;
}

const OTHER_CODES = ['notFound', 'not found', '<none>'];

const shapePlants: readonly AnswerPlant[] = [
  whole(
    { id: 'err-01-bare', clause: 'ERR-01', text: 'An error stands without its envelope.', has: enveloped },
    (response, { body, terms }) => ({ response: withBody(response, valueAt(body, terms.envelope ?? '')) }),
  ),
  whole({ id: 'err-01-html', clause: 'ERR-01', text: 'An error is a page of HTML.' }, (response) => ({
    response: withBody(response, '<html><body>error</body></html>'),
  })),
  whole(
    { id: 'err-01-beside', clause: 'ERR-01', text: 'Another member stands beside the envelope.', has: enveloped },
    (response, { body }) => ({ response: withBody(response, { ...body, success: false }) }),
  ),
  whole({ id: 'err-01-empty', clause: 'ERR-01', text: 'An error has no body.' }, (response) => ({
    response: withBody(response, ''),
  })),
  ...ERROR_WIDE_ROLES.map((role) =>
    plant({
      ...{ id: `err-02-no-${inKebabCase(role)}`, clause: 'ERR-02', has: having(role) },
      text: `An error lacks ${WORDS[role] ?? `its ${role}`}.`,
      error: () => ({ [role]: undefined }),
    }),
  ),
  plant({
    ...{ id: 'err-02-status-as-text', clause: 'ERR-02', text: 'An error tells its status as a text.' },
    has: ({ members }) => members.status?.form === 'integer',
    error: (error) => ({ status: String(memberOf(error, 'status')) }),
  }),
];

function inKebabCase(role: string): string {
  return role.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const memberPlants: readonly AnswerPlant[] = [
  plant({
    ...{ id: 'err-03-camel-case', clause: 'ERR-03', text: 'The code of an error is of another form.' },
    has: ({ members }) => members.code != null && members.code.form !== null,
    error({ terms: { members } }) {
      const code = OTHER_CODES.find((one) => !isOfForm(one, members.code?.form ?? null));
      return code === undefined ? null : { code };
    },
  }),
  plant({
    ...{ id: 'err-04-differs', clause: 'ERR-04', text: 'The status that an error tells differs from the HTTP status.' },
    has: ({ members }) => members.status !== undefined,
    error(error, { exchange }) {
      const told = memberOf(error, 'status');
      const other = exchange.response?.status === 500 ? 400 : 500;
      if (typeof told !== 'number') return typeof told === 'string' ? { status: String(other) } : null;
      return { status: other };
    },
  }),
  plant({
    ...{ id: 'err-05-elsewhere', clause: 'ERR-05', text: 'The documentation of an error is that of another code.' },
    has: ({ members }) => members.docUrl?.form?.includes('{code}') === true,
    error(error) {
      const address = textIn(error, 'docUrl');
      return address === null ? null : { docUrl: `${address}-other` };
    },
  }),
  plant({
    ...{ id: 'err-06-shared', clause: 'ERR-06', text: 'Two requests share one id.' },
    ...{ has: ({ members }) => members.requestId !== undefined, lacks: 'no two errors could share an id' },
    error(error, { terms }, earlier) {
      const known = earlier === null ? null : toldError({ exchange: earlier, terms });
      const id = known === null ? null : textIn(known, 'requestId');
      return id === null || id === textIn(error, 'requestId') ? null : { requestId: id };
    },
  }),
  plant({
    ...{ id: 'err-07-elsewhere', clause: 'ERR-07', text: 'The instance of an error is another path.' },
    has: ({ members }) => members.instance !== undefined,
    error: (error) => (textIn(error, 'instance') === null ? null : { instance: '/assay/elsewhere' }),
  }),
  plant({
    ...{ id: 'err-08-no-zone', clause: 'ERR-08', text: 'The timestamp of an error has no zone.' },
    has: ({ members }) => members.timestamp !== undefined,
    error: (error) => (textIn(error, 'timestamp') === null ? null : { timestamp: '2026-01-31T12:00:00' }),
  }),
  {
    ...plant({
      ...{
        id: 'err-09-no-errors',
        clause: 'ERR-09',
        text: 'A validation error lists no errors.',
        lacks: NO_VALIDATION,
      },
      ...{ has: (errors) => listOf(errors) !== null, ofInput: true, error: () => null },
    }),
    change(subject) {
      const told = toldError(subject);
      const list = told === null ? null : listOf(told.terms);
      const { response } = subject.exchange;
      if (told === null || list === null || response === null || !isValidation(told, subject)) return null;
      return { response: withBody(response, withAt(told.body, list, undefined)) };
    },
  },
  plant({
    ...{ id: 'err-09-no-param', clause: 'ERR-09', text: 'A validation error lacks param.', lacks: NO_VALIDATION },
    ...{ has: having('param'), ofInput: true },
    error: (error, subject) => (isValidation(error, subject) ? { param: undefined } : null),
  }),
  plant({
    ...{ id: 'err-10-other-param', clause: 'ERR-10', text: 'An error names a field that was not sent.' },
    ...{ has: having('param'), ofInput: true, lacks: NO_VALIDATION },
    error: (error, subject) => (isValidation(error, subject) ? { param: 'assay_other' } : null),
  }),
  plant({
    ...{ id: 'err-11-other-type', clause: 'ERR-11', text: 'A listed code comes with another type.' },
    ...{
      has: ({ codes }) => Object.values(codes).some(({ type }) => type !== null),
      lacks: 'no error had a listed code',
    },
    error: (error) => (Object.hasOwn(error.terms.codes, textIn(error, 'code') ?? '') ? { type: 'api_error' } : null),
  }),
];

const TRACE =
  'TypeError: cannot read\n    at handle (/srv/app/src/server/orders.js:120:14)\n    at run (/srv/app/src/main.js:8:3)';
/** An error of which no member is empty. */
const FAILED: Told = {
  ...{ type: 'api_error', code: 'failed', title: 'Failed', message: 'It failed.', status: 500, docUrl: '' },
  requestId: 'req_1',
};

const leakPlants: readonly AnswerPlant[] = [
  plant({
    ...{ id: 'err-12-trace', clause: 'ERR-12', text: 'An error carries a stack trace.' },
    has: ({ members }) => members.title !== undefined || members.message !== undefined,
    error: ({ terms: { members } }) => (members.title === undefined ? { message: TRACE } : { title: TRACE }),
  }),
  whole({ id: 'err-12-token', clause: 'ERR-12', text: 'An error echoes the bearer token.' }, (response) => ({
    response,
    echoed: [{ secret: 'sent token', where: 'body' }],
  })),
  {
    ...{ id: 'err-13-envelope', clause: 'ERR-13', text: 'A success is shaped like an error.', at: 'operation' },
    lacks: 'the operation never succeeded with a body',
    concerns: concerned(({ isNeverOnSuccess }) => isNeverOnSuccess, declaresJsonSuccess),
    change({ exchange, terms: { errors } }) {
      const response = wholeResponse(exchange);
      if (response === null || !isSuccess(response.status) || !jsonBody(exchange).ok) return null;
      return { response: withBody(response, errorBody(FAILED, errors)) };
    },
  },
];

export const errorPlants: readonly AnswerPlant[] = [...shapePlants, ...memberPlants, ...leakPlants];
