// SCH-02 (must): The content type is one that the operation declares for that status (parameters such as charset
//   aside); errors are JSON.

import { breached, type Judgement } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { essence } from '../../exchange/media-type.ts';
import { shortened } from '../../facts/answered.ts';
import { declaredMedia, isJson } from '../../openapi/model/responses.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { toldError } from '../err/error-object.ts';
import { amid, declaredAnswer, hasBody } from './declared.ts';
import { isLeftToEnvelope } from './envelope-clauses.ts';

/** The code of a content type that is none of the declared ones. */
export const UNDECLARED_TYPE = 'sch-02.undeclared';

export const sch02: ExchangeCheck = {
  clause: 'SCH-02',
  title: 'The content type is declared, and errors are JSON',
  applies(subject) {
    if (!hasBody(subject)) return false;
    // An error without the envelope is ERR-01's, whatever it calls itself.
    if (isLeftToEnvelope(subject)) return toldError(subject) !== null;
    const declared = declaredAnswer(subject)?.declared;
    return declared != null && declared.content.length > 0;
  },
  judge(subject) {
    const contentType = contentTypeOf(subject.exchange);
    const declared = declaredAnswer(subject)?.declared;
    const content = declared?.content ?? [];
    const isDeclared = contentType !== null && declared != null && declaredMedia(declared, contentType) !== null;
    const declaredTypes = content.map(({ mediaType }) => mediaType);
    const types = declaredTypes.join(' or ');
    if (isLeftToEnvelope(subject)) {
      const isSound = contentType !== null && isErrorType(contentType) && (content.length === 0 || isDeclared);
      return judgeType(subject, isSound, types === '' ? 'a JSON media type' : types, declaredTypes);
    }
    return declared == null ? breached([]) : judgeType(subject, isDeclared, types, declaredTypes);
  },
};

function isErrorType(contentType: string): boolean {
  return isJson(contentType) && essence(contentType) !== 'text/json';
}

function contentTypeOf({ response }: Exchange): string | null {
  const value = response === null ? null : header(response.headers, 'content-type');
  return value === null || value.trim() === '' ? null : value;
}

function judgeType(subject: Subject, sound: boolean, expected: string, wanted: readonly string[]): Judgement {
  if (sound) return breached([]);
  const contentType = contentTypeOf(subject.exchange);
  const actual = contentType === null ? 'absent' : shortened(contentType);
  const told = sch(contentType === null ? 'sch-02.absent' : UNDECLARED_TYPE, { actual, expected });
  const values = wanted.length === 0 ? {} : { wanted };
  return breached([{ weight: 'breach', ...amid(subject, told), expected, ...values, actual }]);
}
