// Five projects. `npm test` runs `unit` and `mocked`, and beside them, as soon as k6 is built, `counted`: these tests
// send by k6, and mostly wait. Tests that measure, by k6 or in real time (`load`), come last: they want the machine to themselves.
// `conformance` (suites/conformance) judges a target and is run by `assay conform` or `npm run conformance`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const CONFORMANCE = './suites/conformance/vitest.config.ts';
const LOAD = ['{src,test}/**/*.k6.test.ts', 'test/real-sockets.test.ts'];
/** Of those, the ones that judge what is sent and what is answered, however late the generator is. */
const COUNTED = [
  'src/load/distributed/archive.k6.test.ts',
  'src/load/k6/measure.k6.test.ts',
  'test/documents-executed.k6.test.ts',
  'test/harm/hosts.k6.test.ts',
  'test/harm/load.k6.test.ts',
  'test/leaks/load.k6.test.ts',
  'test/load-exports.k6.test.ts',
  'test/load-isolation.k6.test.ts',
  'test/load-pressure-faults.k6.test.ts',
  'test/load-resume.k6.test.ts',
  'test/networks/ways.k6.test.ts',
  'test/traces/load.k6.test.ts',
];
/** These replace modules, and would replace them for the tests that run after them, too. test/mocked.test.ts knows them all. */
const MOCKED = ['test/codes.test.ts'];
/** It asks for a program that nobody has by chance, and that takes minutes to build: bench/otlp builds it. */
const COLLECTOR = process.env.ASSAY_COLLECTOR === undefined ? ['test/traces/collector.test.ts'] : [];
/** Tests leave nothing in the user's cache, and read anew. The code of the processes that they start is compiled once. */
const ENV = { ASSAY_CACHE: 'off', NODE_COMPILE_CACHE: join(import.meta.dirname, '.assay', 'compiled') };

/**
 * Tables and other whole runs, a page in a browser, and commands that are started as processes: each takes ten seconds or more.
 * Most of these files are small, so that an order by size alone starts them last and leaves a core idle at the end.
 */
const LONG = new RegExp(
  [
    '/test/(faults|tolerances|hostile|leaks)/',
    '/test/(simulated-worlds|observations|planted|replay|shards|page|documents-executed|hints|extending|interrupted|package)\\.',
    '/src/(cli/process|simulation)/',
    '/src/probes/pagination/platform\\.',
  ].join('|'),
);

/** The long files first: what is short fills the cores to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    globalSetup: './test/temporary.ts',
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,test,scripts}/**/*.test.ts'],
          exclude: [...LOAD, ...MOCKED, ...COLLECTOR],
          pool: 'threads',
          // A worker loads each module once, and not once more for every file: that was a third of all work.
          isolate: false,
          setupFiles: ['./test/drawn.ts'],
          // The long tables hold most of the work, their platforms included: every core takes one.
          maxWorkers: '100%',
          env: ENV,
          // For what hangs; on a busy machine a test may take its time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'mocked',
          include: MOCKED,
          pool: 'threads',
          maxWorkers: '100%',
          env: ENV,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'counted',
          include: COUNTED,
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          env: ENV,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'load',
          include: LOAD,
          exclude: COUNTED,
          // One file at a time: a generator that is late measures itself.
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          env: ENV,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...(existsSync(new URL(CONFORMANCE, import.meta.url)) ? [CONFORMANCE] : []),
    ],
  },
});
