// A plan as the bytes that go out: target, headers, body. Pure.
import type { HeaderList, PlannedBody, RequestPlan } from '../exchange/exchange.ts';

export interface WireRequest {
  readonly method: string;
  /** Path as the target sees it, without the base address's own path, and without query. */
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderList;
  readonly body: string | null;
}

const JSON_TYPE = 'application/json';

/** What is sent for the plan; `authorization` is the whole header value, null for none. Source: CLIENT-09. */
export function wireOf(plan: RequestPlan, authorization: string | null): WireRequest {
  const headers: [string, string][] = [['User-Agent', 'assay']];
  if (authorization !== null) headers.push(['Authorization', authorization]);
  const contentType = contentTypeOf(plan.body);
  if (contentType !== '') headers.push(['Content-Type', contentType]);
  for (const [name, value] of plan.headers) headers.push([name, value]);
  return {
    method: plan.method,
    path: sendable(plan.path),
    query: sendable(plan.query),
    headers,
    body: bodyOf(plan.body),
  };
}

function contentTypeOf(body: PlannedBody): string {
  return body.kind === 'none' ? JSON_TYPE : (body.contentType ?? JSON_TYPE);
}

function bodyOf(body: PlannedBody): string | null {
  if (body.kind === 'none') return null;
  return body.kind === 'raw' ? body.text : (JSON.stringify(body.value) ?? null);
}

/** Whatever may not stand in a request line is percent-encoded; lone surrogates become U+FFFD. */
function sendable(text: string): string {
  return /^[\x21-\x7e]*$/.test(text)
    ? text
    : text.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}
