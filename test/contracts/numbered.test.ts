// Lists by number of APIs that are not the platform: the sound servers pass with their laws judged, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { oneDue } from '../programme.ts';
import { booksApi } from './books.ts';
import { type Answer, failedIn, judgedByContract, rowsOf } from './in-memory.ts';
import { STYLES } from './numbered-cases.ts';
import { judgedSensing, type Planted } from './sensed.ts';
import { contractTable } from './table.ts';

const OF_PAGES = { 'PAG-01': 1, 'PAG-03': 1, 'PAG-04': 2, 'PAG-05': 1, 'PAG-08': 5, 'PAG-12': 2 };

describe.each<readonly [style: keyof typeof STYLES, judged: readonly string[], planted: Planted]>([
  ['spring', ['PAG-01', 'PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-08', 'PAG-10', 'PAG-12'], OF_PAGES],
  ['perPage', ['PAG-02', 'PAG-03', 'PAG-04', 'PAG-08', 'PAG-10', 'PAG-12'], {}],
  ['offset', ['PAG-07', 'PAG-10', 'PAG-12'], { 'PAG-07': 5, 'PAG-12': 2 }],
  ['tallied', ['PAG-01', 'PAG-05', 'PAG-06', 'PAG-07', 'PAG-10', 'PAG-12'], {}],
])('a sound list of style %s', (style, judged, planted) => {
  it('passes with its laws judged', async () => {
    const report = await judgedSensing(booksApi(STYLES[style]), planted);
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...judged)).toEqual(judged.map((id) => `${id} pass`));
  });

  it.each(oneDue([0, 1]))('of %i books passes, or is not tested', async (books) => {
    expect(failedIn(await judgedByContract(booksApi(STYLES[style], { books })))).toEqual([]);
  });
});

contractTable('lists by number', ({ style, ways, contract }, asking) =>
  judgedByContract(booksApi(STYLES[style], ways, contract), asking),
);

it('a total that is one too few is no item past the end', async () => {
  const few = ({ body, ...answer }: Answer): Answer => {
    const { totalElements } = body as { readonly totalElements?: number };
    return {
      ...answer,
      body: totalElements === undefined ? body : { ...(body as object), totalElements: totalElements - 1 },
    };
  };
  const failed = failedIn(await judgedByContract(booksApi(STYLES.spring, { answer: few })));
  expect(failed).toContain('PAG-06');
  expect(failed).not.toContain('PAG-10');
});

it('an API that asks for no key is held to what an unknown path gets', async () => {
  const contract = [...STYLES.spring.contract, 'requests: { unknownPath: { status: 404 } }'];
  expect(rowsOf(await judgedByContract(booksApi(STYLES.spring, {}, contract)), 'REQ-01')).toEqual(['REQ-01 pass']);
});
