// AUTH: calls let in that should be refused, and the other way about.

import type { Admission, Deviation, Hooks } from '../deviation.ts';
import { conflict, PROBLEMS, type Problem, refusal } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { KEYS, type Key, LOCKED_KEY } from '../tokens.ts';
import { fault, on } from './fault.ts';
import { codeFault } from './refusals.ts';
import { isGuarded, isPlainRead } from './subject.ts';

const GUEST: Key = { name: 'guest', plan: 'standard', account: 'aurora', locked: false };

/** Lets the refused calls in, as a guest, for which `when` holds. */
function admitting(when: (call: Call) => boolean): () => Hooks {
  return () => ({
    authenticate: (call, admission) =>
      admission.problem?.status === 401 && call.route !== null && when(call)
        ? { key: GUEST, problem: null }
        : admission,
  });
}

/** Tells the refusals for which `when` holds otherwise. */
function telling(when: (call: Call, admission: Admission) => boolean, problem: Problem): () => Hooks {
  return () => ({
    authenticate: (call, admission) =>
      admission.problem !== null && when(call, admission) ? { ...admission, problem } : admission,
  });
}

function bearer(call: Call): string {
  return /^bearer +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1] ?? '';
}

/** Content of a JWT's part `at`, unverified. */
function part(token: string, at: number): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString('utf8'));
    return isObject(read) ? read : {};
  } catch {
    // A token that is no JWT says nothing.
    return {};
  }
}

const isExpired = (call: Call) =>
  typeof part(bearer(call), 1).exp === 'number' && Number(part(bearer(call), 1).exp) * 1000 < call.receivedAt;
/** Names one of our keys in its claims: a token that was ours before it expired or was altered. */
const claimsKey = (call: Call) => KEYS.some(({ name }) => name === part(bearer(call), 1).key);
/** A JWT in some parameter of the query, and none in the header. */
const queryToken = (call: Call) =>
  call.headers.authorization === undefined &&
  Object.values(call.query).some((value) => /^eyJ[\w-]*\./.test(String(value)));
const withoutToken = (call: Call) => call.headers.authorization === undefined && !queryToken(call);
const isNoJwt = (call: Call) => bearer(call) !== '' && Object.keys(part(bearer(call), 0)).length === 0;
const refused = (when: (call: Call) => boolean) => (call: Call, answer: Answer) => answer.status === 401 && when(call);

