// Cuts a media type to the part that says what a body is.

/** A media type in lower case, without parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] as string).trim().toLowerCase();
}
