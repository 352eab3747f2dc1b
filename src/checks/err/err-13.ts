// ERR-13 (must): The shape of errors is not used for success.
import { type Breach, breached } from '../../contract/judgement.ts';
import { ERROR_WIDE_ROLES, type ErrorTerms, type Place } from '../../contract/terms.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import { bodyPlaces, isEnveloped, placedAt, placeName } from '../../exchange/envelope.ts';
import { essence } from '../../exchange/media-type.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import { isObject, type JsonObject, tokensOf } from '../../openapi/json.ts';
import { declaredMedia } from '../../openapi/model/responses.ts';
import { err } from '../../wording/err.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { declaredAnswer, declaredJson } from '../sch/declared.ts';
import { isOfForm, statusesIn, type ToldError, textIn, textsIn } from './error-object.ts';

/**
 * Members of the envelope that make its object one: where the body says nothing else, beside members of a resource, and
 * beside them where the description speaks of a member of that name.
 */
const ENOUGH_ALONE = 2;
const ENOUGH_BESIDE_OTHERS = 4;
const ENOUGH_WHERE_DESCRIBED = 5;

export const err13: ExchangeCheck = {
  clause: 'ERR-13',
  title: 'A success does not look like an error',
  applies: ({ exchange }) => isSuccess(wholeResponse(exchange)?.status ?? 0) && jsonBody(exchange).ok,
  judge(subject) {
    const { errors } = subject.terms;
    if (errors === null) return breached([]);
    const type = errorsOwnType(subject, errors);
    if (type !== null) return breached([typeBreach(subject, type)]);
    return breached(isErrorOnSuccess(subject) ? [shapeBreach(subject, errors)] : []);
  },
};

function shapeBreach({ exchange }: Subject, { envelope }: ErrorTerms): Breach {
  const status = exchange.response?.status ?? 0;
  if (envelope === null) {
    const told = err('err-13.error-on-success', { status });
    return { weight: 'breach', ...told, expected: 'no error in a 2xx body', actual: `${status} with an error` };
  }
  const what = `${placeName(envelope).replace(/^\//, '')} object`;
  const expected = `no top-level ${what} of the envelope in a 2xx body`;
  const told = err('err-13.envelope-on-success', { status });
  return { weight: 'breach', ...told, expected, actual: `${status} with an ${what}`, pointer: envelope };
}

/** The media type of errors, where a success has it that the description gives another one. */
function errorsOwnType(subject: Subject, { mediaType }: ErrorTerms): string | null {
  const response = wholeResponse(subject.exchange);
  const contentType = header(response?.headers ?? [], 'content-type');
  if (mediaType === null || contentType === null || essence(contentType) !== essence(mediaType)) return null;
  const declared = declaredAnswer(subject)?.declared ?? null;
  const isOther = declared !== null && declared.content.length > 0 && declaredMedia(declared, contentType) === null;
  return isOther || /\bproblem\+/.test(mediaType) ? mediaType : null;
}

function typeBreach({ exchange }: Subject, mediaType: string): Breach {
  const status = exchange.response?.status ?? 0;
  const told = err('err-13.media-type', { status, mediaType });
  const expected = `a media type other than ${mediaType}, which is that of errors`;
  return { weight: 'breach', ...told, expected, actual: mediaType };
}

/** Tells whether a 2xx body is an error of the contract. A resource with a member of that name (a failed job) is none. */
export function isErrorOnSuccess(subject: Subject): boolean {
  const { errors } = subject.terms;
  if (errors === null || !isSuccess(wholeResponse(subject.exchange)?.status ?? 0)) return false;
  const body = jsonBody(subject.exchange);
  if (!body.ok || !isEnveloped(body.value, errors)) return false;
  const { envelope } = errors;
  const told = { body: body.value, headers: subject.exchange.response?.headers ?? [], terms: errors };
  return envelope === null ? isBareError(subject, told) : isEnvelope(subject, told, envelope);
}

function isEnvelope(subject: Subject, { body, terms }: ToldError, envelope: Place): boolean {
  const [top = ''] = tokensOf(envelope);
  const { [top]: _error, ...others } = body;
  const places = bodyPlaces(terms);
  const members = places.filter((at) => placedAt(body, at)[0]?.value !== undefined).length;
  if (describes(subject, top)) return members >= ENOUGH_WHERE_DESCRIBED;
  const isAlone = Object.values(others).every(saysNothing);
  return members >= (isAlone ? Math.min(ENOUGH_ALONE, places.length) : ENOUGH_BESIDE_OTHERS);
}

/**
 * Without an envelope a resource may have members of the same names. An error is known by a status of errors in it, or, of a contract whose
 * errors state none, by its code and by saying nothing else; and the description does not expect it.
 */
function isBareError(subject: Subject, told: ToldError): boolean {
  const { members } = told.terms;
  const isStatusWrong = statusesIn(told).some(({ status }) => status >= 400);
  const others = ERROR_WIDE_ROLES.filter((role) => role !== 'status' && textsIn(told, role).length > 0);
  if (others.length === 0) return false;
  const marker = members.status ?? members.code;
  const isError = members.status === undefined ? isWholeError(told) : isStatusWrong;
  return isError && !(describes(subject, tokensOf(marker?.at ?? '')[0] ?? '') && fitsDescription(subject, told.body));
}

/** Tells whether all members that errors always have are there, with a code of the contract, and nothing else says anything. */
function isWholeError(told: ToldError): boolean {
  const { members, codes } = told.terms;
  const code = textIn(told, 'code');
  const isCode = code !== null && (Object.hasOwn(codes, code) || isOfForm(code, members.code?.form ?? null));
  const isComplete = ERROR_WIDE_ROLES.every(
    (role) => members[role] === undefined || members[role].isOptional || textsIn(told, role).length > 0,
  );
  const own = new Set(Object.values(members).map(({ at }) => tokensOf(at)[0]));
  const isAlone = Object.entries(told.body).every(([name, value]) => own.has(name) || saysNothing(value));
  return isCode && isComplete && isAlone;
}

/** Tells whether the member is a flag, or empty: `success: false` and `data: null` stand beside errors. */
function saysNothing(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Tells whether the success is described with a member of that name. */
function describes(subject: Subject, name: string): boolean {
  const answer = declaredJson(subject);
  const schema = answer?.description.deref(answer.media.schema?.value);
  return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, name);
}

function fitsDescription(subject: Subject, body: JsonObject): boolean {
  const answer = declaredJson(subject);
  const schema = answer?.media.schema ?? null;
  return answer !== null && schema !== null && answer.description.fits(schema, body) !== false;
}
