// Two projects: `unit` is what `npm test` runs; `conformance` (suites/conformance) judges a target and is run by
// `assay conform` or `npm run conformance`.
import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const CONFORMANCE = './suites/conformance/vitest.config.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          pool: 'threads',
          // The long tables wait for platforms, which are processes of their own: no core need be left to them.
          maxWorkers: '100%',
          // Tests leave nothing in the user's cache, and read anew.
          env: { ASSAY_CACHE: 'off' },
          // For what hangs; on a busy machine a test may take its time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...(existsSync(new URL(CONFORMANCE, import.meta.url)) ? [CONFORMANCE] : []),
    ],
  },
});
