// All faults and allowed oddities of the reference platform, those of load and of webhooks among them.
import type { Deviation } from './deviation.ts';
import { FAULTS } from './faults/all.ts';
import { HOOK_FAULTS } from './faults/hook.ts';
import { LOAD_FAULTS } from './faults/load.ts';
import { TOLERANCES } from './tolerances/all.ts';
import { HOOK_TOLERANCES } from './tolerances/hook.ts';

export const ALL_FAULTS: readonly Deviation[] = [...FAULTS, ...LOAD_FAULTS, ...HOOK_FAULTS];
export const ALL_TOLERANCES: readonly Deviation[] = [...TOLERANCES, ...HOOK_TOLERANCES];
