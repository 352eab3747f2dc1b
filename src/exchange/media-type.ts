// Reads what a media type says of a body.
import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';

/** A media type in lower case, without parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] as string).trim().toLowerCase();
}

/** The parameters of a media type by their names in lower case, as their values are; none where it cannot be read. */
export function parametersOf(mediaType: string): ReadonlyMap<string, string> {
  try {
    return new Map([...new MIMEType(mediaType).params].map(([name, value]) => [name, value.toLowerCase()]));
  } catch {
    // A text that is no media type has no parameters.
    return new Map();
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/** The text that the bytes are in the charset that the media type names; in UTF-8 where it names none that is known. */
export function textIn(mediaType: string, bytes: Buffer): string {
  try {
    return isInUtf8(mediaType, bytes) ? bytes.toString() : new TextDecoder(charsetOf(mediaType)).decode(bytes);
  } catch {
    // Nobody knows a charset of this name.
    return bytes.toString();
  }
}

/**
 * Tells whether bytes of this media type are UTF-8 rather than in a charset that the type names. No charset is defined for JSON, which is UTF-8
 * whatever its type says (RFC 8259, 8.1 and 11); that of bytes which cannot be UTF-8 is believed.
 */
export function isInUtf8(mediaType: string, bytes: Buffer): boolean {
  if (/^utf-?8$/i.test(charsetOf(mediaType))) return true;
  return /[/+]json$/.test(essence(mediaType)) && isUtf8(bytes) && !bytes.includes(0);
}

function charsetOf(mediaType: string): string {
  return CHARSET.exec(mediaType)?.[1] ?? 'utf-8';
}
