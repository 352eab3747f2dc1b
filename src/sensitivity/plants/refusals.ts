// Plants of AUTH, REQ, VER, HEALTH and INT: requests that are to be refused are served, or refused in another way than the contract
// says; requests that are to be served are refused.
import { HEALTH_PATH, REGISTER_OPERATION } from '../../contract/platform.ts';
import type { RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { type ExperimentPlant, type Occasion, otherError, served, withBody } from '../plant.ts';
import { schemasIn } from '../schema-places.ts';

type Entry = Pick<ExperimentPlant, 'id' | 'clause' | 'text'> &
  Partial<Omit<ExperimentPlant, 'change'>> & {
    /** Tells whether the defect shows in the answer of the request. */
    hits(plan: RequestPlan, status: number): boolean;
    readonly ofContract?: true;
    /** The answer with the defect; absent: the request is served. */
    answers?(occasion: Occasion, response: RecordedResponse): RecordedResponse | null;
  };

const NOT_SENT = 'no request of this kind was refused by the operation';

/** `ofContract`: only this platform's contract says how the request is refused. */
function plant({ hits, answers, ofContract, concerns = () => true, ...entry }: Entry): ExperimentPlant {
  return {
    ...{ at: 'operation', lacks: NOT_SENT },
    ...entry,
    concerns: (operation, description, contract) =>
      (ofContract === undefined || contract === 'commerce') && concerns(operation, description, contract),
    change(occasion) {
      const { plan, exchange, proof } = occasion;
      const { response } = exchange;
      if (response === null || !hits(plan, response.status)) return null;
      const changed = answers === undefined ? served(response, proof) : answers(occasion, response);
      return changed === null ? null : { response: changed };
    },
  };
}

/** Tells whether a token is required, as probes understand it. */
function isGuarded({ security }: Operation): boolean {
  return security.length > 0 && security.every((alternative) => alternative.length > 0);
}

const isRefusal = (status: number): boolean => status >= 400 && status < 429;
const isUnauthorised = (kind: RequestPlan['credential']['kind']) => (plan: RequestPlan, status: number) =>
  plan.credential.kind === kind && isRefusal(status);

function otherStatus(status: number, members: Record<string, unknown> = {}) {
  return ({ exchange }: Occasion): RecordedResponse | null => otherError(exchange, status, members);
}

function otherCode(code: string) {
  return ({ exchange }: Occasion, { status }: RecordedResponse) => otherError(exchange, status, { code });
}

const OF_CREDENTIALS = [
  { clause: 'AUTH-01', kind: 'none', sent: 'no token' },
  { clause: 'AUTH-02', kind: 'invalid', sent: 'an invalid token' },
  { clause: 'AUTH-03', kind: 'expired', sent: 'an expired token' },
  { clause: 'AUTH-04', kind: 'locked', sent: "a locked account's token" },
] as const;

const authPlants: readonly ExperimentPlant[] = OF_CREDENTIALS.flatMap(({ clause, kind, sent }) => {
  const id = clause.toLowerCase();
  const base = { clause, concerns: isGuarded, hits: isUnauthorised(kind) };
  const other = clause === 'AUTH-04' ? 401 : 403;
  return [
    plant({ ...base, id: `${id}-served`, text: `A request with ${sent} is served.` }),
    plant({
      ...{ ...base, id: `${id}-other-status`, text: `A request with ${sent} is answered ${other}.` },
      ofContract: true,
      answers: otherStatus(other),
    }),
    ...(clause === 'AUTH-04'
      ? []
      : [
          plant({
            ...{ ...base, id: `${id}-other-code`, text: `A request with ${sent} is refused with another code.` },
            ofContract: true,
            answers: otherCode('unauthorized'),
          }),
        ]),
  ];
});

const keyPlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'auth-05-refused', clause: 'AUTH-05', text: 'A key that other operations accept is refused.' },
    lacks: 'no experiment called it with a key once more',
    concerns: (operation) => isGuarded(operation) && operation.method === 'GET',
    hits: ({ credential }, status) => credential.kind === 'key' && status < 300,
    answers: (_occasion, response) => withBody({ ...response, status: 401 }, { error: { code: 'auth_token_invalid' } }),
  }),
];

const openPlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'auth-06-demanded', clause: 'AUTH-06', text: 'A public operation demands a token.' },
    lacks: 'no experiment called it without a token once more',
    also: ['SPEC-04'],
    concerns: (operation) => !isGuarded(operation),
    // With a key it answers what it answered without.
    takes: (plan) => ({ ...plan, credential: { kind: 'none' } }),
    hits: ({ credential }, status) => credential.kind === 'none' && status < 400,
    answers: (_occasion, response) => ({ ...response, status: 401 }),
  }),
  plant({
    ...{ id: 'health-01-guarded', clause: 'HEALTH-01', text: 'Liveness demands a token.', at: 'run' },
    lacks: 'liveness was not asked for',
    hits: ({ path }) => path === HEALTH_PATH,
    answers: (_occasion, response) => ({ ...response, status: 401 }),
  }),
  plant({
    ...{ id: 'int-01-served', clause: 'INT-01', text: 'An internal endpoint serves a public key.', at: 'run' },
    lacks: 'no internal path was asked for',
    hits: ({ path }, status) => path.startsWith('/api/internal/') && isRefusal(status),
  }),
];

