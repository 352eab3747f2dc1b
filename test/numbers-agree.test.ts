// No text puts a noun in the plural behind a number that may be 1: `plural` writes both, in sources and in templates.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

const NOUNS = [
  ...['operations', 'clauses', 'requests', 'findings', 'violations', 'advisories', 'observations', 'keys', 'calls'],
  ...['steps', 'items', 'pages', 'windows', 'causes', 'runs', 'objects', 'services', 'files', 'shards', 'faults'],
  ...['errors', 'probes', 'attempts', 'retries', 'instances', 'slices', 'samples', 'reasons', 'units', 'deliveries'],
  ...['waivers', 'scenarios', 'events', 'days', 'descriptions', 'defects', 'leftovers', 'targets', 'tests', 'members'],
  ...['processes', 'entries', 'lists', 'problems', 'readings'],
].join('|');
/** A value of a text, a word or two, a noun in the plural; rates ("requests/s", "a second") are units. */
const COUNTED = new RegExp(
  `(?:\\$\\{(?<value>[^{}\`]+)\\}|<%= (?<printed>[^%]+?) %>(?:</\\w+>)?) (?:(?:more|further|other|new|planned) )?(?:${NOUNS})\\b(?!/| a second)`,
  'g',
);
/** A constant above 1, a share in percent, or the word for a number that `plural` has written. */
const AGREES = /^[A-Z\d_]+$|plural\(|shareText|percentOf|\.errors$|toPrecision|slice\(|\bshortIds\(/;

test('every number and its noun are written by plural', () => {
  const broken = globSync('{src,suites/conformance}/**/*.{ts,eta,js}', { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|^src\/(platform|simulation|openapi)\//.test(path))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          /^\s*(?:\/\/|\/?\*)/.test(line)
            ? []
            : [...line.matchAll(COUNTED)].flatMap(({ 0: text, groups }) =>
                AGREES.test(groups?.value ?? groups?.printed ?? '') ? [] : [`${path}:${at + 1}: ${text}`],
              ),
        ),
    );
  expect(broken.sort()).toEqual([]);
});
