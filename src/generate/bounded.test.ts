import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles, responseSchema } from '../../test/support/openapi/descriptions.ts';
import { drawnValue } from './drawn.ts';

const appetite = { optional: true, isVaried: false, mistrusted: new Set<string>() };
const nested = (levels: number, inner: object, wrap: (inner: object) => object): object =>
  levels === 0 ? inner : wrap(nested(levels - 1, inner, wrap));

async function reasonFor(schema: object): Promise<string> {
  const description = await loadFiles({ 'shop.json': documentWith('3.1.0', { A: schema }) });
  const drawn = drawnValue(description, responseSchema(description), appetite, { seed: 1, place: 'here' });
  return drawn.ok ? 'drawn' : drawn.reason;
}

describe('a value is not drawn', () => {
  it.each([
    ['lists of lists of lists', nested(6, {}, (items) => ({ type: 'array', minItems: 20_000, items }))],
    ['texts', { type: 'array', minItems: 20_000, items: { type: 'string', minLength: 900_000 } }],
    ['what a list must hold', { type: 'array', contains: { type: 'string' }, minContains: 1_000_000 }],
    ['members', { type: 'object', required: Array.from({ length: 100_000 }, (_, index) => `m${index}`) }],
  ])('that would be too large: %s', async (_, schema) => {
    expect(await reasonFor(schema)).toContain('it must be larger than any value that is made');
  });

  it.each([
    ['one that leaves hundreds of ways open', [`^(?:[ab]?){300}[ab]{300}$`]],
    ['many at once', Array.from({ length: 50 }, (_, index) => `.*[a-z].*${index}`)],
  ])('that takes too long to find, of patterns: %s', async (_, patterns) => {
    const schema = { type: 'string', allOf: patterns.map((pattern) => ({ pattern })) };
    expect(await reasonFor(schema)).toContain('that takes too long');
  });

  it('but for a pattern that backtracks without end one is', async () => {
    expect(await reasonFor({ type: 'string', pattern: '^(a+)+$' })).toBe('drawn');
    expect(await reasonFor({ patternProperties: { '^(a+)+$': {} }, propertyNames: { pattern: '^(x+x+)+y$' } })).toBe(
      'drawn',
    );
  });
});
