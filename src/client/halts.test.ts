// A process that was stopped, or whose machine slept, while requests were under way: what it sees of them says little.
import { describe, expect, it } from 'vitest';
import { CREATE, fixture, KEYED, PLAN } from '../../test/support/client/fixture.ts';
import { json, type scriptedServer } from '../../test/support/client/scripted-server.ts';
import { NO_HALTS } from '../clock/running-time.ts';
import { systemClock } from '../clock/system.ts';

type Answer = Parameters<Parameters<typeof scriptedServer>[0]>;

/** A client whose process is halted once, when the first request has arrived; all that was due meanwhile comes then. */
async function halted(answer: (...given: Answer) => void) {
  let count = 0;
  const due: (() => void)[] = [];
  const after = (_delayMs: number, act: () => void) => {
    due.push(act);
    return { cancel: () => {} };
  };
  const clock = { ...systemClock, after, halts: () => ({ ...NO_HALTS, count }) };
  return fixture(
    (...given) => {
      if (count === 0) {
        count = 1;
        for (const act of due.splice(0)) act();
      }
      answer(...given);
    },
    { clock },
  );
}

describe('a request that was under way when the process was halted', () => {
  it('gets its answer, however late that is read, and is marked', async () => {
    await using run = await halted((response) => json(response, 200, []));
    expect(await run.send(PLAN)).toMatchObject([{ response: { status: 200 }, failure: null, halted: true }]);
  });

  it('is sent again where its connection is gone, and that is no defect of the target', async () => {
    await using run = await halted((response, _, index) =>
      index === 0 ? response.socket?.destroy() : json(response, 200, []),
    );
    const attempts = await run.send({ ...PLAN, retry: 'never' });
    expect(attempts).toMatchObject([{ failure: { kind: 'aborted' }, halted: true }, { response: { status: 200 } }]);
    expect(attempts[1]).not.toHaveProperty('halted');
  });

  it.each([
    ['could have had an effect already', CREATE, 1],
    ['is to be sent once', { ...PLAN, retry: 'once' as const }, 1],
    ['bears a key', { ...CREATE, ...KEYED }, 2],
  ])('and %s is sent so often', async (_why, plan, times) => {
    await using run = await halted((response, _, index) =>
      index === 0 ? response.socket?.destroy() : json(response, 201, {}),
    );
    const attempts = await run.send(plan);
    expect([attempts.length, run.server.seen.length]).toEqual([times, times]);
    expect(attempts[0]?.failure).toMatchObject({ kind: 'aborted', message: expect.stringContaining('halted') });
  });
});
