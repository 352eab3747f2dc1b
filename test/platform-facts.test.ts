// No fact of one platform stands in code that other contracts reach. The forbidden strings are those of the platform's own contract file: its
// paths, the headers, error codes and members that it names. The reference platform has its own room, and knows them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contractOf } from '../src/config/contract-file.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import { clausesUnder } from '../src/contract/contract.ts';
import { COMMERCE_TERMS, SHIPPED_CONTRACTS, shippedContract } from '../src/contract/shipped.ts';
import { ROOT } from './root.ts';
import { SOURCES } from './sources.ts';

/** The reference platform, and the tests of all rooms. */
const isFree = (path: string): boolean => path.startsWith('src/platform/') || /\.test(-d)?\.ts$/.test(path);
const FILES = globSync('{src,suites,bin}/**/*.{ts,js,json}', { cwd: ROOT })
  .filter((path) => !isFree(path))
  .sort();

/** Customs of the field that the platform follows. One file names them for the code of all others; texts for people may, too. */
const CUSTOMS = 'src/contract/customs.ts';
const IS_CUSTOM = /^(idempotency-key|x-ratelimit-.*|total_pages)$/;

/** Tells whether the line is a comment, or a file's description for editors. */
const isTold = (path: string, line: string): boolean => path.endsWith('.json') || /^\s*(\/\/|\/?\*)/.test(line);

/** Every text that stands in the contract file, at any depth, names of members included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** A path's parts that no other path has by chance: two names in a row, of which the first is no version, and names of several words. */
function partsOf(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && !/[{*]/.test(name));
  const pairs = names.slice(1).map((name, at) => `${names[at]}/${name}`);
  return [...pairs.filter((pair) => !/^v\d/.test(pair)), ...names.filter((name) => name.includes('-'))];
}

function forbidden(): ReadonlySet<string> {
  const texts = textsIn(shippedContract('commerce'));
  const paths = texts.flatMap((text) => /^(?:[A-Z]+ )?(\/api\/\S+)$/.exec(text)?.[1] ?? []);
  const { limit = '', remaining = '', reset = '' } = COMMERCE_TERMS.rateLimits?.headers ?? {};
  const headers = [COMMERCE_TERMS.idempotency?.header ?? '', limit, remaining, reset ?? ''];
  // Codes, types and members of several words: what is one word says nothing of who uses it.
  const names = texts.flatMap((text) => /(?:^|\/)([a-z]+(?:_[a-z]+)+)$/.exec(text)?.[1] ?? []);
  const words = names.filter((name) => name !== 'snake_case');
  // The contract shows no later version: a run looks for one all the same.
  return new Set(['api/v2', ...paths.flatMap(partsOf), ...words, ...headers].map((text) => text.toLowerCase()));
}

const FORBIDDEN = [...forbidden()];

/** The forbidden strings that the text holds. */
function named(text: string): readonly string[] {
  const lower = text.toLowerCase().replace(/ from '.*'/, '');
  return FORBIDDEN.filter((one) => new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(lower));
}

it('the forbidden strings are those of the contract', () => {
  expect(FORBIDDEN).toEqual(
    expect.arrayContaining([
      ...[
        'api/v1',
        'api/internal',
        'process-payment',
        'activity/logs',
        'auth/register',
        'email-forwards',
        'health/live',
      ],
      ...[
        'auth_token_invalid',
        'validation_error',
        'request_id',
        'total_pages',
        'idempotency-key',
        'x-ratelimit-reset',
      ],
    ]),
  );
  expect(named("'POST /api/v1/auth/register'")).toEqual(['api/v1', 'auth/register']);
  expect(named('const code = body.error.code;')).toEqual([]);
});

it('nothing outside of the reference platform names a path, header, code or member of the platform', () => {
  const found = FILES.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        named(line)
          .filter((one) => !IS_CUSTOM.test(one) || (path !== CUSTOMS && !isTold(path, line)))
          .map((one) => `${path}:${at + 1}: ${one}`),
      ),
  );
  expect(found).toEqual([]);
});

it.each(SHIPPED_CONTRACTS.filter((name) => name !== 'commerce'))(
  'no sentence under %s names a fact of the platform',
  (name) => {
    const sentences = clausesUnder(contractOf(name, ROOT), CLAUSES).map(
      ({ id, text, tolerance }) => `${id} ${text} ${tolerance}`,
    );
    expect(sentences.flatMap((sentence) => named(sentence).filter((one) => !IS_CUSTOM.test(one)))).toEqual([]);
    expect(sentences.filter((sentence) => /\bEnterprise\b|\bAdmin\b|402|activity log/.test(sentence))).toEqual([]);
  },
);

/** Where defects may be known: the reference platform, what plants them in answers, what simulates, and the tool's check of itself. */
const KNOW_FAULTS = [
  'src/platform/',
  'src/defects/',
  'src/sensitivity/',
  'src/simulation/',
  'src/certify/',
  'src/cli/',
];

it('nothing that judges or plans knows which defects there are', () => {
  const knowing = [...SOURCES.values()].filter(
    ({ path, targets }) =>
      !isFree(path) &&
      !KNOW_FAULTS.some((place) => path.startsWith(place)) &&
      targets.some((target) =>
        /^src\/(platform\/(faults|tolerances)\/|defects\/|simulation\/(cases|ladder))/.test(target),
      ),
  );
  expect(knowing.map(({ path }) => path)).toEqual([]);
});
