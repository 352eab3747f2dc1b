// Defines a run's sensitivity: how many planted defects its judges found. See docs/sensitivity.md.

/**
 * Why a planted defect was missed. not-reached: its operation gave no answer. floor: no answer, or no experiment, of the run
 * could show it. unnoticed: answers with the defect were judged sound. The others say what kept the run from it.
 */
export const MISSED_REASONS = [
  'not-reached',
  'floor',
  'unnoticed',
  'no-credential',
  'no-fixture',
  'mutations-denied',
  'budget',
  'time-limit',
  'interrupted',
  'target-lost',
  'harness-error',
] as const;
export type MissedReason = (typeof MISSED_REASONS)[number];

/** How many defects were planted, and how many of them were caught. */
export interface PlantCount {
  readonly planted: number;
  readonly caught: number;
}

/** A planted defect that the run would not have noticed. */
export interface MissedPlant {
  /** Id of the plant: "sch-01-null". */
  readonly fault: string;
  readonly clause: string;
  /** null, with `operation`, for a defect of the target as a whole. */
  readonly service: string | null;
  /** Operation key, or null. */
  readonly operation: string | null;
  readonly reason: MissedReason;
  /** The reason in words. */
  readonly detail: string;
}

export interface Sensitivity extends PlantCount {
  /** The counts of each clause family that has a planted defect, under the family's name. */
  readonly families: Readonly<Record<string, PlantCount>>;
  /** The counts of each clause that has a planted defect, under the clause's id. */
  readonly clauses: Readonly<Record<string, PlantCount>>;
  /** Places where a defect of the catalogue can be; each kind is planted at a sample of its operations. */
  readonly places: number;
  /** In the order of the catalogue. */
  readonly missed: readonly MissedPlant[];
  /** Id of each plant that was missed → how the target behaves that has it. */
  readonly faults: Readonly<Record<string, string>>;
}
