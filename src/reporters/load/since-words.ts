// How a load run compares with the last one of its suite, in words. It may come from another version: what does not fit is left out.
import { number } from '../../contract/numbers.ts';
import { rateText, threeDigits } from '../words.ts';
import { isPart, listOf, numberOf, type Part, percentOf, textOf } from './parts.ts';

/** Rule by which a difference is called noise. */
export const NOISE_RULE =
  'Noise: the 95 % intervals of both values overlap, or they differ by less than 10 % or 1 ms. Runs on another machine, or beside other work, differ by more.';

export interface SinceRow {
  readonly figure: string;
  readonly before: string;
  readonly now: string;
  readonly kind: 'changed' | 'noise' | 'same';
  /** "+12 %", "noise", "the same". */
  readonly change: string;
}

/** Words for the page and the terminal; null where no earlier run is known. */
export function sinceWords(load: unknown) {
  const since = isPart(load) && isPart(load.since) ? load.since : null;
  if (since === null) return null;
  return {
    run: textOf(since.run),
    when: textOf(since.startedAt).slice(0, 16).replace('T', ' '),
    verdict: textOf(since.verdict),
    result: textOf(since.result),
    differs: textOf(since.differs),
    rows: listOf(since.figures).map(rowOf),
  };
}

function rowOf({ figure, unit, before, now, noise }: Part): SinceRow {
  const [was, is] = [before, now].map((known) => (isPart(known) ? numberOf(known.value) : Number.NaN)) as [
    number,
    number,
  ];
  const [earlier, later] = [valueWords(was, unit), valueWords(is, unit)];
  const about = { figure: textOf(figure), before: earlier, now: later };
  if (noise !== true) return { ...about, kind: 'changed', change: changeWords(was, is) };
  return earlier === later
    ? { ...about, kind: 'same', change: 'the same' }
    : { ...about, kind: 'noise', change: 'noise' };
}

function valueWords(value: number, unit: unknown): string {
  if (!Number.isFinite(value)) return '–';
  if (unit === 'share') return percentOf(value);
  if (unit === 'ms') return `${threeDigits(value)} ms`;
  return unit === 'calls' ? number(Math.floor(value)) : `${rateText(value, 'floor')}/s`;
}

function changeWords(before: number, now: number): string {
  if (!(before > 0) || !Number.isFinite(now)) return now > before ? 'more' : 'less';
  const factor = now / before;
  if (factor >= 3) return `${threeDigits(factor)} times`;
  return `${factor > 1 ? '+' : '−'}${Math.abs(Math.round(100 * (factor - 1)))} %`;
}

/** Lines under a title: the last result, what changed, what is noise; none where no earlier run is known. */
export function sinceLines(load: unknown): readonly string[] {
  const since = sinceWords(load);
  if (since === null) return [];
  const { changed = [], same = [], noise = [] } = Object.groupBy(since.rows, ({ kind }) => kind);
  return [
    'Since the last run',
    `  ${since.run}: ${since.result}`,
    ...(since.differs === '' ? [] : [`  latency and errors are not compared: ${since.differs}`]),
    ...changed.map(({ figure, before, now, change }) => `  ${figure} ${now}, before ${before} (${change})`),
    ...lineOf(
      'the same',
      same.map(({ figure, now }) => `${figure} ${now}`),
    ),
    ...lineOf(
      'within noise',
      noise.map(({ figure, now, before }) => `${figure} ${now} (before ${before})`),
    ),
  ];
}

function lineOf(title: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`  ${title}: ${parts.join(', ')}`];
}
