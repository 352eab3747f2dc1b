// Five projects. `npm test` runs `unit`, which does most of the work, and beside it what mostly waits: `sockets` judges in real time, and
// `counted` sends by k6, as soon as it is built. What measures by k6 (`load`) comes last: it wants the machine to itself.
// `conformance` (suites/conformance) judges a target and is run by `assay conform` or `npm run conformance`.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isNightly, MAX_TEST_MS, PATIENCE_MS } from './test/programme.ts';

const CONFORMANCE = './suites/conformance/vitest.config.ts';
/** What `npm run nightly` alone runs: it proves again, or at length, what a quicker test shows by day. */
const NIGHTLY = isNightly ? [] : ['**/*.nightly.*'];
/** What other parts of the night run (scripts/nightly/parts.ts). `--exclude` does not reach the projects. */
const LEFT_OUT = [...NIGHTLY, ...(process.env.ASSAY_LEFT_OUT ?? '').split(' ').filter((glob) => glob !== '')];
const LOAD = ['{src,test}/**/*.k6.test.ts'];
const SOCKETS = ['test/real-sockets.test.ts'];
/** Of those with k6, the ones that judge what is sent and what is answered, however late the generator is. */
const COUNTED = [
  'src/load/capacity/measured.k6.test.ts',
  'src/load/distributed/archive.k6.test.ts',
  'src/load/k6/measure.k6.test.ts',
  'src/reporters/exports/k6.k6.test.ts',
  'test/cluster.nightly.k6.test.ts',
  'test/distributed.nightly.k6.test.ts',
  'test/documents-certified.nightly.k6.test.ts',
  'test/documents-executed.nightly.k6.test.ts',
  'test/harm/hosts.nightly.k6.test.ts',
  'test/harm/load.nightly.k6.test.ts',
  'test/leaks/load.nightly.k6.test.ts',
  'test/load-exports.nightly.k6.test.ts',
  'test/load-isolation.nightly.k6.test.ts',
  'test/load-pressure-faults.nightly.k6.test.ts',
  'test/load-pressure.k6.test.ts',
  'test/load-resume.k6.test.ts',
  'test/load.k6.test.ts',
  'test/networks/ways.nightly.k6.test.ts',
  'test/traces/load.nightly.k6.test.ts',
];
/** It asks for a program that nobody has by chance, and that takes minutes to build: bench/otlp builds it. */
const COLLECTOR = process.env.ASSAY_COLLECTOR === undefined ? ['test/traces/collector.test.ts'] : [];
/** Tests leave nothing in the user's cache, and read anew. The code of the processes that they start is compiled once. */
const ENV = { ASSAY_CACHE: 'off', NODE_COMPILE_CACHE: join(import.meta.dirname, '.assay', 'compiled') };

/**
 * Node runs the sources as they are, as it does for users: what vite makes of them reads each import anew at every call, which took a
 * fifth more processor time. Modules cannot be replaced then.
 */
const AS_THEY_ARE = { viteModuleRunner: false, nodeLoader: false };

/** None of them says anything of how fast a test is. */
const LIMITS = { testTimeout: MAX_TEST_MS, hookTimeout: MAX_TEST_MS, expect: { poll: { timeout: PATIENCE_MS } } };

/** So many files that mostly wait run side by side. */
const WAITING = 3;

/** The long tables hold most of the work: every core takes one, and one more worker takes what waits for processes or for time. */
const WORKERS = availableParallelism() + 1;

/**
 * Tables and other whole runs, a page in a browser, and commands that are started as processes: each takes ten seconds or more.
 * Most of these files are small, so that an order by size alone starts them last and leaves a core idle at the end.
 */
const LONG = new RegExp(
  [
    '/test/(contracts|faults|tolerances|hostile|leaks)/',
    '/test/(simulated-worlds|planted|shards|page|hints|extending|interrupted|package|sensitivity)\\.',
    '/test/(client-command|webhooks|webhooks-command|clients|cuts|load-down|observations|payments-once)\\.',
    '/test/documents-executed\\.',
    '/test/(harm/hosts|cluster|load-pressure-faults)\\.k6',
    '/src/(cli/process|simulation)/',
    '/src/probes/pagination/platform\\.',
  ].join('|'),
);

/** The tool checks itself there, which takes a minute of work, after certificates that wait for windows of time. */
const LONGEST = /\/test\/documents-certified\./;

/** The long files first: what is short fills the cores to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      if (LONGEST.test(moduleId)) return 0;
      return LONG.test(moduleId) ? 1 : 2;
    };
    // The sort is stable: within a rank the order stays.
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['./test/temporary.ts', './test/warm/processes.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          experimental: AS_THEY_ARE,
          include: ['{src,test,scripts,bench}/**/*.test.ts'],
          exclude: [...LEFT_OUT, ...LOAD, ...SOCKETS, ...COLLECTOR],
          pool: 'threads',
          // A worker loads each module once, and not once more for every file: that was a third of all work.
          isolate: false,
          setupFiles: ['./test/drawn.ts'],
          maxWorkers: WORKERS,
          env: ENV,
          ...LIMITS,
        },
      },
      {
        test: {
          name: 'counted',
          experimental: AS_THEY_ARE,
          include: COUNTED,
          exclude: LEFT_OUT,
          // Side by side they wait at once: for windows of time, and for the steps of k6.
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 1 },
          maxWorkers: WAITING,
          env: ENV,
          ...LIMITS,
        },
      },
      {
        test: {
          name: 'sockets',
          experimental: AS_THEY_ARE,
          include: SOCKETS,
          exclude: LEFT_OUT,
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          env: ENV,
          ...LIMITS,
        },
      },
      {
        test: {
          name: 'load',
          experimental: AS_THEY_ARE,
          include: LOAD,
          exclude: [...COUNTED, ...LEFT_OUT],
          // One file at a time: a generator that is late measures itself.
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
          env: ENV,
          ...LIMITS,
        },
      },
      ...(existsSync(new URL(CONFORMANCE, import.meta.url)) ? [CONFORMANCE] : []),
    ],
  },
});
