// The text of the description that a command line names, or why there is none and where it may be. A place that nobody named is
// looked at with consent only.
import { resolve } from 'node:path';
import { askerOf } from '../../client/reach.ts';
import type { ConstantHeader } from '../../config/constant-header.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { proxiesIn } from '../../config/proxies.ts';
import { readDocument } from '../../openapi/read/checked.ts';
import { NotServed, type Source, Sources } from '../../openapi/read/source.ts';

export interface Reading {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Asks whether further places may be looked at; absent: nobody is there to ask. */
  readonly confirm?: (question: string) => Promise<boolean>;
  readonly say?: (sentence: string) => void;
}

/** Headers that go to the host of the description; it is the target's own then. */
type Shared = readonly ConstantHeader[];

/** Throws UsageError where there is none. */
export async function readDescription(
  description: string,
  { env, cwd, confirm, say = () => {}, shared }: Reading & { readonly shared: Shared },
): Promise<Source> {
  if (!/^https?:\/\//i.test(description)) return readFileAt(description, cwd);
  const { origin, username, password } = new URL(description);
  if (`${username}${password}` !== '') throw withUser();
  const services = [{ name: 'api', spec: description, basePath: null }];
  const target = { baseUrl: origin, docsUrl: null, environment: 'staging' as const, headers: shared };
  const ask = askerOf({ target, services, proxies: proxiesIn(env) });
  const read = (url: string): Promise<Source> => new Sources(url, [], undefined, ask).description();
  const found = await read(description).catch((error: Error) => error);
  if (!(found instanceof Error) && !isPage(found.text)) return found;
  const { message, places } = missing(description, found);
  const wish = places.length === 0 ? null : `${message}. May Assay look for it at ${wordsOf(places)}?`;
  const there = wish !== null && (await confirm?.(wish)) === true ? await firstOf(places, read) : null;
  if (there === null) throw noDescription(description, found);
  say(`found the description at ${there.location}`);
  return there;
}

async function readFileAt(description: string, cwd: string): Promise<Source> {
  try {
    return await new Sources(resolve(cwd, description), []).description();
  } catch (error) {
    throw new UsageError(
      'ASSAY_DESCRIPTION_UNREADABLE',
      `description ${description} cannot be read: ${(error as Error).message}`,
      'name a file, or a URL that begins with http:// or https://, such as assay conform http://127.0.0.1:8080/openapi.json',
      error,
    );
  }
}

/** Words for what came instead of a description, and places where that may be: those that a page names, else the usual ones. */
function missing(
  description: string,
  found: Source | Error,
): { readonly message: string; readonly places: readonly string[] } {
  if (!(found instanceof Error)) {
    const named = namedIn(found);
    const isNaming = named.length > 0;
    const message = `${description} is a page for people${isNaming ? `, and names ${named.join(' and ')}` : ''}`;
    return { message, places: isNaming ? named : commonPlaces(description) };
  }
  const message = `description ${description} cannot be read: ${found.message}`;
  const isElsewhere = found instanceof NotServed && (found.status === 404 || found.status === 410);
  return { message, places: isElsewhere ? commonPlaces(description) : [] };
}

function noDescription(description: string, found: Source | Error): UsageError {
  const { message, places } = missing(description, found);
  const cause = found instanceof Error ? found : undefined;
  return new UsageError('ASSAY_DESCRIPTION_UNREADABLE', message, hintFor(description, found, places), cause);
}

function hintFor(description: string, found: Source | Error, places: readonly string[]): string {
  const [first, ...others] = places;
  if (first !== undefined) {
    const further = others.slice(0, MOST_FURTHER).map((place) => URL.parse(place)?.pathname ?? place);
    const rest = further.length === 0 ? '' : `; other frameworks have it at ${wordsOf(further)}`;
    return `assay conform ${first}${rest}`;
  }
  const { origin } = new URL(description);
  if (!(found instanceof NotServed)) return 'is the address right, and does something answer there?';
  const { status, target } = found;
  if (status === 401 || status === 403 || SIGN_IN.test(target ?? ''))
    return `--base-url ${origin} --header 'Authorization: Bearer env:TOKEN' sends the header with the description, too`;
  if (target !== null) return `assay conform ${URL.parse(target, description)?.href ?? target}`;
  return 'is the address right, and does something answer there?';
}

/** A page at which people sign in. */
const SIGN_IN = /[/.](log-?in|sign-?in|oauth2?|sso)\b/i;

/** A hint names so many places beside the first. */
const MOST_FURTHER = 4;

/** The first place with an OpenAPI document; null where none has one. */
async function firstOf(places: readonly string[], read: (url: string) => Promise<Source>): Promise<Source | null> {
  for (const place of places) {
    const source = await read(place).catch(() => null);
    if (source === null || isPage(source.text)) continue;
    const isDescription = await readDocument(source).then(
      () => true,
      () => false,
    );
    if (isDescription) return source;
  }
  return null;
}

function wordsOf(places: readonly string[]): string {
  return places.length > 1 ? `${places.slice(0, -1).join(', ')} or ${places.at(-1)}` : (places[0] ?? '');
}

function withUser(): UsageError {
  return invalidOption(
    'the URL of the description has a user name or password in it',
    "--header 'Authorization: Basic …' or --key user:password gives them",
  );
}

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
function isPage(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body|!--)/i.test(text);
}

/** The descriptions that a page names, as URLs, each once; none for what is no page. */
function namedIn({ text, location }: Pick<Source, 'text' | 'location'>): readonly string[] {
  if (!isPage(text)) return [];
  const found = NAMING.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  const urls = found.flatMap((one) => URL.parse(one, location)?.href ?? []);
  return [...new Set(urls)].filter((url) => /^https?:/.test(url) && url !== location);
}

/** Where frameworks serve the description on the host of a URL, that URL aside. */
function commonPlaces(location: string): readonly string[] {
  const { origin } = new URL(location);
  return PLACES.map((path) => `${origin}${path}`).filter((url) => url !== location);
}
