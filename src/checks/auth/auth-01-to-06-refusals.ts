// AUTH-01 to AUTH-04 and AUTH-06: what a request without a valid token is answered.
//
// SPEC-04 (must): Every operation that requires authentication requires a scheme that the contract names, and no
//   other one. Tolerance: Operations with `security: []` are public (e.g. registration, liveness); one that then
//   answers 401 without a token breaches AUTH-06 and SPEC-04, either may be reported.
// AUTH-01 (must): On every operation that requires authentication, a request without a token is refused. Tolerance: 429
//   first: retried.
// AUTH-02 (must): The same for an invalid token: random, altered signature, `alg: none`, wrong scheme (Basic), token in
//   the query only, empty. Tolerance: One or more of these per operation, all of them on some; configurable.
// AUTH-03 (must): The same for an expired token. Tolerance: With a configured expired token; else a token crafted as
//   expired counts under AUTH-02 and this is "not tested".
// AUTH-04 (must): A valid token of a locked account is refused as the contract states. Tolerance: Needs a configured
//   locked token; else "not tested".
// AUTH-06 (must): A public operation does not demand a token.
import { breached, cannotTell, holds, type Judgement, noting, type Observed } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isHead } from '../../facts/answered.ts';
import { isSecret } from '../../facts/members.ts';
import { parameterNames } from '../../facts/paths.ts';
import { isContainer, isObject, isScalar } from '../../openapi/json.ts';
import { auth } from '../../wording/auth.ts';
import { type Answer, answerOf, spoken } from '../answer.ts';
import { topLevelNames } from '../err/validation-request.ts';
import { seenOnce } from '../observation.ts';
import {
  codeFlaw,
  codeName,
  codePointer,
  expectedCode,
  hasStatus,
  refusalInWords,
  type Stated,
  statusInWords,
  statusKind,
} from '../refusal.ts';

const NOT_THERE = cannotTell(
  'precondition',
  'no call with a valid key was answered by anything but 404: the target may not serve this operation',
);

/** The value that was sent instead of valid credentials. */
export interface SentInstead {
  /** The clause that speaks of it, as in codes. */
  readonly clause: 'auth-01' | 'auth-02' | 'auth-03';
  /** Its part of a code: "no-token". */
  readonly name: string;
  /** "no token" */
  readonly inWords: string;
}

/**
 * AUTH-01, -02, -03: refused as the contract states. Where a valid token was never answered by anything but 404 (`maybeAbsent`), a 404 tells
 * nothing of the token.
 */
export function judgeTokenRefused(
  exchange: Exchange,
  sent: SentInstead,
  { terms }: Pick<Stated, 'terms'>,
  maybeAbsent = false,
): Judgement {
  const { errors } = terms;
  const { refused } = terms.authentication;
  const seen = answerOf(exchange, errors);
  if (!seen.ok) return seen.judgement;
  if (refused === null) return cannotTell('not-declared', 'the contract does not say how it is refused');
  if (maybeAbsent && seen.answer.status === 404) return NOT_THERE;
  const { answer } = seen;
  const [actual, expected, status] = [spoken(answer), refusalInWords(refused, errors), statusInWords(refused)];
  if (!hasStatus(answer, refused)) {
    const kind = answer.status < 400 ? 'accepted' : statusKind(refused) === 'not-401' ? 'not-401' : 'other-status';
    const told = auth(`${sent.clause}.${kind}`, { sent: sent.inWords, actual, expected, status }, sent.name);
    return breached([{ weight: 'breach', ...told, expected, actual }]);
  }
  const flaw = isHead(exchange) ? null : codeFlaw(answer, refused, errors);
  if (flaw === null) return holds();
  const of = { sent: sent.inWords, subject: codeName(errors), expected: expectedCode(refused, errors) ?? '' };
  const told =
    flaw === 'none'
      ? auth(`${sent.clause}.no-code`, of, sent.name)
      : auth(`${sent.clause}.other-code`, { ...of, code: answer.code ?? '' }, sent.name);
  return breached([{ weight: 'breach', ...told, expected, actual, pointer: codePointer(errors) }]);
}

/**
 * AUTH-01, -02, -03 by a description alone: what is declared as secured answers 401 or 403. Another refusal may hide what
 * there is (404), or find the request itself wrong first: of that a description says nothing.
 */
export function judgeSecured(exchange: Exchange, sent: SentInstead): Judgement {
  return judgeOpen(exchange, sent, `${sent.clause}.accepted`, 'which need not be for want of valid credentials');
}

/** AUTH-01 by a description alone, on the DELETE of an object that is there: a success has taken it away. */
export function judgeOpenDelete(exchange: Exchange, sent: SentInstead): Judgement {
  return judgeOpen(exchange, sent, 'auth-01.deletes', 'which took nothing away');
}

