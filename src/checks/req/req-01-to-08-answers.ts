// REQ-01 to REQ-06, REQ-08 and the probe's half of ERR-10: what bad requests get.
//
// ERR-10 (must): The member that an error names is the one that offended: for a probe that spoils exactly one known
//   field, that field. Tolerance: `a.b`, `a[0]`, `/a/b` notations accepted.
// REQ-01 (must): An unknown path is refused as the contract states. Tolerance: Trailing slashes and letter case are
//   not probed.
// REQ-02 (must): An unknown resource id, in the path or in a body that names things by the contract, is refused as an
//   unknown path is. Tolerance: Only for ids that are well formed by the schema; a malformed id may be 400. A PUT
//   that declares 201 may create.
// REQ-03 (must): A missing required body field is refused, that field named. Tolerance: 422 in place of 400, whatever
//   its code: advisory.
// REQ-04 (must): A field of the wrong JSON type is refused, that field named. Tolerance: Servers may coerce scalars
//   between string, number and boolean (accepting is an advisory); an object or array in place of a scalar must be
//   rejected. `null` for an optional field accepted: advisory.
// REQ-05 (must): Malformed JSON → 4xx with the envelope. Tolerance: Code not judged.
// REQ-06 (must): A method not described on a known path, and an unsupported media type → 4xx (404, 405, 415 or 400)
//   with the envelope. Tolerance: Probed only with what does no harm should it exist (GET, HEAD, an unregistered
//   method): never an undeclared POST, PUT, PATCH or DELETE. OPTIONS, and HEAD where GET is described, may succeed. The
//   media-type probe sends a body that is not valid JSON; valid JSON accepted under another type is an observation.
// REQ-08 (should): A value outside declared constraints (enum, format, min/max, pattern) is refused. Tolerance:
//   Accepting it is an advisory.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, type Weight } from '../../contract/judgement.ts';
import type { ErrorTerms, RefusalTerms, Terms } from '../../contract/terms.ts';
import { lastName, placeName } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { err } from '../../wording/err.ts';
import { type Answer, answerOf, spoken } from '../answer.ts';
import { namesField } from '../err/field-names.ts';
import {
  codeFlaw,
  codeName,
  codePointer,
  expectedCode,
  hasStatus,
  isListedWithStatus,
  refusalInWords,
  type Stated,
  statusInWords,
  statusKind,
} from '../refusal.ts';

/** REQ-01: an unknown path is refused as the contract states. */
export function judgeUnknownPath(exchange: Exchange, stated: Stated): Judgement {
  const seen = answerOf(exchange, stated.terms.errors);
  if (!seen.ok) return seen.judgement;
  if ((seen.answer.status === 401 || seen.answer.status === 403) && exchange.plan.credential.kind === 'none')
    return cannotTell('no-credential', 'refused for want of a token');
  return judgeNotFound(seen.answer, { clause: 'REQ-01', values: [], inWords: 'an unknown path' }, stated);
}

export interface UnknownIdCase {
  /** True where the id cannot be called malformed. */
  readonly wellFormed: boolean;
  /** True where the operation declares that a PUT creates (201). */
  readonly mayCreate: boolean;
  /** True where the same request with a known id succeeded in this run. */
  readonly control: boolean;
  /** True where the operation declares a 404. */
  readonly declares404: boolean;
  /** "path", "body": where the id stands. */
  readonly place: 'path' | 'body';
  /** Name of the parameter or field. */
  readonly name: string;
}

/** REQ-02: an unknown resource id is refused as an unknown path is. */
export function judgeUnknownId(exchange: Exchange, about: UnknownIdCase, stated: Stated): Judgement {
  const seen = answerOf(exchange, stated.terms.errors);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  if (about.mayCreate && answer.status < 300) return holds();
  const rejectsInput = answer.status === 400 || answer.status === 422;
  if (rejectsInput && !about.wellFormed) return cannotTell('precondition', 'the id may be malformed to this platform');
  // An operation that serves no id answers 404 to an unknown one, too.
  if (!about.control && answer.status >= 400) {
    return cannotTell('precondition', `answered ${spoken(answer)}, and no request of this operation succeeded`);
  }
  const inWords = `an unknown id in ${unknownIdPlace(about)}`;
  return judgeNotFound(answer, { clause: 'REQ-02', values: [about.place, about.name], inWords }, stated);
}

