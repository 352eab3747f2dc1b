// How a contract's terms bind the clauses on authentication, bad requests, versions, redirects, liveness, internal paths, unused statuses and
// descriptions.
import type { Bindings, ServiceTerms, Terms } from '../terms.ts';

const OF_DESCRIPTIONS: Bindings = {
  'SPEC-02': {
    by: 'services.NAME.version',
    isBound: someService(({ openapi, version }) => openapi !== null && version !== null),
    text: ({ services }) => `OpenAPI version and info.version are those of the contract (${versions(services)}).`,
  },
  'SPEC-09': {
    by: 'services.NAME.operations',
    isBound: someService(({ operations, resources, statuses }) => (operations ?? resources ?? statuses) !== null),
    text: () =>
      'Operations, resources (tags) and declared statuses by service, against the counts that the contract gives.',
  },
  'SPEC-10': {
    by: 'services.NAME.documented',
    isBound: someService(({ documented }) => documented.length > 0),
    text: () =>
      'The documented operations are described as the contract says: query parameters, JSON bodies and required strings.',
  },
};

export const REST_BINDINGS: Bindings = { ...OF_DESCRIPTIONS };

function someService(has: (service: ServiceTerms) => boolean): (terms: Terms) => boolean {
  return ({ services }) => Object.values(services).some(has);
}

function versions(services: Terms['services']): string {
  return Object.entries(services)
    .map(([name, { openapi, version }]) => `${name} ${openapi}/${version}`)
    .join(', ');
}
