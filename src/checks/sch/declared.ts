// Finds the declaration of the operation for an answer, as the SCH checks need it.
import { withValues } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { essence } from '../../exchange/media-type.ts';
import { itemsOf, type SequenceItem } from '../../exchange/sequences.ts';
import { isHead, wholeResponse } from '../../facts/answered.ts';
import { isObject } from '../../openapi/json.ts';
import type {
  DeclaredResponse,
  Description,
  MediaType,
  Operation,
  SchemaHandle,
} from '../../openapi/model/operation.ts';
import { declaredMedia, declaredResponse, isJson } from '../../openapi/model/responses.ts';
import { amidHostile } from '../../wording/sch.ts';
import type { Subject } from '../check.ts';
import { eventItems } from './event-items.ts';

/** An answer of a described operation, and what is declared for its status. */
export interface DeclaredAnswer {
  readonly response: RecordedResponse;
  readonly operation: Operation;
  readonly description: Description;
  /** null when the status is not declared: SCH-05 or SCH-08 reports that. */
  readonly declared: DeclaredResponse | null;
}

/**
 * The answer beside its declaration; null for no answer and for what no description describes. Status and headers of an answer
 * whose body was cut are as good as any.
 */
export function declaredAnswer({ exchange, operation, description }: Subject): DeclaredAnswer | null {
  const { response } = exchange;
  if (response === null || operation === null || description === null) return null;
  return { response, operation, description, declared: declaredResponse(operation, response.status) };
}

/** The kind of a breach, and the words for it. */
type Told = Pick<Breach, 'code' | 'cause' | 'message' | 'within' | 'sometimes'>;

/**
 * The breach as it is told where hostile input brought it about: by a description alone it is a kind of its own, within the kind
 * that ordinary input shows.
 */
export function amid({ contract, exchange }: Subject, told: Told): Told {
  if (contract !== 'openapi' || exchange.plan.intent !== 'hostile') return told;
  return { ...amidHostile(told), code: withValues(told.code, 'hostile'), within: told.code, sometimes: told };
}

/** Tells whether the answer has a body that may be judged: one was received, and it was not asked for with HEAD. */
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

/** An answer whose declared media type is no JSON, and has a schema. */
export type DeclaredText = DeclaredAnswer & { readonly media: MediaType & { readonly schema: SchemaHandle } };

/** The declared media type with its schema of an answer that is no JSON; null where there is no such pair, or the body is a file. */
export function declaredText(subject: Subject): DeclaredText | null {
  const answer = declaredAnswer(subject);
  if (answer?.declared == null || !hasBody(subject)) return null;
  const contentType = header(answer.response.headers, 'content-type');
  if (contentType === null || isJson(contentType)) return null;
  const media = declaredMedia(answer.declared, contentType);
  if (media?.schema == null || isJson(media.mediaType) || isFile(media, answer.description)) return null;
  if (/stream|jsonl|ndjson|json-seq|multipart/.test(contentType)) return null;
  return { ...answer, media: { ...media, schema: media.schema } };
}

/** An answer that is a sequence, the schema declared for each of its items, and the items that came whole. */
export type DeclaredItems = DeclaredAnswer & { readonly schema: SchemaHandle; readonly items: readonly SequenceItem[] };

/** Null where no schema of items is declared for the answer's media type, or the answer is no sequence. */
export function declaredItems(subject: Subject): DeclaredItems | null {
  const answer = declaredAnswer(subject);
  if (answer?.declared == null || isHead(subject.exchange)) return null;
  const { headers, body, truncated } = answer.response;
  const contentType = header(headers, 'content-type') ?? '';
  const schema = declaredMedia(answer.declared, contentType)?.itemSchema;
  const sent = schema === undefined ? null : itemsOf(contentType, body, { isCut: truncated });
  if (schema === undefined || sent === null) return null;
  const isOfEvents = essence(contentType) === 'text/event-stream';
  const items = isOfEvents ? eventItems(sent, schema.value, answer.description) : sent;
  return items.length === 0 ? null : { ...answer, schema, items };
}

/** Tells whether the body is any bytes, whatever its media type: a file. Source: OAS 3.0, "Considerations for File Uploads". */
function isFile({ schema }: MediaType, description: Description): boolean {
  const resolved = description.deref(schema?.value);
  return isObject(resolved) && resolved.type === 'string' && resolved.format === 'binary';
}

/** Tells whether the body of the answer is JSON, whatever its content type. */
export function isJsonText({ exchange }: Subject): boolean {
  return jsonBody(exchange).ok;
}
