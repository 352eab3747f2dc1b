// Describes a request in the words of OpenTelemetry's semantic conventions. No content of requests or answers is among
// them: paths, queries and bodies may hold personal data.
import type { Attributes } from '@opentelemetry/api';
import type { Exchange } from '../exchange/exchange.ts';

/** Source: RFC 9110 and RFC 5789, as the conventions count them. */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

/** "GET", or "_OTHER" for a method that nobody knows. */
export function methodOf({ request }: Exchange): string {
  return METHODS.has(request.method) ? request.method : '_OTHER';
}

/** "/v1/stores/{storeId}" of "GET /v1/stores/{storeId}"; null for a path that no description has. */
export function templateOf({ plan }: Pick<Exchange, 'plan'>): string | null {
  return plan.operation === null ? null : plan.operation.slice(plan.operation.indexOf(' ') + 1);
}

/** Why the exchange counts as an error: there is no answer, or it is the server's failure. Refusals are asked for; null then. */
export function errorOf({ response, failure }: Exchange): string | null {
  if (response === null) return failure?.kind ?? 'no answer';
  return response.status >= 500 ? String(response.status) : null;
}

/** Attributes by which requests are told apart, in metrics as well. */
export function requestAttributes(exchange: Exchange): Attributes {
  const template = templateOf(exchange);
  const error = errorOf(exchange);
  const { plan, response, request } = exchange;
  const url = URL.parse(request.url);
  return {
    'http.request.method': methodOf(exchange),
    ...(template === null ? {} : { 'url.template': template }),
    ...(url === null ? {} : { 'server.address': url.hostname, 'server.port': portOf(url) }),
    ...(response === null ? {} : { 'http.response.status_code': response.status }),
    ...(error === null ? {} : { 'error.type': error }),
    ...(plan.service === null ? {} : { 'assay.service': plan.service }),
    ...(plan.operation === null ? {} : { 'assay.operation': plan.operation }),
  };
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
