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
