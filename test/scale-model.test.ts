// The scale model against the source's tables, and against the checks that judge descriptions.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaleModel, writeScaleModel } from '../bench/scale-model/scale-model.ts';
import { DESCRIPTION_CHECKS } from '../src/checks/description-checks.ts';
import { shapeOf } from '../src/generate/schema-shape.ts';
import type { Description, Operation } from '../src/openapi/model/operation.ts';
import { loadDescription } from '../src/openapi/read/load.ts';
import { oneDue } from './programme.ts';
import { underBase } from './support/checks/judging.ts';

const SEED = 7;
let folder = '';
let files: readonly string[] = [];
let descriptions: readonly Description[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-scale-'));
  files = await writeScaleModel(folder, SEED);
  descriptions = await Promise.all(
    files.map((file) => loadDescription({ service: basename(file).split('.', 1)[0] ?? '', file, remoteRefs: [] })),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const all = (): readonly Operation[] => descriptions.flatMap(({ operations }) => operations);

function count(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function own(service: string): Description {
  const found = descriptions.find((one) => one.service === service);
  if (found === undefined) throw new Error(`no ${service}`);
  return found;
}

/** Properties of the body that a success is described with. */
function propertiesOf(description: Description, responses: Operation['responses']): object {
  const success = responses.find(({ status }) => status.startsWith('2'));
  return shapeOf(description, success?.content[0]?.schema?.value).properties ?? {};
}

describe('the scale model', () => {
  it.each([
    ['admin', '3.0.0', '1.0.0', 292, 30],
    ['store', '3.1.0', '0.0.0-pending', 1336, 114],
    ['ai', '3.0.0', '1.0', 46, 10],
  ])('has the size and versions that the source states for %s', (service, openapi, version, operations, resources) => {
    const description = own(service);
    const tags = new Set(description.operations.flatMap((one) => one.tags));
    expect([description.openapi, description.version]).toEqual([openapi, version]);
    expect([description.operations.length, tags.size]).toEqual([operations, resources]);
    expect(description.operations.every((one) => one.tags.length === 1)).toBe(true);
  });

  it('has the ten authentication families with their operation counts', () => {
    const counts = count(own('admin').operations.flatMap(({ tags }) => tags));
    expect(counts).toMatchObject({
      Authentication: 18,
      'Authentication - MFA': 14,
      'Auth - Social Accounts': 5,
      'Authentication - Account Management': 4,
      'Authentication - Email Change': 4,
      'Authentication - Phone': 4,
      'Authentication - Secondary Email': 4,
      'Authentication - Avatar & Preferences': 3,
      'Authentication - Profile': 3,
      'Authentication - Identity Confirmation': 2,
    });
  });

  it('declares rare statuses as often as the source, and the others in its proportions', () => {
    const counts = count(own('admin').operations.flatMap(({ responses }) => responses.map(({ status }) => status)));
    expect(counts).toMatchObject({ 204: 2, 302: 1, 403: 2, 409: 5, 429: 1, 503: 1 });
    const share = 292 / (326 + 40 + 2 + 1);
    for (const [status, stated] of Object.entries({ 200: 326, 201: 40, 400: 39, 401: 32, 404: 23 })) {
      expect(Math.abs((counts[status] ?? 0) - stated * share), status).toBeLessThanOrEqual(1);
    }
    expect(Object.keys(counts)).toHaveLength(11);
  });

  it('pages where the source pages and nowhere else', () => {
    const patterns = all().flatMap(({ key, parameters }) => {
      const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const paging = ['limit', 'offset', 'page', 'cursor'].filter((name) => names.includes(name));
      return paging.length === 0 ? [] : [`${paging.join('+')} ${key.replaceAll(/\{\w+\}/g, '{}')}`];
    });
    const prefix = 'GET /api/v1';
    expect(patterns).toEqual(
      expect.arrayContaining([
        `limit+offset ${prefix}/stores/{}/domains/notifications`,
        `limit+offset ${prefix}/stores/{}/email-forwards/{}/logs`,
        `limit+page ${prefix}/taxes/currencies`,
        `limit+page ${prefix}/themes`,
        `limit+page ${prefix}/auth/activity/logs`,
        `limit ${prefix}/taxes/hs-codes`,
        `limit ${prefix}/taxes/rates/sync-history`,
      ]),
    );
    expect(count(patterns.map((pattern) => pattern.split(' ', 1)[0] ?? ''))).toEqual({
      'limit+offset': 4,
      'limit+page': 3,
      limit: 2,
    });
  });

  it('declares Idempotency-Key on two operations', () => {
    const keyed = all().filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect(keyed.map(({ key }) => key)).toEqual(['POST /api/v1/stores', 'POST /api/v1/stores/process-payment']);
  });

  it('raises nothing but drift', () => {
    expect(descriptions.flatMap(({ problems }) => problems)).toEqual([]);
    const told = descriptions.flatMap((description) =>
      DESCRIPTION_CHECKS.flatMap((check) =>
        check
          .judge(description, underBase('commerce'))
          .flatMap(({ judgement }) => (judgement.kind === 'breached' ? judgement.breaches : [])),
      ),
    );
    expect(told.filter(({ weight }) => weight !== 'observation')).toEqual([]);
    const drift = told.filter(({ cause }) => !cause.includes('operations that declare'));
    expect(drift).toEqual([]);
  });

  it.each(oneDue([1, 42]))('is valid whatever the seed: %i', async (seed) => {
    const others = await writeScaleModel(join(folder, String(seed)), seed);
    for (const file of others) {
      const { problems } = await loadDescription({ service: 'any', file, remoteRefs: [] });
      expect(problems).toEqual([]);
    }
  });

  it('shows an id of what is created wherever that can be deleted', () => {
    const withoutId = descriptions.flatMap((description) => {
      const deletable = description.operations
        .filter(({ method }) => method === 'DELETE')
        .map(({ path }) => path.replace(/\/\{\w+\}$/, ''));
      return description.operations
        .filter(({ method, path }) => method === 'POST' && deletable.includes(path))
        .filter(
          ({ responses }) => !Object.keys(propertiesOf(description, responses)).some((name) => /(^i|I)d$/.test(name)),
        )
        .map(({ key }) => key);
    });
    expect(withoutId).toEqual([]);
  });

  it('has no two operations that one request could mean', () => {
    const shapes = all().map(({ key }) => key.replaceAll(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('says in every file what it is', async () => {
    for (const file of files) {
      const document = JSON.parse(await readFile(file, 'utf8'));
      expect(basename(file)).toContain('scale-model');
      expect(document.info.title).toContain('SCALE MODEL');
      expect(document.info.description).toContain('NOT the description of the platform');
      expect(document['x-assay-scale-model'].seed).toBe(SEED);
    }
  });

  it('is the same for the same seed, to the byte, and another for another', () => {
    const text = (seed: number) => JSON.stringify([...scaleModel(seed)]);
    expect(text(3)).toBe(text(3));
    expect(text(3)).not.toBe(text(4));
  });
});
