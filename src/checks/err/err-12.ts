// ERR-12 (must): No response, error or not, echoes the bearer token (a key must not be logged or embedded), and no
//   error carries a stack trace or source path. Tolerance: The second half is ours: it follows from "may hold personal
//   data" and common sense.
import { type Breach, breached } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { EchoedSecret, Exchange } from '../../exchange/exchange.ts';
import { isError, isHead } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { textIn, toldError } from './error-object.ts';
import { stringsIn } from './json-strings.ts';
import { percentDecoded, requestPaths } from './request-path.ts';

/** Maximum number of strings of one error that are looked at: an envelope has a dozen. */
const MOST_STRINGS = 2000;

export const err12: ExchangeCheck = {
  clause: 'ERR-12',
  title: 'No answer echoes a token, no error shows a stack trace or source path',
  // An answer that was cut shows what it showed.
  applies: ({ exchange }) => exchange.response !== null,
  judge: (subject) =>
    breached([...echoBreaches(subject), ...traceBreaches(subject.exchange)], mayTellTraces(subject.exchange) ? 2 : 1),
};

function mayTellTraces(exchange: Exchange): boolean {
  return isError(exchange.response?.status ?? 0) && !isHead(exchange);
}

function echoBreaches(subject: Subject): Breach[] {
  return subject.exchange.echoed
    .filter((echo) => !isOwnQueryInInstance(subject, echo))
    .map(({ secret, where }) => ({
      weight: 'breach',
      ...(where === 'body'
        ? err('err-12.token-in-body', { secret })
        : err('err-12.token-in-header', { secret, name: where }, where)),
      expected: 'no answer holds a bearer token',
      actual: `${secret} in ${where}`,
    }));
}

