// Lists of others that are followed: the sound servers pass with their laws judged, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { oneDue } from '../programme.ts';
import { booksApi } from './books.ts';
import { STYLES } from './followed-cases.ts';
import { failedIn, judgedByContract, rowsOf } from './in-memory.ts';
import { judgedSensing, type Planted } from './sensed.ts';
import { contractTable } from './table.ts';

describe.each<readonly [style: keyof typeof STYLES, judged: readonly string[], planted: Planted]>([
  ['cursor', ['PAG-02', 'PAG-12', 'PAG-14'], { 'PAG-14': 1 }],
  ['stripe', ['PAG-12', 'PAG-14'], {}],
  ['connection', ['PAG-12', 'PAG-14'], {}],
  ['linkHeader', ['PAG-12', 'PAG-15'], { 'PAG-15': 1 }],
  ['jsonApi', ['PAG-12', 'PAG-15'], {}],
])('a sound list of style %s', (style, judged, planted) => {
  it('passes with its laws judged', async () => {
    const report = await judgedSensing(booksApi(STYLES[style]), planted);
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...judged)).toEqual(judged.map((id) => `${id} pass`));
  });

  it.each(oneDue([0, 1, 2]))('of %i books passes, or is not tested', async (books) => {
    const report = await judgedByContract(booksApi(STYLES[style], { books }));
    expect(failedIn(report)).toEqual([]);
    expect(rowsOf(report, 'PAG-14', 'PAG-15').join()).not.toContain('pass');
  });
});

contractTable('lists that are followed', ({ style, ways }, asking) =>
  judgedByContract(booksApi(STYLES[style], ways), asking),
);
