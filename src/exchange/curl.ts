// A recorded request as one curl command for a POSIX shell. Tokens stand as environment variables.
import type { Exchange } from './exchange.ts';

/** A command line may hold 128 KiB an argument; longer bodies are cut, and the line says so. Characters. */
const MAX_BODY_CHARS = 30_000;

/** A marker of a whole secret as it is: a key's name holds no blank. */
const WHOLE_SECRET = /\[redacted (key [^ \]]+|locked token|expired token)\]/g;
/** Credentials of Basic whose user and password are a whole secret. */
export const BASIC_SECRET = /^basic (\[redacted (?:key [^ \]]+|locked token|expired token)\])$/i;
/** Any other marker: what stood there cannot be sent again. */
export const REDACTED = /\[(?:redacted|altered|part of) /;
/** Needs no quotes. What is longer may hold part of a secret, and the marker that will stand there does need them. */
const BARE = /^[\w./:-]{1,7}$/;
/** Set by curl itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length']);

/** Variables that hold tokens, by what the markers of secrets call them: "key ent-1", "locked token". */
export type TokenVariables = Readonly<Record<string, string>>;

/** The variable that the configuration takes the secret from, else ASSAY_TOKEN, ASSAY_LOCKED or ASSAY_EXPIRED. */
export function variableOf(secret: string, variables: TokenVariables): string {
  const named = variables[secret];
  if (named !== undefined) return named;
  return secret.startsWith('key ') ? 'ASSAY_TOKEN' : `ASSAY_${secret.split(' ')[0]!.toUpperCase()}`;
}

/**
 * The command that sends the exchange's request again, with a variable of the environment in place of each token, a refused credential as it was sent unless it was made of a token. What cannot stand in a command line (NUL, a
 * very long body) is left out, and a closing comment says so, as it does of what is redacted.
 */
export function curlOf({ request, plan }: Exchange, variables: TokenVariables = {}): string {
  const quoted = (text: string): string =>
    shellWord(tokenParts(text, variables).map((part, at) => (at % 2 === 0 ? { text: part } : { variable: part })));
  const remarks: string[] = [];
  const words = ['curl', '--globoff', '--path-as-is', '--include'];
  if (request.method === 'HEAD') words.push('--head');
  else if (request.method !== 'GET' || request.body) words.push('-X', quoted(request.method));
  words.push(quoted(request.url));
  const headers = request.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  for (const [name, value] of headers) {
    const [option, text] = headerOption(name, value);
    words.push(option, quoted(text));
  }
  if (request.body) {
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', quoted('Content-Type:'));
    const isBytes = plan.body.kind === 'raw' && plan.body.isLatin1 === true;
    words.push('--data-raw', isBytes ? byteWord(request.body) : quoted(sendable(request.body, remarks)));
  }
  const line = words.join(' ');
  if (REDACTED.test(line.replaceAll(WHOLE_SECRET, ''))) remarks.push('fill in what is redacted');
  return remarks.length === 0 ? line : `${line} # ${remarks.join('; ')}`;
}

/** curl encodes user and password, and drops a header whose value is empty unless it ends in a semicolon. */
function headerOption(name: string, value: string): readonly [option: string, text: string] {
  const basic = name.toLowerCase() === 'authorization' ? BASIC_SECRET.exec(value)?.[1] : undefined;
  if (basic !== undefined) return ['--user', basic];
  return ['-H', value.trim() === '' ? `${name};` : `${name}: ${value}`];
}

function sendable(body: string, remarks: string[]): string {
  let text = body;
  if (text.length > MAX_BODY_CHARS) {
    text = text.slice(0, MAX_BODY_CHARS);
    remarks.push(`the body is cut: ${MAX_BODY_CHARS} of ${body.length} characters`);
  }
  const clean = text.replaceAll('\0', '');
  if (clean.length < text.length) remarks.push(`${text.length - clean.length} NUL characters dropped from the body`);
  return clean;
}

/** A word of bytes, each a character of the text, as printf of any POSIX shell makes it. */
function byteWord(text: string): string {
  const format = text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll("'", "'\\''");
  const bytes = format.replaceAll(/[\x80-\xff]/g, (one) => `\\${one.charCodeAt(0).toString(8)}`);
  return `"$(printf '${bytes}')"`;
}

/** The text in parts: what stands between tokens, and at odd places the variables that hold them. */
export function tokenParts(text: string, variables: TokenVariables): readonly string[] {
  return text.split(WHOLE_SECRET).map((part, index) => (index % 2 === 0 ? part : variableOf(part, variables)));
}

/** A part of a shell word: a text as it is, a variable, or words that the shell expands. */
export type ShellPiece = { readonly text: string } | { readonly variable: string } | { readonly expanded: string };

/** One word of a POSIX shell: single quotes, or double quotes where something must expand. */
export function shellWord(pieces: readonly ShellPiece[]): string {
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  if (pieces.every((piece) => 'text' in piece)) return BARE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const words = pieces.map((piece, index) => {
    if ('text' in piece) return piece.text.replaceAll(/[\\"$`]/g, '\\$&');
    if ('expanded' in piece) return piece.expanded;
    const next = pieces[index + 1];
    const isDelimited = next === undefined || ('text' in next && !/^\w/.test(next.text));
    return isDelimited ? `$${piece.variable}` : `\${${piece.variable}}`;
  });
  return `"${words.join('')}"`;
}