/** A token that we sent in the query comes back in `instance`, which may repeat the query string (ERR-07): no echo of a key. */
function isOwnQueryInInstance(subject: Subject, { secret, where }: EchoedSecret): boolean {
  const { exchange } = subject;
  const marker = `[redacted ${secret}`;
  const error = toldError(subject);
  if (where !== 'body' || error === null || !exchange.request.query.includes(marker)) return false;
  const inInstance = occurrences(textIn(error, 'instance') ?? '', marker);
  return inInstance > 0 && inInstance === occurrences(exchange.response?.body ?? '', marker);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function traceBreaches(exchange: Exchange): Breach[] {
  if (!mayTellTraces(exchange)) return [];
  const text = exchange.response?.body ?? '';
  const body = jsonBody(exchange);
  if (body.ok && !mayHoldTraces(text)) return [];
  const strings = body.ok ? stringsIn(body.value).take(MOST_STRINGS) : [{ pointer: '', text }];
  let sent: string | undefined;
  const isEcho = (match: string) => {
    sent ??= sentTexts(exchange);
    return sent.includes(match);
  };
  for (const { pointer, text } of strings) {
    const trace = sourceTraceIn(text, isEcho);
    if (trace !== null) return [traceBreach(trace, pointer)];
  }
  return [];
}

/** The text itself stays out of the finding: it may hold personal data. */
function traceBreach(trace: string, pointer: string): Breach {
  const expected = 'no stack trace and no source path in an error';
  const place = pointer === '' ? 'the body' : pointer;
  return {
    weight: 'breach',
    ...err('err-12.source-trace', { place, actual: trace, expected }),
    expected,
    actual: trace,
    pointer,
  };
}

/**
 * Path, query, header values and body of the request, raw and decoded, joined by line breaks: what comes back of them in an
 * error is an echo, not something the server let out.
 */
function sentTexts({ plan, request }: Exchange): string {
  const query = request.query.replaceAll('+', ' ');
  const paths = requestPaths({ plan, request });
  const texts = [...paths, ...paths.map(percentDecoded), request.query, percentDecoded(query)];
  texts.push(...request.headers.map(([, value]) => value));
  if (plan.body.kind === 'raw') texts.push(plan.body.text);
  if (plan.body.kind === 'json') {
    for (const { text } of stringsIn(plan.body.value)) texts.push(text);
    texts.push(request.body ?? '');
  }
  return texts.join('\n');
}

// Patterns of stack traces and source paths in the languages that servers are written in. Every pattern needs a source
// file, a frame's form or a runtime's own words; every repetition is bounded, for answers may be long and hostile.
const SOURCE = '(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|scala|groovy|php|cs|fs|vb|c|cc|cpp|h|ex|exs|erl|swift|dart|pl|lua)';
const SCRIPT = '[cm]?[jt]sx?';
const NAME = '[\\w.@+$-]{1,120}';
const FOLDERS = `(?:${NAME}[/\\\\]){0,40}`;
/** No name goes on to the left: the path begins here. */
const BEGINS = '(?<![\\w.@+$/\\\\-])';
const ENDS = '\\b(?![\\w/-])';

interface Trace {
  /** In a finding's words. */
  readonly what: string;
  readonly pattern: RegExp;
}

function trace(what: string, ...forms: readonly string[]): Trace {
  return { what, pattern: new RegExp(forms.join('|'), 'gm') };
}

const TRACES: readonly Trace[] = [
  trace(
    'a JavaScript stack frame',
    `\\bat (?:[^\\n()]{1,200} \\()?(?:file://|webpack[\\w-]{0,20}:|[A-Za-z]:)?[^\\s():]{0,300}\\.${SCRIPT}:\\d+:\\d+`,
    '\\bat (?:async )?(?:new )?[\\w$.]{1,200}(?: \\[as \\w{1,100}\\])? \\((?:<anonymous>|native)\\)',
    '\\bnode:[a-z_][a-z_/]{0,100}:\\d+:\\d+',
  ),
  trace('a Python stack trace', 'Traceback \\(most recent call last\\)', '\\bFile "[^"\\n]{1,300}", line \\d+'),
  trace(
    'a Java stack trace',
    '\\bat (?:[\\w$.@-]{1,200}/)?[\\w$]{1,100}(?:\\.[\\w$<>]{1,100}){1,30}\\((?:[\\w$]{1,100}\\.(?:java|kt|scala|groovy)(?::\\d+)?|Native Method|Unknown Source)\\)',
    '\\bCaused by: [\\w$]{1,100}(?:\\.[\\w$]{1,100}){1,30}(?:Exception|Error)\\b',
    '\\bException in thread "',
  ),
  trace('a Go stack trace', '\\bgoroutine \\d+ \\[[a-z ,0-9]{1,80}\\]', '\\bpanic: runtime error: '),
  trace('a PHP stack trace', '(?:#\\d+ |\\bin )\\S{1,300}\\.php(?:\\(\\d+\\)|:\\d+| on line \\d+)'),
  trace(
    'a .NET stack trace',
    '\\bat [\\w.`<>+]{1,300}\\([^()\\n]{0,300}\\) in [^\\n]{1,300}:line \\d+',
    '^\\s{1,20}at [\\w`<>+]{1,100}(?:\\.[\\w`<>+]{1,100}){1,30}\\([^()\\n]{0,300}\\)\\s*$',
  ),
  trace('a Rust panic', "\\bpanicked at '?[^\\n]{0,300}\\.rs:\\d+"),
  trace(
    'a source path with its line',
    `${BEGINS}[/\\\\]{0,2}${FOLDERS}(?<=[/\\\\])${NAME}\\.${SOURCE}:\\d+\\b`,
    `\\b[\\w-]{1,120}\\.${SOURCE}:\\d+:\\d+\\b`,
  ),
  trace('a path into installed packages', '\\b(?:node_modules|site-packages)[/\\\\]'),
  trace(
    'a source path',
    `(?:${BEGINS}(?<!:)|file://)/(?:usr|home|var|opt|srv|root|app|workspace|builds?|tmp|Users|code|mnt)/${FOLDERS}${NAME}\\.${SOURCE}${ENDS}`,
    `(?:${BEGINS}(?<!:)|file://)/usr/src/${NAME}`,
    `${BEGINS}(?:\\./)?(?:src|dist|lib|build)/${FOLDERS}${NAME}\\.${SOURCE}${ENDS}`,
    `\\b[A-Za-z]:\\\\(?:[^\\\\\\s"'<>|]{1,120}\\\\){0,40}[^\\\\\\s"'<>|]{1,120}\\.${SOURCE}\\b`,
  ),
];

/** Texts of which every one of the patterns above needs one: a look for them spares ordinary texts the rest. */
const HINTS = [
  `\\.${SOURCE}\\b`,
  'node:|<anonymous>|[Nn]ative|Unknown Source|Traceback|File "|Caused by|Exception in|goroutine|panic',
  ' line \\d|:line |^\\s{1,20}at |node_modules|site-packages|/usr/src/',
];
const HINT = new RegExp(HINTS.join('|'), 'm');
/** The same for strings that stand in JSON text: they begin after a quotation mark. */
const HINT_IN_JSON = new RegExp([...HINTS, '"\\s{1,20}at '].join('|'), 'm');

const WEB_ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gi;
/** Characters at either end of a text that are looked at: a trace is not longer, an echoed hostile string before it is. */
const LOOKED_AT = 20_000;

/** The kind of trace or source path that the text holds; null when none, or only such as `isEcho` says the request itself carried. */
function sourceTraceIn(text: string, isEcho: (match: string) => boolean): string | null {
  const looked = endsOf(text).replace(WEB_ADDRESS, ' ');
  if (!HINT.test(looked)) return null;
  for (const { what, pattern } of TRACES) {
    for (const [match] of looked.matchAll(pattern)) {
      if (!isEcho(match.trim())) return what;
    }
  }
  return null;
}

function endsOf(text: string): string {
  return text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
}

/** Tells whether a string in this JSON text may be a trace; a quick no for most answers. Escapes hide what the strings are. */
function mayHoldTraces(json: string): boolean {
  return json.includes('\\') || HINT_IN_JSON.test(json);
}
