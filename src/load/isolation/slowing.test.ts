import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latenessOf, slowingOf } from './slowing.ts';

/** Durations around a middle, ms. */
const around = (middleMs: number, count = 40) =>
  fc.array(fc.double({ min: middleMs * 0.8, max: middleMs * 1.2, noNaN: true }), {
    minLength: count,
    maxLength: count,
  });
const rests = fc.tuple(around(40), around(40), around(40));

describe('slowing', () => {
  it('is no sure shift where rest and pressure are of one distribution', () => {
    fc.assert(
      fc.property(rests, fc.tuple(around(40), around(40)), (calm, pressed) => {
        const { factor, shift } = slowingOf({ rests: calm, pressed, lateMs: [] });
        expect(shift).not.toBe('sure');
        expect(factor?.least).toBeLessThanOrEqual(1.3);
      }),
    );
  });

  it('is sure, and its factor within its bounds, where every answer takes three times as long', () => {
    fc.assert(
      fc.property(rests, (calm) => {
        const pressed = calm.slice(0, 2).map((some) => some.map((ms) => 3 * ms));
        const { factor, shift } = slowingOf({ rests: calm, pressed, lateMs: [] });
        expect(shift).toBe('sure');
        expect(factor?.least).toBeLessThanOrEqual(3);
        expect(factor?.most).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  it('of the machine is not blamed: a rest as slow as the pressure leaves it open', () => {
    fc.assert(
      fc.property(
        around(40),
        around(40),
        around(120),
        fc.tuple(around(120), around(120)),
        (one, two, slow, pressed) => {
          expect(slowingOf({ rests: [one, slow, two], pressed, lateMs: [] }).shift).not.toBe('sure');
        },
      ),
    );
  });

  it('within milliseconds is none', () => {
    const flat = (ms: number) => new Array<number>(40).fill(ms);
    expect(slowingOf({ rests: [flat(1), flat(1)], pressed: [flat(4)], lateMs: [] }).shift).toBe('none');
  });

  it('is sure from five milliseconds on', () => {
    const flat = (ms: number) => new Array<number>(40).fill(ms);
    const shiftTo = (ms: number) => slowingOf({ rests: [flat(10), flat(10)], pressed: [flat(ms)], lateMs: [] }).shift;
    expect([shiftTo(14), shiftTo(15)]).toEqual(['none', 'sure']);
  });

  it('is unknown of few calls, and where calls were sent late', () => {
    const some = new Array<number>(40).fill(10);
    expect(slowingOf({ rests: [some, some], pressed: [[1, 2]], lateMs: [] }).unknown).toContain('too few calls');
    const late = new Array<number>(40).fill(300);
    expect(slowingOf({ rests: [some, some], pressed: [some], lateMs: late }).unknown).toBe(
      'calls were sent 300 ms late',
    );
  });
});

it('lateness is what was sent after its turn', () => {
  expect(latenessOf([0, 100, 200, 300])).toEqual([0, 0, 0, 0]);
  expect(latenessOf([0, 100, 260, 300])).toEqual([0, 0, 60, 0]);
  expect(latenessOf([])).toEqual([]);
});
