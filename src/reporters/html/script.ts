// Writes the exchanges of a finding as a script that sends them again: numbered steps, as curl, as an .http file, and for k6.
// Tokens stand as variables, altered tokens are made from them, and each Idempotency-Key is drawn anew.
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { ReportedExchange } from '../../contract/report.ts';
import { BASIC_SECRET, type ShellPiece, shellWord, type TokenVariables, variableOf } from '../../exchange/curl.ts';
import { braced } from '../exports/http.ts';

export interface Script {
  readonly steps: readonly string[];
  /** Remarks to read before: variables to set, and parts that could not be kept. */
  readonly remarks: readonly string[];
  readonly curl: string;
  readonly http: string;
  readonly k6: string;
}

type Request = ReportedExchange['request'];

/** A text in pieces: as it is, a variable, or a token changed in a known way. */
type Piece =
  | { readonly text: string }
  | { readonly variable: string }
  | { readonly variable: string; readonly change: string };

interface Step {
  readonly title: string;
  /** More than one: they are sent at once. */
  readonly requests: readonly Request[];
}

/** A command line of more is unwieldy. */
const MAX_BODY_CHARS = 4000;
const MARKER = /\[(redacted|altered) (key [^\]:\s]+|locked token|expired token)(?:: ([^\]]+))?\]/g;
const OTHER_MARKER = /\[(?:redacted|altered|part of) /;
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'user-agent']);
const KEY_HEADER = USUAL_KEY_HEADER.toLowerCase();
/** The header of a JWT that asks for no signature. Scripts encode it: as base64 it would begin like the user's own token. */
const unsigned = (algorithm: string) => {
  const header = `{"alg":"${algorithm}","typ":"JWT"}`;
  return {
    shell: (token: string) => `$(printf %s '${header}' | base64 | tr -d '=').$(printf %s "$${token}" | cut -d. -f2).`,
    script: (token: string) => `\${encoding.b64encode('${header}', 'rawurl')}.\${${token}.split('.')[1]}.`,
  };
};

/** How a changed token is made: in a shell, and in JavaScript. Absent: it cannot be made again. */
const CHANGES: Readonly<Record<string, { shell: (token: string) => string; script: (token: string) => string }>> = {
  'last 4 characters': {
    shell: (token) => `\${${token}%????}AAAA`,
    script: (token) => `\${${token}.slice(0, -4)}AAAA`,
  },
  'in base64': {
    shell: (token) => `$(printf %s "$${token}" | base64 | tr -d '\\n')`,
    script: (token) => `\${encoding.b64encode(${token})}`,
  },
  '4 characters added': { shell: (token) => `\${${token}}AAAA`, script: (token) => `\${${token}}AAAA` },
  'alg none': unsigned('none'),
  'alg None': unsigned('None'),
  'signature removed': {
    shell: (token) => `\${${token}%.*}.`,
    script: (token) => `\${${token}.split('.').slice(0, 2).join('.')}.`,
  },
  'cut before the signature': {
    shell: (token) => `\${${token}%.*}`,
    script: (token) => `\${${token}.split('.').slice(0, 2).join('.')}`,
  },
  'two characters of the signature': {
    shell: (token) => `$(printf %s "$${token}" | sed 's/..\\(.\\{20\\}\\)$/AA\\1/')`,
    script: (token) => `\${${token}.slice(0, -22)}AA\${${token}.slice(-20)}`,
  },
};

/** The script for the exchanges in their order; null of none. */
export function scriptOf(exchanges: readonly ReportedExchange[], variables: TokenVariables): Script | null {
  if (exchanges.length === 0) return null;
  const keys = new Map<string, string>();
  for (const { request } of exchanges)
    for (const [name, value] of request.headers)
      if (name.toLowerCase() === KEY_HEADER && value !== '' && !keys.has(value))
        keys.set(value, `KEY_${keys.size + 1}`);
  const steps = stepsOf(exchanges, keys);
  const writer = new Writer(variables, keys);
  const remarks = remarksOf(exchanges, variables);
  return {
    steps: steps.map(({ title }) => title),
    remarks,
    curl: writer.curl(steps),
    http: writer.http(steps),
    k6: writer.k6(steps),
  };
}

