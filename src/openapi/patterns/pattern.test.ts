import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesWithinPair, patterns, texts } from '../../../test/support/openapi/patterns/patterns.ts';
import { isPattern, patternOf } from './pattern.ts';
import { NoProgram, Program } from './program.ts';
import { Sweep } from './sweep.ts';
import { syntaxOf } from './syntax.ts';
import { TooCostly } from './too-costly.ts';

function sweepOf(source: string): Sweep {
  const syntax = syntaxOf(source);
  const program = new Program(Number.POSITIVE_INFINITY);
  return new Sweep(program, program.add(syntax), syntax.expression.unicode);
}

describe('a sweep', () => {
  it('answers as the engine of the language does', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        const { expression } = syntaxOf(source);
        fc.pre(!matchesWithinPair(expression, text));
        expect(sweepOf(source).test(text)).toBe(expression.test(text));
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ['^.$', '\u2028', false],
    ['^\\s$', '\u00a0', true],
    ['^\\w$', 'é', false],
    ['^.$', '😀', true],
    ['^.$', '\ud83d', true],
    ['^\\p{Lu}$', 'É', true],
    ['a$', 'a\n', false],
    ['^[^]$', '\n', true],
    ['\\bé', ' é', false],
    ['(?<=a)b(?!c)', 'abd', true],
    ['(?<!a)b', 'ab', false],
    ['^[\\w\\-]+$', 'a-b', true],
  ])('of %s in %j: %s', (source, text, expected) => {
    expect(sweepOf(source).test(text)).toBe(expected);
    expect(syntaxOf(source).expression.test(text)).toBe(expected);
  });

  it('cannot follow what refers back', () => {
    expect(() => sweepOf('(a)\\1')).toThrow(NoProgram);
  });
});

describe('a pattern', () => {
  it.each([
    '^store_[0-9a-z]{14}$',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[\\s\\S]{1,4096}$',
    '^[^@\\s]+@[a-z]+$',
    '^(?!.*--)[a-z0-9-]{1,61}$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  ])('that is proven harmless is the expression of the language itself: %s', (source) => {
    expect(patternOf(source)).toBeInstanceOf(RegExp);
  });

  it.each([
    ['^(a+)+$', 'a'],
    ['(a|a)*b', 'a'],
    ['^(\\w+\\s?)+$', 'a'],
    ['(x+x+)+y', 'x'],
    ['^(?=(a+)+$)a', 'a'],
    ['(?<=^(a+)+)b', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['\\S+@\\S+\\.\\S+', '@'],
  ])('answers where backtracking would take for ever: %s', (source, letter) => {
    expect(patternOf(source).test(`${letter.repeat(20_000)}!`)).toBe(false);
  });

  it('with the same text is made once, and no two have the same name', () => {
    expect(patternOf('^(a+)+$')).toBe(patternOf('^(a+)+$'));
    // ajv keeps patterns by their text.
    expect(String(patternOf('^(a+)+$'))).not.toBe(String(patternOf('^(b+)+$')));
  });

  it('that nothing can answer says so, and is asked where the text is short', () => {
    const quoted = patternOf('^(["\']).*\\1$');
    expect(quoted.test('"a"')).toBe(true);
    expect(quoted.test('"a\'')).toBe(false);
    expect(() => quoted.test('x'.repeat(100_000))).toThrow(TooCostly);
    expect(() => patternOf(`${'('.repeat(500)}${')'.repeat(500)}`).test('a')).toThrow('too long or too deep');
    expect(() => patternOf('(?:a{0,1000}){0,1000}b').test('a'.repeat(99))).toThrow(TooCostly);
  });

  it('is one with the u flag or without it', () => {
    expect(isPattern('^\\p{L}$')).toBe(true);
    expect(isPattern('[\\w\\-]')).toBe(true);
    expect(isPattern('(')).toBe(false);
    expect(() => patternOf('(')).toThrow(SyntaxError);
  });
});