/** "path parameter storeId", "body field customer_id". */
export function unknownIdPlace({ place, name }: UnknownIdCase): string {
  return `${place === 'path' ? 'path parameter' : 'body field'} ${name}`;
}

interface Unknown {
  readonly clause: string;
  /** Parts of a code. */
  readonly values: readonly string[];
  readonly inWords: string;
}

function judgeNotFound(answer: Answer, { clause, values, inWords }: Unknown, { terms }: Stated): Judgement {
  const { errors } = terms;
  const { unknownPath: refusal } = terms.requests;
  if (refusal === null) return cannotTell('not-declared', 'the contract does not say how it is refused');
  const [actual, expected] = [spoken(answer), refusalInWords(refusal, errors)];
  if (!hasStatus(answer, refusal)) {
    const cause = `${inWords} is not answered ${statusInWords(refusal)}`;
    const code = codeOf(clause, statusKind(refusal), ...values);
    return breached([{ weight: 'breach', code, cause, message: `${cause}: answered ${actual}`, expected, actual }]);
  }
  if (!hasOtherCode(answer, refusal, errors) || isListedWithStatus(answer, errors)) return holds();
  const cause = `${inWords} is answered ${answer.status} with another code`;
  const message = `${codeName(errors)} is ${answer.code ?? 'absent'}, expected ${expectedCode(refusal, errors)}`;
  const code = codeOf(clause, 'other-code', ...values);
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: codePointer(errors) }]);
}

/** Tells whether the code is another one than stated; one that is absent is ERR-02's, but where it may be. */
function hasOtherCode(answer: Answer, refusal: RefusalTerms, errors: ErrorTerms | null): boolean {
  const flaw = codeFlaw(answer, refusal, errors);
  return flaw === 'other' || (flaw === 'none' && errors?.members.code?.isOptional === true);
}

/** The kind of spoiling, as codes name it: the clause that speaks of it, and the part of the code that tells kinds apart. */
export interface SpoiledKind {
  readonly clause: string;
  readonly name: string;
}

export interface SpoiledCase {
  readonly code: SpoiledKind;
  /** In words, constant per kind: "a missing required field". */
  readonly kind: string;
  /** The spoiling in words, with names: "email left out". */
  readonly what: string;
  /** Top-level field that the answer must name; empty where the body has no fields. */
  readonly field: string;
  /** The way to what was spoiled, where that lies deeper; absent: the field itself was. */
  readonly path?: readonly string[];
  /** How much it weighs that the target accepts the spoiled body. */
  readonly accepted: Weight;
  /** True where the same request unspoiled succeeded in this run. */
  readonly control: boolean;
}

