// A thread that performs one run after the other of limiters that deviate by some size, and tells what the clauses came to.
import { parentPort } from 'node:worker_threads';
import { CLAUSES } from '../../src/contract/clauses.ts';
import { smallModel } from '../../src/simulation/reduced-model.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { WORLDS, type WorldName } from '../../src/simulation/worlds.ts';
import { CURVES } from './curves.ts';

export interface Point {
  readonly curve: string;
  readonly size: number;
  readonly world: WorldName;
  readonly seed: number;
}

export interface Measured extends Point {
  readonly outcome: 'blamed' | 'passed' | 'not told';
  /** Why the clause was not tested; empty where it was. */
  readonly reason: string;
  /** Clauses beside the curve's own that blamed the limiter. */
  readonly others: readonly string[];
}

const FAMILY = CLAUSES.map(({ id }) => id).filter((id) => id.startsWith('RATE-'));

parentPort?.on('message', async (point: Point) => {
  parentPort?.postMessage(await measured(point));
});

async function measured(point: Point): Promise<Measured> {
  const curve = CURVES.find(({ id }) => id === point.curve);
  if (curve === undefined) throw new Error(`there is no curve ${point.curve}`);
  const { clause } = curve;
  const deviation = { id: `${curve.id}-${point.size}`, clause, description: curve.of, ...curve.limiter(point.size) };
  const report = await simulate({
    documents: await smallModel(),
    deviations: [deviation],
    world: WORLDS[point.world],
    seed: point.seed,
    options: { clauses: FAMILY },
  });
  const row = report.clauses.find(({ id }) => id === clause);
  const others = report.clauses.filter(({ id, status }) => status === 'fail' && id !== clause).map(({ id }) => id);
  const outcome = row?.status === 'fail' ? 'blamed' : row?.status === 'pass' ? 'passed' : 'not told';
  return { ...point, outcome, reason: row?.reason ?? '', others };
}
