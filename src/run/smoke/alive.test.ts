import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { failing } from '../../../test/support/run/test-session.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Failure } from '../../exchange/exchange.ts';
import { assureAlive, TargetStuck } from './alive.ts';

it.each<[Failure['kind'], boolean]>([
  ['timeout', true],
  ['unreachable', false],
  ['refused', false],
])('a target whose looks end as %s is stuck: %s', async (kind, isStuck) => {
  const clock = simulatedClock();
  const lost = { ...exchangeWith({ response: null }), failure: failing(kind) };
  const looking = assureAlive(async () => [lost], lost, { clock, terms: NO_TERMS, wasThere: true });
  const end = await clock.drive(looking.catch((error: unknown) => error));
  expect(end).toMatchObject({ reasonCode: 'target-lost' });
  expect(end instanceof TargetStuck).toBe(isStuck);
});
