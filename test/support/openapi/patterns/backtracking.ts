// A backtracking engine that counts its steps, for tests: what an engine of the language does, without what makes it fast.
import type { AST } from '@eslint-community/regexpp';

type Go = (place: number) => boolean;

/** Thrown when it takes longer than a test may. */
export class TooManySteps extends Error {}

export class Backtracking {
  steps = 0;
  private readonly characters: readonly string[];
  private readonly flags: string;
  private readonly most: number;

  constructor(text: string, flags: string, most: number) {
    this.characters = flags.includes('u') ? Array.from(text) : text.split('');
    this.flags = flags;
    this.most = most;
  }

  test({ alternatives }: AST.Pattern): boolean {
    for (let start = 0; start <= this.characters.length; start += 1)
      if (this.alternatives(alternatives, 1, start, () => true)) return true;
    return false;
  }

  private step(): void {
    this.steps += 1;
    if (this.steps > this.most) throw new TooManySteps();
  }

  /** `by`: 1 to the right, -1 to the left. */
  private alternatives(alternatives: readonly AST.Alternative[], by: 1 | -1, place: number, go: Go): boolean {
    return alternatives.some(({ elements }) => {
      this.step();
      return this.sequence(by === 1 ? elements : elements.toReversed(), by, place, go);
    });
  }

  private sequence([first, ...rest]: readonly AST.Element[], by: 1 | -1, place: number, go: Go): boolean {
    if (first === undefined) return go(place);
    return this.element(first, by, place, (next) => this.sequence(rest, by, next, go));
  }

  private element(element: AST.Element, by: 1 | -1, place: number, go: Go): boolean {
    this.step();
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives, by, place, go);
      case 'Quantifier':
        return this.repeated(element, by, place, go);
      case 'Assertion':
        return this.holds(element, place) && go(place);
      default: {
        const character = this.characters[by === 1 ? place : place - 1];
        const one = new RegExp(`^(?:${element.raw})$`, this.flags);
        return character !== undefined && one.test(character) && go(place + by);
      }
    }
  }

  private repeated({ element, min, max, greedy }: AST.Quantifier, by: 1 | -1, start: number, go: Go): boolean {
    const from = (count: number, place: number): boolean => {
      this.step();
      const again = (): boolean =>
        count < max &&
        this.element(element, by, place, (next) => (next === place && count >= min ? false : from(count + 1, next)));
      if (count < min) return again();
      return greedy ? again() || go(place) : go(place) || again();
    };
    return from(0, start);
  }

  private holds(assertion: AST.Assertion, place: number): boolean {
    const { length } = this.characters;
    const isWord = (at: number): boolean => /^\w$/.test(this.characters[at] ?? '');
    switch (assertion.kind) {
      case 'start':
        return place === 0;
      case 'end':
        return place === length;
      case 'word':
        return (isWord(place - 1) !== isWord(place)) !== assertion.negate;
      default:
        return (
          this.alternatives(assertion.alternatives, assertion.kind === 'lookahead' ? 1 : -1, place, () => true) !==
          assertion.negate
        );
    }
  }
}
