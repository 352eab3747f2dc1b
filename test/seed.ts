// What tests draw by chance, they draw from the seed of the day: each day sees other values, and on one day a change that passes here
// passes everywhere. `ASSAY_TEST_SEED=7 npm test` takes another seed.
import { systemClock } from '../src/clock/system.ts';

const DAY_MS = 86_400_000;

export const SEED = Number(process.env.ASSAY_TEST_SEED ?? Math.floor(systemClock.now() / DAY_MS));
