// Reads what a media type says of a body.

/** A media type in lower case, without parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] as string).trim().toLowerCase();
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/** Tells whether a text of this media type is UTF-8, as JSON always is, rather than of a charset that the type names. */
export function isInUtf8(mediaType: string): boolean {
  const [, charset = 'utf-8'] = CHARSET.exec(mediaType) ?? [];
  return /^utf-?8$/i.test(charset);
}
