// The official tests of JSON Schema 2020-12, judged as the schemas of a 3.1 description are: all that are required, and those of
// the formats that are asserted. Beside them those of drafts 4, 6 and 7 on keywords that these have otherwise. The data is that of https://github.com/json-schema-org/JSON-Schema-Test-Suite (MIT, LICENSE beside
// it) at commit 44401e0c046704b476ec9d2e2fccdaee618f259d, without comments, and without format.json, by which a format is an
// annotation. What is not judged as it says stands here by name, with the reason; each of these must indeed differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawnValue } from '../../src/generate/drawn.ts';
import { isObject, valueAt } from '../../src/openapi/json.ts';
import type { Description } from '../../src/openapi/model/operation.ts';
import { documentWith, loadFiles } from '../support/openapi/descriptions.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const FILES: Readonly<Record<string, readonly Group[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'draft2020-12.json'), 'utf8'),
);

/** By draft and file: "draft4/items.json". */
const OLDER: typeof FILES = JSON.parse(readFileSync(join(import.meta.dirname, 'older-drafts.json'), 'utf8'));

/** Reasons by what they stand for: a file, a group of it, or a test of a group. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'refRemote.json': 'a description reads from other hosts only where the configuration names them',
  'defs.json | validate definition against metaschema': 'it refers to json-schema.org',
  'definitions.json | validate definition against metaschema': 'it refers to json-schema.org',
  'ref.json | remote ref, containing refs itself': 'it refers to json-schema.org',
  'dynamicRef.json | strict-tree schema, guards against misspelled properties': 'it refers to another host',
  'dynamicRef.json | tests for implementation dynamic anchor and reference link': 'it refers to another host',
  'dynamicRef.json | $ref and $dynamicAnchor are independent of order - $defs first': 'it refers to another host',
  'dynamicRef.json | $ref and $dynamicAnchor are independent of order - $ref first': 'it refers to another host',
  'dynamicRef.json | $ref to $dynamicRef finds detached $dynamicAnchor': 'it refers to another host',
  'dynamicRef.json | A $dynamicRef without anchor in fragment behaves identical to $ref':
    'a $dynamicRef by pointer is taken for one by anchor',
  'dynamicRef.json | A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope':
    'anchors count in schemas that a reference leads to, not in an $id above them',
  'dynamicRef.json | after leaving a dynamic scope, it is not used by a $dynamicRef':
    'anchors count in schemas that a reference leads to, not in an $id that is passed on the way',
  'dynamicRef.json | $dynamicRef avoids the root of each schema, but scopes are still registered':
    'anchors count in schemas that a reference leads to, not in an $id above them',
  'vocabulary.json | schema that uses custom metaschema with with no validation vocabulary':
    'every keyword of the dialect counts, whatever vocabulary a metaschema leaves out',
  'optional/format/hostname.json | validation of A-label (punycode) host names':
    'names of the DNS are judged by their letters, digits and hyphens; "r3---sn" is in use',
};

function reasonFor(...names: readonly string[]): string | undefined {
  return names
    .map((_, index) => DIFFERENT[names.slice(0, index + 1).join(' | ')])
    .find((reason) => reason !== undefined);
}

/** Schemas that bear ids need a document of their own: groups use the same ones. */
const APART = /"(id|\$id|\$anchor|\$dynamicAnchor)"/;

/** Every test that is judged otherwise, by name. */
async function differing(file: string, groups: readonly Group[], dialect?: string): Promise<readonly string[]> {
  const alone = groups.filter(({ schema }) => APART.test(JSON.stringify(schema)));
  const together = groups.filter((group) => !alone.includes(group));
  const found = await Promise.all(
    [together, ...alone.map((group) => [group])].map((some) => judged(file, some, dialect)),
  );
  return found.flat();
}

/** A description whose schemas are those of the groups. */
function describedBy(groups: readonly Group[], dialect?: string): Promise<Description> {
  const files = groups.map(({ schema }, index) => [`case-${index}.json`, schema] as const);
  const schemas = files.map(([name, schema]) => [name, isObject(schema) ? { $ref: name } : schema] as const);
  const document = documentWith('3.1.0', Object.fromEntries([['Any', {}], ...schemas]));
  return loadFiles({
    'description.json': dialect === undefined ? document : { ...document, jsonSchemaDialect: dialect },
    ...Object.fromEntries(files.filter(([, one]) => isObject(one))),
  });
}

async function judged(file: string, groups: readonly Group[], dialect?: string): Promise<readonly string[]> {
  const description = await describedBy(groups, dialect);
  return groups.flatMap((group, index) => {
    const judge = judgeOf(description, `/components/schemas/case-${index}.json`);
    return group.tests
      .filter(({ data, valid }) => judge(data) !== valid)
      .map((test) => `${file} | ${group.description} | ${test.description}`);
  });
}

/** null where the schema cannot be compiled. */
function judgeOf(description: Description, pointer: string): (data: unknown) => boolean | null {
  const validate = description.validator({ pointer, value: valueAt(description.document, pointer) }, 'response');
  return (data) => (validate === null ? null : validate(data).length === 0);
}

it.each(Object.entries(FILES))('%s is judged as it says, but for what is named', async (file, groups) => {
  const different = await differing(file, groups);
  const unnamed = different.filter((name) => reasonFor(...name.split(' | ')) === undefined);
  expect(unnamed).toEqual([]);
  const named = Object.keys(DIFFERENT).filter((name) => name.split(' | ')[0] === file);
  expect(named.filter((name) => !different.some((one) => one.startsWith(name)))).toEqual([]);
});

describe.each(Object.entries(OLDER))('%s', (place, groups) => {
  const [, draft = '', file = ''] = /^draft(\d)\/(.*)$/.exec(place) ?? [];
  const dialect = `http://json-schema.org/draft-0${draft}/schema#`;
  const open = groups.filter(({ description }) => reasonFor(file, description) === undefined);

  it('is judged as it says, but for what is named', async () => {
    expect(await differing(file, open, dialect)).toEqual([]);
  });

  it('has schemas of which valid values are made', async () => {
    const possible = open.filter(({ schema, tests }) => isObject(schema) && tests.some(({ valid }) => valid));
    for (const group of possible) {
      const description = await describedBy([group], dialect);
      const pointer = '/components/schemas/case-0.json';
      const handle = { pointer, value: valueAt(description.document, pointer) };
      for (const optional of [true, false]) {
        const drawn = drawnValue(description, handle, { optional }, { seed: 1, place: `${file} ${group.description}` });
        expect(drawn, group.description).toMatchObject({ ok: true });
        if (drawn.ok) expect(judgeOf(description, pointer)(drawn.value), group.description).toBe(true);
      }
    }
  });
});
