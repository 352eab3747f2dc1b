import type { Deviation } from '../deviation.ts';
export const TOLERANCES: readonly Deviation[] = [];
