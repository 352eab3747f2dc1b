import { describe, expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { Fit } from './fit.ts';

/** A fit after so many seconds of a run that has sent so much. */
async function fitAfter(seconds: number, sent: number, within = 300): Promise<Fit> {
  const clock = simulatedClock();
  const fit = new Fit(within, clock, () => sent);
  await clock.drive(clock.sleep(seconds * 1000));
  return fit;
}

describe('a run that fits itself to a time', () => {
  it('leaves nothing out while what is planned goes into what is left of it', async () => {
    const fit = await fitAfter(200, 2000);
    fit.expect({ breadth: 100 }, false);
    expect(fit.isOver('breadth', 600)).toBe(false);
  });

  it('ends each stage at its share of the time where more is planned than goes into it', async () => {
    const [early, late] = [await fitAfter(100, 1000), await fitAfter(170, 1700)];
    for (const fit of [early, late]) fit.expect({ breadth: 20_000 }, false);
    expect([early.isOver('breadth', 10), late.isOver('breadth', 10)]).toEqual([false, true]);
  });

  it('tells how much of what is planned is sent by then', async () => {
    const fit = await fitAfter(100, 1000);
    expect(fit.keeps('breadth', 600)).toBe(600);
    // Ten requests a second, and 65 s until breadth is over.
    expect(fit.keeps('breadth', 20_000)).toBe(650);
    expect((await fitAfter(170, 1700)).keeps('breadth', 20_000)).toBe(0);
    expect((await fitAfter(0, 0)).keeps('breadth', 20_000)).toBe(20_000);
  });

  it('ends depth sooner where windows of limits are to be waited for', async () => {
    const fit = await fitAfter(200, 200);
    expect(fit.isOver('depth', 5000)).toBe(false);
    fit.expect({}, true);
    expect(fit.isOver('depth', 5000)).toBe(true);
  });

  it('keeps back the time that undoing takes', async () => {
    const clock = simulatedClock();
    const fit = new Fit(
      300,
      clock,
      () => 500,
      () => 120_000,
    );
    await clock.drive(clock.sleep(100_000));
    fit.expect({ breadth: 3000 }, false);
    expect(fit.isOver('breadth', 10)).toBe(true);
  });

  it('counts on nothing where nothing was answered by then', async () => {
    const fit = await fitAfter(200, 0);
    fit.expect({ reach: 1 }, false);
    expect(fit.isOver('reach', 1)).toBe(true);
  });
});
