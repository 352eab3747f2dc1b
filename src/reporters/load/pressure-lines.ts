// Tells in lines of text under which pressure laws were probed.
import type { PressurePart } from '../../contract/load-part.ts';
import { number, plural, shareText } from '../words.ts';

/** Lines under a title; none where nothing pressed, or the part has another shape. */
export function pressureLines(load: unknown): readonly string[] {
  const { pressure } = Object(load) as { readonly pressure?: unknown };
  if (!isPressure(pressure)) return [];
  const { mode, rps, seconds, figures, generator, probes, probesRefused, keyedRefused, left } = pressure;
  const { p99Ms, errorRate, limitedRate, dropped } = figures;
  const borne = `p99 ${Number(p99Ms.toPrecision(3))} ms, errors ${shareText(errorRate)}, 429 ${shareText(limitedRate)}, ${number(dropped)} never sent`;
  const refused = `${number(probesRefused)} answered 429 and sent again, ${number(keyedRefused)} of them with a key`;
  return [
    'Pressure',
    `  ${mode}: ${number(Math.round(rps))} requests/s for ${number(Math.round(seconds))} s: ${borne}`,
    ...(generator == null ? [] : [`  not as it was to be: ${generator}`]),
    `  meanwhile ${number(probes)} probes: ${refused}`,
    ...(left == null || left === 0
      ? []
      : [`  ${plural(left, 'experiment')} left for want of time (load.pressure.seconds)`]),
  ];
}

export function isPressure(value: unknown): value is PressurePart {
  const { mode, figures, probes, seconds } = Object(value) as Partial<PressurePart>;
  return typeof mode === 'string' && typeof figures?.p99Ms === 'number' && [probes, seconds].every(Number.isFinite);
}
