import { RegExpParser } from '@eslint-community/regexpp';
import addFormats, { type FormatName } from 'ajv-formats';
import { expect, it } from 'vitest';
import { BacktrackingBound } from '../patterns/bound.ts';
import { stepsACharacter } from '../patterns/pattern.ts';
import { Program } from '../patterns/program.ts';

it.each<FormatName>(['email', 'hostname', 'ipv4', 'ipv6', 'uuid'])(
  'no text makes the expression of %s backtrack more than a bounded number of steps a character',
  (name) => {
    const expression = addFormats.default.get(name) as RegExp;
    const tree = new RegExpParser().parsePattern(expression.source, 0, expression.source.length, { unicode: false });
    const program = new Program(Number.POSITIVE_INFINITY);
    const first = program.add({ expression, tree });
    const bound = new BacktrackingBound(tree, expression.flags);
    expect(bound.starts(1000)).toBe(1);
    expect(stepsACharacter(program, first, expression.flags, Number.POSITIVE_INFINITY)).toBeLessThan(1000);
    expect(bound.around(1e6)).toBeLessThan(5000);
  },
);