/** Steps with their titles; exchanges that overlapped in time are one step. */
function stepsOf(exchanges: readonly ReportedExchange[], keys: ReadonlyMap<string, string>): readonly Step[] {
  const together: ReportedExchange[][] = [];
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const exchange of exchanges) {
    const sentAt = Date.parse(exchange.sentAt);
    if (sentAt < busyUntil && together.length > 0) together.at(-1)!.push(exchange);
    else together.push([exchange]);
    busyUntil = Math.max(busyUntil, sentAt + exchange.durationMs);
  }
  const names = new Map<string, string>();
  return together.map((own) => {
    const requests = own.map(({ request }) => request);
    const titles = Map.groupBy(requests, (request) => titleOf(request, names, keys));
    const title = [...titles]
      .map(([text, same]) => (same.length > 1 ? `${text}, ${same.length} times` : text))
      .join('; ');
    return { title: own.length > 1 ? `${title}, at once` : title, requests };
  });
}

/** "Send A: POST /v1/stores with KEY_1", "Send A again", "GET /v1/stores". */
function titleOf(request: Request, names: Map<string, string>, keys: ReadonlyMap<string, string>): string {
  const { method, url, headers, body } = request;
  const where = `${method} ${url.replace(/^https?:\/\/[^/]+/, '')}`.slice(0, 120);
  if (method === 'GET' || method === 'HEAD') return where;
  const key = keys.get(headers.find(([name]) => name.toLowerCase() === KEY_HEADER)?.[1] ?? '');
  const identity = JSON.stringify([method, url, key, body]);
  const known = names.get(identity);
  if (known !== undefined) return `Send ${known} again`;
  const name = String.fromCharCode('A'.charCodeAt(0) + Math.min(25, names.size));
  names.set(identity, name);
  return `Send ${name}: ${where}${key === undefined ? '' : ` with ${key}`}`;
}

function remarksOf(exchanges: readonly ReportedExchange[], variables: TokenVariables): readonly string[] {
  const text = JSON.stringify(exchanges.map(({ request }) => request));
  const secrets = new Set([...text.matchAll(MARKER)].map(([, , secret]) => secret!));
  const bodies = exchanges.map(({ request }) => request.body ?? '');
  return [
    ...[...secrets].map(
      (secret) => `$${variableOf(secret, variables)} is the ${secret.startsWith('key') ? 'token of ' : ''}${secret}`,
    ),
    ...(OTHER_MARKER.test(
      text.replaceAll(MARKER, (whole, _kind, _secret, change?: string) =>
        change === undefined || change in CHANGES ? '' : whole,
      ),
    )
      ? ['fill in what is redacted']
      : []),
    ...(bodies.some((body) => body.length > MAX_BODY_CHARS) ? [`bodies are cut to ${MAX_BODY_CHARS} characters`] : []),
    ...(bodies.some((body) => body.includes('\0')) ? ['NUL characters are left out'] : []),
  ];
}

class Writer {
  readonly #variables: TokenVariables;
  readonly #keys: ReadonlyMap<string, string>;

  constructor(variables: TokenVariables, keys: ReadonlyMap<string, string>) {
    this.#variables = variables;
    this.#keys = keys;
  }

