// The objects by which k6-operator (k6.io/v1alpha1) runs a bundle: the TestRun, a template of its Secret, and the volume for
// archive and samples. Settings reach k6 by its environment: `arguments` are split at blanks, and passed to a shell, by
// older operators.
import { Document, type Scalar, type YAMLMap } from 'yaml';
import { K6_VERSION } from '../k6/version.ts';
import { BUNDLE_FILES, type Bundle } from './bundle.ts';

/** The objects' common name. */
export const NAME = 'assay-load';
export const SECRET_NAME = `${NAME}-keys`;
export const FILES_POD = `${NAME}-files`;
export const FILES_MOUNT = '/files';
/** By version: the floating tag of the operator's default is another k6. */
const IMAGE = `grafana/k6:${K6_VERSION}`;
const RESULTS_MOUNT = '/results';
/** The group of the image's user: it must be able to write to the volume. */
const GROUP = 12_345;
/** What runs must not take from elsewhere; with summary or thresholds on, k6 keeps every sample in memory. */
const SETTINGS: Readonly<Record<string, string>> = {
  K6_LOG_FORMAT: 'raw',
  K6_NO_THRESHOLDS: 'true',
  K6_SUMMARY_MODE: 'disabled',
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
};
/** Generously: 70 µs of CPU a request and 250 kB a VU were measured. */
const [LEAST_CPU, CPU_PER_RPS, LEAST_MIB, MIB_PER_VU] = [250, 0.25, 256, 0.5];

/** What differs between a bundle that is run by hand and one that Assay runs. */
export interface Placing {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly secret: string;
  /** `script` of the TestRun: where the archive is. */
  readonly script: object;
  /** Where an instance writes its samples; null: into the log of its pod. */
  readonly samples: string | null;
  /** Folder in a pod that holds the authorities. */
  readonly authorities: string;
  /** Of the runner's pod. */
  readonly pod: object;
}

const BY_HAND: Placing = {
  metadata: { name: NAME },
  secret: SECRET_NAME,
  script: { volumeClaim: { name: NAME, file: BUNDLE_FILES.archive, readOnly: true } },
  samples: `${RESULTS_MOUNT}/samples-$(POD_NAME).tsv`,
  authorities: RESULTS_MOUNT,
  pod: {
    securityContext: { fsGroup: GROUP },
    volumes: [{ name: 'results', persistentVolumeClaim: { claimName: NAME } }],
    volumeMounts: [{ name: 'results', mountPath: RESULTS_MOUNT }],
  },
};

/** The TestRun as YAML. `outputs` are k6's own, as `--out` values. */
export function testRunYaml(bundle: Bundle, outputs: readonly string[]): string {
  return yamlOf(testRunOf(bundle, outputs, BY_HAND));
}

/** The TestRun. */
export function testRunOf({ facts, plan }: Bundle, outputs: readonly string[], placing: Placing): object {
  const { instances, ratePerSecond } = facts;
  const cpu = `${Math.ceil(LEAST_CPU + (CPU_PER_RPS * ratePerSecond) / instances)}m`;
  const vus = Math.max(...plan.legs.map((leg) => leg.vus));
  const memory = `${Math.ceil(LEAST_MIB + (MIB_PER_VU * vus) / instances)}Mi`;
  const trust = { name: 'SSL_CERT_FILE', value: `${placing.authorities}/${BUNDLE_FILES.authorities}` };
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { ...placing.metadata, annotations: { 'assay/run': plan.run } },
    spec: {
      parallelism: instances,
      script: placing.script,
      // Its own settings: those of the runner would hand it the keys, which it would pack into an archive.
      initializer: { image: IMAGE },
      runner: {
        image: IMAGE,
        env: [...runnerEnv(plan, outputs, placing), ...(facts.hasAuthorities ? [trust] : [])],
        // No limit of CPU: a throttled generator sends late.
        resources: { requests: { cpu, memory }, limits: { memory } },
        ...placing.pod,
      },
    },
  };
}

/** The values that an instance gets from the Secret: the variable of each, and whose value it holds. */
export function secretValues({ keys, headers = [] }: Bundle['plan']): readonly SecretValue[] {
  const tokens = keys.map(({ name, variable }) => ({
    variable,
    holds: `the token of ${name}, as a request carries it`,
  }));
  return [...tokens, ...headers.map(({ name, variable }) => ({ variable, holds: `the value of the header ${name}` }))];
}

export interface SecretValue {
  readonly variable: string;
  readonly holds: string;
}

/** Values come from the Secret, one by one. */
function runnerEnv(
  plan: Bundle['plan'],
  outputs: readonly string[],
  { samples, secret }: Pick<Placing, 'samples' | 'secret'>,
): readonly object[] {
  const file = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'K6_CONSOLE_OUTPUT', value: samples },
  ];
  return [
    ...(samples === null ? [] : file),
    ...Object.entries(SETTINGS).map(([name, value]) => ({ name, value })),
    ...(outputs.length === 0 ? [] : [{ name: 'K6_OUT', value: outputs.join(',') }]),
    ...secretValues(plan).map(({ variable }) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name: secret, key: variable } },
    })),
  ];
}

/** The Secret without its values, as YAML; each line says which value belongs there. */
export function secretYaml(plan: Bundle['plan']): string {
  const wanted = secretValues(plan);
  const stringData = Object.fromEntries(wanted.map(({ variable }) => [variable, '']));
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET_NAME }, type: 'Opaque', stringData };
  const document = new Document(secret);
  const values = document.get('stringData') as YAMLMap<Scalar, Scalar>;
  for (const [at, { value }] of values.items.entries()) if (value) value.comment = ` ${wanted[at]?.holds}`;
  return document.toString();
}

/** The claim, and a pod that holds it, to copy files to and from. */
export function volumeYaml(): string {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: NAME },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: FILES_POD },
    spec: {
      securityContext: { fsGroup: GROUP },
      containers: [
        {
          name: 'files',
          image: IMAGE,
          command: ['sleep', '86400'],
          volumeMounts: [{ name: 'files', mountPath: FILES_MOUNT }],
        },
      ],
      volumes: [{ name: 'files', persistentVolumeClaim: { claimName: NAME } }],
    },
  };
  return `${yamlOf(claim)}---\n${yamlOf(pod)}`;
}

function yamlOf(value: unknown): string {
  return new Document(value).toString({ lineWidth: 0 });
}
