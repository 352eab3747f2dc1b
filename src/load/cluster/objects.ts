// The objects of one step in a cluster: archive, secrets and TestRun, all of one name and with the run's own label, by which
// they are deleted. They are handed to kubectl as JSON by its standard input.
import { BUNDLE_FILES, type Bundle } from '../distributed/bundle.ts';
import { testRunOf } from '../distributed/manifests.ts';

/** The label whose value is the run's. */
const RUN_LABEL = 'assay-run';
/** Labels that all objects of all runs bear. */
const OWNER = { 'app.kubernetes.io/managed-by': 'assay' };
const AUTHORITIES_MOUNT = '/authorities';
/** A Service of an instance is named after the TestRun and some more, within 63 characters. */
const MAX_RUN_CHARS = 36;
/** A ConfigMap holds 1 MiB. */
const MAX_BYTES = 1024 * 1024;

/** The kinds that are made here, for `kubectl delete`; what k6-operator makes of a TestRun goes with it. */
export const KINDS = 'testruns.k6.io,configmaps,secrets';

export interface StepObjects {
  /** The run whose label the objects bear. */
  readonly run: string;
  readonly bundle: Bundle;
  /** k6's own outputs, as `--out` values. */
  readonly outputs: readonly string[];
  readonly archive: Buffer;
  /** PEM; null: those of the image. */
  readonly authorities: string | null;
  /** Values by the variables of the plan. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The run's name as a label and in names of objects: lower case, digits and dashes. */
export function slugOf(run: string): string {
  const slug = run.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return slug.slice(-MAX_RUN_CHARS).replace(/^-+|-+$/g, '') || 'run';
}

/** Selects the objects of the run. */
export function selectorOf(run: string): string {
  return `${RUN_LABEL}=${slugOf(run)}`;
}

/** Why the archive cannot be handed over; null where it can. */
export function tooLarge(archive: Buffer, authorities: string | null): string | null {
  const bytes = archive.length + Buffer.byteLength(authorities ?? '');
  if (bytes <= MAX_BYTES) return null;
  return `script and plan have ${bytes} bytes, and a ConfigMap holds ${MAX_BYTES}: name fewer operations in load.mix, or use --distributed, whose volume has room`;
}

/** A List of the objects as JSON. It holds secrets. */
export function objectsOf(name: string, { run, bundle, outputs, archive, authorities, secrets }: StepObjects): string {
  const metadata = { name, labels: { ...OWNER, [RUN_LABEL]: slugOf(run) } };
  const mounted = {
    volumes: [{ name: 'authorities', configMap: { name, items: [keyed(BUNDLE_FILES.authorities)] } }],
    volumeMounts: [{ name: 'authorities', mountPath: AUTHORITIES_MOUNT }],
  };
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    binaryData: { [BUNDLE_FILES.archive]: archive.toString('base64') },
    ...(authorities === null ? {} : { data: { [BUNDLE_FILES.authorities]: authorities } }),
  };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData: secrets };
  const testRun = testRunOf(bundle, outputs, {
    metadata,
    secret: name,
    script: { configMap: { name, file: BUNDLE_FILES.archive } },
    samples: null,
    authorities: AUTHORITIES_MOUNT,
    pod: authorities === null ? {} : mounted,
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap, secret, testRun] });
}

function keyed(key: string): object {
  return { key, path: key };
}
