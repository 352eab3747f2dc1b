// Reads what a media type says of a body.
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

/** The text that the bytes are in the charset that the media type names; in UTF-8, as JSON always is, where it names none that is known. */
export function textIn(mediaType: string, bytes: Buffer): string {
  try {
    return isInUtf8(mediaType) ? bytes.toString() : new TextDecoder(CHARSET.exec(mediaType)?.[1]).decode(bytes);
  } catch {
    // Nobody knows a charset of this name.
    return bytes.toString();
  }
}

/** Tells whether a text of this media type is UTF-8, as JSON always is, rather than of a charset that the type names. */
export function isInUtf8(mediaType: string): boolean {
  const [, charset = 'utf-8'] = CHARSET.exec(mediaType) ?? [];
  return /^utf-?8$/i.test(charset);
}
