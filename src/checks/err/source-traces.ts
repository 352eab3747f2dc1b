// What a stack trace or a source path looks like in the languages that servers are written in. Source: ERR-12.
// Every pattern needs a source file, a frame's form or a runtime's own words; every repetition is bounded, for answers
// may be long and hostile.
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

/** What every one of the patterns above needs: one look spares ordinary texts the rest. */
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

/** What kind of stack trace or source path the text holds; null when none, or only such as `isEcho` says the request itself carried. */
export function sourceTraceIn(text: string, isEcho: (match: string) => boolean): string | null {
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

/** Whether a string in this JSON text may be a trace; a quick no for most answers. With escapes, the text does not show its strings. */
export function mayHoldTraces(json: string): boolean {
  return json.includes('\\') || HINT_IN_JSON.test(json);
}
