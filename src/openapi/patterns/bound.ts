// How many steps a backtracking engine takes at most to look for a pattern in a text, by the length of the text. What can be
// reached in one way only costs its length; what can be reached in several ways costs what follows it as many times.
// The bound holds for every text of that length; it may be far above what any text takes.
import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { ANYTHING, type First, FirstSets, NOTHING } from './first.ts';

/** Cost of a part that begins at one place. */
interface Cost {
  /** How often what follows it is tried beyond its first character, at most. */
  readonly ways: number;
  /** Steps within the part itself, over all its ways. */
  readonly steps: number;
}

/** First characters and least length of a part, whatever the text. */
interface Shape {
  readonly first: First;
  /** Characters that it reads at least. */
  readonly least: number;
}

const ONE_STEP: Cost = { ways: 1, steps: 1 };
const ENDLESS: Cost = { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };

export class BacktrackingBound {
  private readonly tree: AST.Pattern;
  private readonly sets: FirstSets;
  private readonly isAnchored: boolean;
  private readonly lookarounds: readonly AST.LookaroundAssertion[];
  /** Shapes by node and the direction in which it is read. */
  private readonly shapes = { ahead: new Map<AST.Node, Shape>(), back: new Map<AST.Node, Shape>() };

  constructor(tree: AST.Pattern, flags: string) {
    this.tree = tree;
    this.sets = new FirstSets(flags);
    this.isAnchored = !flags.includes('m') && tree.alternatives.every(startsAtStart);
    this.lookarounds = lookaroundsIn(tree);
  }

  /** Infinity where it grows beyond all numbers. */
  steps(length: number): number {
    const { steps } = this.reading(length).alternatives(this.tree.alternatives, NOTHING);
    return this.isAnchored ? steps + length : steps * this.starts(length);
  }

  /** Steps of one look at everything that the pattern looks at around a place, and one for the place itself. */
  around(length: number): number {
    const reading = this.reading(length);
    return this.lookarounds.reduce((sum, around) => sum + reading.around(around).steps, 1);
  }

  private reading(length: number): Bounded {
    return new Bounded(length, 'ahead', this.sets, this.shapes);
  }

  /** How many places of the text the engine begins at. */
  starts(length: number): number {
    return this.isAnchored ? 1 : length + 1;
  }
}

function startsAtStart({ elements: [first] }: AST.Alternative): boolean {
  if (first === undefined) return false;
  if (first.type === 'Assertion') return first.kind === 'start';
  return (first.type === 'Group' || first.type === 'CapturingGroup') && first.alternatives.every(startsAtStart);
}

function lookaroundsIn(tree: AST.Pattern): readonly AST.LookaroundAssertion[] {
  const found: AST.LookaroundAssertion[] = [];
  visitRegExpAST(tree, {
    onAssertionEnter(assertion) {
      if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') found.push(assertion);
    },
  });
  return found;
}

/** Tells whether the text is read from left to right, or from right to left as in a lookbehind. */
type Direction = 'ahead' | 'back';

class Bounded {
  private readonly length: number;
  private readonly direction: Direction;
  private readonly sets: FirstSets;
  private readonly shapes: Readonly<Record<Direction, Map<AST.Node, Shape>>>;

  constructor(
    length: number,
    direction: Direction,
    sets: FirstSets,
    shapes: Readonly<Record<Direction, Map<AST.Node, Shape>>>,
  ) {
    this.length = length;
    this.direction = direction;
    this.sets = sets;
    this.shapes = shapes;
  }

  /** `follow` is what may come after; NOTHING where the search has then succeeded, so that nothing is tried again. */
  alternatives(alternatives: readonly AST.Alternative[], follow: First): Cost {
    const all = alternatives.map((alternative) => {
      const { first, least } = this.shapeOf(alternative);
      return { first: least === 0 ? first | follow : first, ...this.sequence(alternative, follow) };
    });
    if (all.length === 1) return all[0] as Cost;
    return { ways: mostTogether(all), steps: all.reduce((sum, { steps }) => sum + steps + 1, 0) };
  }

  private sequence(alternative: AST.Alternative, follow: First): Cost {
    const elements = this.inOrder(alternative);
    const follows: First[] = [];
    let after = follow;
    for (const element of elements.toReversed()) {
      follows.unshift(after);
      const { first, least } = this.shapeOf(element);
      after = least === 0 ? first | after : first;
    }
    let [ways, steps] = [1, 1];
    for (const [at, element] of elements.entries()) {
      const cost = this.element(element, follows[at] as First);
      steps += ways * cost.steps;
      ways *= cost.ways;
    }
    return { ways, steps };
  }

