// JSON without measure: nested, wide, long.
import { type Mode, withBody } from '../mode.ts';
import { withMember } from './texts.ts';

const ANY = [0, 1, 3];
const DEEP = 100_000;
const MANY = 1_000_000;

function once(make: () => string): () => string {
  let made: string | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const arrays = once(() => '['.repeat(DEEP) + ']'.repeat(DEEP));
const objects = once(() => `${'{"data":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`);
const errors = once(() => `{"error":${'{"errors":[{"error":'.repeat(DEEP / 2)}1${'}]}'.repeat(DEEP / 2)}}`);
const messages = once(() => `{"error":${'{"message":'.repeat(DEEP)}"x"${'}'.repeat(DEEP)}}`);
const keys = once(() => `{${listed(MANY * 0.7, (at) => `"${at.toString(36)}":1`)}}`);
const items = once(() => `[${'{},'.repeat(MANY)}{}]`);
const lists = once(() => `[${'[],'.repeat(MANY)}[]]`);
const named = once(() => `[${listed(MANY / 8, (at) => `{"id":"store_${at}","name":"n${at}"}`)}]`);
const mixed = once(() => `[${listed(MANY / 8, (at) => `{"id":${at},"k${at}":{"v":[${at}]}}`)}]`);
const unsound = once(() => `[${listed(MANY / 4, (at) => `{"id":{"n":${at}}}`)}]`);

function listed(count: number, one: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => one(at)).join();
}

/** Every success is this list, bare or in the envelope of its kind. */
function listing(name: string, list: () => string): Mode {
  return {
    name,
    change: (answer, { target }) =>
      answer.status >= 300
        ? answer
        : withBody(
            answer,
            target.includes('/logs') ? `{"data":${list()},"total":1,"page":1,"limit":20,"total_pages":1}` : list(),
          ),
  };
}

const whole = (name: string, body: () => string): Mode => ({ name, change: (answer) => withBody(answer, body()) });

/** A list of a hundred thousand, each with an id of a megabyte, would be more than the server itself can hold. */
const MAX_CHARACTERS_OF_IDS = 64_000_000;

/** A value in place of every id, until they are as much as a server can make. */
function ids(name: string, value: (drawn: number) => string): Mode {
  return {
    name,
    ends: ANY,
    change: (answer, _asked, chance) => {
      let made = 0;
      const replaced = (whole: string, member: string): string => {
        if (made > MAX_CHARACTERS_OF_IDS) return whole;
        const id = JSON.stringify(value(chance.below(1e9)));
        made += id.length;
        return `"${member}":${id}`;
      };
      const text = answer.body.toString('utf8');
      return withBody(answer, text.replaceAll(/"(\w*[iI]d)":("[^"]*"|\d+)/g, replaced));
    },
  };
}

const ODD_IDS = [
  '..',
  '.',
  '/',
  '../../internal',
  '%2e%2e%2f',
  '?a=b',
  '#x',
  '\0',
  '\ud800',
  '😀',
  ' ',
  '{storeId}',
  '-0',
  '1e309',
  "'",
  '\\',
  '\n',
  'a\tb',
  '~',
  ';',
  '%',
  '%zz',
  '[object Object]',
  '__proto__',
];

export const SIZES: readonly Mode[] = [
  whole('nested-arrays', arrays),
  whole('nested-objects', objects),
  whole('nested-errors', errors),
  whole('nested-messages', messages),
  { name: 'nested-member', ends: ANY, change: (answer) => withMember(answer, 'more', arrays()) },
  { name: 'nested-data', change: (answer) => withMember(answer, 'data', objects()) },
  whole('million-keys', keys),
  { name: 'million-keys-beside', ends: ANY, change: (answer) => withMember(answer, 'more', keys()) },
  listing('million-empty-items', items),
  listing('million-lists', lists),
  listing('hundred-thousand-items', named),
  listing('hundred-thousand-unlike-items', mixed),
  listing('hundred-thousand-unsound-items', unsound),
  listing(
    'list-of-deep-items',
    once(() => `[{"id":"a","x":${arrays()}}]`),
  ),
  ids('ids-of-a-megabyte', (at) => `${at}${'x'.repeat(1_000_000)}`),
  ids('ids-odd', (at) => ODD_IDS[at % ODD_IDS.length] as string),
  ids('ids-new-each-time', (at) => `id_${at}`),
  {
    name: 'errors-with-a-million-fields',
    ends: ANY,
    change: (answer) =>
      answer.status < 400
        ? answer
        : withBody(
            answer,
            `{"error":{"type":"validation_error","code":"validation_failed","message":"x","status":${answer.status},"errors":[${'{"field":"name","code":"c","message":"m"},'.repeat(150_000)}{}]}}`,
          ),
  },
  {
    name: 'errors-with-new-fields',
    ends: ANY,
    change: (answer, _asked, chance) =>
      answer.status < 400
        ? answer
        : withBody(
            answer,
            answer.body.toString('utf8').replaceAll(/"field":"[^"]*"/g, () => `"field":"f${chance.below(1e9)}"`),
          ),
  },
  {
    name: 'codes-of-a-megabyte',
    change: (answer) =>
      withBody(answer, answer.body.toString('utf8').replaceAll(/"code":"/g, `"code":"${'a_'.repeat(500_000)}`)),
    ends: ANY,
  },
  {
    name: 'texts-of-a-megabyte',
    ends: ANY,
    change: (answer) =>
      withBody(
        answer,
        answer.body
          .toString('utf8')
          .replaceAll(/"(doc_url|instance|timestamp|request_id|param|field)":"/g, `"$1":"${'[/'.repeat(300_000)}`),
      ),
  },
  {
    name: 'pages-without-end',
    ends: ANY,
    change: (answer, _asked, chance) =>
      answer.status >= 300
        ? answer
        : withBody(
            answer,
            answer.body
              .toString('utf8')
              .replaceAll(
                /"(total|total_pages|page|limit)":\d+/g,
                (_all, name: string) => `"${name}":${chance.pick(['1000000000000000', '-1', '0', '1e15', '99'])}`,
              ),
          ),
  },
  {
    name: 'lists-new-each-time',
    ends: ANY,
    change: (answer, _asked, chance) => {
      if (answer.status >= 300 || !answer.body.toString('utf8').startsWith('[')) return answer;
      return withBody(answer, `[${listed(100, () => `{"id":"x${chance.below(1e12)}","name":"n"}`)}]`);
    },
  },
];