function judgeOpen(
  exchange: Exchange,
  { inWords, name }: SentInstead,
  kind: 'auth-01.deletes' | `${SentInstead['clause']}.accepted`,
  otherwise: string,
): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 401 || status === 403) return holds();
  if (status >= 300) return cannotTell('precondition', `answered ${status}, ${otherwise}`);
  const [actual, expected] = [String(status), '401 or 403'];
  const told = auth(kind, { sent: inWords, actual, expected }, name);
  return breached([{ weight: 'breach', ...told, expected, actual }]);
}

/** An alternative of an operation's security. */
export interface Alternative {
  /** The names of its schemes, in words. */
  readonly names: string;
  /** True where other operations accept all of its keys. */
  readonly areGood: boolean;
}

/** AUTH-01, as a description promises: keys that are good elsewhere open an operation that names their schemes. 403 may be for want of a right. */
export function judgeAlternative(exchange: Exchange, { names, areGood }: Alternative): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  if (answer.status === 403) return cannotTell('precondition', `${names}: answered 403, the key may lack the right`);
  if (answer.status !== 401) return holds();
  if (!areGood) return cannotTell('precondition', `${names}: refused, and no other operation accepted these keys`);
  const sent = [...topLevelNames({ exchange, operation: null }), ...parameterNames(exchange.plan.operation ?? '')];
  const own = sent.find(isSecret);
  if (own !== undefined) return cannotTell('precondition', `${names}: answered 401, which may be for its "${own}"`);
  const actual = spoken(answer);
  const expected = 'any answer but 401';
  return breached([
    { weight: 'advisory', ...auth('auth-01.alternative-refused', { names, actual }), expected, actual },
  ]);
}

/** AUTH-04: a valid token of a locked account is refused as the contract states. */
export function judgeLockedRefused(
  exchange: Exchange,
  { terms }: Pick<Stated, 'terms'>,
  maybeAbsent = false,
): Judgement {
  const { errors } = terms;
  const { locked } = terms.authentication;
  const seen = answerOf(exchange, errors);
  if (!seen.ok) return seen.judgement;
  if (locked === null) return cannotTell('not-declared', 'the contract does not say how a locked account is refused');
  if (maybeAbsent && seen.answer.status === 404) return NOT_THERE;
  const { answer } = seen;
  const [actual, expected, status] = [spoken(answer), refusalInWords(locked, errors), statusInWords(locked)];
  if (!hasStatus(answer, locked)) {
    const kind = answer.status < 400 ? 'served' : statusKind(locked) === 'not-403' ? 'not-403' : 'other-status';
    return breached([{ weight: 'breach', ...auth(`auth-04.${kind}`, { actual, status }), expected, actual }]);
  }
  if (isHead(exchange) || codeFlaw(answer, locked, errors) === null) return holds();
  const code = {
    subject: codeName(errors),
    actual: answer.code ?? 'absent',
    expected: expectedCode(locked, errors) ?? '',
  };
  return breached([
    { weight: 'breach', ...auth('auth-04.other-code', code), expected, actual, pointer: codePointer(errors) },
  ]);
}

/**
 * AUTH-06: a public operation does not demand a token. `withKey` is the same request with a valid key, once the first was
 * answered 401. The judgement is told under `clause`: a description that calls public what is not breaks SPEC-04 as well.
 */
export function judgePublic(
  withoutToken: Exchange,
  withKey: Exchange | null,
  { terms }: Pick<Stated, 'terms'>,
  clause: 'auth-06' | 'spec-04' = 'auth-06',
): Judgement {
  const seen = answerOf(withoutToken, terms.errors);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  if (answer.status !== 401 && answer.status !== 403) return holds();
  const control = withKey === null ? null : answerOf(withKey, terms.errors);
  if (control?.ok !== true || !helps(answer, control.answer, terms)) {
    const tried = withKey === null ? 'and there is no key to try' : 'and a key does not help';
    return cannotTell(
      'precondition',
      `answered ${answer.status} without a token, ${tried}: the credentials of the body may be meant`,
    );
  }
  const actual = spoken(answer);
  const told = auth(`${clause}.token-demanded`, { actual });
  return breached([{ weight: 'breach', ...told, expected: 'any answer but 401 or 403', actual }]);
}

/**
 * Tells whether the bare request lacked a valid key. Who says that the token is missing, and goes on to another refusal
 * once it is there, demands one; of a login that other refusal may be a 401 of another code.
 */
