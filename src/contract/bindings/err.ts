// How a contract's terms bind the ERR clauses.
import {
  type Binding,
  type Bindings,
  ERROR_WIDE_ROLES,
  type ErrorRole,
  type ErrorTerms,
  isHeader,
  type Place,
  type RefusalTerms,
  type Terms,
} from '../terms.ts';

export const ERR_BINDINGS: Bindings = {
  'ERR-01': {
    ...onErrors(({ envelope, members }) => envelope !== null || hasPlaces(members), 'errors.envelope'),
    text: ({ errors }) =>
      errors?.envelope == null
        ? 'The body of an error is one JSON object.'
        : `The body of an error is one JSON object with the single top-level key \`${errors.envelope.slice(1)}\`.`,
  },
  'ERR-02': {
    tolerance: 'Further members are allowed. What may be left out may also be null or empty.',
    ...onErrors((errors) => wideRoles(errors).length > 0, 'errors.members'),
    text: ({ errors }) => (errors === null ? '' : presence(errors)),
  },
  'ERR-03': {
    ...onErrors(({ members }) => members.code != null && members.code.form !== null, 'errors.members.code.form'),
    text: ({ errors }) => `${placeOf(errors, 'code')} is written as ${errors?.members.code?.form}.`,
  },
  'ERR-04': {
    ...onMember('status', (place) => `${place} equals the HTTP status.`),
    tolerance:
      'Of errors that differ in one list the status of one of them will do, or the general one of their class.',
  },
  'ERR-05': {
    tolerance: '',
    ...onMember('docUrl', (place) => `${place} is an absolute URL.`),
    text: ({ errors }) => `${placeOf(errors, 'docUrl')} is ${errors?.members.docUrl?.form ?? 'an absolute URL'}.`,
  },
  'ERR-06': onMember('requestId', (place) => `${place} identifies the request: two requests never share one.`),
  'ERR-07': {
    ...onMember('instance', (place) => `${place} is the request path that produced the error.`),
    tolerance: 'Absolute or not, with or without the query string; percent-encoding compared after normalising.',
  },
  'ERR-08': onMember('timestamp', (place) => `${place} is ISO 8601 with date, time and zone.`),
  'ERR-09': {
    tolerance: 'Where the request has no body that is a JSON object, nothing need be named.',
    ...onErrors(namesFields, 'errors.members.field'),
    isBound: ({ errors, requests: { invalid } }) =>
      errors !== null && namesFields(errors) && (invalid?.code != null || (invalid?.statuses.length ?? 0) > 0),
    text: ({ errors, requests: { invalid } }) => {
      const which =
        invalid?.code == null ? invalid?.statuses.join(' or ') : `${placeOf(errors, 'code')} ${invalid.code}`;
      return `An error with ${which} names the members that offend, ${namingOf(errors)}.`;
    },
  },
  'ERR-10': {
    tolerance:
      'What it lies in and what lies in it will do, and so will names behind that of the body; others may be named beside it.',
    ...onErrors(namesFields, 'errors.members.field'),
    text: ({ errors }) =>
      `What an error names ${namingOf(errors)} is the member that offended: for a probe that spoils exactly one, that member.`,
  },
  'ERR-11': {
    tolerance: 'Unlisted codes are allowed and never judged; they are collected as observations.',
    ...onErrors(({ codes, members }) => Object.keys(codes).length > 0 && members.code !== undefined, 'errors.codes'),
    text: ({ errors }) => `A listed code comes with its status: ${codesOf(errors)}.`,
  },
  'ERR-13': {
    tolerance: 'A resource that the description has with members of these names is none.',
    ...onErrors((errors) => errors.isNeverOnSuccess, 'errors.success'),
    text: ({ errors }) =>
      `A success does not look like an error: no 2xx ${errors?.mediaType == null ? 'body' : `has the media type of errors alone, or a body`} of this shape.`,
  },
  'ERR-14': {
    ...onErrors(({ mediaType, schema }) => mediaType !== null || schema !== null, 'errors.schema'),
    text: ({ errors }) =>
      [
        errors?.schema == null
          ? 'An error has a body'
          : "An error's body validates against the contract's error schema",
        errors?.mediaType == null ? '' : `, under the media type \`${errors.mediaType}\``,
        '.',
      ].join(''),
    isOfTermsAlone: true,
  },
};

function onErrors(isBound: (errors: ErrorTerms) => boolean, by: string): Pick<Binding, 'isBound' | 'by'> {
  return { isBound: ({ errors }) => errors !== null && isBound(errors), by };
}

function onMember(role: ErrorRole, text: (place: string) => string): Binding {
  return {
    ...onErrors(({ members }) => members[role] !== undefined, `errors.members.${role}`),
    text: ({ errors }: Terms) => text(placeOf(errors, role)),
  };
}

/** Tells whether a member stands in the body. */
function hasPlaces(members: ErrorTerms['members']): boolean {
  return Object.values(members).some(({ at }) => !isHeader(at));
}

function quoted(place: Place): string {
  return `\`${place}\``;
}

function placeOf(errors: ErrorTerms | null, role: ErrorRole): string {
  return quoted(errors?.members[role]?.at ?? '');
}

function wideRoles({ members }: ErrorTerms): readonly ErrorRole[] {
  return ERROR_WIDE_ROLES.filter((role) => members[role] !== undefined);
}

/** "`/code` is always present; `/detail`, where it stands, is a text." */
function presence(errors: ErrorTerms): string {
  const placesOf = (isOptional: boolean): string =>
    wideRoles(errors)
      .flatMap((role) => (errors.members[role]?.isOptional === isOptional ? [placeOf(errors, role)] : []))
      .join(', ');
  const [always, perhaps] = [placesOf(false), placesOf(true)];
  const texts = 'texts are not empty, and the status is one';
  if (always === '') return `Where they stand (${perhaps}), ${texts}.`;
  return `An error always has ${always}${perhaps === '' ? '' : `, and may have ${perhaps}`}; ${texts}.`;
}

function namesFields({ members }: ErrorTerms): boolean {
  return members.field !== undefined || members.param !== undefined;
}

function namingOf(errors: ErrorTerms | null): string {
  const places = (['param', 'field'] as const).filter((role) => errors?.members[role] !== undefined);
  const form = errors?.members.field?.form ?? null;
  return `at ${places.map((role) => placeOf(errors, role)).join(' and ')}${form === null ? '' : ` (${form})`}`;
}

function codesOf(errors: ErrorTerms | null): string {
  return Object.entries(errors?.codes ?? {})
    .map(([code, { status, type }]) => [code, ...(type === null ? [] : [type]), status].join('/'))
    .join(', ');
}

/** "401 with `/code` unauthorized" */
export function refusedWith(refusal: RefusalTerms | null, errors: ErrorTerms | null): string {
  const status = refusal === null || refusal.statuses.length === 0 ? 'a 4xx' : refusal.statuses.join(' or ');
  const code = refusal?.code ?? null;
  return code === null || errors?.members.code === undefined
    ? status
    : `${status} with ${placeOf(errors, 'code')} ${code}`;
}
