// The six packages of the mission, each doing its part and nothing else doing it instead. Judged by what the sources
// import and call.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { packageOf, reachable, SOURCES, shipped } from './sources.ts';

const src = shipped();

/** Rooms of src/ with a shipped file that imports the package, each once. */
function roomsImporting(name: string): readonly string[] {
  const importers = src.filter(({ imports }) => imports.some((specifier) => packageOf(specifier) === name));
  return [...new Set(importers.map(({ path }) => path.split('/')[1] ?? ''))];
}

function filesCalling(...names: string[]): readonly string[] {
  return src.filter(({ calls }) => names.some((name) => calls.has(name))).map(({ path }) => path);
}

function suites(folder: string): readonly string[] {
  return [...SOURCES.keys()].filter((path) => path.startsWith(`suites/${folder}/`));
}

test('undici is the only HTTP client', () => {
  expect(roomsImporting('undici')).toContain('client');
  const others = ['fetch', 'XMLHttpRequest', 'WebSocket', 'http.request', 'https.request', 'http.get', 'https.get'];
  expect(filesCalling(...others)).toEqual([]);
});

test('ajv compiles every schema', () => {
  expect(roomsImporting('ajv')).toEqual(expect.arrayContaining(['config', 'openapi']));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const others = /\b(joi|zod|yup|valibot|jsonschema|typebox|superstruct)\b/;
  expect(Object.keys(dependencies).filter((name) => others.test(name))).toEqual([]);
});

test('swagger-parser reads every description, the judged and the served', () => {
  expect([...roomsImporting('@apidevtools/swagger-parser')].sort()).toEqual(['openapi', 'platform']);
});

test('fast-check draws every datum that is sent or served', () => {
  expect(roomsImporting('fast-check')).toEqual(expect.arrayContaining(['generate', 'platform']));
  const elsewhere = filesCalling('Math.random', 'random', 'randomInt');
  expect(elsewhere.filter((path) => /^src\/(generate|checks|probes|run|platform)\//.test(path))).toEqual([]);
});

test('vitest shows every suite, and judges the target for them by the code of `assay conform`', () => {
  const files = suites('conformance').filter((path) => path.endsWith('.suite.ts'));
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) {
    const reached = [...reachable([path])].map((file) => SOURCES.get(file));
    expect(
      reached.some((source) => source?.imports.includes('vitest')),
      path,
    ).toBe(true);
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(scripts.conformance).toBe('vitest run --project conformance');
  expect(reachable(['suites/conformance/global-setup.ts'])).toContain('src/run/perform/conform.ts');
});

test('k6 runs every load suite: each of its scripts imports k6', () => {
  for (const path of suites('load')) {
    expect(SOURCES.get(path)?.imports.map(packageOf), path).toContain('k6');
  }
});
