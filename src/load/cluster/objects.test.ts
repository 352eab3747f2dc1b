import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { BUNDLE } from '../../../test/support/load/distributed/bundle.ts';
import { objectsOf, selectorOf, slugOf, tooLarge } from './objects.ts';

const RUN = '20261123-031856-50a18c';
const NAME = `assay-${RUN}-capacity-1`;
const SECRETS = { ASSAY_KEY_0: 'secret-of-std-1', ASSAY_KEY_1: 'secret-of-gro-1' };
const STEP = {
  run: RUN,
  bundle: BUNDLE,
  outputs: [],
  archive: Buffer.from('tar'),
  authorities: null,
  secrets: SECRETS,
};

function items(step: Parameters<typeof objectsOf>[1] = STEP) {
  const [configMap, secret, testRun] = JSON.parse(objectsOf(NAME, step)).items;
  return { configMap, secret, testRun };
}

it('the TestRun has the fields of k6.io/v1alpha1, with authorities and without', async () => {
  const file = join(import.meta.dirname, '..', 'distributed', 'test-data', 'testrun.schema.json');
  const validate = new Ajv({ strict: false }).compile(JSON.parse(await readFile(file, 'utf8')));
  for (const authorities of [null, 'PEM']) {
    const bundle =
      authorities === null ? BUNDLE : { ...BUNDLE, facts: { ...BUNDLE.facts, hasAuthorities: true as const } };
    validate(items({ ...STEP, bundle, authorities }).testRun);
    expect(validate.errors ?? []).toEqual([]);
  }
});

it('only the Secret holds secrets, and the instances take each from it', () => {
  const { configMap, secret, testRun } = items();
  expect(secret.stringData).toEqual(SECRETS);
  expect(JSON.stringify([configMap, testRun])).not.toContain('secret-of');
  const { env } = testRun.spec.runner;
  for (const key of Object.keys(SECRETS))
    expect(env).toContainEqual({ name: key, valueFrom: { secretKeyRef: { name: NAME, key } } });
});

it('all objects bear the label by which they are deleted', () => {
  for (const { metadata } of Object.values(items())) {
    expect(Object.entries(metadata.labels).map((label) => label.join('='))).toContain(selectorOf(RUN));
    expect(metadata.name).toBe(NAME);
  }
});

it('an instance writes its samples into the log of its pod', () => {
  const { testRun } = items();
  const names = testRun.spec.runner.env.map(({ name }: { name: string }) => name);
  expect(names).not.toContain('K6_CONSOLE_OUTPUT');
  expect(testRun.spec.runner.env).toContainEqual({ name: 'K6_LOG_FORMAT', value: 'raw' });
});

it("authorities of the target are mounted, and trusted by the instances' k6", () => {
  const bundle = { ...BUNDLE, facts: { ...BUNDLE.facts, hasAuthorities: true as const } };
  const { configMap, testRun } = items({ ...STEP, bundle, authorities: 'PEM' });
  const [mount] = testRun.spec.runner.volumeMounts;
  expect(configMap.data).toEqual({ 'authorities.pem': 'PEM' });
  expect(testRun.spec.runner.env).toContainEqual({
    name: 'SSL_CERT_FILE',
    value: `${mount.mountPath}/authorities.pem`,
  });
});

it.each([
  ['A Run / of 2026!', 'a-run-of-2026'],
  ['---', 'run'],
  [`${'x'.repeat(60)}-end`, `${'x'.repeat(32)}-end`],
])('the run %j is called %j in a cluster', (run, slug) => expect(slugOf(run)).toBe(slug));

it('an archive that a ConfigMap has no room for is told', () => {
  expect(tooLarge(Buffer.alloc(1024 * 1024), null)).toBeNull();
  expect(tooLarge(Buffer.alloc(1024 * 1024), 'PEM')).toContain('name fewer operations in load.mix');
});
