// Writes the objects of a bundle by which k6-operator (k6.io/v1alpha1) runs it (the TestRun, a template of its Secret,
// and the volume for archive and samples), and a page with the commands. Settings reach k6 by its environment:
// `arguments` are split at blanks, and passed to a shell, by older operators.

import { Document, type Scalar, type YAMLMap } from 'yaml';
import { plural } from '../../contract/numbers.ts';
import { K6_VERSION } from '../k6/version.ts';
import { BUNDLE_FILES, type Bundle, RESULTS_FOLDER } from './bundle.ts';
import { segmentOf, sequenceOf } from './segment.ts';

/** The objects' common name. */
const NAME = 'assay-load';
const SECRET_NAME = `${NAME}-keys`;
const FILES_POD = `${NAME}-files`;
const FILES_MOUNT = '/files';
/** The version is named: the floating tag of the operator's default is another k6. */
const IMAGE = `grafana/k6:${K6_VERSION}`;
const RESULTS_MOUNT = '/results';
/** The group of the image's user: it must be able to write to the volume. */
const GROUP_ID = 12_345;
/** Settings that runs must not take from elsewhere; with summary or thresholds on, k6 keeps every sample in memory. */
const SETTINGS: Readonly<Record<string, string>> = {
  K6_LOG_FORMAT: 'raw',
  K6_NO_THRESHOLDS: 'true',
  K6_SUMMARY_MODE: 'disabled',
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
};
/** Generously: 70 µs of CPU a request and 250 kB a VU were measured. */
const [MIN_CPU, CPU_PER_RPS, MIN_MIB, MIB_PER_VU] = [250, 0.25, 256, 0.5];

/** Places and names that differ between a bundle that is run by hand and one that Assay runs. */
export interface Placing {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly secret: string;
  /** `script` of the TestRun: where the archive is. */
  readonly script: object;
  /** Where an instance writes its samples; null: into the log of its pod. */
  readonly samples: string | null;
  /** Folder in a pod that holds the authorities. */
  readonly authorities: string;
  /** Settings of the runner's pod. */
  readonly pod: object;
}

const BY_HAND: Placing = {
  metadata: { name: NAME },
  secret: SECRET_NAME,
  script: { volumeClaim: { name: NAME, file: BUNDLE_FILES.archive, readOnly: true } },
  samples: `${RESULTS_MOUNT}/samples-$(POD_NAME).tsv`,
  authorities: RESULTS_MOUNT,
  pod: {
    securityContext: { fsGroup: GROUP_ID },
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
  const cpu = `${Math.ceil(MIN_CPU + (CPU_PER_RPS * ratePerSecond) / instances)}m`;
  const vus = Math.max(...plan.legs.map((leg) => leg.vus));
  const memory = `${Math.ceil(MIN_MIB + (MIB_PER_VU * vus) / instances)}Mi`;
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
function secretValues({ keys, headers = [] }: Bundle['plan']): readonly SecretValue[] {
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
      securityContext: { fsGroup: GROUP_ID },
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

// The page for people: which commands run the bundle and bring its samples together.

/** Starting pods takes time beside the load itself. s */
const STARTING_SECONDS = 300;

/** README.md of the bundle; `leftovers` are what was made on the target for it, a line each. */
export function readmeOf({ facts, plan }: Bundle, leftovers: readonly string[]): string {
  const { instances, ratePerSecond, seconds, rampSeconds, baseUrl } = facts;
  const { headers = [] } = plan;
  const literals = secretValues(plan).map(({ variable }) => ` \\\n  --from-literal=${variable}="$${variable}"`);
  const whose = plan.keys.map(
    ({ name, variable }) =>
      `- \`${variable}\`: the token of key ${name}, as a request carries it (Basic: user:password in base64)`,
  );
  const shared = headers.map(
    ({ name, variable }) => `- \`${variable}\`: the value of the header ${name}, which all requests carry`,
  );
  const { archive, volume, testRun, secret, authorities } = BUNDLE_FILES;
  return `# ${ratePerSecond} requests/s for ${seconds} s by ${plural(instances, 'instance')}

Against ${[...new Set([baseUrl, ...Object.values(facts.baseUrls ?? {})])].join(', ')}, which must be reached from the cluster, after ${rampSeconds} s that are left out of the measure. Run ${plan.run}.

## On Kubernetes

[k6-operator](https://github.com/grafana/k6-operator) must be installed. The claim in ${volume} is shared by all instances: on
several nodes its storage class must offer ReadWriteMany.

The keys${headers.length === 0 ? '' : ' and the headers'}, in variables of your shell:

${[...whose, ...shared].join('\n')}

\`\`\`sh
kubectl create secret generic ${SECRET_NAME}${literals.join('')}
kubectl apply -f ${volume}
kubectl wait --for=condition=Ready pod/${FILES_POD} --timeout=${STARTING_SECONDS}s
kubectl cp ${archive} ${FILES_POD}:${FILES_MOUNT}/${archive}${facts.hasAuthorities ? `\nkubectl cp ${authorities} ${FILES_POD}:${FILES_MOUNT}/${authorities}` : ''}
kubectl apply -f ${testRun}
kubectl wait --for=jsonpath='{.status.stage}'=finished testrun/${NAME} --timeout=${seconds + rampSeconds + STARTING_SECONDS}s
kubectl cp ${FILES_POD}:${FILES_MOUNT} ${RESULTS_FOLDER}
kubectl delete -f ${testRun} -f ${volume} && kubectl delete secret ${SECRET_NAME}
assay load --collect .
\`\`\`

${secret} is the Secret as a file, for those who fill it by other means. \`finished\` says nothing of the result: a lost instance is told by
\`--collect\`, which refuses what is not whole. To run once more, delete the TestRun and the samples of the run before.

## On one machine

\`\`\`sh
${Array.from({ length: instances }, (_, at) => localCommand(at + 1, facts)).join('\n')}
wait
assay load --collect .
\`\`\`
${leftoverText(leftovers)}`;
}

/** As the operator starts an instance. */
function localCommand(instance: number, { instances, hasAuthorities }: Bundle['facts']): string {
  const trust = hasAuthorities ? `SSL_CERT_FILE=${BUNDLE_FILES.authorities} ` : '';
  const settings = `K6_LOG_FORMAT=raw K6_NO_THRESHOLDS=true K6_SUMMARY_MODE=disabled K6_CONSOLE_OUTPUT=${RESULTS_FOLDER}/samples-${instance}.tsv`;
  const part = `--execution-segment=${segmentOf(instance, instances)} --execution-segment-sequence=${sequenceOf(instances)}`;
  return `${trust}${settings} k6 run --quiet --address=127.0.0.1:0 ${part} ${BUNDLE_FILES.archive} &`;
}

function leftoverText(leftovers: readonly string[]): string {
  if (leftovers.length === 0) return '';
  return `
## Left on the target

Made so that requests have something to ask for; delete it when the bundle is no longer used:

${leftovers.map((line) => `- ${line}`).join('\n')}
`;
}
