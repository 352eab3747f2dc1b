// The project `conformance`: vitest as the shell that people know, showing what a run found. Works from the repository
// and from the installed package alike: nothing is transformed, nothing below node_modules is left out.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'conformance',
    root: import.meta.dirname,
    include: ['*.suite.{ts,js}'],
    exclude: [],
    globalSetup: [
      `${import.meta.dirname}/global-setup${import.meta.filename.slice(import.meta.filename.lastIndexOf('.'))}`,
    ],
    // One worker without isolation reads the report once for all suites.
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    // Node imports the sources itself: neither the suites nor src/ are transformed, and start-up stays small.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 0,
  },
});
