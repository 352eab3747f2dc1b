// Request bodies of every media type that can be made: JSON and sequences of it, forms, multipart, text and bytes.

import { uriEncoded } from '../exchange/decoded.ts';
import type { PlannedBody } from '../exchange/exchange.ts';
import { isJsonSequence, sequenceText } from '../exchange/sequences.ts';
import { isObject } from '../openapi/json.ts';
import { contentTypeFor, sentType, URL_ENCODED } from '../openapi/model/media-types.ts';
import type { Description, MediaType } from '../openapi/model/operation.ts';
import { isJson } from '../openapi/model/responses.ts';
import { asText } from './bodies.ts';
import { pairsOf } from './parameters.ts';
import { shapeOf } from './schema-shape.ts';

const BOUNDARY = 'assay-9f2c41d7b06e';
const BINARY = ['binary', 'byte', 'base64'];

/** The value as a body of the media type. */
export function encodedBody(description: Description, media: MediaType, value: unknown): PlannedBody {
  const mediaType = sentType(media.mediaType);
  const contentType = contentTypeFor(media);
  if (isJson(mediaType))
    return contentType === 'application/json' ? { kind: 'json', value } : { kind: 'json', value, contentType };
  if (mediaType === URL_ENCODED) return { kind: 'raw', text: formText(media, value), contentType };
  if (mediaType.startsWith('multipart/')) {
    const text = multipartText(description, media, value);
    return { kind: 'raw', text, contentType: `${mediaType}; boundary=${BOUNDARY}` };
  }
  const text = isJsonSequence(mediaType) ? sequenceText(mediaType, value ?? []) : asText(value ?? 'assay');
  return { kind: 'raw', text, contentType };
}

function formText({ encoding = {} }: MediaType, value: unknown): string {
  if (!isObject(value)) return asText(value ?? '');
  const pairs = Object.entries(value).flatMap(([name, member]) => {
    const { style, explode = true } = encoding[name] ?? {};
    // Without a style of its own a composite member is JSON, a list as many pairs as items.
    if (style === undefined && isObject(member)) return [[name, JSON.stringify(member)] as const];
    return pairsOf({ name, style: style ?? 'form', explode }, member);
  });
  return pairs.map(([name, text]) => `${formEncoded(name)}=${formEncoded(text)}`).join('&');
}

function formEncoded(text: string): string {
  return uriEncoded(text).replaceAll('%20', '+');
}

function multipartText(description: Description, media: MediaType, value: unknown): string {
  const shape = media.schema === null ? {} : shapeOf(description, media.schema.value);
  const properties = isObject(shape.properties) ? shape.properties : {};
  const parts = Object.entries(isObject(value) ? value : { file: value ?? 'assay' }).flatMap(([name, member]) => {
    const members = Array.isArray(member) ? member : [member];
    const stated = media.encoding?.[name]?.contentType;
    return members.map((one) => partText(name, one, isFile(description, properties[name]), stated));
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function partText(name: string, value: unknown, file: boolean, stated: string | undefined): string {
  const quoted = name.replaceAll('"', '%22');
  const type =
    stated?.split(',', 1)[0]?.trim() ??
    (file ? 'application/octet-stream' : isObject(value) ? 'application/json' : null);
  const lines = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${quoted}"${file ? '; filename="assay.txt"' : ''}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    '',
    asText(value),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** Tells whether the property is a file: binary by format (3.0) or by content media type (3.1), itself or its items. */
function isFile(description: Description, schema: unknown): boolean {
  const shape = shapeOf(description, schema);
  if (shape.type === 'array') return isFile(description, shape.items);
  return BINARY.includes(String(shape.format)) || 'contentMediaType' in shape || 'contentEncoding' in shape;
}
