import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backtracking, TooManySteps } from '../../../test/support/openapi/patterns/backtracking.ts';
import { matchesWithinPair, patterns, texts } from '../../../test/support/openapi/patterns/patterns.ts';
import { BacktrackingBound } from './bound.ts';
import { stepsACharacter } from './pattern.ts';
import { Program } from './program.ts';
import { syntaxOf } from './syntax.ts';

/** Steps of the engine that one step of the bound stands for: where nothing can be tried twice the small things count. */
const FEW = 4;
const MOST = 300_000;
const lengths = { numRuns: 400 };

/** Steps of an ordinary engine; Infinity: more than a test waits for. */
function stepsOf(source: string, text: string): number {
  const { expression, tree } = syntaxOf(source);
  const engine = new Backtracking(text, expression.flags, MOST);
  try {
    const found = engine.test(tree!);
    if (!matchesWithinPair(expression, text)) expect(found).toBe(expression.test(text));
  } catch (error) {
    if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return engine.steps;
}

describe('the bound of backtracking', () => {
  it('is passed by no text', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        const { expression, tree } = syntaxOf(source);
        const bound = new BacktrackingBound(tree!, expression.flags).steps(text.length);
        const steps = stepsOf(source, text);
        expect(Math.min(steps, MOST)).toBeLessThanOrEqual(FEW * bound);
      }),
      lengths,
    );
  });

  it('is passed by no long text of few characters', () => {
    const long = fc.array(fc.constantFrom('a', 'a', 'a', 'b', '-'), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(patterns, long, (source, text) => {
        const { expression, tree } = syntaxOf(source);
        const bound = new BacktrackingBound(tree!, expression.flags).steps(text.length);
        expect(Math.min(stepsOf(source, text), MOST)).toBeLessThanOrEqual(FEW * bound);
      }),
      lengths,
    );
  });

  it('counts every way that a text leaves open', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        const { expression, tree } = syntaxOf(source);
        const program = new Program(Number.POSITIVE_INFINITY);
        const perCharacter = stepsACharacter(program, program.add({ expression, tree }), expression.flags);
        const bound = new BacktrackingBound(tree!, expression.flags);
        // Groups that hold nothing are steps of this engine, and no instructions.
        const each = perCharacter * bound.around(text.length) + source.length;
        const steps = bound.starts(text.length) * (text.length + 1) * each;
        expect(Math.min(stepsOf(source, text), MOST)).toBeLessThanOrEqual(FEW * steps);
      }),
      lengths,
    );
  });

  it.each([
    ['^[a-z]+$', 1],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 2],
    ['^.*\\.(jpg|png)$', 1],
    ['^[^@]+@[^@]+$', 1],
    ['[a-z]+@', 2],
    ['^.*.*x$', 2],
    ['^(?=.*\\d).*$', 1],
  ])('of %s grows with the length to the power of %i', (source, power) => {
    const { expression, tree } = syntaxOf(source);
    const bound = new BacktrackingBound(tree!, expression.flags);
    const growth = Math.log10(bound.steps(1e6) / bound.steps(1e5));
    expect(Math.round(growth)).toBe(power);
  });

  it.each(['^(a+)+$', '(a|a)*b', '^(\\w+\\s?)+$', '^(?:(?=(a+)+$)|x)', '(?<=^(a+)+)b', '(x+x+)+y'])(
    'of %s has no end',
    (source) => {
      const { expression, tree } = syntaxOf(source);
      expect(new BacktrackingBound(tree!, expression.flags).steps(5000)).toBe(Number.POSITIVE_INFINITY);
    },
  );
});
