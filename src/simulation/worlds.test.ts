import { expect, it } from 'vitest';
import { simulatedClock } from '../clock/simulated.ts';
import { DOCS_URL } from '../platform/http/publish.ts';
import { type InMemoryAnswer, type InMemoryPlatform, openInMemory } from '../platform/in-memory.ts';
import type { PlatformOptions } from '../platform/platform.ts';
import { KEYS } from '../platform/tokens.ts';
import { smallModel } from './cases.ts';
import { chanceOf } from './chance.ts';
import { OtherUsers, writers } from './worlds.ts';

const STORES = '/api/v1/stores';
const clock = simulatedClock(Date.UTC(2026, 0, 1));
const pass = (ms: number): Promise<void> => clock.drive(clock.sleep(ms));

async function opened(changes: Partial<PlatformOptions> = {}): Promise<InMemoryPlatform> {
  const documents = await smallModel();
  const limits = { standard: { calls: 1000, seconds: 100 } };
  return openInMemory({
    documents,
    deviations: [],
    docsUrl: DOCS_URL,
    seed: 1,
    limits,
    clock,
    instance: 'x',
    ...changes,
  });
}

function read({ platform, receive }: InMemoryPlatform): Promise<InMemoryAnswer | null> {
  const headers = KEYS.slice(0, 1).flatMap((key) => ['authorization', `Bearer ${platform.tokens.mint(key)}`]);
  return new Promise((resolve) => receive({ method: 'GET', url: STORES, headers, body: null }, resolve));
}

async function remaining(platform: InMemoryPlatform): Promise<number> {
  const { headers = [] } = (await read(platform)) ?? {};
  return Number(headers[headers.indexOf('x-ratelimit-remaining') + 1]);
}

it('other users take their share of a key, and no more once the window is new', async () => {
  const platform = await opened();
  const others = new OtherUsers(platform.platform, clock, chanceOf(1, 'others'), 0.5);
  expect(await remaining(platform)).toBe(999);
  await pass(40_000);
  others.catchUp();
  const left = await remaining(platform);
  expect(left).toBeGreaterThan(740);
  expect(left).toBeLessThan(860);
  await pass(60_000);
  others.catchUp();
  expect(await remaining(platform)).toBeGreaterThan(900);
});

it('nobody takes anything where there are no others', async () => {
  const platform = await opened();
  const others = new OtherUsers(platform.platform, clock, chanceOf(1, 'others'), 0);
  const before = await remaining(platform);
  await pass(1000);
  others.catchUp();
  expect(await remaining(platform)).toBe(before - 1);
});

it('writers add to the lists that are looked at, and remove what is theirs alone', async () => {
  const platform = await opened({ deviations: [writers(chanceOf(1, 'writers'), { writesPerMinute: 30 })] });
  const ids = async () => JSON.parse(String((await read(platform))?.body)).map(({ id }: { id: string }) => id);
  const before = await ids();
  await pass(120_000);
  const after = await ids();
  expect(after.length).toBeGreaterThan(before.length + 5);
  expect(after.length).toBeLessThan(before.length + 60);
  expect(after).toEqual(expect.arrayContaining(before));
});
