// How a service is addressed that its description alone tells about: credentials where its security schemes have them, and
// JSON asked for where it is declared. Under the contract `commerce` plans go out as they are.
import { header } from '../../exchange/body.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { TRACEPARENT } from '../../exchange/trace-context.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { KnownKey } from '../../probes/auth/security.ts';
import { ledBy, placementsOf } from '../../probes/auth/security.ts';

/** The plan with placements and an Accept header; `described` is its operation, null for a path of no description. */
export function addressed(plan: RequestPlan, described: Described | null, keys: readonly KnownKey[]): RequestPlan {
  if (described === null) return { ...plan, placements: plan.placements ?? [] };
  const { operation, description } = described;
  const accept = header(plan.headers, 'accept') === null ? acceptOf(operation) : null;
  const headers = accept === null ? plan.headers : [...plan.headers, ['Accept', accept] as const];
  const own = plan.credential.kind === 'key' ? plan.credential.name : null;
  return { ...plan, headers, placements: plan.placements ?? placementsOf(description, operation, ledBy(keys, own)) };
}

/** Tells whether the operation takes a traceparent header as its input: then experiments decide whether it is sent. */
export function describesTrace(described: Described | null): boolean {
  const parameters = described?.operation.parameters ?? [];
  return parameters.some(({ in: place, name }) => place === 'header' && name.toLowerCase() === TRACEPARENT);
}

/** Declared JSON first, anything else after it: without it a service that has XML too may answer that. */
function acceptOf({ responses }: Operation): string | null {
  const declared = responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  const json = [...new Set(declared.filter((mediaType) => isJson(mediaType)))];
  return json.length === 0 ? null : [...json, '*/*;q=0.5'].join(', ');
}
