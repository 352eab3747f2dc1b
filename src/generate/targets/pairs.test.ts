import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas, type Posted, posting } from '../../../test/support/generate/schemas.ts';
import { isValid, validBody } from '../bodies.ts';
import { BODY, candidatesOf } from './candidates.ts';
import { choose, type InputValues, isTaken, overlap, supportsOf } from './choice.ts';
import { inputsOf } from './operation-inputs.ts';
import { pairedOf, pairwise } from './pairs.ts';

const NONCE = { run: 'run-m3x9k2', serial: 'qhzkwe' };
const from = { seed: 7, nonce: NONCE };

function rowsOf({ description, operation }: Posted, before: readonly InputValues[] = []) {
  const inputs = inputsOf(description, operation);
  const base = new Map([[BODY, validBody(description, operation, 'full', from)]]);
  const candidates = candidatesOf(inputs);
  const paired = pairedOf(candidates);
  const supports = supportsOf(candidates);
  const rows = [...pairwise({ inputs, base, candidates: paired, supports }, before, () => from)].map(
    ({ values }) => values,
  );
  return { inputs, base, paired, supports, rows };
}

/** Tells whether one request can hold both, whatever else it holds. */
function together(
  { inputs, base, supports }: ReturnType<typeof rowsOf>,
  pair: Parameters<typeof pairedOf>[0],
): boolean {
  return [pair, pair.toReversed()].some((order) => {
    const values = choose({ inputs, base, candidates: order, supports }, from)?.values;
    return values !== undefined && pair.every((one) => isTaken(values, one));
  });
}

type Paired = ReturnType<typeof pairedOf>;

/** All pairs of targets that do not hold the same place. */
function pairsIn(paired: Paired): readonly Paired[] {
  return paired
    .flatMap((one, at) => paired.slice(at + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => !overlap(one, other) && !overlap(other, one));
}

describe('pairwise', () => {
  it('holds every pair of targets that one request can hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 3, maxLength: 3 }), async (schemas) => {
        for (const posted of await posting(schemas)) {
          const made = rowsOf(posted);
          for (const row of made.rows) expect(isValid(posted.description, posted.schema, row.get(BODY))).toBe(true);
          const missed = pairsIn(made.paired)
            .filter((pair) => !made.rows.some((row) => pair.every((one) => isTaken(row, one))) && together(made, pair))
            .map((pair) => pair.map(({ target }) => `${target.at} ${target.kind}`));
          expect(missed).toEqual([]);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('takes few requests: eight places of three values in at most 21, where 252 pairs are to be held', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`m${index}`, { type: 'string', enum: ['a', 'b', 'c'] }]),
    );
    const [posted] = await posting([{ type: 'object', required: Object.keys(properties), properties }]);
    const { paired, rows } = rowsOf(posted!);
    expect(paired).toHaveLength(24);
    expect(rows.length).toBeLessThanOrEqual(21);
  });

  it('holds a minimum beside a listed value, and leaves out pairs that were sent before', async () => {
    const schema = {
      type: 'object',
      required: ['count', 'color'],
      properties: { count: { type: 'integer', minimum: 0, maximum: 9 }, color: { enum: ['red', 'green'] } },
    };
    const [posted] = await posting([schema]);
    const { rows } = rowsOf(posted!);
    expect(rows.map((row) => row.get(BODY))).toEqual(
      expect.arrayContaining([
        { count: 0, color: 'red' },
        { count: 0, color: 'green' },
        { count: 9, color: 'red' },
        { count: 9, color: 'green' },
      ]),
    );
    const sent = rows.slice(1);
    expect(rowsOf(posted!, sent).rows).toHaveLength(rows.length - sent.length);
  });

  it('pairs no more than five values of a place, its first and last among them', async () => {
    const values = Array.from({ length: 30 }, (_, index) => `v${index}`);
    const [posted] = await posting([{ type: 'object', required: ['a'], properties: { a: { enum: values } } }]);
    const kinds = rowsOf(posted!).paired.map(({ target }) => target.kind);
    expect(kinds).toHaveLength(5);
    expect([kinds.at(0), kinds.at(-1)]).toEqual(['enum value v0', 'enum value v29']);
  });
});
