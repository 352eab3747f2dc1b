// The platform as a process of its own.
import { access, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { asObject } from './json.ts';
import { startPlatform } from './start.ts';

it('listens, offers a ready configuration with its descriptions, and leaves nothing behind', async () => {
  const platform = await startPlatform({ seed: 7 });
  const config = asObject(parse(await readFile(platform.config, 'utf8')));
  expect(config).toMatchObject({ target: { baseUrl: platform.baseUrl, environment: 'local' }, mutations: 'allow' });
  for (const service of Object.values(asObject(config.services))) {
    await access(join(dirname(platform.config), String(asObject(service).spec)));
  }
  expect((await fetch(`${platform.baseUrl}/api/health/live`)).status).toBe(200);
  expect(await unreadable(platform.baseUrl, 'FROB /api/v1/stores HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 .*"instance":"\/api\/v1\/stores"/s,
  );
  await platform.stop();
  await expect(access(platform.config)).rejects.toThrow('ENOENT');
});

it('serves the descriptions of a folder, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-platform-specs-'));
  await copyFile(join(import.meta.dirname, 'descriptions', 'ai.openapi.yaml'), join(folder, 'ai.openapi.yaml'));
  const platform = await startPlatform({ folder });
  const config = asObject(parse(await readFile(platform.config, 'utf8')));
  expect(Object.keys(asObject(config.services))).toEqual(['ai']);
  await platform.stop();
  await copyFile(join(folder, 'ai.openapi.yaml'), join(folder, 'ai.yaml'));
  await expect(startPlatform({ folder })).rejects.toThrow('ai.openapi.yaml and ai.yaml both describe ai');
  await rm(folder, { recursive: true });
  await expect(startPlatform({ folder })).rejects.toThrow('no folder that can be read');
});

it('rejects with its complaint when it cannot start', async () => {
  await expect(startPlatform({ faults: ['no-such-fault'] })).rejects.toThrow('no-such-fault');
});

/** All that comes back for these bytes. */
async function unreadable(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
