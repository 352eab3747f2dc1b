import type { Deviation } from '../deviation.ts';
export const FAULTS: readonly Deviation[] = [];
