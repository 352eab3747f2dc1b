// The objects are held against a schema of the fields that they use; with ASSAY_TESTRUN_CRD, the path of k6-operator's own
// definition (k6.io_testruns.yaml), against that besides.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, parseDocument } from 'yaml';
import { BUNDLE } from '../../../test/support/load/distributed/bundle.ts';
import { readmeOf, secretYaml, testRunYaml, volumeYaml } from './manifests.ts';

const crd = process.env.ASSAY_TESTRUN_CRD;
const ajv = new Ajv({ strict: false, formats: { int32: true, int64: true, 'date-time': true } });
const testRun = parse(testRunYaml(BUNDLE, []));
const { runner } = testRun.spec;

async function errors(schema: object, value: unknown): Promise<unknown> {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors;
}

/** The definition of the version that the object says it is. */
async function definition(file: string): Promise<object> {
  const { spec } = parse(await readFile(file, 'utf8'));
  const version = spec.versions.find(({ name }: { name: string }) => `${spec.group}/${name}` === testRun.apiVersion);
  return version.schema.openAPIV3Schema;
}

describe('the TestRun', () => {
  it('has the fields of k6.io/v1alpha1', async () => {
    const schema = JSON.parse(await readFile(join(import.meta.dirname, 'test-data', 'testrun.schema.json'), 'utf8'));
    expect(await errors(schema, testRun)).toEqual([]);
    expect(await errors(schema, { ...testRun, spec: { ...testRun.spec, parallelism: '3' } })).not.toEqual([]);
    expect(await errors(schema, { ...testRun, spec: { ...testRun.spec, runners: {} } })).not.toEqual([]);
  });

  for (const file of crd === undefined ? [] : [crd])
    it(`is valid by ${file}`, async () => {
      expect(await errors(await definition(file), testRun)).toEqual([]);
      expect(await errors(await definition(file), { ...testRun, spec: { parallelism: 'x' } })).not.toEqual([]);
    });

  it('has as many instances as the bundle, of one k6', () => {
    expect(testRun.spec.parallelism).toBe(3);
    expect([runner.image, testRun.spec.initializer.image]).toEqual(['grafana/k6:1.8.1', 'grafana/k6:1.8.1']);
  });

  it('takes the values of constant headers from the Secret, too', () => {
    const headers = [{ name: 'X-Gate', variable: 'ASSAY_HEADER_0', secret: 'header X-Gate' }];
    const bundle = { ...BUNDLE, plan: { ...BUNDLE.plan, headers } };
    const { env } = parse(testRunYaml(bundle, [])).spec.runner;
    const valueFrom = { secretKeyRef: { name: 'assay-load-keys', key: 'ASSAY_HEADER_0' } };
    expect(env).toContainEqual({ name: 'ASSAY_HEADER_0', valueFrom });
    expect(secretYaml(bundle.plan)).toContain('ASSAY_HEADER_0: "" # the value of the header X-Gate');
    expect(readmeOf(bundle, [])).toContain('--from-literal=ASSAY_HEADER_0="$ASSAY_HEADER_0"');
  });

  it('takes each key from the Secret, and hands none to the pod that packs an archive', () => {
    const secret = parse(secretYaml(BUNDLE.plan));
    const refs = runner.env.flatMap(({ name, valueFrom }: { name: string; valueFrom?: { secretKeyRef?: object } }) =>
      valueFrom?.secretKeyRef === undefined ? [] : [{ variable: name, ...valueFrom.secretKeyRef }],
    );
    expect(refs).toEqual(
      BUNDLE.plan.keys.map(({ variable }) => ({ variable, name: secret.metadata.name, key: variable })),
    );
    expect(testRun.spec.initializer.env).toBeUndefined();
  });

  it('writes a file for each pod into the claim from which it reads the archive', () => {
    const [output] = runner.env.filter(({ name }: { name: string }) => name === 'K6_CONSOLE_OUTPUT');
    const [volume] = parseAllDocuments(volumeYaml()).map((document) => document.toJS());
    expect(output.value).toBe('/results/samples-$(POD_NAME).tsv');
    expect(runner.volumeMounts[0]).toMatchObject({ name: runner.volumes[0].name, mountPath: '/results' });
    expect(runner.volumes[0].persistentVolumeClaim.claimName).toBe(volume.metadata.name);
    expect(testRun.spec.script.volumeClaim).toMatchObject({ name: volume.metadata.name, file: 'archive.tar' });
  });

  it("has k6's own outputs where they are wanted", () => {
    const { env } = parse(testRunYaml(BUNDLE, ['experimental-prometheus-rw', 'csv=/results/k6.csv'])).spec.runner;
    expect(env).toContainEqual({ name: 'K6_OUT', value: 'experimental-prometheus-rw,csv=/results/k6.csv' });
    expect(runner.env.some(({ name }: { name: string }) => name === 'K6_OUT')).toBe(false);
  });

  it('asks for more where each instance sends more', () => {
    const facts = { ...BUNDLE.facts, ratePerSecond: 9000 };
    const { requests } = parse(testRunYaml({ ...BUNDLE, facts }, [])).spec.runner.resources;
    expect(requests.cpu).toBe('1000m');
  });
});

describe('the Secret', () => {
  it('has no value, and says whose each is to be', () => {
    const text = secretYaml(BUNDLE.plan);
    expect(parse(text).stringData).toEqual({ ASSAY_KEY_0: '', ASSAY_KEY_1: '' });
    expect(text).toMatch(/ASSAY_KEY_0: "" # the token of std-1/);
    expect(text).toMatch(/ASSAY_KEY_1: "" # the token of gro-1/);
  });

  it('is YAML without a complaint, as all are', () => {
    for (const text of [secretYaml(BUNDLE.plan), testRunYaml(BUNDLE, [])]) {
      const { errors, warnings } = parseDocument(text);
      expect([...errors, ...warnings]).toEqual([]);
    }
    expect(parseAllDocuments(volumeYaml()).map((document) => document.toJS().kind)).toEqual([
      'PersistentVolumeClaim',
      'Pod',
    ]);
  });
});

it('the README has a command for each instance, and lists what was left on the target', () => {
  const text = readmeOf(BUNDLE, ['POST /api/v1/products → p1']);
  expect(text.match(/--execution-segment=\S+ --execution-segment-sequence=0,1\/3,2\/3,1/g)).toHaveLength(3);
  expect(text).toContain('--timeout=310s');
  expect(text).toContain('- POST /api/v1/products → p1');
  expect(readmeOf(BUNDLE, [])).not.toContain('Left on the target');
});
