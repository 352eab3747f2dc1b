// Keeps where defects are planted in a run, and which of them its judges found. Grows with plants and a sample of operations.
import { hash } from 'node:crypto';
import { clauseFinder } from '../../contract/own-clauses.ts';
import type { MissedPlant, MissedReason, PlantCount, Sensitivity } from '../../contract/sensitivity.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';

/** Operations that one kind of defect is planted at, at most. */
export const MOST_OPERATIONS = 24;

/** The part of a plant that is told, whatever shows it. */
export interface PlantText {
  readonly id: string;
  readonly clause: string;
  readonly text: string;
  readonly lacks: string;
}

/** One defect at one operation, or at the target as a whole. */
export interface Site<P extends PlantText = PlantText> {
  readonly plant: P;
  readonly spot: Spot;
  isCaught: boolean;
  /** How often something with the defect was judged. */
  judged: number;
  /** Why the defect could not be judged, where that is known. */
  kept: Why | null;
}

export interface Why {
  readonly reason: MissedReason;
  readonly detail: string;
}

/** The reasons that kept a run from showing a defect. */
export interface Limits {
  /** Why nothing was judged of the clause on the spot; null where something was, or nobody knows. */
  whyNot(spot: Spot, clause: string): Why | null;
  readonly cutShort: Why | null;
}

export class PlantBook {
  readonly #sites: Site[] = [];
  #places = 0;

  /** Plants the defect at a sample of the spots, the same one for the same seed. */
  plant<P extends PlantText>(plant: P, spots: readonly Spot[], seed: number): readonly Site<P>[] {
    this.#places += spots.length;
    const sites = sampleOf(spots, seed).map((spot) => ({
      ...{ plant, spot },
      ...{ isCaught: false, judged: 0, kept: null },
    }));
    this.#sites.push(...sites);
    return sites;
  }

  /**
   * The result. `cutShort`: what ended the run before it had sent all; null: nothing.
   */
  result({ whyNot, cutShort }: Limits): Sensitivity {
    const missed = this.#sites.filter(({ isCaught }) => !isCaught);
    return {
      ...countOf(this.#sites),
      families: countsBy(this.#sites, ({ plant: { clause } }) => familyOf(clause)),
      clauses: countsBy(this.#sites, ({ plant: { clause } }) => clause),
      places: this.#places,
      missed: missed.map((site) => missedOf(site, whyNot(site.spot, site.plant.clause) ?? cutShort)),
      faults: Object.fromEntries(missed.map(({ plant }) => [plant.id, plant.text])),
    };
  }
}

function missedOf({ plant, spot, judged, kept }: Site, without: Why | null): MissedPlant {
  const unnoticed: Why = {
    reason: 'unnoticed',
    detail: `judged ${judged} ${judged === 1 ? 'time' : 'times'} and not found`,
  };
  const why = judged > 0 ? unnoticed : (kept ?? without ?? { reason: 'floor' as const, detail: plant.lacks });
  return { fault: plant.id, clause: plant.clause, ...spot, ...why };
}

function familyOf(clause: string): string {
  return clauseFinder([])(clause).family;
}

function countOf(sites: readonly Site[]): PlantCount {
  return { planted: sites.length, caught: sites.filter(({ isCaught }) => isCaught).length };
}

function countsBy(sites: readonly Site[], keyOf: (site: Site) => string): Readonly<Record<string, PlantCount>> {
  return Object.fromEntries([...Map.groupBy(sites, keyOf)].map(([key, own]) => [key, countOf(own)]));
}

/** The operations that come first in the order that the seed draws: the same ones for each kind of defect. */
function sampleOf(spots: readonly Spot[], seed: number): readonly Spot[] {
  if (spots.length <= MOST_OPERATIONS) return spots.map(plain);
  const ranks = new Map(spots.map((spot) => [spot, rankOf(spotKey(spot), seed)]));
  const inOrder = spots.toSorted((left, right) => ((ranks.get(left) ?? '') < (ranks.get(right) ?? '') ? -1 : 1));
  const chosen = new Set(inOrder.slice(0, MOST_OPERATIONS));
  return spots.filter((spot) => chosen.has(spot)).map(plain);
}

/** The place of an operation in the order in which operations are chosen. */
export function rankOf(key: string, seed: number): string {
  return hash('sha256', `${seed} ${key}`);
}

function plain({ service, operation }: Spot): Spot {
  return { service, operation };
}
