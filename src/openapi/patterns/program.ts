// Regular expressions as instructions of a small machine that reads text character by character (Thompson's
// construction). regexpp reads the syntax; what a class of characters holds, the engine itself tells.

import type { AST } from '@eslint-community/regexpp';
import { oncePerValue } from '../../exchange/once-per.ts';
import type { PatternSyntax } from './syntax.ts';

/** Thrown for an expression of which no program can be made; `message` says why. Caught by whoever asked for the program. */
export class NoProgram extends Error {}

export type Instruction =
  /** Reads one character of the class; `set` is an index into Program.sets. */
  | { readonly op: 'read'; readonly set: number; readonly next: number }
  | { readonly op: 'fork'; readonly nexts: number[] }
  | { readonly op: 'start' | 'end'; readonly next: number }
  | { readonly op: 'boundary'; readonly negate: boolean; readonly next: number }
  | { readonly op: 'ahead'; readonly inner: number; readonly negate: boolean; readonly next: number }
  /** `number` is an index into Program.behind. */
  | { readonly op: 'behind'; readonly number: number; readonly negate: boolean; readonly next: number }
  | { readonly op: 'match' };

const MATCH = 0;
const MAX_INSTRUCTIONS = 60_000;

/** The instructions of several expressions, which share the classes of characters that they read. */
export class Program {
  readonly instructions: Instruction[] = [{ op: 'match' }];
  readonly sets: RegExp[] = [];
  /** Characters that the expressions spell out. */
  readonly spelled = new Set<number>();
  /** Reads one letter, digit or underscore and matches; one that reads anything else. */
  readonly word: number;
  /** First instructions of all lookbehinds. */
  readonly behind: number[] = [];
  private readonly setNumber = oncePerValue(
    (_: string, source: string) => this.sets.push(new RegExp(`^${source}$`, this.flags)) - 1,
  );
  private readonly longest: number;
  private flags = 'u';

  /** `longest`: repetitions without upper bound need not be told apart beyond it. */
  constructor(longest: number) {
    this.longest = longest;
    this.word = this.push({ op: 'read', set: this.setOf('\\w'), next: MATCH });
  }

  /** The first instruction of the expression. Throws NoProgram. */
  add({ expression, tree }: PatternSyntax): number {
    const { flags } = expression;
    if (/[mv]|i.*u/.test(flags)) throw new NoProgram(`the flags ${flags} are not followed`);
    this.flags = flags.replace(/[dgy]/g, '');
    if (tree === null) throw new NoProgram(`the pattern ${shortened(expression.source)} cannot be taken apart`);
    return this.alternatives(tree.alternatives, MATCH);
  }

  private push(instruction: Instruction): number {
    if (this.instructions.length >= MAX_INSTRUCTIONS) throw new NoProgram('a pattern repeats too much to be followed');
    return this.instructions.push(instruction) - 1;
  }

  private setOf(source: string): number {
    return this.setNumber(`${this.flags} ${source}`, source);
  }

  private alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const nexts = alternatives.map(({ elements }) => elements.reduceRight((at, one) => this.element(one, at), next));
    return nexts.length === 1 ? (nexts[0] as number) : this.push({ op: 'fork', nexts });
  }

  private element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.reading(element, next);
      case 'Group':
      case 'CapturingGroup':
        if (element.type === 'Group' && element.modifiers !== null) return unsupported('modifiers', element);
        return this.alternatives(element.alternatives, next);
      case 'Quantifier':
        return this.repeated(element, next);
      case 'Assertion':
        return this.assertion(element, next);
      default:
        return unsupported(element.type === 'Backreference' ? 'a back-reference' : 'sets of strings', element);
    }
  }

  private reading(element: AST.Character | AST.CharacterSet | AST.CharacterClass, next: number): number {
    if (element.type === 'Character') this.spelled.add(element.value);
    if (element.type === 'CharacterClass') {
      for (const part of element.elements) {
        if (part.type === 'Character') this.spelled.add(part.value);
        if (part.type === 'CharacterClassRange') this.spelled.add(part.min.value).add(part.max.value);
      }
    }
    // A character may be written in a way that means something else when it stands alone: "]", "{", a surrogate pair.
    const raw = element.type === 'Character' ? escaped(element.value) : element.raw;
    return this.push({ op: 'read', set: this.setOf(raw), next });
  }

  private repeated({ element, min, max }: AST.Quantifier, next: number): number {
    let at = next;
    if (max === Number.POSITIVE_INFINITY) {
      const nexts: number[] = [];
      at = this.push({ op: 'fork', nexts });
      nexts.push(this.element(element, at), next);
    } else {
      const optional = Math.min(max - min, this.longest);
      for (let count = 0; count < optional; count += 1) {
        at = this.push({ op: 'fork', nexts: [this.element(element, at), next] });
      }
    }
    for (let count = 0; count < min; count += 1) at = this.element(element, at);
    return at;
  }

  private assertion(assertion: AST.Assertion, next: number): number {
    switch (assertion.kind) {
      case 'start':
      case 'end':
        return this.push({ op: assertion.kind, next });
      case 'word':
        return this.push({ op: 'boundary', negate: assertion.negate, next });
      case 'lookahead': {
        const inner = this.alternatives(assertion.alternatives, MATCH);
        return this.push({ op: 'ahead', inner, negate: assertion.negate, next });
      }
      case 'lookbehind': {
        const number = this.behind.push(this.alternatives(assertion.alternatives, MATCH)) - 1;
        return this.push({ op: 'behind', number, negate: assertion.negate, next });
      }
    }
  }
}

function unsupported(what: string, { raw }: AST.Node): never {
  throw new NoProgram(`the pattern part ${shortened(raw)} uses ${what}`);
}

function escaped(value: number): string {
  const character = String.fromCodePoint(value);
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
