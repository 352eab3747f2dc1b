// Bodies that are no JSON, or JSON that hardly anybody writes.
import { type Answer, type Mode, withBody, withHeader } from '../mode.ts';

const ANY = [0, 1, 3];
const text = (answer: Answer): string => answer.body.toString('utf8');

/** The body's JSON with a member more, put first into its outermost object as it is; a body that is no object as it is. */
export function withMember(answer: Answer, name: string, value: string): Answer {
  const body = text(answer);
  if (!body.startsWith('{')) return answer;
  return withBody(answer, `{${JSON.stringify(name)}:${value}${body.startsWith('{}') ? '' : ','}${body.slice(1)}`);
}

const bodied = (name: string, body: (answer: Answer) => string | Buffer, ends?: readonly number[]): Mode => ({
  name,
  ...(ends === undefined ? {} : { ends }),
  change: (answer) => withBody(answer, body(answer)),
});

export const TEXTS: readonly Mode[] = [
  bodied('json-truncated', (answer) => answer.body.subarray(0, Math.floor(answer.body.length * 0.7))),
  bodied('json-invalid', (answer) => `${text(answer)},{`),
  bodied('utf8-invalid', (answer) => Buffer.concat([answer.body, Buffer.of(0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80)])),
  bodied('utf8-invalid-in-strings', (answer) => Buffer.from(text(answer).replaceAll('"', '"\xff'), 'latin1')),
  bodied('byte-order-mark', (answer) => `\ufeff${text(answer)}`, ANY),
  bodied('utf16', (answer) => Buffer.from(`\ufeff${text(answer)}`, 'utf16le')),
  bodied('nul-bytes', (answer) => `\0${text(answer)}\0`),
  bodied('empty', () => ''),
  bodied('null', () => 'null'),
  bodied('empty-array', () => '[]'),
  bodied('empty-object', () => '{}'),
  bodied('true', () => 'true'),
  bodied('number-beyond-measure', () => '1e400'),
  bodied('string-of-a-megabyte', () => JSON.stringify('x'.repeat(1_000_000))),
  bodied('keys-twice', (answer) => text(answer).replaceAll(/"(\w+)":/g, '"$1":null,"$1":'), ANY),
  bodied('numbers-huge', (answer) => text(answer).replaceAll(/:\s*\d+/g, ':1e400')),
  bodied('numbers-long', (answer) => text(answer).replaceAll(/:\s*(\d+)/g, `:$1.${'0'.repeat(10_000)}1`), ANY),
  bodied('numbers-of-sixty-digits', (answer) => text(answer).replaceAll(/:\s*\d+/g, `:${'9'.repeat(60)}`)),
  bodied('numbers-as-minus-nothing', (answer) => text(answer).replaceAll(/:\s*\d+/g, ':-0e-400'), ANY),
  bodied('numbers-not-of-json', (answer) => text(answer).replaceAll(/:\s*\d+/g, ':NaN')),
  bodied('json-with-comments', (answer) => `/* odd */ ${text(answer)} // end`),
  bodied('json-in-single-quotes', (answer) => text(answer).replaceAll('"', "'")),
  bodied('json-by-lines', (answer) => `${text(answer)}\n${text(answer)}`),
  bodied('json-in-a-string', (answer) => JSON.stringify(text(answer))),
  bodied('json-after-megabytes-of-blanks', (answer) => `${' \n'.repeat(2_000_000)}${text(answer)}`, ANY),
  bodied('json-after-a-guard', (answer) => `)]}',\n${text(answer)}`),
  bodied('strings-as-lone-surrogates', (answer) => text(answer).replaceAll(/:"/g, ':"\\udc00\\ud800'), ANY),
  bodied('names-as-lone-surrogates', (answer) => text(answer).replaceAll(/"(\w+)":/g, '"$1\\ud83d":')),
  bodied('names-of-a-megabyte', (answer) =>
    text(answer).replaceAll(/"(\w+)":/g, (_all, name) => `"${name}${'x'.repeat(200_000)}":`),
  ),
  {
    name: 'names-new-each-time',
    ends: ANY,
    change: (answer, _asked, chance) =>
      withBody(
        answer,
        text(answer).replaceAll(/"(\w+)":/g, (_all, name) => `"${name}":1,"n${chance.below(1e9)}":`),
      ),
  },
  {
    name: 'types-new-each-time',
    ends: ANY,
    change: (answer, { number }) =>
      withBody(
        answer,
        text(answer).replaceAll(/:"[^"]*"/g, (_all, at) => `:{"n${number}_${at}":[]}`),
      ),
  },
  bodied('names-empty', (answer) => text(answer).replaceAll(/"(\w+)":/g, '"":')),
  bodied('names-in-capitals', (answer) => text(answer).replaceAll(/"(\w+)":/g, (name) => name.toUpperCase())),
  bodied('ids-null', (answer) => text(answer).replaceAll(/"(\w*id)":"[^"]*"/g, '"$1":null')),
  bodied('ids-all-alike', (answer) => text(answer).replaceAll(/"(\w*id)":"[^"]*"/g, '"$1":"same"'), ANY),
  bodied('ids-as-numbers', (answer) => text(answer).replaceAll(/"(\w*id)":"[^"]*"/g, '"$1":12345678901234567890')),
  bodied(
    'times-beyond-measure',
    (answer) => text(answer).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"+275760-09-13T00:00:00.001Z"'),
    ANY,
  ),
  bodied('errors-as-a-text', (answer) => text(answer).replace(/^\{"error":\{.*/s, '{"error":"it failed"}'), ANY),
  bodied('errors-in-a-list', (answer) => text(answer).replace(/^\{"error":(\{.*)/s, '[{"error":$1]'), ANY),
  bodied('statuses-of-errors-beyond-measure', (answer) => text(answer).replace(/"status":\d+/, '"status":1e308'), ANY),
  bodied('strings-as-control-characters', (answer) =>
    text(answer).replaceAll(/:"/g, ':"\\u0000\\u001b[31m\\ud800\\u202e'),
  ),
  bodied('strings-as-markup', (answer) => text(answer).replaceAll(/:"/g, ':"</script><script>alert(1)</script>]]>')),
  bodied('strings-empty', (answer) => text(answer).replaceAll(/:"[^"]*"/g, ':""')),
  bodied('members-null', (answer) => text(answer).replaceAll(/:(?:"[^"]*"|\d+|true|false)/g, ':null')),
  bodied('members-of-another-type', (answer) => text(answer).replaceAll(/:(?:"[^"]*"|\d+|true|false)/g, ':{"a":[]}')),
  {
    name: 'page-of-markup',
    change: (answer) => withHeader(withBody(answer, `<html>${'<p>error'.repeat(5000)}`), 'Content-Type', 'text/html'),
  },
  {
    name: 'echo',
    change: (answer, asked) =>
      withBody(answer, Buffer.concat([Buffer.from(JSON.stringify(asked.headers)), asked.body])),
  },
  {
    name: 'echo-in-errors',
    ends: ANY,
    change: (answer, asked) =>
      answer.status < 400 ? answer : withMember(answer, 'sent', JSON.stringify([asked.headers, asked.body.toString()])),
  },
  { name: 'member-then', ends: ANY, change: (answer) => withMember(answer, 'then', '{"then":"x"}') },
  {
    name: 'member-proto',
    ends: ANY,
    change: (answer) => withMember(answer, '__proto__', '{"id":"polluted","data":[1]}'),
  },
  {
    name: 'members-of-object-prototype',
    ends: ANY,
    change: (answer) =>
      ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON', 'length'].reduce(
        (changed, name) => withMember(changed, name, '{"prototype":{"x":1}}'),
        answer,
      ),
  },
];
