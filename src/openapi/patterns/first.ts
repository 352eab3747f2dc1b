// Which characters a part of a pattern may begin with, as a set of 130 bits: one for each character of ASCII, one for all
// others together, one for the end of the text. Two parts without a common bit cannot both go on from the same place.

import type { AST } from '@eslint-community/regexpp';
import { oncePerValue } from '../../exchange/once-per.ts';

/** Bits of characters and of the end. A set may hold too many of them, never too few. */
export type First = bigint;

export const NOTHING: First = 0n;
const ASCII = 128;
const OTHERS = 1n << BigInt(ASCII);
export const END: First = 1n << BigInt(ASCII + 1);
export const ANYTHING: First = END * 2n - 1n;

/** Reads the sets of one expression's characters and classes, each once. */
export class FirstSets {
  private readonly flags: string;
  /** True where letters stand for themselves alone. */
  private readonly isOfCase: boolean;

  constructor(flags: string) {
    this.flags = flags.replace(/[gy]/g, '');
    this.isOfCase = !flags.includes('i');
  }

  of(part: AST.Character | AST.CharacterSet | AST.CharacterClass): First {
    if (part.type !== 'Character') return this.ofSource(part.raw);
    if (part.value >= ASCII) return this.isOfCase ? OTHERS : ANYTHING;
    return this.isOfCase ? 1n << BigInt(part.value) : this.ofSource(`\\x${part.value.toString(16).padStart(2, '0')}`);
  }

  /** Characters that may stand at the end of a text, or of a line where the flags say so. */
  get end(): First {
    return this.flags.includes('m') ? END | this.ofSource('[\\n\\r]') | OTHERS : END;
  }

  /** Characters of a class as it is written. */
  readonly ofSource = oncePerValue((source: string): First => {
    const expression = new RegExp(`^${source}$`, this.flags);
    // With both flags a letter stands for characters beyond ASCII, too: K for the sign of Kelvin.
    const isAscii = ASCII_ALONE.test(source) && !(this.flags.includes('i') && this.flags.includes('u'));
    let set = isAscii ? NOTHING : OTHERS;
    for (let code = 0; code < ASCII; code += 1)
      if (expression.test(String.fromCharCode(code))) set |= 1n << BigInt(code);
    return set;
  });
}

/** An escape that means a character of ASCII, or a class of such. */
const ESCAPE = /\\(?:[dwfnrtv0]|x[0-7][0-9a-f]|[!-/:-@[-`{-~])/.source;
/** A part that is written so that no character beyond ASCII can be meant: no `.`, nothing negated, no \s, \p or \u. */
const ASCII_ALONE = new RegExp(`^(?:[ --/-Z_-~]|${ESCAPE}|\\[(?!\\^)(?:[ -Z^-~[]|${ESCAPE})*\\])$`);
