// One door to real time: everything else is given a clock, so that a whole run can take place in virtual time.
import { expect, test } from 'vitest';
import { SOURCES, shipped } from './sources.ts';

const SYSTEM_CLOCK = 'src/clock/system.ts';
/** Scripts that k6 itself runs, and what starts k6's process and watches it. */
const WITH_K6 = /^(suites\/load\/|src\/load\/k6\/start\.ts$)/;
/**
 * Who may take the clock of this machine: commands, what reads descriptions from network and disk, what tells
 * how old a file is, what serves real sockets, and what drives k6. Everything else gets its clock from them.
 */
const IN_REAL_TIME =
  /^src\/(cli\/|disk\/passing\.ts$|load\/|openapi\/(cache\/cache|read\/source)\.ts$|platform\/(start|http\/serve)\.ts$)/;

const REAL_TIME = [
  ...['Date.now', 'Date()', 'performance.now', 'performance.timeOrigin', 'process.hrtime', 'process.uptime'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'scheduler.wait', 'AbortSignal.timeout', 'Atomics.wait'],
];
const TIMERS = /^(node:)?timers(\/promises)?$|^node:perf_hooks$/;
/** It is told of each collection of garbage, and asks for no time: its calls are looked at as those of all others are. */
const TOLD_OF_COLLECTIONS = 'src/cli/process/gc-settings.ts';

const isTest = (path: string): boolean => /\.test(-d)?\.ts$/.test(path);

function withoutGlobal(name: string): string {
  return name.replace(/^(globalThis|global|window)\./, '').replace(/^process\.hrtime\..*/, 'process.hrtime');
}

test('nobody but the clock looks at real time, waits in it, or sets a timer', () => {
  const looking = [...SOURCES.values()]
    .filter(({ path }) => !path.startsWith('src/clock/') && !WITH_K6.test(path) && !isTest(path))
    .flatMap(({ path, mentions, imports }) =>
      [
        ...[...mentions].map(withoutGlobal).filter((name) => REAL_TIME.includes(name)),
        ...imports.filter((name) => TIMERS.test(name) && !(path === TOLD_OF_COLLECTIONS && name === 'node:perf_hooks')),
      ].map((name) => `${path}: ${name}`),
    );
  expect(looking).toEqual([]);
});

test('a run, its client, its probes and the platform are given their clock', () => {
  const takers = shipped().filter(({ targets }) => targets.includes(SYSTEM_CLOCK));
  expect(takers.length).toBeGreaterThan(0);
  expect(takers.map(({ path }) => path).filter((path) => !IN_REAL_TIME.test(path))).toEqual([]);
});
