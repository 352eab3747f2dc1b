// Which runs there are: each mode alone, and rounds of several modes drawn at random.
import { chanceOf } from './chance.ts';
import { allModes } from './modes/all.ts';
import type { Meddling } from './proxy.ts';
import type { RunLimits } from './run.ts';

export interface Case {
  /** What shows it again. */
  readonly name: string;
  readonly meddling: () => Meddling;
  readonly limits: RunLimits;
  readonly seed: number;
  /** Exit codes that are right; null: any that agrees with the report. */
  readonly ends: readonly number[] | null;
}

const LIMITS: RunLimits = { seconds: 5, requests: 100 };
/** The smoke stage and the first calls. */
const BEGINNING = 12;

/** Where a mode applies: on every answer, on every answer after a sound beginning, on some. */
export const VARIANTS = [
  { when: 'always', share: 1, spared: 0 },
  { when: 'later', share: 1, spared: BEGINNING },
  { when: 'sometimes', share: 0.3, spared: BEGINNING },
] as const;

/** Each of the modes (all where none is named) alone, in every variant (or those named). */
export function modeCases(names: readonly string[] = [], variants: readonly string[] = []): readonly Case[] {
  const known = allModes().filter(({ name }) => names.length === 0 || names.includes(name));
  return known.flatMap(({ name, ends = [1, 3] }) =>
    VARIANTS.filter(({ when }) => variants.length === 0 || variants.includes(when)).map(({ when, share, spared }) => ({
      name: `${name} (${when})`,
      meddling: () => ({ modes: allModes().filter((mode) => mode.name === name), share, spared }),
      limits: LIMITS,
      seed: 1,
      // What spoils every answer leaves nothing to pass on after a sound beginning, either; to miss answers takes longer.
      ends: when === 'always' || (when === 'later' && ends.includes(1)) ? ends : null,
    })),
  );
}

/** The round of this seed. */
export function roundOf(seed: number): Case {
  const chance = chanceOf(seed);
  const all = allModes();
  const names = new Set(Array.from({ length: 2 + chance.below(4) }, () => chance.pick(all).name));
  const share = chance.pick([0.05, 0.2, 0.5, 1]);
  const spared = chance.pick([0, BEGINNING, 40]);
  return {
    name: `--seed ${seed} --rounds 1 [${[...names].join(', ')}; share ${share}, after ${spared}]`,
    meddling: () => ({ modes: allModes().filter(({ name }) => names.has(name)), share, spared }),
    limits: LIMITS,
    seed,
    ends: null,
  };
}
