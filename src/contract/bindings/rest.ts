// How a contract's terms bind the clauses on authentication, bad requests, versions, redirects, liveness, internal paths, unused statuses and descriptions.
import {
  type Binding,
  type Bindings,
  type ErrorTerms,
  type RefusalTerms,
  type Terms,
  USUAL_ANSWER_SECONDS,
} from '../terms.ts';
import { refusedWith } from './err.ts';

export const REST_BINDINGS: Bindings = {
  'SPEC-03': {
    tolerance: '',
    isBound: ({ description }) => description.schemes.length > 0,
    by: 'description.schemes',
    text: ({ description }) => `There are exactly these security schemes: ${named(description.schemes)}.`,
  },
  'SPEC-04': {
    isBound: ({ description }) => description.schemes.length > 0,
    by: 'description.schemes',
    text: ({ description }) =>
      `Every operation that requires authentication requires ${named(description.schemes)}, and no other scheme is required.`,
  },
  'SPEC-05': {
    isBound: ({ versions }) => versions.prefix !== null,
    by: 'versions.prefix',
    text: ({ versions, health, internal }) =>
      `All paths are under \`${versions.prefix}\`${health === null ? '' : ` (\`${health.operation}\` excepted)`}${internal.length === 0 ? '' : `; none is one of ${named(internal)}`}.`,
  },
  'SPEC-06': {
    isBound: ({ versions }) => versions.ignoresHeader,
    by: 'versions.header',
    text: () => 'No operation declares a version request header.',
  },
  'SPEC-08': {
    isBound: ({ description }) => description.hasNoDeprecated,
    by: 'description.deprecated',
    text: () => 'No operation is marked deprecated.',
  },
  'SCH-07': {
    isBound: ({ unusedStatuses }) => unusedStatuses.length > 0,
    by: 'unused.statuses',
    text: ({ unusedStatuses }) => `These statuses are not used: ${unusedStatuses.join(', ')}.`,
  },
  'SCH-08': {
    isBound: ({ undeclaredStatuses }) => undeclaredStatuses.length > 0,
    by: 'undeclared.statuses',
    text: ({ undeclaredStatuses }) =>
      `An error status outside {${undeclaredStatuses.join(', ')}} is declared for the operation.`,
    tolerance: '',
  },
  'AUTH-01': onRefusal(
    'authentication.refused',
    ({ authentication }) => authentication.refused,
    (answer) => `On every operation that requires authentication, a request without a token is answered ${answer}.`,
  ),
  'AUTH-02': onRefusal(
    'authentication.refused',
    ({ authentication }) => authentication.refused,
    (answer) =>
      `A request with an invalid token is answered ${answer}: random, altered, unsigned, empty, in another place.`,
  ),
  'AUTH-03': onRefusal(
    'authentication.refused',
    ({ authentication }) => authentication.refused,
    (answer) => `A request with an expired token is answered ${answer}.`,
  ),
  'AUTH-04': onRefusal(
    'authentication.locked',
    ({ authentication }) => authentication.locked,
    (answer) => `A valid token of a locked account is answered ${answer}.`,
  ),
  'REQ-01': onRefusal(
    'requests.unknownPath',
    ({ requests }) => requests.unknownPath,
    (answer) => `An unknown path → ${answer}.`,
  ),
  'REQ-02': onRefusal(
    'requests.unknownPath',
    ({ requests }) => requests.unknownPath,
    (answer) => `An unknown resource id → ${answer}, or a code that the contract lists with the status.`,
  ),
  'REQ-03': {
    ...onInput('A missing required body field', ', that field named where errors name fields'),
    tolerance: '',
  },
  'REQ-04': {
    ...onInput('A field of the wrong JSON type', ', that field named where errors name fields'),
    tolerance:
      'Servers may coerce scalars between string, number and boolean (accepting is an advisory); an object or array in place of a scalar must be rejected. `null` for an optional field accepted: advisory. A type or an id may conflict (409).',
  },
  'REQ-07': {
    isBound: ({ registration }) => registration !== null,
    by: 'registration.operation',
    text: ({ registration, requests, errors }) =>
      registration === null
        ? ''
        : `\`${registration.operation}\`: ${registration.status} once; ${refusedWith(requests.invalid, errors)} when ${[
            registration.email,
            registration.password,
          ]
            .filter((name) => name !== null)
            .map((name) => `\`${name}\``)
            .join(' or ')} is missing; ${registration.taken} when the \`${registration.email}\` is registered.`,
  },
  'REQ-09': {
    isBound: ({ requests }) => requests.answeredWithinSeconds !== USUAL_ANSWER_SECONDS,
    by: 'requests.answeredWithin',
    text: ({ requests }) =>
      `No request, valid or not, goes unanswered for ${requests.answeredWithinSeconds} s. Hostile input → never 5xx, never a hang, never a dropped connection without an answer.`,
  },
  'REQ-08': onInput('A value outside declared constraints (enum, format, min/max, pattern)', ''),
  'VER-01': {
    isBound: ({ versions }) => versions.ignoresHeader,
    by: 'versions.header',
    text: () =>
      'A header that carries a version (X-API-Version, API-Version, Accept-Version, Stripe-Version style) is ignored: same status and shape.',
  },
  'VER-02': {
    isBound: ({ versions }) => versions.hasNoSunset,
    by: 'versions.sunset',
    text: () => 'No Sunset and no Deprecation header.',
  },
  'RED-01': {
    isBound: ({ judgesRedirects }) => judgesRedirects,
    by: 'redirects.notFollowed',
    text: () => 'A redirect carries a Location that parses as a URL, absolute or relative. It is not followed.',
  },
  'HEALTH-01': {
    isBound: ({ health }) => health !== null,
    by: 'health.operation',
    text: ({ health }) =>
      `\`${health?.operation}\` answers with a success${health?.isPublic === false ? '' : ', without a token'}.`,
  },
  'INT-01': {
    isBound: ({ internal }) => internal.length > 0,
    by: 'internal',
    text: ({ internal }) => `Nothing under ${named(internal)} answers a public key with a success.`,
  },
};

function onRefusal(
  by: string,
  refusalIn: (terms: Terms) => RefusalTerms | null,
  text: (answer: string) => string,
): Binding {
  return {
    isBound: (terms: Terms) => refusalIn(terms) !== null,
    by,
    text: (terms: Terms) => text(refusedWith(refusalIn(terms), terms.errors)),
  };
}

function onInput(what: string, naming: string): Binding {
  const namesAny = (errors: ErrorTerms | null): boolean =>
    errors?.members.field !== undefined || errors?.members.param !== undefined;
  return {
    isBound: ({ requests }: Terms) => requests.invalid !== null,
    by: 'requests.invalid',
    text: ({ requests, errors }: Terms) =>
      `${what} → ${refusedWith(requests.invalid, errors)}${namesAny(errors) ? naming : ''}.`,
  };
}

function named(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
