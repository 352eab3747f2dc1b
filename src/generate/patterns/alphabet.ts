// The characters that strings are made of, in classes that no expression of a program tells apart.
import type { Program } from '../../openapi/patterns/program.ts';
import type { Kind } from './reading.ts';

export interface Letters extends Kind {
  readonly characters: readonly string[];
  readonly weight: number;
}

/** Beyond ASCII: one or more of every kind that \p{…} asks for in practice. */
const ABROAD = 'éßñöÑÖΩжЖשلअ漢あア한€£°½²–“—…\u00a0\u2028😀\u0301';
/** Characters that everybody understands come first; of each class only the best are used. */
const TIERS: readonly (readonly [RegExp, number])[] = [
  [/[a-z0-9]/, 60],
  [/[A-Z]/, 12],
  [/[ -~]/, 2],
  [/./su, 1],
];

/** Every class has at least one character. */
export function alphabetOf(program: Program): readonly Letters[] {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const spelled = [...program.spelled].map((value) => String.fromCodePoint(value));
  const all = new Set(['\t', '\n', '\r', '\0', ...printable, ...ABROAD, ...spelled]);
  const kinds = Map.groupBy(all, (character) => signatureOf(program, character));
  return [...kinds].flatMap(([signature, characters]) => lettersOf(signature, characters));
}

function signatureOf(program: Program, character: string): string {
  const numbers = [...program.sets.keys()].filter((number) => (program.sets[number] as RegExp).test(character));
  return numbers.join(' ');
}

function lettersOf(signature: string, characters: readonly string[]): Letters[] {
  const sets = new Set(signature === '' ? [] : signature.split(' ').map(Number));
  const word = /\w/.test(characters[0] as string);
  for (const [tier, weight] of TIERS) {
    const best = characters.filter((character) => tier.test(character));
    if (best.length > 0) return [{ sets, word, characters: best, weight: weight * best.length }];
  }
  return [];
}
