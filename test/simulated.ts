// How the tables look at their cases: nothing lies between the run and the platform, and nobody else is there.
// `npm run simulate -- --case ID` shows one of them.
import type { Look } from '../src/simulation/cases.ts';
import { WORLDS } from '../src/simulation/worlds.ts';

export const CALM_LOOK: Look = { world: WORLDS.calm, seed: 1 };
