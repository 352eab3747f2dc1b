// Media types whose bodies are sequences: they come as events happen, and may never end.

import { essence } from './media-type.ts';

const SEQUENCES: ReadonlySet<string> = new Set([
  'text/event-stream',
  'application/jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/ndjson',
  'application/x-ndjson',
  'application/json-seq',
  'application/stream+json',
  'application/geo+json-seq',
  'multipart/mixed',
  'multipart/x-mixed-replace',
]);

/**
 * Tells whether a body of this media type (parameters do not matter) is a sequence without an end to wait for. Source:
 * OAS 3.2, 4.14.3.
 */
export function isStream(mediaType: string): boolean {
  return SEQUENCES.has(essence(mediaType));
}

/**
 * Title that generators from gRPC services write above the schema of one message of a stream, whose media type they do
 * not tell.
 */
const MESSAGE_OF_STREAM = /^stream result of /i;

/** Tells whether the schema describes one message of a stream: the body is a sequence of them. */
export function isStreamOfMessages(schema: unknown): boolean {
  const title = typeof schema === 'object' && schema !== null && 'title' in schema ? schema.title : null;
  return typeof title === 'string' && MESSAGE_OF_STREAM.test(title);
}
