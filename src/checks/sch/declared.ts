// What the operation declares for an answer, as the SCH checks need it.
import { header, jsonBody } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import type { DeclaredResponse, Description, MediaType, Operation } from '../../openapi/operation.ts';
import { declaredMedia, declaredResponse, isJson } from '../../openapi/responses.ts';
import { isHead, wholeResponse } from '../answered.ts';
import type { Subject } from '../check.ts';

/** An answer of a described operation, and what is declared for its status. */
export interface DeclaredAnswer {
  readonly response: RecordedResponse;
  readonly operation: Operation;
  readonly description: Description;
  /** null when the status is not declared: SCH-05 or SCH-08 reports that. */
  readonly declared: DeclaredResponse | null;
}

/** The answer beside its declaration; null for no whole answer and for what no description describes. */
export function declaredAnswer({ exchange, operation, description }: Subject): DeclaredAnswer | null {
  const response = wholeResponse(exchange);
  if (response === null || operation === null || description === null) return null;
  return { response, operation, description, declared: declaredResponse(operation, response.status) };
}

/** What is added to a cause where hostile input was sent. */
const HOSTILE = ' (hostile input)';

/** The same, for an answer: by a description alone that is a cause of its own, unless ordinary input shows it as well. */
export function amid({ contract, exchange }: Subject): string {
  return contract === 'openapi' && exchange.plan.probe.startsWith('hostile/') ? HOSTILE : '';
}

/** The cause of which this one is only another sight, where both show on one operation; null where there is none. */
export function widerCause(cause: string): string | null {
  if (cause.endsWith(HOSTILE)) return cause.slice(0, -HOSTILE.length);
  // Where a sound request is answered so, what is wrong with others is no ground for it.
  const [, status] = /^(?:a wrong request|hostile input) is answered (5\d\d)$/.exec(cause) ?? [];
  return status === undefined ? null : `a sound request is answered ${status}`;
}

/** Whether the answer has a body that may be judged: one was received, and it was not asked for with HEAD. */
export function hasBody({ exchange }: Subject): boolean {
  return !isHead(exchange) && (wholeResponse(exchange)?.bytes ?? 0) > 0;
}

/** The declared JSON media type of an answer with a JSON content type; null where there is no such pair. */
export function declaredJson(subject: Subject): (DeclaredAnswer & { readonly media: MediaType }) | null {
  const answer = declaredAnswer(subject);
  if (answer?.declared == null || !hasBody(subject)) return null;
  const contentType = header(answer.response.headers, 'content-type');
  if (contentType === null || !isJson(contentType)) return null;
  const media = declaredMedia(answer.declared, contentType);
  return media === null || isFile(media, answer.description) ? null : { ...answer, media };
}

/** Whether the body is any bytes, whatever its media type: a file. Source: OAS 3.0, "Considerations for File Uploads". */
function isFile({ schema }: MediaType, description: Description): boolean {
  const resolved = description.deref(schema?.value);
  return isObject(resolved) && resolved.type === 'string' && resolved.format === 'binary';
}

/** Whether the body of the answer is JSON, whatever its content type. */
export function isJsonText({ exchange }: Subject): boolean {
  return jsonBody(exchange).ok;
}
