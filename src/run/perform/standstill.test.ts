import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { getting } from '../../../test/support/run/test-session.ts';
import { type Clock, LIMIT } from '../../clock/clock.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { conform } from './conform.ts';
import { RunEvents } from './events.ts';
import { StandstillWatch } from './standstill.ts';

const never = (): Promise<never> => new Promise(() => {});

/** Virtual time in which this process computes so much of each second. */
function machine(busyShare = 0) {
  const time = simulatedClock();
  const clock: Clock = { ...time, busyMs: () => busyShare * time.monotonic() };
  return { time, clock };
}

/** The outcome of the work, and the number of seconds that it took. */
async function outcomeOf(work: (clock: Clock) => Promise<string>, busyShare = 0) {
  const { time, clock } = machine(busyShare);
  const watch = new StandstillWatch(clock);
  const events = new RunEvents();
  watch.follow(events);
  const [first, second, answered] = ['/a', '/b', '/c'].map((path) => getting(path, { operation: null }));
  for (const plan of [answered!, first!, second!]) events.tell({ kind: 'sending', plan });
  events.tell({ kind: 'sent', plan: answered!, attempts: [] });
  watch.start();
  const settled = watch.during(work(watch.clock)).catch(({ message }: Error) => message);
  const late = time.sleep(3_600_000).then(() => 'an hour later');
  const told = await time.drive(Promise.race([settled, late]));
  watch.stop();
  return { told, seconds: time.monotonic() / 1000 };
}

describe('a standstill', () => {
  it('is work that waits for nothing that could still come', async () => {
    const { told, seconds } = await outcomeOf(never);
    expect(told).toBe(
      'the run waited for GET /a (test) and 1 more, and nothing more could come (a defect of assay, not of the target)',
    );
    expect(seconds).toBe(90);
  });

  it('is told again where the next work comes to one', async () => {
    const { time, clock } = machine();
    const watch = new StandstillWatch(clock);
    watch.start();
    const first = watch.during(never()).catch(() => watch.during(never()).catch(({ message }: Error) => message));
    expect(await time.drive(first)).toContain('what does not come');
    watch.stop();
  });

  it.each<[string, (clock: Clock) => Promise<string>, number]>([
    ['sleeps', (clock) => clock.sleep(600_000).then(() => 'done'), 0],
    ['waits within a limit', (clock) => new Promise((end) => clock.after(600_000, () => end('done'), LIMIT)), 0],
    ['computes', never, 0.9],
  ])('is none while the work %s', async (_, work, busyShare) => {
    const { told } = await outcomeOf(work, busyShare);
    expect(told).toBe(busyShare > 0 ? 'an hour later' : 'done');
  });

  it('is one after a sleep or a limit that has ended', async () => {
    const { seconds } = await outcomeOf(async (clock) => {
      clock.after(500_000, () => {}, LIMIT).cancel();
      await clock.sleep(60_000);
      return never();
    });
    expect(seconds).toBeGreaterThanOrEqual(148);
    expect(seconds).toBeLessThanOrEqual(152);
  });
});

it('a run that comes to a standstill reports what was found, and why it ended', async () => {
  const { time, clock } = machine();
  const items = { get: { responses: { 200: { description: 'The items' } } } };
  const description = await loadFiles({ 'api.json': { ...documentWith('3.1.0', {}), paths: { '/items': items } } });
  const running = conform({
    clock,
    config: configWith({ contract: 'openapi' }),
    options: optionsWith(),
    descriptions: [description],
    hooks: { before: never, after: never },
    stop: new AbortController().signal,
  });
  const report = await time.drive(running);
  expect([report.verdict, report.run.partial]).toEqual(['none', true]);
  expect(report.run.note).toMatch(/^the run waited for GET \/items \(smoke\/operation\)/);
});
