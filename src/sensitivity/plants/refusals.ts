// Plants of AUTH, REQ, VER, HEALTH and INT: requests that are to be refused are served, or refused in another way than the contract
// says; requests that are to be served are refused.
import type { Under } from '../../checks/check.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { RefusalTerms, Terms } from '../../contract/terms.ts';
import { CODE_DEFECTS } from '../../defects/refusals.ts';
import { schemasIn } from '../../defects/schema-places.ts';
import type { RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import {
  type ExperimentPlant,
  errorBody,
  isRefusal,
  type Occasion,
  otherError,
  type Sown,
  served,
  sown,
  withBody,
} from '../plant.ts';

interface Entry extends Partial<Omit<Sown, 'change'>> {
  /** Tells whether the defect shows in the answer of the request. */
  hits(plan: RequestPlan, status: number, terms: Terms): boolean;
  /** Absent: whatever the contract says. */
  has?(terms: Terms): boolean;
  /** The answer with the defect; absent: the request is served. */
  readonly answers?: Sown['change'];
}

const NOT_SENT = 'no request of this kind was refused by the operation';

function plant(
  clause: string,
  name: string,
  text: string,
  { hits, answers, has = () => true, concerns = () => true, ...entry }: Entry,
): ExperimentPlant {
  return sown(clause, name, text, {
    ...{ lacks: NOT_SENT, ...entry },
    concerns: (operation, description, under) => has(under.terms) && concerns(operation, description, under),
    change(occasion, response) {
      const { plan, proof, at } = occasion;
      if (!has(at.terms) || !hits(plan, response.status, at.terms)) return null;
      return answers === undefined ? served(response, proof) : answers(occasion, response);
    },
  });
}

/** Tells whether a token is required, as probes understand it. */
function isGuarded({ security }: Operation): boolean {
  return security.length > 0 && security.every((alternative) => alternative.length > 0);
}

const isUnauthorised = (kind: RequestPlan['credential']['kind']) => (plan: RequestPlan, status: number) =>
  plan.credential.kind === kind && isRefusal(status);

type Refusal = (terms: Terms) => RefusalTerms | null;

/** The refusal with the first of these statuses that the contract does not state for it. */
function otherStatus(refusal: Refusal, statuses: readonly number[]) {
  return ({ exchange, at: { terms } }: Occasion): RecordedResponse | null => {
    const status = statuses.find((one) => refusal(terms)?.statuses.includes(one) === false);
    return status === undefined ? null : otherError(exchange, { status }, terms.errors);
  };
}

/** The refusal of the clause, as the defect of the catalogue tells it, where the contract states a code. */
function otherCode(clause: string, refusal: Refusal, beside: Entry): readonly ExperimentPlant[] {
  return CODE_DEFECTS.filter((one) => one.clause === clause).map(({ id, says, code }) => ({
    ...plant(clause, '', says, {
      ...{ ...beside, has: statesCode(refusal) },
      answers: ({ exchange, at: { terms } }) => otherError(exchange, { code }, terms.errors),
    }),
    id,
  }));
}

/** Tells whether the contract states the statuses of the refusal, or the code of its error. */
const statesStatus = (refusal: Refusal) => (terms: Terms) => (refusal(terms)?.statuses.length ?? 0) > 0;
const statesCode = (refusal: Refusal) => (terms: Terms) =>
  refusal(terms)?.code != null && terms.errors?.members.code !== undefined;

const refused: Refusal = ({ authentication }) => authentication.refused;
const locked: Refusal = ({ authentication }) => authentication.locked;
const unknownPath: Refusal = ({ requests }) => requests.unknownPath;
const invalid: Refusal = ({ requests }) => requests.invalid;

const OF_CREDENTIALS = [
  { clause: 'AUTH-01', kind: 'none', sent: 'no token' },
  { clause: 'AUTH-02', kind: 'invalid', sent: 'an invalid token' },
  { clause: 'AUTH-03', kind: 'expired', sent: 'an expired token' },
  { clause: 'AUTH-04', kind: 'locked', sent: "a locked account's token" },
] as const;

const authPlants: readonly ExperimentPlant[] = OF_CREDENTIALS.flatMap(({ clause, kind, sent }) => {
  const base = { concerns: isGuarded, hits: isUnauthorised(kind) };
  const stated = clause === 'AUTH-04' ? locked : refused;
  return [
    plant(clause, 'served', `A request with ${sent} is served.`, base),
    plant(clause, 'other-status', `A request with ${sent} is refused with another status.`, {
      ...{ ...base, has: statesStatus(stated) },
      answers: otherStatus(stated, clause === 'AUTH-04' ? [401, 400] : [403, 400]),
    }),
    ...otherCode(clause, stated, base),
  ];
});

const as = (status: number): Pick<Entry, 'answers'> => ({
  answers: (_occasion, response) => ({ ...response, status }),
});

const openPlants: readonly ExperimentPlant[] = [
  plant('AUTH-05', 'refused', 'A key that other operations accept is refused.', {
    lacks: 'no experiment called it with a key once more',
    concerns: (operation) => isGuarded(operation) && operation.method === 'GET',
    hits: ({ credential }, status) => credential.kind === 'key' && status < 300,
    answers({ at: { terms } }, response) {
      const { statuses = [], code = null } = terms.authentication.refused ?? {};
      const told = code === null ? {} : { code };
      return withBody({ ...response, status: statuses[0] ?? 401 }, errorBody(told, terms.errors));
    },
  }),
  plant('AUTH-06', 'demanded', 'A public operation demands a token.', {
    ...{ lacks: 'no experiment called it without a token once more', also: ['SPEC-04'], ...as(401) },
    concerns: (operation) => !isGuarded(operation),
    // With a key it answers what it answered without.
    takes: (plan) => ({ ...plan, credential: { kind: 'none' } }),
    hits: ({ credential }, status) => credential.kind === 'none' && status < 400,
  }),
  plant('HEALTH-01', 'guarded', 'Liveness demands a token.', {
    ...{ at: 'run', lacks: 'liveness was not asked for', ...as(401) },
    hits: ({ path }, _status, { health }) => health?.isPublic === true && health.operation.endsWith(` ${path}`),
  }),
  plant('INT-01', 'served', 'An internal endpoint serves a public key.', {
    ...{ at: 'run', lacks: 'no internal path was asked for' },
    hits: ({ method, path }, status, { internal }) =>
      internal.length > 0 && operationMatcher(internal)(`${method} ${path}`) && isRefusal(status),
  }),
];

const wasInvalid = ({ intent }: RequestPlan, status: number): boolean => intent === 'invalid' && isRefusal(status);

function bodyOf({ requestBody }: Operation): unknown {
  return requestBody?.content.find(({ mediaType }) => isJson(mediaType))?.schema?.value ?? null;
}

/** Tells whether a schema of the operation's body says something of this kind. */
function bodySays(speaks: (schema: Readonly<Record<string, unknown>>) => boolean) {
  return (operation: Operation, description: Description): boolean =>
    schemasIn(description.deref, bodyOf(operation)).some(speaks);
}

/** Tells whether the body is described as an object of which a member says something of this kind. */
function topLevel(speaks: (schema: Readonly<Record<string, unknown>>) => boolean) {
  return (operation: Operation, description: Description): boolean => {
    const schema = description.deref(bodyOf(operation));
    return isObject(schema) && speaks(schema);
  };
}

/** Tells whether the path names an item that must be there: a PUT that declares 201 may make it. */
function namesItem({ path, method, responses }: Operation): boolean {
  return path.includes('{') && !(method === 'PUT' && responses.some(({ status }) => status === '201'));
}

const takesJson = (operation: Operation): boolean => bodyOf(operation) !== null;
const hasRequired = topLevel(({ required }) => Array.isArray(required) && required.length > 0);
const hasMembers = topLevel(({ properties }) => isObject(properties) && Object.keys(properties).length > 0);
const CONSTRAINTS = ['enum', 'format', 'minimum', 'maximum', 'pattern', 'minLength', 'maxLength'];
const hasConstraint = bodySays((schema) => CONSTRAINTS.some((keyword) => schema[keyword] !== undefined));

function registers({ key }: Operation, _description: Description, { terms }: Under): boolean {
  return key === terms.registration?.operation;
}

/** Only the platform's own contract says with which status a media type is refused. */
function refusesMediaTypes(operation: Operation, _description: Description, { contract }: Under): boolean {
  return contract === 'commerce' && takesJson(operation);
}

const UNKNOWN_PATH = { at: 'run', lacks: 'no unknown path was asked for', hits: wasInvalid } as const;
const invalidTo = (concerns: NonNullable<Entry['concerns']>): Entry => ({ concerns, hits: wasInvalid });

const requestPlants: readonly ExperimentPlant[] = [
  plant('REQ-01', 'served', 'An unknown path is served.', UNKNOWN_PATH),
  ...otherCode('REQ-01', unknownPath, UNKNOWN_PATH),
  plant('REQ-02', 'served', 'An unknown id is served.', {
    ...{ ...invalidTo(namesItem), has: (terms) => unknownPath(terms) !== null },
  }),
  ...otherCode('REQ-02', unknownPath, invalidTo(namesItem)),
  plant('REQ-03', 'served', 'A body without a required member is accepted.', invalidTo(hasRequired)),
  ...otherCode('REQ-03', invalid, invalidTo(hasRequired)),
  plant('REQ-04', 'served', 'A member of another type is accepted.', invalidTo(hasMembers)),
  ...otherCode('REQ-04', invalid, invalidTo(hasMembers)),
  plant('REQ-05', 'served', 'Malformed JSON is accepted.', invalidTo(takesJson)),
  plant('REQ-06', 'served', 'A body of an unsupported media type is accepted.', invalidTo(takesJson)),
  plant('REQ-06', 'other-status', 'An unsupported media type is answered 409.', {
    ...invalidTo(refusesMediaTypes),
    answers: ({ exchange, at }) => otherError(exchange, { status: 409 }, at.terms.errors),
  }),
  plant('REQ-07', 'again', 'A registered email is registered again.', {
    concerns: registers,
    hits: (_plan, status, { registration }) => status === registration?.taken,
  }),
  plant('REQ-07', 'without', 'A registration without a member that it needs is accepted.', invalidTo(registers)),
  plant('REQ-08', 'served', 'A value outside its constraints is accepted.', invalidTo(hasConstraint)),
  {
    ...{ id: 'req-09-unanswered', clause: 'REQ-09', text: 'Hostile input is not answered.', at: 'operation' },
    lacks: 'no hostile input was sent',
    concerns: ({ requestBody, parameters }) => requestBody !== null || parameters.length > 0,
    change: ({ plan }) =>
      plan.intent === 'hostile'
        ? { failure: { kind: 'timeout', message: 'no answer within 30 s', reusedSocket: false } }
        : null,
  },
  plant('VER-01', 'refused', 'A version header is refused.', {
    ...{ lacks: 'no version header was sent', ...as(400) },
    concerns: ({ method }) => method !== 'DELETE',
    hits: ({ headers }) => headers.some(([name]) => name.endsWith('Version')),
  }),
];

export const refusalPlants: readonly ExperimentPlant[] = [...authPlants, ...openPlants, ...requestPlants];
