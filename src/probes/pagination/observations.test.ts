// Tests the findings of PAG-13 on lists of many kinds, and how sure they are.
import { expect, it } from 'vitest';
import { envelopeOf, examine, type ListSetup, loadLists } from '../../../test/support/probes/pagination/lists.ts';
import { type ContractDocument, termsOf } from '../../contract/terms-of.ts';
import type { Outcome } from '../probe.ts';

const description = await loadLists();

/** `subject: value (confidence, calls)` of every row of the clause. */
function rowsOf(outcomes: readonly Outcome[], clause = 'PAG-13'): readonly string[] {
  return outcomes
    .filter((one) => one.clause === clause)
    .flatMap(({ judgement }) => judgement.observed ?? [])
    .map(({ subject, value, confidence, calls }) => `${subject}: ${value} (${confidence}, ${calls})`);
}

async function observedOf(setup: ListSetup, depths?: readonly number[]): Promise<readonly string[]> {
  return rowsOf((await examine(description, setup, depths)).outcomes);
}

it('a list has its form, sizes, order and end observed, each with an exchange that shows it', async () => {
  const { outcomes } = await examine(description, { kind: 'page', size: 143 }, [0]);
  expect(rowsOf(outcomes)).toEqual([
    'form of the list: a bare array (sure, 4)',
    'default page size: 20 (sure, 3)',
    'maximum page size: 100 (sure, 4)',
    'order: by id ascending and by name ascending (sure, 2)',
    'past the last page: 200 with [] (sure, 2)',
  ]);
  const shown = outcomes.filter(({ clause }) => clause === 'PAG-13').map(({ evidence }) => evidence.length);
  expect(shown).toEqual([1, 1, 1, 1, 1]);
});

it('no size is found out that the contract states', async () => {
  const told = async (size: object) => {
    const pagination = [{ style: 'offset', parameters: { offset: 'offset', size: 'limit' }, size }];
    const terms = termsOf({ name: 'Shop', pagination } as ContractDocument);
    const { outcomes } = await examine(description, { kind: 'offset', size: 143 }, [0], { contract: 'openapi', terms });
    return rowsOf(outcomes).filter((row) => row.includes('page size'));
  };
  expect(await told({ maximum: 100 })).toEqual(['default page size: 20 (sure, 3)']);
  expect(await told({ default: 20 })).toEqual(['maximum page size: 100 (sure, 4)']);
});

it.each<[string, ListSetup, readonly string[]]>([
  [
    'a short list tells bounds',
    { kind: 'offset', size: 9 },
    ['default page size: at least 9 (cannot-tell, 2)', 'maximum page size: at least 9 (cannot-tell, 4)'],
  ],
  [
    'an envelope names its sizes',
    { kind: 'page', size: 9, body: envelopeOf },
    ['default page size: 20 (sure, 1)', 'maximum page size: 100 (sure, 2)'],
  ],
  [
    'one item more than the default may have been added',
    { kind: 'page', size: 21 },
    ['default page size: 20 (likely, 2)'],
  ],
  ['a maximum of 50', { kind: 'offset', maximum: 50 }, ['maximum page size: 50 (sure, 4)']],
  ['a maximum of 300', { kind: 'page', size: 700, maximum: 300 }, ['maximum page size: 300 (sure, 4)']],
  ['a limit alone', { kind: 'limit' }, ['default page size: 20 (sure, 2)']],
  ['texts have no order', { kind: 'offset', item: (index) => `s${index}` }, ['order: unknown (cannot-tell, 1)']],
  [
    'few items may stand in order by chance',
    { kind: 'page', size: 5 },
    ['order: by id ascending and by name ascending (likely, 1)'],
  ],
  [
    'past the end a list answers as it likes',
    {
      kind: 'page',
      body: ({ items }) => ({ items }),
      twist: (answer, { items }) => (items.length > 0 ? answer : { status: 404, body: {} }),
    },
    ['form of the list: an envelope, items at /items (sure, 3)', 'past the last page: status 404 (sure, 2)'],
  ],
  [
    'of two arrays the one that follows the limit',
    { kind: 'page', size: 9, body: ({ items }) => ({ colours: [{}, {}], wares: items }) },
    ['form of the list: an envelope, items at /wares (sure, 3)'],
  ],
])('%s', async (_name, setup, rows) => {
  expect(await observedOf(setup, [0])).toEqual(expect.arrayContaining([...rows]));
});

it.each([50, 100, 101, 250, 333, 998])('a list that refuses limits above %i has that found out', async (maximum) => {
  const refusing = await observedOf({ kind: 'offset', maximum, refuses: true });
  expect(refusing.findLast((row) => row.startsWith('maximum'))).toMatch(`maximum page size: ${maximum} (sure`);
  const ignoring = await observedOf({ kind: 'page', size: 30, maximum, refuses: true, lenient: true });
  expect(ignoring.findLast((row) => row.startsWith('maximum'))).toMatch(`maximum page size: ${maximum} (sure`);
});

it('the activity log is asked what it makes of a limit above its maximum', async () => {
  const clamping = await examine(description, { kind: 'log' }, [0]);
  expect(rowsOf(clamping.outcomes, 'PAG-03')).toEqual(
    Array(2).fill('a limit above the maximum: answered with a smaller page (likely, 1)'),
  );
  const refusing = await examine(description, { kind: 'log', refuses: true }, [0]);
  expect(rowsOf(refusing.outcomes, 'PAG-03')[0]).toBe(
    'a limit above the maximum: refused: 400 validation_failed (likely, 1)',
  );
});
