// The capacity script itself under the executor of bench/load.ts, run by k6: its own would send no faster than it is told.
import type { Options } from 'k6/options';
import arrive, { options as own } from '../suites/load/arrivals.ts';

export const options: Options = { ...own, ...JSON.parse(__ENV.ASSAY_OPTIONS ?? '') };

export default arrive;