  private inOrder({ elements }: AST.Alternative): readonly AST.Element[] {
    return this.direction === 'ahead' ? elements : elements.toReversed();
  }

  private element(element: AST.Element, follow: First): Cost {
    switch (element.type) {
      case 'Group':
        // The sets do not know which letters either case stands for.
        return element.modifiers === null ? this.alternatives(element.alternatives, follow) : ENDLESS;
      case 'CapturingGroup':
        return this.alternatives(element.alternatives, follow);
      case 'Quantifier':
        return this.repeated(element, follow);
      case 'Assertion':
        return element.kind === 'lookahead' || element.kind === 'lookbehind' ? this.around(element) : ONE_STEP;
      case 'Backreference':
        return { ways: 1, steps: this.length + 1 };
      default:
        return ONE_STEP;
    }
  }

  /** A lookaround is looked at once: no other way through it is tried later. */
  around({ kind, alternatives }: AST.LookaroundAssertion): Cost {
    const direction = kind === 'lookahead' ? 'ahead' : 'back';
    const inner = new Bounded(this.length, direction, this.sets, this.shapes);
    return { ways: 1, steps: inner.alternatives(alternatives, NOTHING).steps + 1 };
  }

  private repeated({ element, min, max }: AST.Quantifier, follow: First): Cost {
    if (max === 0) return ONE_STEP;
    const { first, least } = this.shapeOf(element);
    const body = this.element(element, max === 1 ? follow : first | follow);
    const rounds = Math.min(max, Math.floor(this.length / Math.max(1, least)) + Math.max(1, min));
    // From each round's end either another round or what follows can go on, never both.
    const isTold = least > 0 && (first & follow) === NOTHING;
    const tried = body.ways === 1 ? rounds + 1 : sumOfPowers(body.ways, rounds);
    const exact = body.ways ** Math.min(max, rounds);
    return { ways: isTold && body.ways === 1 ? 1 : min === max ? exact : tried, steps: tried * (body.steps + 2) };
  }

  private shapeOf(node: AST.Alternative | AST.Element): Shape {
    const shapes = this.shapes[this.direction];
    const known = shapes.get(node) ?? this.readShape(node);
    shapes.set(node, known);
    return known;
  }

  /** A lookaround takes steps of its own wherever it is looked at: it is never told by a character. */
  private firstOf({ kind }: AST.Assertion): First {
    if (kind === 'lookahead' || kind === 'lookbehind') return ANYTHING;
    return kind === (this.direction === 'ahead' ? 'end' : 'start') ? this.sets.end : NOTHING;
  }

  private readShape(node: AST.Alternative | AST.Element): Shape {
    switch (node.type) {
      case 'Alternative': {
        let shape: Shape = { first: NOTHING, least: 0 };
        for (const element of this.inOrder(node)) {
          const { first, least } = this.shapeOf(element);
          // A part that cannot go on beyond a place may still be told by the character that would come after it.
          shape = { first: shape.least === 0 ? shape.first | first : shape.first, least: shape.least + least };
        }
        return shape;
      }
      case 'Group':
      case 'CapturingGroup': {
        const shapes = node.alternatives.map((alternative) => this.shapeOf(alternative));
        const first = shapes.reduce((sum, shape) => sum | shape.first, NOTHING);
        return {
          first,
          least: shapes.reduce((least, shape) => Math.min(least, shape.least), Number.POSITIVE_INFINITY),
        };
      }
      case 'Quantifier': {
        const { first, least } = this.shapeOf(node.element);
        return { first: node.max === 0 ? NOTHING : first, least: least * node.min };
      }
      case 'Assertion':
        return { first: this.firstOf(node), least: 0 };
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return { first: this.sets.of(node), least: 1 };
      default:
        return { first: ANYTHING, least: 0 };
    }
  }
}

/** The most ways of alternatives that can begin with the same character: others are not tried one after the other. */
function mostTogether(all: readonly { readonly first: First; readonly ways: number }[]): number {
  const every = all.reduce((sum, { first }) => sum | first, NOTHING);
  let most = 1;
  for (let bit = 1n; bit <= every; bit <<= 1n) {
    if ((every & bit) === NOTHING) continue;
    most = Math.max(
      most,
      all.reduce((sum, { first, ways }) => ((first & bit) === NOTHING ? sum : sum + ways), 0),
    );
  }
  return most;
}

/** 1 + base + base² + …, up to this power. */
function sumOfPowers(base: number, power: number): number {
  const last = base ** (power + 1);
  return Number.isFinite(last) ? (last - 1) / (base - 1) : Number.POSITIVE_INFINITY;
}
