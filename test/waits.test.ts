// A run that waits for a program or for code of the user's own does not stand still: each such wait has its own limit, on the run's clock.
import { describe, expect, test } from 'vitest';
import { runAhead } from '../src/cli/conform/hooks.ts';
import { callHooks } from '../src/cli/conform/hooks-around-calls.ts';
import { createTokens } from '../src/client/tokens.ts';
import { type Clock, LIMIT } from '../src/clock/clock.ts';
import { simulatedClock } from '../src/clock/simulated.ts';
import { createRedactor } from '../src/exchange/redaction.ts';
import { withinLimit } from '../src/load/cluster/kubectl.ts';
import { StandstillWatch } from '../src/run/perform/standstill.ts';
import { configWith } from './support/run/test-config.ts';

/** The work's outcome, or the sentence of a standstill, in the virtual time of a process that computes next to nothing. */
function watched(work: (clock: Clock, time: ReturnType<typeof simulatedClock>) => Promise<string>): Promise<string> {
  const time = simulatedClock();
  const watch = new StandstillWatch({ ...time, busyMs: () => 0 });
  watch.start();
  const settled = watch.during(work(watch.clock, time)).catch(({ message }: Error) => message);
  return time.drive(settled).finally(() => watch.stop());
}

test('hooks around a request, one after the other', async () => {
  const hooks = ['a', 'b', 'c', 'd'].map((name) => ({ file: 'own.ts', hook: { name } }));
  const request = { method: 'GET', url: 'http://x/a', path: '/a', query: '', headers: [], body: null };
  const call = { service: null, operation: null, intent: 'sound' as const, request };
  const told = await watched(async (clock, time) => {
    const slow = hooks.map(({ file, hook }) => ({
      file,
      hook: { ...hook, beforeCall: () => time.sleep(29_000).then(() => undefined) },
    }));
    const around = callHooks(slow, runAhead(configWith(), { runId: 'r1' }, '/reports'));
    return around === null ? 'none' : around.before(call, clock).then(() => 'done');
  });
  expect(told).toBe('done');
});

test('kubectl that is silent', async () => {
  const told = await watched(async (clock, time) => {
    const slow = async () => time.sleep(100_000).then(() => ({ code: 0, stdout: 'done', stderr: '' }));
    return (await withinLimit(slow, clock)(['get', 'pods'])).stdout;
  });
  expect(told).toBe('done');
});

describe('a command that prints a token', () => {
  const tokensOf = (clock: Clock) => {
    const tokenCommand = [process.execPath, '-e', 'setTimeout(() => console.log("token-of-a-test-0001"), 60_000)'];
    const keys = [{ name: 'std-1', token: null, tokenCommand }];
    const credentials = { locked: null, expired: null };
    return createTokens({ keys, credentials, redactor: createRedactor(), clock });
  };

  test('ends with its limit, which is open until then', async () => {
    const limits: (() => void)[] = [];
    const clock: Clock = {
      ...simulatedClock(),
      after: (_delayMs, act, kind) => {
        if (kind === LIMIT) limits.push(act);
        return { cancel: () => {} };
      },
    };
    const token = Promise.resolve(tokensOf(clock).tokenOf({ kind: 'key', name: 'std-1' }));
    expect(limits).toHaveLength(1);
    limits[0]?.();
    await expect(token).rejects.toThrow('gave no token within 30 s');
  });
});
