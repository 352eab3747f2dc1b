// SCH-03 (must): A 204 (and a 304) carries no body; a body that is declared is not empty.
import { breached } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { isHead, wholeResponse } from '../../facts/answered.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, MediaType } from '../../openapi/model/operation.ts';
import { declaredMedia } from '../../openapi/model/responses.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { amid, declaredAnswer } from './declared.ts';
import { isLeftToEnvelope } from './envelope-clauses.ts';

export const sch03: ExchangeCheck = {
  clause: 'SCH-03',
  title: 'A 204 and a 304 have no body, a declared body is not empty',
  applies(subject) {
    const response = wholeResponse(subject.exchange);
    if (response === null || isHead(subject.exchange)) return false;
    return isBodiless(response.status) || declaresBody(subject);
  },
  judge(subject) {
    const { response } = subject.exchange;
    if (response === null) return breached([]);
    if (isBodiless(response.status)) return breached(bodyOf(response));
    if (response.bytes > 0) return breached([]);
    const told = amid(subject, sch('sch-03.empty', { status: response.status }));
    return breached([{ weight: 'breach', ...told, expected: 'the declared body', actual: 'no body' }]);
  },
};

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Tells whether the declared body must not be empty. ERR-01 speaks of errors without a body; a 205 never has one. */
function declaresBody(subject: Subject): boolean {
  const answer = declaredAnswer(subject);
  if (answer?.declared == null || isLeftToEnvelope(subject) || answer.response.status === 205) return false;
  const { content } = answer.declared;
  const type = header(answer.response.headers, 'content-type');
  const media = type === null ? null : declaredMedia(answer.declared, type);
  const admitsNone = subject.contract === 'openapi' && media !== null && mayBeEmpty(media, answer.description);
  return content.length > 0 && !admitsNone;
}

/** Tells whether no bytes at all are a value of the media type: text or bytes whose schema does not ask for any. */
function mayBeEmpty({ mediaType, schema }: MediaType, description: Description): boolean {
  if (/json|xml|\*/.test(mediaType)) return false;
  const resolved = description.deref(schema?.value);
  return !isObject(resolved) || (!(Number(resolved.minLength ?? 0) > 0) && (resolved.type ?? 'string') === 'string');
}

/** Clients drop the body of a 204, so its announced length counts too; a 304 may announce that of the 200 (RFC 9110, 8.6). */
function bodyOf({ status, bytes, headers }: RecordedResponse) {
  const announced = status === 204 ? Number(header(headers, 'content-length') ?? 0) : 0;
  if (bytes === 0 && !(announced > 0)) return [];
  const actual = bytes > 0 ? `${bytes} bytes` : `Content-Length: ${announced}`;
  const told = sch('sch-03.has-body', { status, actual }, String(status));
  return [{ weight: 'breach' as const, ...told, expected: 'no body', actual }];
}
