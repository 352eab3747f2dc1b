// Finds the media types of which request bodies can be made, and the names under which they are sent.
import { isJsonSequence } from '../../exchange/sequences.ts';
import { asObject } from '../json.ts';
import type { MediaType } from './operation.ts';
import { isJson } from './responses.ts';

export const URL_ENCODED = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';
const FORMS: readonly string[] = [URL_ENCODED, MULTIPART];

/** Tells whether what a body of the type holds can be read back from its text, though it is not JSON: a form, or a sequence of JSON texts. */
export function isReadBack({ mediaType }: Pick<MediaType, 'mediaType'>): boolean {
  return FORMS.includes(mediaType) || isJsonSequence(mediaType);
}

/** Tells whether a body can be made: JSON, what may be JSON and sequences of it, forms, text and bytes; of anything else (XML) only by an example. */
export function isMakeable(media: MediaType): boolean {
  return isDrawn(media) || writtenExample(media) !== undefined;
}

/** Tells whether a body is made of a value that fits the schema. */
function isDrawn({ mediaType, schema }: MediaType): boolean {
  return (
    isJson(mediaType) ||
    mediaType.endsWith('/*') ||
    isReadBack({ mediaType }) ||
    /^(text|image|audio|video|font)\//.test(mediaType) ||
    mediaType === 'application/octet-stream' ||
    asObject(schema?.value).format === 'binary'
  );
}

/** The text that is a body of the media type as it stands; undefined where a body is made of a value, or no example is a text. */
export function writtenExample(media: MediaType): string | undefined {
  const isMadeOfValue = isDrawn(media) && !/[/+]xml$/.test(media.mediaType);
  return isMadeOfValue ? undefined : media.examples.find((example) => typeof example === 'string');
}

/** The media type in which a body is made, JSON before any other; null where none can be. */
export function makeable(content: readonly MediaType[]): MediaType | null {
  return content.find(({ mediaType }) => isJson(mediaType)) ?? content.find(isMakeable) ?? null;
}

/** Media type that stands for a range of them. */
const OF_RANGE: Readonly<Record<string, string>> = { text: 'text/plain', image: 'image/png' };

/** The Content-Type of a body of the media type, its declared parameters included. */
export function contentTypeFor({ mediaType, parameters = '' }: Pick<MediaType, 'mediaType' | 'parameters'>): string {
  return sentType(mediaType) + parameters;
}

/** The media type that a body is sent as: the declared one, or one that its range takes. */
export function sentType(declared: string): string {
  const [type = '', subtype = ''] = declared.split('/');
  if (subtype === '*') return OF_RANGE[type] ?? 'application/json';
  return declared.replace('/*+', '/vnd.assay+');
}
