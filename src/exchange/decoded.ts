// Decodes and encodes texts that anybody may have written, and never throws.

/** The value that the JSON text stands for; undefined where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A text that is no JSON is known by that alone.
    return undefined;
  }
}

/** The percent-decoded text; one that is not validly encoded stands for itself. */
export function uriDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Some servers write a bare "%".
    return text;
  }
}

const SURROGATE = /[\ud800-\udfff]/;

/** The text percent-encoded, as a part of a URL; halves of surrogate pairs become U+FFFD. */
export function uriEncoded(text: string): string {
  if (!SURROGATE.test(text)) return encodeURIComponent(text);
  // Without toWellFormed, which the engine that runs k6's scripts does not have.
  const isHalf = (one: string): boolean => one.length === 1 && one >= '\ud800' && one <= '\udfff';
  return encodeURIComponent(Array.from(text, (one) => (isHalf(one) ? '\ufffd' : one)).join(''));
}
