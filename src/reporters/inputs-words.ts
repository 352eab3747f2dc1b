// How much of the input that descriptions span was tried, in words: for one operation, and for a whole report.
import { number, plural } from '../contract/numbers.ts';
import type { OpenInput, OperationRow, Report } from '../contract/report.ts';
import { reasonWords } from './words.ts';

/** Open targets that one operation names. */
const MAX_SHOWN = 12;

/** "812 of 930 targets exercised; 118 open: 70 left out by the request budget, 48 a precondition was not met"; null where no row tells. */
export function inputsSentence({ operations, run }: Pick<Report, 'operations' | 'run'>): string | null {
  const rows = operations.flatMap(({ inputs = [] }) => inputs);
  const targets = rows.reduce((sum, row) => sum + row.targets, 0);
  if (targets === 0) return null;
  const exercised = rows.reduce((sum, row) => sum + row.exercised, 0);
  const total = `${number(exercised)} of ${plural(targets, 'target')} exercised`;
  const open = rows.flatMap((row) => row.open);
  return open.length === 0 ? total : `${total}; ${number(open.length)} open: ${reasonsOf(open, run)}`;
}

function reasonsOf(open: readonly OpenInput[], run: Report['run']): string {
  const inWords = ({ reason, note }: OpenInput): string =>
    (note === undefined ? undefined : OF_ITSELF[reason]) ?? reasonWords(reason, run);
  return [...Map.groupBy(open, inWords)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([words, those]) => `${number(those.length)} ${words}`)
    .join(', ');
}

/** Where no budget could have been spent, and no limit reached: the note of the target says so, too. */
const OF_ITSELF: Readonly<Partial<Record<OpenInput['reason'], string>>> = {
  budget: 'deeper than a run without --budget goes',
  'time-limit': 'left out to fit the run to its time',
};

/** "38 of 41 inputs; open: /body/method branch 2, …"; empty where the row does not tell, or was not called. */
export function inputsOfOperation({ inputs, tested }: Pick<OperationRow, 'inputs' | 'tested'>): string {
  if (inputs === undefined || inputs.targets === 0 || !tested) return '';
  const total = `${number(inputs.exercised)} of ${plural(inputs.targets, 'input target')} exercised`;
  if (inputs.open.length === 0) return total;
  const shown = inputs.open.slice(0, MAX_SHOWN).map(({ at, kind }) => `${at} ${kind}`);
  const rest = inputs.open.length - shown.length;
  return `${total}; open: ${shown.join(', ')}${rest > 0 ? ` and ${number(rest)} more` : ''}`;
}
