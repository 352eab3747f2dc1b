// `npm run cuts -- [--runs 20] [--at-once 4] [--seed N]`: whole runs against the embedded platform through a proxy that cuts connections at every
// moment, and a table of what they came to. Each must end within its limits, with all that it found. The same seed draws the same.
import type { CutRun } from '../test/cuts/cut-run.ts';
import { cutRun, startCutTarget } from '../test/cuts/cut-run.ts';
import { MOMENTS } from '../test/cuts/cutting-proxy.ts';
import { readArguments, wholeNumber } from './command-line.ts';

const { values } = readArguments('npm run cuts -- [--runs 20] [--at-once 4] [--seed N]', {
  options: {
    runs: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '4' },
    seed: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('--seed', values.seed);
const runs = wholeNumber('--runs', values.runs);
console.log(`seed ${seed}`);
const target = await startCutTarget();
const all: CutRun[] = [];
try {
  const seeds = Array.from({ length: runs }, (_, index) => seed + index).values();
  const worker = async (): Promise<void> => {
    for (const own of seeds) {
      const one = await cutRun(target, own);
      all.push(one);
      for (const complaint of one.complaints) console.log(`${own} ${one.what}: ${complaint}`);
      if (all.length % 10 === 0) console.log(`${all.length} runs, ${wrong()} wrong`);
    }
  };
  await Promise.all(Array.from({ length: wholeNumber('--at-once', values['at-once']) }, worker));
} finally {
  await target.platform.stop();
}
const verdicts = Map.groupBy(all, ({ report }) => report?.verdict ?? 'did not end');
console.table({
  runs: all.length,
  wrong: wrong(),
  ...Object.fromEntries([...verdicts].map(([verdict, those]) => [`verdict ${verdict}`, those.length])),
  requests: all.reduce((sum, { report }) => sum + (report?.counts.requests ?? 0), 0),
  'longest, s': Math.round(Math.max(...all.map(({ durationMs }) => durationMs)) / 1000),
  ...Object.fromEntries(
    MOMENTS.map((moment) => [`cut: ${moment}`, all.reduce((sum, { cuts }) => sum + (cuts.get(moment) ?? 0), 0)]),
  ),
});
console.log(`${all.length} runs, ${wrong()} wrong`);
process.exitCode = wrong() === 0 ? 0 : 1;

function wrong(): number {
  return all.filter(({ complaints }) => complaints.length > 0).length;
}
