// Publishes the descriptions that the platform serves, and a configuration that is ready to use.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../disk/passing.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import type { Deviation } from '../deviation.ts';
import type { JsonObject } from '../json.ts';
import type { Platform } from '../platform.ts';
import type { ServedDocument } from '../schema/served.ts';
import { fixtureId } from '../store/ids.ts';
import { KEYS, LOCKED_KEY } from '../tokens.ts';

export const DOCS_URL = 'https://docs.commerce.example/api';

/** Names of a started platform for whoever uses it. */
export interface Publication {
  readonly baseUrl: string;
  readonly platform: Platform;
  readonly documents: readonly ServedDocument[];
  readonly deviations: readonly Deviation[];
  readonly seed: number;
  /** Configuration of webhooks; absent: none. */
  readonly webhooks?: JsonObject;
}

export interface Published {
  /** Path of the configuration. */
  readonly config: string;
  /** Removes all that was written. */
  remove(): Promise<void>;
}

/** Writes descriptions and configuration into a new temporary folder, readable by its owner only. */
export async function publish(publication: Publication): Promise<Published> {
  const { descriptions, configuration } = offered(publication);
  const { path: folder, remove } = await temporaryFolder('platform');
  await Promise.all([...descriptions].map(([name, text]) => writeWhole(join(folder, name), text)));
  const config = join(folder, 'assay.config.yaml');
  await writeWhole(config, stringify(configuration), { mode: 0o600 });
  return { config, remove };
}

/** The same without a file: descriptions as JSON text by file name, and the configuration as a document that names them. */
export function offered(publication: Publication): {
  readonly descriptions: ReadonlyMap<string, string>;
  readonly configuration: JsonObject;
} {
  const texts = [...describedRoots(publication)].map(
    ([service, root]) => [fileOf(service), `${JSON.stringify(root, null, 2)}\n`] as const,
  );
  return { descriptions: new Map(texts), configuration: configurationOf(publication) };
}

function describedRoots({ documents, deviations }: Publication): Map<string, JsonObject> {
  const roots = new Map(documents.map(({ service, root }) => [service, structuredClone(root)]));
  for (const deviation of deviations) deviation.describe?.(roots);
  return roots;
}

function configurationOf({ baseUrl, platform, documents, deviations, seed, webhooks }: Publication): JsonObject {
  const { tokens } = platform;
  const fixtures = platform.resources
    .flatMap((resources) => resources.all())
    .filter(({ discoverable, param }) => !discoverable && param !== null);
  const docs = deviations.some((one) => one.docsUrl !== undefined) ? {} : { docsUrl: DOCS_URL };
  return {
    target: { baseUrl, ...docs, environment: 'local' },
    services: Object.fromEntries(documents.map(({ service }) => [service, { spec: fileOf(service) }])),
    keys: KEYS.map((key) => ({ name: key.name, plan: key.plan, account: key.account, token: tokens.mint(key) })),
    credentials: { locked: tokens.mint(LOCKED_KEY), expired: tokens.mint(KEYS[0] ?? LOCKED_KEY, true) },
    ...(fixtures.length === 0
      ? {}
      : { fixtures: Object.fromEntries(fixtures.map((one) => [one.param, fixtureId(one, seed)])) }),
    mutations: 'allow',
    ...(webhooks === undefined ? {} : { webhooks }),
  };
}

function fileOf(service: string): string {
  return `${service}.openapi.json`;
}
