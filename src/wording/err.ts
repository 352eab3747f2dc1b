// What is said of breaches of the ERR clauses: the error envelope.
import { telling, type Words } from './sentences.ts';

/** What was found and what was expected, in words. */
interface Seen {
  readonly actual: string;
  readonly expected: string;
}

/** A member of the envelope: "error.param". */
interface OfMember extends Seen {
  readonly subject: string;
}

/** The cause first, then the values. */
function shape(cause: string): (seen: Seen) => Words {
  return ({ actual, expected }) => ({ cause, message: `${cause}: ${actual}, expected ${expected}` });
}

function isNot(subject: string, cause: string): (seen: Seen) => Words {
  return ({ actual, expected }) => ({ cause, message: `${subject} is ${actual}, expected ${expected}` });
}

function absent({ subject, actual, expected }: OfMember): Words {
  return { cause: `${subject} is absent`, message: `${subject} is ${actual}, expected ${expected}` };
}

function ofAnotherForm({ subject, actual, expected }: OfMember): Words {
  return { cause: `${subject} is not ${expected}`, message: `${subject} is ${actual}, expected ${expected}` };
}

function unlisted(member: 'code' | 'type'): (values: { readonly name: string }) => Words {
  return ({ name }) => ({
    cause: `unlisted ${member} ${name}`,
    message: `error.${member} is ${name}, which the source does not list`,
  });
}

const SHAPES = {
  'err-01.no-body': shape('the error has no body'),
  'err-01.breaks-off': shape('the error body breaks off'),
  'err-01.not-json': shape('the error body is not JSON'),
  'err-01.not-object': shape('the error body is not a JSON object'),
  'err-01.no-error': shape('the error body has no top-level key error'),
  'err-01.error-not-object': shape('error is not an object'),
  'err-01.other-keys': shape('error is not the only top-level key'),
};

/** Kinds of breach of the envelope as a whole. */
export type ShapeKind = keyof typeof SHAPES;

/** The code and the words of a breach of an ERR clause. */
export const err = telling({
  ...SHAPES,
  'err-02.absent': absent,
  'err-02.wrong-type': ofAnotherForm,
  'err-03.not-snake-case': isNot('error.code', 'error.code is not snake_case'),
  'err-04.differs': ({ stated, status }: { readonly stated: number | null; readonly status: number | undefined }) => ({
    cause: 'error.status differs from the HTTP status',
    message: `error.status is ${stated}, expected ${status}, the HTTP status`,
  }),
  'err-05.not-doc-url': isNot('error.doc_url', 'error.doc_url is not {docs_url}/errors/{code}'),
  'err-05.other-base': ({ actual, expected }: Seen) => ({
    cause: 'error.doc_url has another base than other errors',
    message: `error.doc_url has the base ${actual}, expected ${expected}`,
  }),
  'err-06.shared': isNot('error.request_id', 'two requests share an error.request_id'),
  'err-07.not-request-path': isNot('error.instance', 'error.instance is not the request path'),
  'err-08.not-iso-8601': isNot('error.timestamp', 'error.timestamp is not ISO 8601'),
  'err-08.far-from-date': ({ actual, expected }: Seen) => ({
    cause: 'error.timestamp is far from the Date header',
    message: `error.timestamp is ${actual}, expected a time ${expected}`,
  }),
  'err-09.absent': absent,
  'err-09.malformed': ofAnotherForm,
  'err-10.not-top-level': isNot('error.param', 'error.param is not the top-level field of a listed error'),
  'err-10.not-spoiled-field': ({ param, field }: { readonly param: string; readonly field: string }) => ({
    cause: 'error.param is not the field that was spoiled',
    message: `error.param is ${JSON.stringify(param)}, expected ${JSON.stringify(field)}, the one field that was spoiled`,
  }),
  'err-11.other-type': ({ code, actual, expected }: Seen & { readonly code: string }) => ({
    cause: `${code} comes with another type`,
    message: `error.type is ${actual} with code ${code}, expected ${expected}`,
  }),
  'err-11.other-status': ({ code, actual, expected }: Seen & { readonly code: string }) => ({
    cause: `${code} comes with another status`,
    message: `${code} is answered with HTTP status ${actual}, expected ${expected}`,
  }),
  'err-11.unlisted-code': unlisted('code'),
  'err-11.unlisted-type': unlisted('type'),
  'err-12.token-in-body': ({ secret }: { readonly secret: string }) => ({
    cause: 'the body echoes a bearer token',
    message: `the answer echoes a bearer token (${secret}) in its body`,
  }),
  'err-12.token-in-header': ({ secret, name }: { readonly secret: string; readonly name: string }) => ({
    cause: `the header ${name} echoes a bearer token`,
    message: `the answer echoes a bearer token (${secret}) in the header ${name}`,
  }),
  'err-12.source-trace': ({ place, actual, expected }: Seen & { readonly place: string }) => ({
    cause: 'an error shows a stack trace or source path',
    message: `${place} holds ${actual}, expected ${expected}`,
  }),
  'err-13.envelope-on-success': ({ status }: { readonly status: number | undefined }) => ({
    cause: 'a success carries the error envelope',
    message: `the body of a ${status} is the error envelope, expected none on success`,
  }),
});