/** REQ-03, -04, -08: a spoiled body is refused as the contract states, the field named where errors name fields. */
export function judgeSpoiled(exchange: Exchange, spoiled: SpoiledCase, stated: Stated): Judgement {
  const { contract, terms } = stated;
  const { errors } = terms;
  const { invalid } = terms.requests;
  const seen = answerOf(exchange, errors);
  if (!seen.ok) return seen.judgement;
  if (invalid === null) return cannotTell('not-declared', 'the contract does not say how it is refused');
  const { answer } = seen;
  const naming = spoiled.field === '' || !namesAny(errors) ? '' : `, naming ${spoiled.field}`;
  const expected = `${refusalInWords(invalid, errors)}${naming}`;
  const actual = spoken(answer);
  const breach = (weight: Weight, kind: string, how: string, pointer?: string): Judgement => {
    const cause = `${spoiled.kind} ${how}`;
    return breached([
      {
        weight,
        code: codeOf(spoiled.code.clause, kind, spoiled.code.name),
        cause,
        message: `${spoiled.what}: ${cause}, answered ${actual}`,
        expected,
        actual,
        ...(pointer === undefined ? {} : { pointer }),
      },
    ]);
  };
  if (answer.status < 400) {
    if (!spoiled.control && spoiled.accepted !== 'breach')
      return cannotTell('precondition', 'no valid request of this operation succeeded');
    return breach(spoiled.accepted, 'accepted', 'is accepted');
  }
  if (isRejection(answer, invalid)) return judgeRejection(answer, spoiled, stated, breach);
  if (!spoiled.control || (contract !== 'commerce' && mayConflict(answer, spoiled)))
    return cannotTell('precondition', `answered ${actual}, which need not be the spoiled field's doing`);
  // Where the value may be accepted, whatever the target makes of it afterwards weighs no more than that.
  return breach(spoiled.accepted, statusKind(invalid), `is not answered ${statusInWords(invalid)}`);
}

/** Tells whether the status says that the input is refused: one that the contract has for it, or one that is for nothing else. */
function isRejection(answer: Answer, invalid: RefusalTerms): boolean {
  return hasStatus(answer, invalid) || answer.status === 400 || answer.status === 422;
}

/** Tells whether the answer may say that the member names another thing. Source: JSON:API 1.1, Creating and Updating Resources. */
function mayConflict({ status }: Answer, { field, path = [field] }: SpoiledCase): boolean {
  return status === 409 && /^(type|id)$/.test(path.at(-1) ?? '');
}

/** Tells whether errors name the members that offend. */
function namesAny(errors: ErrorTerms | null): boolean {
  return (errors?.members.field ?? errors?.members.param) !== undefined;
}

type Breaching = (weight: Weight, kind: string, how: string, pointer?: string) => Judgement;

function judgeRejection(
  answer: Answer,
  spoiled: SpoiledCase,
  { contract, terms }: Stated,
  breach: Breaching,
): Judgement {
  const { errors } = terms;
  const { invalid } = terms.requests;
  const named = answer.envelope?.fields ?? [];
  const isNamed = named.some((one) => namesField(one, spoiled, errors?.members.field?.form ?? null));
  if (!spoiled.control && !isNamed) {
    return cannotTell('precondition', 'rejected, but so may be every request of this operation: none succeeded');
  }
  // As a refusal it is in order, whatever its code: its other members are the envelope's matter (ERR).
  const isOther = invalid !== null && !hasStatus(answer, invalid);
  if (isOther && contract === 'commerce' && answer.status === 422)
    return breach('advisory', 'answered-422', `is answered 422 in place of ${statusInWords(invalid)}`);
  if (isOther) return breach(spoiled.accepted, statusKind(invalid), `is not answered ${statusInWords(invalid)}`);
  if (invalid !== null && hasOtherCode(answer, invalid, errors)) {
    return breach('breach', 'other-code', 'is rejected with another code', codePointer(errors));
  }
  if (spoiled.field !== '' && named.length > 0 && !isNamed) {
    const [list = ''] = (errors?.members.field?.at ?? '').split('/*');
    return breach('breach', 'not-named', `is rejected, but ${lastName(list)}[] does not name it`, list);
  }
  return holds();
}

