// Words the findings of the ERR clauses: the error envelope.
import { brokenSchema } from './sch.ts';
import { telling, type Words } from './sentences.ts';

/** The found and the expected value, in words. */
interface Seen {
  readonly actual: string;
  readonly expected: string;
}

/** A member of the envelope: "error.param". */
interface OfMember extends Seen {
  readonly subject: string;
}

/** The envelope: its name, and what it holds. */
interface OfEnvelope extends Seen {
  readonly name: string;
  readonly what: string;
}

/** The cause first, then the values. */
function shape(causeOf: string | ((envelope: OfEnvelope) => string)): (seen: OfEnvelope) => Words {
  return (seen) => {
    const cause = typeof causeOf === 'string' ? causeOf : causeOf(seen);
    return { cause, message: `${cause}: ${seen.actual}, expected ${seen.expected}` };
  };
}

/** `what` goes on where the name of the member ends. */
function isNot(what: string): (seen: OfMember) => Words {
  return ({ subject, actual, expected }) => ({
    cause: `${subject} ${what}`,
    message: `${subject} is ${actual}, expected ${expected}`,
  });
}

/** A status that an error states beside that of HTTP. */
interface StatedStatus {
  readonly subject: string;
  readonly stated: number;
  readonly status: number;
}

/** The field that an error names in place of the spoiled one. */
interface OfSpoiledField {
  readonly subject: string;
  readonly named: string;
  readonly field: string;
}

function absent({ subject, actual, expected }: OfMember): Words {
  return { cause: `${subject} is absent`, message: `${subject} is ${actual}, expected ${expected}` };
}

function ofAnotherForm({ subject, actual, expected }: OfMember): Words {
  return { cause: `${subject} is not ${expected}`, message: `${subject} is ${actual}, expected ${expected}` };
}

function unlisted(member: 'code' | 'type'): (values: { readonly subject: string; readonly name: string }) => Words {
  return ({ subject, name }) => ({
    cause: `unlisted ${member} ${name}`,
    message: `${subject} is ${name}, which the source does not list`,
  });
}

const SHAPES = {
  'err-01.no-body': shape('the error has no body'),
  'err-01.breaks-off': shape('the error body breaks off'),
  'err-01.not-json': shape('the error body is not JSON'),
  'err-01.not-object': shape('the error body is not a JSON object'),
  'err-01.no-error': shape(({ name }) => `the error body has no top-level key ${name}`),
  'err-01.error-not-object': shape(({ name, what }) => `${name} is not ${what}`),
  'err-01.other-keys': shape(({ name }) => `${name} is not the only top-level key`),
};

/** Kinds of breach of the envelope as a whole. */
export type ShapeKind = keyof typeof SHAPES;

/** The code and the words of a breach of an ERR clause. */
export const err = telling({
  ...SHAPES,
  'err-02.absent': absent,
  'err-02.wrong-type': ofAnotherForm,
  'err-03.not-snake-case': isNot('is not snake_case'),
  'err-03.other-form': ({ subject, form, actual, expected }: OfMember & { readonly form: string }) => ({
    cause: `${subject} is not of the form ${form}`,
    message: `${subject} is ${actual}, expected ${expected}`,
  }),
  'err-04.differs': ({ subject, stated, status }: StatedStatus) => ({
    cause: `${subject} differs from the HTTP status`,
    message: `${subject} is ${stated}, expected ${status}, the HTTP status`,
  }),
  'err-05.not-doc-url': ({ subject, form, actual, expected }: OfMember & { readonly form: string }) => ({
    cause: `${subject} is not ${form}`,
    message: `${subject} is ${actual}, expected ${expected}`,
  }),
  'err-05.other-base': ({ subject, actual, expected }: OfMember) => ({
    cause: `${subject} has another base than other errors`,
    message: `${subject} has the base ${actual}, expected ${expected}`,
  }),
  'err-06.shared': ({ subject, actual, expected }: OfMember) => ({
    cause: `two requests share ${/^[aeio]/.test(subject) ? 'an ' : ''}${subject}`,
    message: `${subject} is ${actual}, expected ${expected}`,
  }),
  'err-07.not-request-path': isNot('is not the request path'),
  'err-08.not-iso-8601': isNot('is not ISO 8601'),
  'err-08.far-from-date': ({ subject, actual, expected }: OfMember) => ({
    cause: `${subject} is far from the Date header`,
    message: `${subject} is ${actual}, expected a time ${expected}`,
  }),
  'err-09.absent': absent,
  'err-09.malformed': ofAnotherForm,
  'err-10.not-top-level': isNot('is not the top-level field of a listed error'),
  'err-10.not-spoiled-field': ({ subject, named, field }: OfSpoiledField) => ({
    cause: `${subject} is not the field that was spoiled`,
    message: `${subject} is ${named}, expected ${JSON.stringify(field)}, the one field that was spoiled`,
  }),
  'err-11.other-type': ({ subject, code, actual, expected }: OfMember & { readonly code: string }) => ({
    cause: `${code} comes with another type`,
    message: `${subject} is ${actual} with code ${code}, expected ${expected}`,
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
  'err-13.error-on-success': ({ status }: { readonly status: number }) => ({
    cause: 'a success carries an error',
    message: `the body of a ${status} is an error, expected none on success`,
  }),
  'err-14.media-type': ({ actual, expected }: Seen) => ({
    cause: 'an error has another media type than the contract names',
    message: `the content type is ${actual}, expected ${expected}`,
  }),
  'err-14.not-json': ({ actual, expected }: Seen) => ({
    cause: 'an error is not JSON',
    message: `the error has ${actual}, expected ${expected}`,
  }),
  'err-14.breaks': brokenSchema,
  'err-13.media-type': ({ status, mediaType }: { readonly status: number; readonly mediaType: string }) => ({
    cause: 'a success has the media type of errors',
    message: `a ${status} has the media type ${mediaType}, expected it on errors alone`,
  }),
});
