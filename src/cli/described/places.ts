// Where a description may be that is not where the user looked: what a page names, and where frameworks put it.
import type { Source } from '../../openapi/read/source.ts';

/** Paths at which frameworks serve descriptions, the commonest first. */
const PLACES = [
  ...['/openapi.json', '/v3/api-docs', '/swagger.json', '/swagger/v1/swagger.json', '/openapi.yaml'],
  ...['/api/openapi.json', '/api-docs', '/api/schema/', '/spec.json', '/apispec_1.json'],
];

/** How pages that show a description name it: Swagger UI, Redoc, Scalar, Stoplight Elements, and links (RFC 8631). */
const NAMING = [
  /\burl\s*:\s*["']([^"'\s]+)["']/,
  /\bspec-url\s*=\s*["']([^"'\s]+)["']/,
  /\bdata-url\s*=\s*["']([^"'\s]+)["']/,
  /\bapiDescriptionUrl\s*=\s*["']([^"'\s]+)["']/,
  /\brel\s*=\s*["']?service-desc["']?[^>]*\bhref\s*=\s*["']([^"'\s]+)["']/,
  /\bhref\s*=\s*["']([^"'\s]*(?:openapi|swagger|api-docs)[^"'\s]*\.(?:json|ya?ml))["']/,
];

/** Tells whether a text is a page for people, and no description. */
export function isPage(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body|!--)/i.test(text);
}

/** The descriptions that a page names, as URLs, each once; none for what is no page. */
export function namedIn({ text, location }: Pick<Source, 'text' | 'location'>): readonly string[] {
  if (!isPage(text)) return [];
  const found = NAMING.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  const urls = found.flatMap((one) => URL.parse(one, location)?.href ?? []);
  return [...new Set(urls)].filter((url) => /^https?:/.test(url) && url !== location);
}

/** Where frameworks serve the description on the host of a URL, that URL aside. */
export function commonPlaces(location: string): readonly string[] {
  const { origin } = new URL(location);
  return PLACES.map((path) => `${origin}${path}`).filter((url) => url !== location);
}