/** ERR-10, the probe's half: what the error names is the one thing that was spoiled. */
export function judgeParamNamed(
  exchange: Exchange,
  spoiled: Pick<SpoiledCase, 'field' | 'path'>,
  { control }: { readonly control: boolean },
  { terms }: Stated,
): Judgement {
  const { errors } = terms;
  const seen = answerOf(exchange, errors);
  if (!seen.ok) return seen.judgement;
  const { param } = errors?.members ?? {};
  const told = param === undefined ? seen.answer.envelope?.fields : [seen.answer.envelope?.param ?? ''];
  const named = (told ?? []).filter((one) => one !== '');
  const subject = placeName((param ?? errors?.members.field)?.at ?? '');
  if (!isRejectedInput(seen.answer, terms) || named.length === 0)
    return cannotTell('precondition', `no ${subject} to judge`);
  const form = errors?.members.field?.form ?? null;
  const isSpoiled = (one: string): boolean =>
    param === undefined ? namesField(one, spoiled, form) : one.replace(/^\//, '') === spoiled.field;
  if (named.some(isSpoiled)) return holds();
  if (!control)
    return cannotTell(
      'precondition',
      'no valid request of this operation succeeded, so more than one field may offend',
    );
  const shown = named.slice(0, MOST_NAMED).map((one) => JSON.stringify(one));
  const { field } = spoiled;
  const breach: Breach = {
    weight: 'breach',
    ...err('err-10.not-spoiled-field', { subject, named: shown.join(' and '), field }),
    expected: field,
    actual: named.slice(0, MOST_NAMED).join(' and '),
    pointer: (param ?? errors?.members.field)?.at.replaceAll('*', '0') ?? '',
  };
  return breached([breach]);
}

/** Maximum number of names shown of those that are not the right one. */
const MOST_NAMED = 5;

/** Tells whether the answer says that input was refused: by the code that the contract has for it, or its type. */
function isRejectedInput(answer: Answer, { errors, requests: { invalid } }: Terms): boolean {
  const { status, envelope } = answer;
  if (status !== 400 && status !== 422 && !(invalid?.statuses.includes(status) ?? false)) return false;
  const listed = invalid === null ? null : expectedCode(invalid, errors);
  if (invalid === null || listed === null) return true;
  const type = errors?.codes[listed]?.type ?? null;
  return codeFlaw(answer, invalid, errors) === null || (type !== null && envelope?.type === type);
}

/** The kind of input that cannot be understood. */
export interface NotUnderstood {
  readonly clause: 'REQ-05' | 'REQ-06';
  /** Its parts of a code: ["malformed-json"]. */
  readonly values: readonly string[];
  readonly inWords: string;
}

/** REQ-06: a method that the path is not described with. */
export function undescribedMethod(method: string): NotUnderstood {
  return { clause: 'REQ-06', values: ['method', method], inWords: `the undescribed method ${method}` };
}

/** The refusals that REQ-06 lists. */
const NOT_SERVED: readonly number[] = [404, 405, 415, 400];

/** Refusals that name their reason: the method, or the media type. */
const SPEAKING: readonly number[] = [405, 415];

/**
 * REQ-05: any 4xx; REQ-06: one of those that it lists. The envelope is judged by ERR-01. Without `control` (no call of the operation
 * succeeded) a refusal may have any other reason.
 */
export function judgeRefused(
  exchange: Exchange,
  { clause, values, inWords }: NotUnderstood,
  { control }: { readonly control: boolean },
): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (!control && status >= 400 && !SPEAKING.includes(status))
    return cannotTell('precondition', 'no call of the operation succeeded: its refusals need not be for this');
  if (status === 401 && exchange.plan.credential.kind === 'none')
    return cannotTell('no-credential', 'refused for want of a token');
  if (status >= 400 && (clause === 'REQ-05' || NOT_SERVED.includes(status))) return holds();
  const [kind, how] = status >= 400 ? ['other-status', 'is refused with another status'] : ['accepted', 'is accepted'];
  const cause = `${inWords} ${how}`;
  const actual = spoken(seen.answer);
  const expected = clause === 'REQ-05' ? '4xx with the envelope' : '404, 405, 415 or 400 with the envelope';
  const message = `${cause}: answered ${actual}, expected ${clause === 'REQ-05' ? 'a 4xx' : '404, 405, 415 or 400'}`;
  return breached([{ weight: 'breach', code: codeOf(clause, kind, ...values), cause, message, expected, actual }]);
}
