// The reference platform's own descriptions with fewer operations: every kind is kept, so that every fault finds its
// subject, and a run takes seconds.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPlatform } from '../src/platform/start.ts';

const KEPT: Readonly<Record<string, readonly string[]>> = {
  admin: [
    '/api/v1/stores',
    '/api/v1/stores/process-payment',
    '/api/v1/stores/{storeId}',
    '/api/v1/stores/{storeId}/domains/connect',
    '/api/v1/stores/{storeId}/domains/notifications',
    '/api/v1/auth/register',
    '/api/v1/auth/activity/logs',
    '/api/v1/auth/activity/export',
    '/api/v1/themes',
    '/api/v1/taxes/hs-codes',
    '/api/v1/taxes/currencies',
    '/api/health/live',
  ],
  store: [
    '/customers',
    '/customers/{customerId}',
    '/products',
    '/products/{productId}',
    '/inventory/{sku}',
    '/inventory',
  ],
  ai: ['/api/v1/ai/agents', '/api/v1/ai/agents/{agentId}'],
};

export interface Reduced {
  /** Description files by service. */
  readonly files: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Writes the reduced descriptions into a temporary folder. */
export async function reducedDescriptions(): Promise<Reduced> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-reduced-'));
  const platform = await startPlatform();
  try {
    const written = Object.keys(KEPT).map(async (service) => {
      const whole = JSON.parse(await readFile(join(dirname(platform.config), `${service}.openapi.json`), 'utf8'));
      const paths = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => KEPT[service]?.includes(path)));
      const file = join(folder, `${service}.openapi.json`);
      await writeFile(file, JSON.stringify({ ...whole, paths }));
      return [service, file] as const;
    });
    return { files: Object.fromEntries(await Promise.all(written)), remove: () => rm(folder, { recursive: true }) };
  } finally {
    await platform.stop();
  }
}