function helps(bare: Answer, keyed: Answer, terms: Terms): boolean {
  const isAsked = bare.status === 401 && isForToken(bare, terms);
  if (isAsked && keyed.status === 401) return keyed.code !== null && !isForToken(keyed, terms);
  return ![401, 403].includes(keyed.status) && keyed.status < (isAsked ? 500 : 400);
}

/** Tells whether the code of the error says that it is the token which is missing or invalid. */
function isForToken(answer: Answer, { authentication: { refused }, errors }: Terms): boolean {
  return refused !== null && expectedCode(refused, errors) !== null && codeFlaw(answer, refused, errors) === null;
}

/** AUTH-05: a key that other services accept is accepted here. */
export function judgeKeyAccepted(exchange: Exchange, key: string, { terms }: Pick<Stated, 'terms'>): Judgement {
  const seen = answerOf(exchange, terms.errors);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  if (answer.status === 403) return cannotTell('precondition', 'answered 403: the key may lack the right');
  if (answer.status !== 401) return holds();
  if (exchange.plan.method !== 'GET' && answer.code !== null && !isForToken(answer, terms))
    return cannotTell('precondition', `answered ${spoken(answer)}: the credentials of the body may be meant`);
  const actual = spoken(answer);
  const expected = 'the same token is accepted by all services';
  return breached([{ weight: 'breach', ...auth('auth-05.key-refused', { key, actual }), expected, actual }]);
}

/** AUTH-05 on a request that the main key has sent, too (`control`): a refusal of both is not the key's. */
export function judgeKeyBesideMain(
  exchange: Exchange,
  control: Exchange,
  key: string,
  stated: Pick<Stated, 'terms'>,
): Judgement {
  const judgement = judgeKeyAccepted(exchange, key, stated);
  const isAlike = judgement.kind === 'breached' && isUnserved(control);
  return isAlike ? cannotTell('precondition', 'the main key is refused as well') : judgement;
}

/** Tells whether the answer asks for a token, or refuses a key, before it tells anything else. */
export function isUnserved({ response }: Exchange): boolean {
  return response === null || response.status === 401;
}

/** AUTH-05: a service that answers 403 to every call of a key which other services serve; null where there is nothing to say. */
export function judgeServiceAccepts(answers: readonly Exchange[], key: string): Judgement | null {
  if (answers.length === 0 || !answers.every(({ response }) => response?.status === 403)) return null;
  const expected = 'the same token is accepted by all services';
  const told = auth('auth-05.service-refuses', { key, calls: answers.length });
  return breached([{ weight: 'breach', ...told, expected, actual: '403' }]);
}

/** AUTH-08: what one account created is not served to another. */
export function judgeIsolated(asOther: Exchange, what: 'read' | 'change' | 'delete'): Judgement {
  const seen = answerOf(asOther);
  if (!seen.ok) return seen.judgement;
  const actual = spoken(seen.answer);
  const isServed = seen.answer.status < 300;
  const row = isolationRow(what, `${isServed ? 'allowed' : 'refused'}: ${actual}`);
  if (!isServed) return noting(holds(), [row]);
  const told = auth(`auth-08.${what}-allowed`, { actual });
  return noting(breached([{ weight: 'breach', ...told, expected: '403 or 404', actual }]), [row]);
}

/** AUTH-08: a list that another account reads shows none of these ids. */
export function judgeNotListed(asOther: Exchange, ids: ReadonlySet<string>): Judgement {
  const seen = answerOf(asOther);
  if (!seen.ok) return seen.judgement;
  const body = exactBody(asOther);
  if (seen.answer.status >= 300) return noting(holds(), [isolationRow('list', `refused: ${spoken(seen.answer)}`)]);
  if (!body.ok) return holds();
  const shown = idsIn(body.value).find((id) => ids.has(id));
  if (shown === undefined) return noting(holds(), [isolationRow('list', 'nothing of it is shown')]);
  const told = auth('auth-08.listed', { shown });
  const breach = { weight: 'breach', ...told, expected: 'nothing of another account', actual: shown } as const;
  return noting(breached([breach]), [isolationRow('list', 'it is shown')]);
}

function isolationRow(what: string, value: string): Observed {
  return seenOnce(`${what} what another account created`, value, 'asked for with a key of another account');
}

/** Ids of the objects in a list answer, wherever its arrays keep them. Walks without recursion: answers may be nested without end. */
function* idsIn(root: unknown): Generator<string> {
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const members = isObject(value) ? Object.entries(value) : [];
    const inner = Array.isArray(value)
      ? value.filter(isContainer)
      : members.map(([, member]) => member).filter(Array.isArray);
    for (const one of inner) open.push(one);
    for (const [name, member] of members) if (/id$/i.test(name) && isScalar(member)) yield String(member);
  }
}
