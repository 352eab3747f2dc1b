// A pattern as V8 and regexpp read it. ECMA-262 with the u flag is what JSON Schema asks for, but descriptions in the wild
// escape more than that allows (`\-`): those are read without it.
import { type AST, RegExpParser } from '@eslint-community/regexpp';

export interface PatternSyntax {
  readonly expression: RegExp;
  /** null where the tree cannot be read: it is too long or too deep, or newer than the parser. */
  readonly tree: AST.Pattern | null;
}

const PARSER = new RegExpParser({ ecmaVersion: 2025 });
/** Longer and deeper patterns are not taken apart: whoever walks their tree would run out of stack. */
const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 200;

/** Throws SyntaxError when the source is a pattern neither with the u flag nor without it. */
export function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    // Many descriptions hold patterns that are valid without the u flag alone.
    return new RegExp(source);
  }
}

/** Throws SyntaxError as expressionOf does. */
export function syntaxOf(source: string): PatternSyntax {
  const expression = expressionOf(source);
  if (source.length > MAX_CHARACTERS || depthOf(source) > MAX_DEPTH) return { expression, tree: null };
  try {
    return { expression, tree: PARSER.parsePattern(source, 0, source.length, { unicode: expression.unicode }) };
  } catch {
    // The engine knows more than the parser does; it is then asked alone.
    return { expression, tree: null };
  }
}

/** At least as deep as the groups are nested: a parenthesis in a class counts, too. */
function depthOf(source: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth -= 1;
  }
  return deepest;
}
