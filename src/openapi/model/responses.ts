// Look-ups in what an operation declares about its responses. Pure.

import type { HeaderList } from '../../exchange/exchange.ts';
import { essence, parametersOf } from '../../exchange/media-type.ts';
import type { DeclaredResponse, MediaType, Operation } from './operation.ts';

/** The response declared for a status: exactly ("404"), else by range ("4XX"), else `default`; null when none is. */
export function declaredResponse(operation: Operation, status: number): DeclaredResponse | null {
  const named = (name: string) => operation.responses.find((response) => response.status === name);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named('default') ?? null;
}

/**
 * The declared media type that a Content-Type value falls under: exactly, else type/*+suffix, else type/*, else *\/*. Parameters
 * tell apart what is declared several times, and else do not matter; application/problem+json is not application/json. Source: SCH-02.
 */
export function declaredMedia(response: DeclaredResponse, contentType: string): MediaType | null {
  const actual = essence(contentType);
  const named = (name: string) =>
    nearest(
      response.content.filter(({ mediaType }) => mediaType === name),
      contentType,
    );
  const [type = '', subtype = ''] = actual.split('/');
  const suffix = /\+[^+]+$/.exec(subtype)?.[0] ?? '';
  const ofSuffix = suffix === '' ? undefined : named(`${type}/*${suffix}`);
  return named(actual) ?? ofSuffix ?? named(`${type}/*`) ?? named('*/*') ?? null;
}

/** The one whose parameters all stand in the Content-Type value, the one with the most first; else the first. */
function nearest(declared: readonly MediaType[], contentType: string): MediaType | undefined {
  if (declared.length < 2) return declared[0];
  const actual = parametersOf(contentType);
  const stated = declared.map((media) => ({
    media,
    parameters: [...parametersOf(media.mediaType + (media.parameters ?? ''))],
  }));
  const fitting = stated
    .toSorted((one, other) => other.parameters.length - one.parameters.length)
    .find(({ parameters }) => parameters.every(([name, value]) => actual.get(name) === value));
  return (fitting ?? stated[0])?.media;
}

/** The Content-Type value of a header list, or null. */
export function contentTypeOf(headers: HeaderList): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
}

/** Tells whether a body of this media type is JSON: application/json, text/json and every +json. */
export function isJson(mediaType: string): boolean {
  return /^(application|text)\/json$|\+json$/.test(essence(mediaType));
}

/** Tells whether a success of the reading is a stream of events alone: there may be no occasion for the first one. */
export function awaitsEvents({ method, responses }: Pick<Operation, 'method' | 'responses'>): boolean {
  const types = responses.filter(({ status }) => status.startsWith('2')).flatMap(({ content }) => content);
  return method === 'GET' && types.length > 0 && types.every(({ mediaType }) => essence(mediaType) === EVENTS);
}

const EVENTS = 'text/event-stream';
