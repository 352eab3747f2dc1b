import { expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { StopSwitch } from './opening.ts';

const LIMIT_SECONDS = 100;

/** Seconds after which nothing more is probed, and after which nothing at all is sent. */
async function endsOf(undoingSeconds: number, graceMs = 0, signalAfter = Number.POSITIVE_INFINITY) {
  const clock = simulatedClock();
  const signal = new AbortController();
  const stop = new StopSwitch(signal.signal, LIMIT_SECONDS, clock, { undoingMs: () => undoingSeconds * 1000, graceMs });
  const ends: { probing?: number; sending?: number } = {};
  stop.signal.addEventListener('abort', () => (ends.probing = Math.round(clock.monotonic() / 1000)));
  stop.end.addEventListener('abort', () => (ends.sending = Math.round(clock.monotonic() / 1000)));
  if (Number.isFinite(signalAfter)) clock.after(signalAfter * 1000, () => signal.abort());
  await clock.drive(clock.sleep(2 * LIMIT_SECONDS * 1000));
  stop.dispose();
  return ends;
}

it('probing stops in time for what is to be undone, and nothing is sent after the limit', async () => {
  expect(await endsOf(10)).toEqual({ probing: 90, sending: 100 });
});

it('undoing may go on for the time of grace, in which nothing is probed', async () => {
  expect(await endsOf(10, 20_000)).toEqual({ probing: 90, sending: 120 });
});

it('a signal ends both soon, whatever the grace', async () => {
  expect(await endsOf(10, 20_000, 50)).toEqual({ probing: 50, sending: 53 });
});
