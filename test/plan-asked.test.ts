// `assay plan --ask`: a dozen reading requests tell that the target is the right one, which keys it takes, and what limits it states.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { askedOf } from '../src/cli/conform/plan-once.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { createRedactor } from '../src/exchange/redaction.ts';
import { startPlatform } from '../src/platform/start.ts';
import { firstLook } from '../src/run/perform/first-look.ts';
import { optionsWith } from './support/run/test-config.ts';

async function looked(config: Config) {
  const descriptions = await loadDescriptions(config);
  const stop = new AbortController().signal;
  const redactor = createRedactor(config.secrets);
  return firstLook({ config, descriptions, options: optionsWith({}), redactor, clock: systemClock, stop });
}

test('limits that the target states are told, and nothing but reads is sent', async () => {
  const platform = await startPlatform({ limits: { standard: { calls: 60, seconds: 30 } } });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: process.env, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const [first] = config.keys;
    if (first === undefined) throw new Error('the platform has no keys');
    const wrong = { ...first, name: 'wrong', token: 'a-token-that-nobody-knows' };
    const keys = [...config.keys, wrong];
    const exchanges = await looked({ ...config, keys });
    expect(new Set(exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET']));
    expect(exchanges.length).toBeLessThan(15);
    const asked = askedOf(exchanges, { keys, stated: config.stated });
    expect(asked.limits.standard?.calls).toBe(60);
    expect(asked.limits.standard?.seconds).toBeLessThanOrEqual(30);
    expect(asked.refused).toEqual([{ key: 'wrong', status: 401 }]);
  } finally {
    await platform.stop();
  }
});

test('a server that is not the platform is told as such, and no plan is made for it', async () => {
  const server = createServer((_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<p>no</p>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform = await startPlatform();
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: process.env, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(looked({ ...config, target: { ...config.target, baseUrl } })).rejects.toMatchObject({
      reasonCode: 'target-lost',
    });
  } finally {
    await platform.stop();
    server.close();
  }
});
