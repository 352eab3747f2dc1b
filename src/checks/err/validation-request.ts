// What the request says of the validation error that answers it: was its body malformed, is there a field to name?
import { parsedJson } from '../../exchange/decoded.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formParts } from '../../exchange/form.ts';
import { isObject } from '../../openapi/json.ts';
import type { Subject } from '../check.ts';

/** Whether the request carried text that is not JSON. */
export function sentMalformedJson({ plan }: Exchange): boolean {
  return plan.body.kind === 'raw' && sentBody(plan.body) === undefined;
}

/**
 * Whether the body as a whole may have offended: what was sent is no JSON object, or nothing was where a body is described. Then
 * no field has a name. A request that has no body, and is described with none, is refused for something that has one.
 */
export function mayBlameWholeBody({ exchange: { plan }, operation }: Subject): boolean {
  if (plan.method === 'GET' || plan.method === 'HEAD') return false;
  if (plan.body.kind === 'none') return operation?.requestBody != null;
  return !isObject(sentBody(plan.body));
}

/** Names at the top level of what was sent and declared: members of the body, query parameters, declared parameters. */
export function topLevelNames({ exchange, operation }: Subject): ReadonlySet<string> {
  const body = sentBody(exchange.plan.body);
  return new Set([
    ...(isObject(body) ? Object.keys(body) : []),
    ...new URLSearchParams(exchange.plan.query).keys(),
    ...(operation?.parameters ?? []).map((parameter) => parameter.name),
  ]);
}

function sentBody(body: Exchange['plan']['body']): unknown {
  if (body.kind === 'json') return body.value;
  if (body.kind !== 'raw' || body.isLatin1 === true) return undefined;
  const parts = formParts(body.text, body.contentType);
  return parts === null ? parsedJson(body.text) : Object.fromEntries(parts.map(({ name, text }) => [name, text]));
}