const wasInvalid = ({ intent }: RequestPlan, status: number): boolean => intent === 'invalid' && isRefusal(status);

function bodyOf({ requestBody }: Operation): unknown {
  return requestBody?.content.find(({ mediaType }) => isJson(mediaType))?.schema?.value ?? null;
}

/** Tells whether a schema of the operation's body says something of this kind. */
function bodySays(speaks: (schema: Readonly<Record<string, unknown>>) => boolean) {
  return (operation: Operation, description: Description): boolean =>
    schemasIn(description, bodyOf(operation)).some(speaks);
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

const requestPlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'req-01-served', clause: 'REQ-01', text: 'An unknown path is served.', at: 'run', hits: wasInvalid },
    lacks: 'no unknown path was asked for',
  }),
  plant({
    ...{ id: 'req-01-other-code', clause: 'REQ-01', text: 'An unknown path is refused with another code.', at: 'run' },
    ...{
      lacks: 'no unknown path was asked for',
      hits: wasInvalid,
      answers: otherCode('route_unknown'),
      ofContract: true,
    },
  }),
  plant({
    ...{ id: 'req-02-served', clause: 'REQ-02', text: 'An unknown id is served.', hits: wasInvalid, ofContract: true },
    concerns: namesItem,
  }),
  plant({
    ...{ id: 'req-02-other-code', clause: 'REQ-02', text: 'An unknown id is refused with another code.' },
    concerns: namesItem,
    ...{ hits: wasInvalid, answers: otherCode('no_such_thing'), ofContract: true },
  }),
  plant({
    ...{ id: 'req-03-served', clause: 'REQ-03', text: 'A body without a required member is accepted.' },
    ...{ concerns: hasRequired, hits: wasInvalid },
  }),
  plant({
    ...{ id: 'req-03-other-code', clause: 'REQ-03', text: 'A missing member is refused with another code.' },
    ...{ concerns: hasRequired, hits: wasInvalid, answers: otherCode('bad_request'), ofContract: true },
  }),
  plant({
    ...{ id: 'req-04-served', clause: 'REQ-04', text: 'A member of another type is accepted.' },
    ...{ concerns: hasMembers, hits: wasInvalid },
  }),
  plant({
    ...{ id: 'req-05-served', clause: 'REQ-05', text: 'Malformed JSON is accepted.' },
    ...{ concerns: takesJson, hits: wasInvalid },
  }),
  plant({
    ...{ id: 'req-06-served', clause: 'REQ-06', text: 'A body of an unsupported media type is accepted.' },
    ...{ concerns: takesJson, hits: wasInvalid },
  }),
  plant({
    ...{ id: 'req-06-other-status', clause: 'REQ-06', text: 'An unsupported media type is answered 409.' },
    ...{ concerns: takesJson, hits: wasInvalid, answers: otherStatus(409), ofContract: true },
  }),
  plant({
    ...{ id: 'req-07-again', clause: 'REQ-07', text: 'A registered email is registered again.' },
    concerns: ({ key }) => key === REGISTER_OPERATION,
    hits: (_plan, status) => status === 409,
  }),
  plant({
    ...{ id: 'req-07-without', clause: 'REQ-07', text: 'A registration without email or password is accepted.' },
    ...{ concerns: ({ key }: Operation) => key === REGISTER_OPERATION, hits: wasInvalid },
  }),
  plant({
    ...{ id: 'req-08-served', clause: 'REQ-08', text: 'A value outside its constraints is accepted.' },
    ...{ concerns: hasConstraint, hits: wasInvalid },
  }),
  {
    ...{ id: 'req-09-unanswered', clause: 'REQ-09', text: 'Hostile input is not answered.', at: 'operation' },
    lacks: 'no hostile input was sent',
    concerns: ({ requestBody, parameters }) => requestBody !== null || parameters.length > 0,
    change: ({ plan }) =>
      plan.intent === 'hostile'
        ? { failure: { kind: 'timeout', message: 'no answer within 30 s', reusedSocket: false } }
        : null,
  },
  plant({
    ...{ id: 'ver-01-refused', clause: 'VER-01', text: 'A version header is refused.' },
    lacks: 'no version header was sent',
    concerns: ({ method }) => method !== 'DELETE',
    hits: ({ headers }) => headers.some(([name]) => name.endsWith('Version')),
    answers: (_occasion, response) => ({ ...response, status: 400 }),
  }),
];

export const refusalPlants: readonly ExperimentPlant[] = [...authPlants, ...keyPlants, ...openPlants, ...requestPlants];
