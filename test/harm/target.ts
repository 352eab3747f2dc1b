// A target for tests of what a run does to it. It remembers every request, and describes itself.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock/system.ts';
import { type SeenRequest, scriptedServer } from '../support/client/scripted-server.ts';
import { type Collections, descriptionOf, type Things, TOKEN, thingsOf } from './things.ts';

export interface HarmedTarget extends Omit<Things, 'answer'> {
  readonly baseUrl: string;
  /** A configuration file for it. */
  readonly config: string;
  readonly folder: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

export interface TargetOptions {
  readonly collections: Collections;
  readonly environment?: string;
  /** Where its description and configuration are written; absent: a folder of its own, removed in the end. */
  readonly folder?: string;
  /** Lines of the configuration beside target, services and keys. */
  readonly configuration?: readonly string[];
  /** Answers in place of the target; false lets it answer. */
  readonly instead?: (response: ServerResponse, request: SeenRequest, index: number) => boolean;
  /** The description as it is given to the run; absent: as it is. */
  readonly described?: (description: Record<string, unknown>) => unknown;
}

export async function startTarget(options: TargetOptions): Promise<HarmedTarget> {
  const { collections, instead = () => false } = options;
  const things = thingsOf(collections, systemClock);
  const server = await scriptedServer((response, request, index) => {
    if (instead(response, request, index)) return;
    const { status, body } = things.answer({ ...request, authorization: request.headers.authorization });
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, headers).end(text);
  });
  const { folder, config, remove } = await filesOf(server.baseUrl, options);
  return {
    ...{ ...things, baseUrl: server.baseUrl, config, folder, seen: server.seen },
    async stop() {
      await server.close();
      await remove();
    },
  };
}

export interface TargetFiles {
  readonly folder: string;
  readonly config: string;
  remove(): Promise<void>;
}

/** Writes the description and the configuration of a target that is there. */
export async function filesOf(baseUrl: string, options: TargetOptions): Promise<TargetFiles> {
  const { collections, described = (whole) => whole } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'assay-harm-')));
  await writeFile(join(folder, 'things.json'), JSON.stringify(described(descriptionOf(collections))));
  const config = join(folder, 'assay.config.yaml');
  await writeFile(config, configurationOf(baseUrl, options));
  return {
    ...{ folder, config },
    async remove() {
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function configurationOf(baseUrl: string, { environment = 'local', configuration = [] }: TargetOptions): string {
  return [
    `target: { baseUrl: "${baseUrl}", environment: ${environment} }`,
    'contract: openapi',
    'services: { things: { spec: things.json } }',
    `keys: [{ name: main, plan: any, token: ${TOKEN} }]`,
    ...configuration,
    '',
  ].join('\n');
}
