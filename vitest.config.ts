// Four projects. `npm test` runs `unit` and `mocked` and then, for they want the machine to themselves, the tests that send by k6
// and those whose verdict depends on real time (`load`). `conformance` (suites/conformance) judges a target and is run by
// `assay conform` or `npm run conformance`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const CONFORMANCE = './suites/conformance/vitest.config.ts';
const LOAD = ['{src,test}/**/*.k6.test.ts', 'test/real-sockets.test.ts'];
/** These replace modules, and would replace them for the tests that run after them, too. test/mocked.test.ts knows them all. */
const MOCKED = ['test/codes.test.ts'];
/** Tests leave nothing in the user's cache, and read anew. The code of the processes that they start is compiled once. */
const ENV = { ASSAY_CACHE: 'off', NODE_COMPILE_CACHE: join(import.meta.dirname, '.assay', 'compiled') };

/** The long tables first: what is short fills the cores to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isTable = ({ moduleId }: TestSpecification): boolean =>
      /\/test\/(faults\/|tolerances\/|real-sockets|simulated-worlds)/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isTable), ...sorted.filter((file) => !isTable(file))];
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
          exclude: [...LOAD, ...MOCKED],
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
          name: 'load',
          include: LOAD,
          // One file at a time: a generator that is late measures itself.
          sequence: { groupOrder: 1 },
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
