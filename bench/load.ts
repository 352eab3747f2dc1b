// Requests a second of the capacity script over those of a bare k6 loop: the same closed executor, the same target, in
// turns. `node bench/load.ts [rounds] [seconds]`; goal: at least 0.9, as the median of the rounds, where a target answers a
// page of a list, as most requests of a search for capacity are. Beside it: answers of one item, which cost next to nothing.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArrivalsPlan } from '../src/load/k6/arrivals-plan.ts';
import { provideK6 } from '../src/load/k6/provide.ts';
import { SECRET } from '../src/load/k6/requests-plan.ts';
import { startK6 } from '../src/load/k6/start.ts';
import { startTarget, type Target } from './target.ts';

const GOAL = 0.9;
const VUS = 16;
const [rounds = 5, seconds = 5] = process.argv.slice(2).map(Number);

function planFor(baseUrl: string): ArrivalsPlan {
  const url = `${baseUrl}/api/v1/products`;
  const authorization = `Bearer ${SECRET}`;
  return {
    ...{ step: 'bench.1', answerLimitSeconds: 10, tagged: false },
    // So long that the script never comes to the end of its schedule.
    legs: [{ perTenSeconds: 1_000_000, seconds: 1000, vus: VUS, bodyEvery: 5000, parts: [] }],
    requests: [
      { operation: 'GET /api/v1/products', method: 'GET', url, headers: { authorization }, body: null },
      { operation: 'GET /api/v1/orders', method: 'GET', url, headers: { authorization }, body: null },
    ],
    order: [0, 1],
    keys: ['a', 'b', 'c'].map((name, at) => ({ name, variable: `ASSAY_KEY_${at}` })),
  };
}

interface Ran {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** As k6 runs by itself: Go's own collector. */
const PLAIN = { GOGC: '100', GOMEMLIMIT: 'off' };

async function ran(name: 'ours' | 'bare', target: Target, folder: string, k6: string): Promise<Ran> {
  const before = await target.answered();
  const scenario = { executor: 'constant-vus', vus: VUS, duration: `${seconds}s`, gracefulStop: '1s' };
  const ended = await startK6({
    path: k6,
    script: join(import.meta.dirname, `load-${name}.ts`),
    samplesFile: join(folder, 'samples.tsv'),
    env: {
      ...(name === 'bare' ? PLAIN : {}),
      ASSAY_URL: `${target.baseUrl}/api/v1/products`,
      ASSAY_PLAN: join(folder, 'plan.json'),
      ASSAY_OPTIONS: JSON.stringify({ scenarios: { closed: scenario } }),
      ...{ ASSAY_KEY_0: 'token-of-a', ASSAY_KEY_1: 'token-of-b', ASSAY_KEY_2: 'token-of-c' },
    },
    timeLimitSeconds: seconds + 30,
    senders: VUS,
    stop: new AbortController().signal,
    outputs: [],
    conceal: (line) => line,
  });
  if (ended.exitCode !== 0) throw new Error(`k6 ended with ${ended.exitCode}: ${ended.complaints.join('\n')}`);
  const answered = (await target.answered()) - before;
  return { perSecond: answered / seconds, cpuMicros: ((ended.cpuSeconds ?? 0) * 1e6) / answered };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}

/** The rounds against one target; resolves with the ratio of medians. */
async function compared(answer: 'page' | 'item', k6: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-load-'));
  const target = await startTarget('load-target.ts', answer);
  try {
    await writeFile(join(folder, 'plan.json'), JSON.stringify(planFor(target.baseUrl)));
    const ours: Ran[] = [];
    const bare: Ran[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      // The later one finds a warmer machine: they take turns at it.
      const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
      for (const name of order) {
        const one = await ran(name, target, folder, k6);
        (name === 'ours' ? ours : bare).push(one);
      }
      const line = ({ perSecond, cpuMicros }: Ran) =>
        `${perSecond.toFixed(0)}/s (${cpuMicros.toFixed(1)} µs of k6 each)`;
      console.log(`${answer}, round ${round}: capacity script ${line(ours.at(-1)!)}, bare loop ${line(bare.at(-1)!)}`);
    }
    const of = (runs: readonly Ran[], pick: (one: Ran) => number) => median(runs.map(pick));
    const ratio = of(ours, (one) => one.perSecond) / of(bare, (one) => one.perSecond);
    const work = of(ours, (one) => one.cpuMicros) / of(bare, (one) => one.cpuMicros);
    const { size } = await stat(join(folder, 'samples.tsv'));
    console.log(
      `${answer}: ratio of medians ${ratio.toFixed(3)}; processor time a request ${work.toFixed(3)} times; ${size} bytes of samples`,
    );
    return ratio;
  } finally {
    target.stop();
    await rm(folder, { recursive: true });
  }
}

const { path } = await provideK6(process.env, () => {});
await compared('item', path);
const ratio = await compared('page', path);
console.log(`goal: ≥ ${GOAL} on pages`);
if (ratio < GOAL) process.exitCode = 1;
