// Tests that a run survives a halt: the process was stopped, or the machine slept.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { benchWith, failing, getting } from '../../../test/support/run/test-session.ts';
import { type Halts, NO_HALTS } from '../../clock/running-time.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { breached } from '../../contract/judgement.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Conversation } from '../../probes/probe.ts';
import { Traffic } from '../books/traffic.ts';
import { assureAlive } from '../smoke/alive.ts';
import { RunEnded } from './interruption.ts';

const LIST = getting('/api/v1/products');
const SPOT = { service: 'admin', operation: 'GET /api/v1/products' };
const RATE = { inRun: (clause: string) => clause === 'RATE-03' };

let shop: Description;
let halts: Halts;
beforeAll(async () => {
  shop = await loadShop();
});
beforeEach(() => {
  halts = NO_HALTS;
});

/** Says that a limit is not kept; the process is halted during its first so many turns. */
function conversation(haltedTurns: number, repeatable: boolean): Conversation & { readonly turns: () => number } {
  let turns = 0;
  const breach = {
    weight: 'breach',
    code: 'rate-03.rises',
    cause: 'a limit is not kept',
    message: 'm',
    expected: 'e',
    actual: 'a',
  } as const;
  return {
    ...{ probe: 'test', stage: 'last', rank: 1, clauses: ['RATE-03'], cost: 1, repeatable, ...SPOT },
    async converse(send) {
      turns += 1;
      const { last } = await send(LIST);
      if (turns <= haltedTurns) halts = { ...halts, count: halts.count + 1 };
      return [{ clause: 'RATE-03', ...SPOT, judgement: breached([breach]), evidence: [last] }];
    },
    turns: () => turns,
  };
}

async function performed(experiment: Conversation) {
  const clock = { ...simulatedClock(), halts: () => halts };
  const { session, ledger } = benchWith(shop, () => ({}), { ...RATE, clock });
  await session.perform(experiment);
  const reasons = [...ledger.tallies('RATE-03').values()].map(({ reasonCode }) => reasonCode);
  return { violations: ledger.violations, reasons };
}

describe('an experiment that goes by time', () => {
  it('is not judged by what it saw while the process was halted, and performed again', async () => {
    const experiment = conversation(1, true);
    // Once in vain, once for the verdict, twice to confirm it.
    expect(await performed(experiment)).toMatchObject({ violations: 1 });
    expect(experiment.turns()).toBe(4);
  });

  it.each([
    ['is halted each time', conversation(9, true)],
    ['is halted, and cannot be performed again', conversation(9, false)],
  ])('and %s is not judged at all, with the reason', async (_why, experiment) => {
    expect(await performed(experiment)).toEqual({ violations: 0, reasons: ['interrupted'] });
  });
});

describe('a target that does not answer', () => {
  const lost = { ...exchangeWith({ response: null, plan: LIST }), failure: failing('refused') };

  /** How long it is asked, in seconds, where it answers from then on. */
  async function asked(answersFromMs: number, endedAtMs: number, { wasThere } = { wasThere: true }): Promise<number> {
    const clock = simulatedClock();
    const halted = { ...clock, halts: () => ({ ...NO_HALTS, count: 1, endedAtMs }) };
    const send = async () => (clock.monotonic() >= answersFromMs ? [exchangeWith({ status: 200 })] : [lost]);
    await clock.drive(assureAlive(send, lost, { clock: halted, terms: NO_TERMS, wasThere }));
    return clock.monotonic() / 1000;
  }

  it('is waited for as long as a restart takes, where it was there before', async () => {
    await expect(asked(1, Number.NEGATIVE_INFINITY, { wasThere: false })).rejects.toThrow(RunEnded);
    expect(await asked(10_000, Number.NEGATIVE_INFINITY)).toBe(12);
    await expect(asked(40_000, Number.NEGATIVE_INFINITY)).rejects.toThrow(RunEnded);
  });

  it('is waited for after a halt: a machine that wakes up looks for its network', async () => {
    expect(await asked(40_000, 0)).toBe(42);
  });

  it('is lost when it does not answer for a minute after a halt', async () => {
    await expect(asked(120_000, 0)).rejects.toThrow(RunEnded);
  });
});

it('how long an answer took over a halt is not counted among latencies', () => {
  const traffic = new Traffic();
  traffic.count(SPOT, { ...exchangeWith({ status: 200, plan: LIST }), durationMs: 600_000, halted: true });
  expect(traffic.get('admin GET /api/v1/products')).toMatchObject({ requests: 1, latency: new Map() });
});