export const AUTH_FAULTS: readonly Deviation[] = [
  fault(
    'auth-01-open-operation',
    'One operation answers without a token.',
    on('a readable operation', isPlainRead, (route) =>
      admitting((call) => call.route === route && withoutToken(call))(),
    ),
  ),
  fault(
    'auth-01-open-items',
    'Reading one item needs no token.',
    on(
      'an operation that reads an item',
      ({ role }) => role.kind === 'item' && role.verb === 'read',
      (route) => admitting((call) => call.route === route && withoutToken(call))(),
    ),
  ),
  codeFault('auth-01-other-code', 'A missing token is told by another code.', refused(withoutToken)),
  fault(
    'auth-01-no-code',
    'A missing token is refused without a code.',
    () => ({
      answer: (call, answer) => {
        const error = asObject(answer.body).error;
        if (answer.status === 401 && withoutToken(call) && isObject(error)) delete error.code;
      },
    }),
    { alsoBreaks: ['ERR-02', 'SCH-01'] },
  ),
  fault(
    'auth-01-403',
    'One operation answers 403 without a token.',
    on('a guarded operation', isGuarded, (route) =>
      telling((call) => call.route === route && withoutToken(call), { ...PROBLEMS.accountLocked, code: 'forbidden' })(),
    ),
  ),
  fault(
    'auth-01-validation-first',
    'One create operation validates before it authenticates.',
    on(
      'a create operation',
      (route) => isGuarded(route) && route.role.kind === 'create',
      (route) => telling((call) => call.route === route && withoutToken(call), { ...PROBLEMS.malformedRequest })(),
    ),
  ),
  fault(
    'auth-02-alg-none',
    'Tokens with alg none are accepted.',
    admitting((call) => String(part(bearer(call), 0).alg).toLowerCase() === 'none'),
  ),
  fault(
    'auth-02-alg-none-case',
    'Tokens whose algorithm is none in other letters are accepted.',
    admitting((call) => /^none$/i.test(String(part(bearer(call), 0).alg)) && part(bearer(call), 0).alg !== 'none'),
  ),
  fault(
    'auth-02-no-signature',
    'Tokens that end before their signature are accepted.',
    admitting((call) => claimsKey(call) && bearer(call).split('.')[2] === '' && part(bearer(call), 0).alg === 'HS256'),
  ),
  fault(
    'auth-02-two-parts',
    'Tokens that are cut before their signature are accepted.',
    admitting((call) => claimsKey(call) && bearer(call).split('.').length === 2),
  ),
  fault(
    'auth-02-signature-unchecked',
    'The signature of a token is not checked.',
    admitting((call) => claimsKey(call) && !isExpired(call)),
  ),
  fault(
    'auth-02-basic',
    'Basic credentials are accepted.',
    admitting((call) => /^basic /i.test(call.headers.authorization ?? '')),
  ),
  fault(
    'auth-02-basic-user',
    'A valid token is accepted as the user of Basic credentials.',
    admitting((call) => {
      const [, encoded = ''] = /^basic +(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
      return Buffer.from(encoded, 'base64').toString().split(':')[0]?.split('.').length === 3;
    }),
  ),
  fault('auth-02-query', 'A token in the query is accepted.', admitting(queryToken)),
  fault(
    'auth-02-empty',
    'An empty bearer token is accepted.',
    admitting((call) => /^bearer *$/i.test(call.headers.authorization ?? '')),
  ),
  fault(
    'auth-02-one-operation',
    'One operation takes any bearer token.',
    on('a readable operation', isPlainRead, (route) =>
      admitting((call) => call.route === route && bearer(call) !== '' && !isExpired(call))(),
    ),
  ),
  codeFault('auth-02-other-code', 'Tokens that are no JWT are told by another code.', refused(isNoJwt)),
  fault(
    'auth-03-accepted',
    'Expired tokens are accepted.',
    admitting((call) => isExpired(call) && claimsKey(call)),
  ),
  fault(
    'auth-03-one-operation',
    'One operation accepts expired tokens.',
    on('a readable operation', isPlainRead, (route) =>
      admitting((call) => call.route === route && isExpired(call) && claimsKey(call))(),
    ),
  ),
  codeFault('auth-03-other-code', 'An expired token is told as token_expired.', refused(isExpired)),
  fault('auth-04-served', 'Locked accounts are served.', () => ({
    authenticate: (call, admission) =>
      call.route !== null && admission.key?.name === LOCKED_KEY.name ? { ...admission, problem: null } : admission,
  })),
  fault(
    'auth-04-one-operation',
    'One operation serves locked accounts.',
    on('a readable operation', isPlainRead, (route) => ({
      authenticate: (call, admission) =>
        call.route === route && admission.key?.locked === true ? { ...admission, problem: null } : admission,
    })),
  ),
  fault(
    'auth-04-401',
    'A locked account is told as an invalid token.',
    telling((_call, { key }) => key?.locked === true, PROBLEMS.tokenInvalid),
  ),
  fault(
    'auth-05-store',
    'Store does not accept the tokens that Admin and AI accept.',
    on('an operation of Store', isOf('store'), () => refusing(({ route }) => route !== null && isOf('store')(route))),
    { alsoBreaks: ['REQ-02'] },
  ),
  fault(
    'auth-05-ai-growth',
    'AI does not accept the tokens of the growth plan.',
    on('an operation of AI', isOf('ai'), () =>
      refusing(({ route }, { key }) => route !== null && isOf('ai')(route) && key?.plan === 'growth'),
    ),
  ),
  fault(
    'auth-05-one-change-standard',
    'One operation that changes an item does not accept the tokens of the standard plan.',
    on(
      'an operation that changes an item',
      ({ role, operation }) => role.kind === 'item' && operation.method === 'PATCH',
      (subject) => refusing(({ route }, { key }) => route === subject && key?.plan === 'standard'),
    ),
  ),
  fault(
    'auth-05-one-create-growth',
    'One operation that makes things does not accept the tokens of the growth plan.',
    on(
      'an operation that makes things',
      ({ role, operation }) => role.kind === 'create' && operation.method === 'POST' && !operation.public,
      (subject) => refusing(({ route }, { key }) => route === subject && key?.plan === 'growth'),
    ),
  ),
  fault(
    'auth-05-one-item-growth',
    'One operation that reads an item does not accept the tokens of the growth plan.',
    on(
      'an operation that reads an item',
      ({ role }) => role.kind === 'item' && role.verb === 'read',
      (subject) => refusing(({ route }, { key }) => route === subject && key?.plan === 'growth'),
    ),
  ),
  fault(
    'auth-06-register',
    'Registration demands a token.',
    on(
      'the registration',
      ({ operation }) => operation.unique.includes('email') && operation.public,
      (route) => refusing((call, { key }) => call.route === route && key === null),
    ),
    { alsoBreaks: ['SPEC-04', 'REQ-07'] },
  ),
  fault(
    'auth-06-register-refused-later',
    'Registration demands a token, and refuses who shows one as registered already.',
    on(
      'the registration',
      ({ operation }) => operation.unique.includes('email') && operation.public,
      (route, { docsUrl }) => ({
        ...refusing((call, { key }) => call.route === route && key === null),
        act: (call, proceed) => (call.route === route ? refusal(call, conflict('account'), docsUrl) : proceed()),
      }),
    ),
    { alsoBreaks: ['SPEC-04', 'REQ-07'] },
  ),
];

function isOf(service: string): (route: Route) => boolean {
  return ({ operation }) => operation.document.service === service;
}

/** Refuses as invalid what would be let in. */
function refusing(when: (call: Call, admission: Admission) => boolean): Hooks {
  return {
    authenticate: (call, admission) =>
      admission.problem === null && call.route !== null && when(call, admission)
        ? { key: null, problem: PROBLEMS.tokenInvalid }
        : admission,
  };
}
