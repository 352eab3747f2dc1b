// RATE-03 call by call: one cheap operation in a row under the main key, and once more after a pause. A defect that shows only
// now and then takes a row of calls with nothing else under way.
import type { RateBook } from '../../checks/rate/book.ts';
import { judgeQuietRun, PAUSE_FACTOR, type QuietRun } from '../../checks/rate/quiet-run.ts';
import type { RateReading } from '../../checks/rate/reading.ts';
import { outcome } from '../experiment.ts';
import type { Conversation } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { asker, plainReads, spotOf, type Timing } from './asking.ts';

const PROBE = 'rate/row';
/** Calls before the pause, and as many after. */
const MOST_CALLS = 40;
const LEAST_CALLS = 10;
/** A row takes no longer than this, on a slow target, and no more than this share of the limit. */
const LONGEST_ROW_MS = 3000;
const SHARE = 0.125;
const SHORTEST_PAUSE_MS = 1200;
/** A window that begins meanwhile, or a defect just then, hides what calls cost: another look is taken. */
const MOST_LOOKS = 2;

/** Null without a key, or without an operation that can be asked again and again. */
export function quietConversation(
  world: World,
  reached: readonly Reached[],
  book: RateBook,
  timing: Timing,
): Conversation | null {
  const [cheap] = plainReads(reached);
  const { mainKey } = world;
  if (mainKey === null || cheap === undefined) return null;
  return {
    probe: PROBE,
    stage: 'last',
    rank: 905,
    clauses: ['RATE-03'],
    service: null,
    operation: null,
    cost: 2 * MOST_CALLS,
    repeatable: false,
    async converse(send) {
      const asked = asker(world, send, PROBE, 'never');
      const ask = () => asked(mainKey.name, cheap);
      const series = book.seriesOf(mainKey.name);
      const first = await ask();
      const tookMs = first === null ? 0 : first.answeredAt - first.sentAt;
      const limit = series.limits.current ?? 0;
      const calls = Math.floor(Math.min(MOST_CALLS, LONGEST_ROW_MS / Math.max(1, tookMs), limit * SHARE));
      if (calls < LEAST_CALLS) return [];
      for (let look = 1; ; look += 1) {
        const run = await quietRun(ask, calls, timing);
        const judgement = judgeQuietRun(run, series.clock);
        if (judgement.kind === 'cannot-tell' && look < MOST_LOOKS) continue;
        const readings = judgement.kind === 'breached' ? [...run.before, ...run.after] : [];
        return [
          outcome(
            'RATE-03',
            spotOf(cheap),
            judgement,
            readings.map(({ exchange }) => exchange),
          ),
        ];
      }
    },
  };
}

async function quietRun(ask: () => Promise<RateReading | null>, calls: number, timing: Timing): Promise<QuietRun> {
  const startedAt = timing.now();
  const before = await row(ask, calls);
  await timing.sleep(Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * (timing.now() - startedAt)));
  return { before, after: await row(ask, calls) };
}

async function row(ask: () => Promise<RateReading | null>, calls: number): Promise<readonly RateReading[]> {
  const readings: RateReading[] = [];
  for (let call = 0; call < calls; call += 1) {
    const reading = await ask();
    if (reading !== null) readings.push(reading);
  }
  return readings;
}
