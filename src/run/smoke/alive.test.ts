import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { failing } from '../../../test/support/run/test-session.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Failure } from '../../exchange/exchange.ts';
import { RunEnded } from '../perform/interruption.ts';
import { assureAlive, TargetLost } from './alive.ts';

const LOST = { ...exchangeWith({ response: null }), failure: failing('timeout') };
const STOPPED = new RunEnded('interrupted', 'the run was stopped');

/** The end of looking, where the looks end as these; after the last of them the run ends. */
async function lookedFor(...failures: readonly Failure[]): Promise<unknown> {
  const clock = simulatedClock();
  let looks = 0;
  const send = async () => {
    const failure = failures[looks++];
    if (failure === undefined) throw STOPPED;
    return [{ ...LOST, failure }];
  };
  return clock.drive(
    assureAlive(send, LOST, { clock, terms: NO_TERMS, wasThere: true }).catch((error: unknown) => error),
  );
}

it.each<[Failure['kind'], boolean]>([
  ['timeout', true],
  ['unreachable', false],
  ['refused', false],
])('a target whose looks end as %s is stuck: %s', async (kind, isStuck) => {
  const end = await lookedFor(...Array<Failure>(100).fill(failing(kind)));
  expect(end).toMatchObject({ reasonCode: 'target-lost', isStuck });
});

it('a target is lost to a run that ends while it is looked for, where looks were made for longer than a restart takes', async () => {
  const end = await lookedFor(...Array<Failure>(10).fill(failing('refused')));
  expect(end).toBeInstanceOf(TargetLost);
  expect(end).toMatchObject({ reasonCode: 'interrupted', isStuck: false });
  expect(await lookedFor(failing('refused'))).toBe(STOPPED);
  expect(await lookedFor()).toBe(STOPPED);
});
