// The trigger gets the address, runs without a shell, and its failure is told.
import { expect, it } from 'vitest';
import { systemClock } from '../clock/system.ts';
import { runTrigger } from './trigger.ts';

function run(script: string, ...args: readonly string[]) {
  const stop = new AbortController();
  const command = [process.execPath, '-e', script, ...args];
  const ended = runTrigger({
    ...{ command, url: 'http://127.0.0.1:1/', env: { KEPT: 'yes' }, clock: systemClock, stop: stop.signal },
  });
  return { ended, stop };
}

it('has the address and the environment, and its arguments as they stand', async () => {
  const script = 'console.log(process.env.ASSAY_WEBHOOK_URL, process.env.KEPT, process.argv[1])';
  expect(await run(script, '$(echo no) | cat').ended).toEqual({
    failure: null,
    output: 'http://127.0.0.1:1/ yes $(echo no) | cat\n',
  });
});

it('that fails, or cannot be run, is told with the end of its output', async () => {
  const failed = await run('console.error("x".repeat(9000) + "the end"); process.exitCode = 3').ended;
  expect(failed.failure).toMatch(/^node\S* ended with 3$/);
  expect(failed.output).toHaveLength(4000);
  expect(failed.output).toMatch(/the end\n$/);
  const stop = new AbortController();
  const absent = { command: ['/no/such/program'], url: '', env: {}, clock: systemClock, stop: stop.signal };
  expect(await runTrigger(absent)).toEqual({ failure: 'program cannot be run (ENOENT)', output: '' });
});

it('is ended with the run, and that is no failure', async () => {
  const { ended, stop } = run('setTimeout(() => {}, 60_000)');
  stop.abort();
  expect((await ended).failure).toBeNull();
});