  curl(steps: readonly Step[]): string {
    const keys = [...this.#keys.values()].map((name, index) => `${name}="again-$(date +%s)-$$-${index + 1}"`);
    const lines = steps.flatMap(({ title, requests }, index) => {
      const commands = requests.map((request) => this.#curlArguments(request));
      const command =
        commands.length === 1
          ? `curl ${commands[0]}`
          : `curl --parallel --parallel-immediate ${commands.join(' \\\n  --next ')}`;
      return steps.length === 1 && commands.length === 1 ? [command] : [`# ${index + 1}. ${oneLine(title)}`, command];
    });
    return [...keys, ...lines].join('\n');
  }

  #curlArguments({ method, url, headers, body }: Request): string {
    const words = ['--globoff', '--path-as-is', '--include', '--write-out', "'\\n\\n'"];
    if (method === 'HEAD') words.push('--head');
    else if (method !== 'GET' || body) words.push('-X', shellWord([{ text: method }]));
    words.push(shellWord(shellPieces(this.#pieces(url))));
    for (const [name, value] of sentHeaders(headers)) {
      const empty = value.trim() === '';
      words.push(
        '-H',
        shellWord(empty ? [{ text: `${name};` }] : [{ text: `${name}: ` }, ...shellPieces(this.#valueOf(name, value))]),
      );
    }
    if (body) {
      if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', "'Content-Type:'");
      words.push('--data-raw', shellWord(shellPieces(this.#pieces(bodyOf(body)))));
    }
    return words.join(' ');
  }

  http(steps: readonly Step[]): string {
    const keys = [...this.#keys.values()].map((name) => `# Another value for each try.\n@${name} = again-1`);
    const blocks = steps.flatMap(({ title, requests }, index) =>
      requests.map(({ method, url, headers, body }) =>
        [
          `### ${index + 1}. ${oneLine(title)}`,
          `${oneLine(method)} ${inHttp(this.#pieces(url))}`,
          ...sentHeaders(headers).map(([name, value]) => `${name}: ${inHttp(this.#valueOf(name, value))}`),
          ...(body ? ['', inHttp(this.#pieces(bodyOf(body)))] : []),
        ].join('\n'),
      ),
    );
    return [...keys, ...blocks].join('\n\n');
  }

  k6(steps: readonly Step[]): string {
    const call = ({ method, url, headers, body }: Request): string => {
      const own = sentHeaders(headers).map(
        ([name, value]) => `${JSON.stringify(name)}: ${literal(this.#valueOf(name, value))}`,
      );
      const sent = body ? literal(this.#pieces(bodyOf(body))) : 'null';
      return `[${JSON.stringify(method)}, ${literal(this.#pieces(url))}, ${sent}, { redirects: 0, headers: { ${own.join(', ')} } }]`;
    };
    const sends = steps.flatMap(({ title, requests }, index) => [
      `  // ${index + 1}. ${oneLine(title)}`,
      `  send([${requests.map(call).join(', ')}]);`,
    ]);
    return [
      ...(sends.some((line) => line.includes('encoding.b64encode(')) ? ["import encoding from 'k6/encoding';"] : []),
      "import http from 'k6/http';",
      '',
      ...[...this.#keys.values()].map((name, index) => `const ${name} = \`again-\${Date.now()}-${index + 1}\`;`),
      'const send = (requests) => {',
      '  for (const { status, body } of http.batch(requests)) console.log(status, body);',
      '};',
      '',
      'export default function () {',
      ...sends,
      '}',
    ].join('\n');
  }

  /** A header's value: an Idempotency-Key is its variable, so that a key of the run is not sent again. */
  #valueOf(name: string, value: string): readonly Piece[] {
    const key = name.toLowerCase() === KEY_HEADER ? this.#keys.get(value) : undefined;
    if (key !== undefined) return [{ variable: key }];
    const basic = name.toLowerCase() === 'authorization' && BASIC_SECRET.test(value);
    return this.#pieces(basic ? value.replace(/\]$/, ': in base64]').replace('redacted', 'altered') : value);
  }

  #pieces(text: string): readonly Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const { 0: whole, 2: secret = '', 3: change, index } of text.matchAll(MARKER)) {
      if (change !== undefined && !(change in CHANGES)) continue;
      pieces.push({ text: text.slice(at, index) });
      const variable = variableOf(secret, this.#variables);
      pieces.push(change === undefined ? { variable } : { variable, change });
      at = index + whole.length;
    }
    pieces.push({ text: text.slice(at) });
    return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
  }
}

function sentHeaders(headers: Request['headers']): Request['headers'] {
  return headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
}

function bodyOf(body: string): string {
  return body.slice(0, MAX_BODY_CHARS).replaceAll('\0', '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** A changed token is made by commands of the shell. */
function shellPieces(pieces: readonly Piece[]): readonly ShellPiece[] {
  return pieces.map((piece) =>
    'change' in piece ? { expanded: CHANGES[piece.change]!.shell(piece.variable) } : piece,
  );
}

/** A changed token is a variable of its own in .http files, whose readers encode user and password of Basic themselves. */
function inHttp(pieces: readonly Piece[]): string {
  return braced(
    pieces.map((piece) =>
      'change' in piece && piece.change !== 'in base64'
        ? { variable: `${piece.variable}_CHANGED: ${piece.change}` }
        : piece,
    ),
  );
}

/** A literal of JavaScript; variables of the environment are k6's `__ENV`. */
function literal(pieces: readonly Piece[]): string {
  if (pieces.every((piece) => 'text' in piece))
    return JSON.stringify(pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''));
  const words = pieces.map((piece) => {
    if ('text' in piece) return piece.text.replaceAll(/[\\`]|\$\{/g, '\\$&');
    const name = piece.variable.startsWith('KEY_') ? piece.variable : `__ENV.${piece.variable}`;
    return 'change' in piece ? CHANGES[piece.change]!.script(name) : `\${${name}}`;
  });
  return `\`${words.join('')}\``;
}
