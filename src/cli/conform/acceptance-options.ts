// Reads the waivers and the baseline that a judged report is held against, as the options name them.

import { systemClock } from '../../clock/system.ts';
import { invalidOption } from '../../config/errors.ts';
import { loadWaivers } from '../../config/waivers.ts';
import type { AcceptanceRules } from '../../grading/acceptance.ts';
import type { GateFlags } from '../process/options.ts';
import { readRun } from '../report/earlier-run.ts';

/**
 * The rules, or null where nothing was accepted beforehand. Throws UsageError for what cannot be read. `folder`: that of the
 * configuration, whose waivers.yaml holds where no file is named; null: none.
 */
export async function gateRules(
  { waivers: file, baseline: run, failOn, allowSecurity }: GateFlags,
  { folder, cwd }: { readonly folder: string | null; readonly cwd: string },
): Promise<AcceptanceRules | null> {
  if (failOn === 'new' && run === undefined)
    throw invalidOption(
      '--fail-on new goes with --baseline: without one everything is new',
      'assay conform --baseline RUN --fail-on new',
    );
  if (allowSecurity && run === undefined)
    throw invalidOption(
      '--allow-security goes with --baseline: a waiver says so itself',
      'assay conform --baseline RUN --allow-security, or allowSecurity: true beside the waiver',
    );
  if (failOn === 'any' && run === undefined)
    process.stderr.write('assay: without --baseline every violation fails the run: --fail-on any changes nothing\n');
  const waivers = await loadWaivers(file ?? null, cwd, folder);
  const baseline = run === undefined ? null : (await readRun(run)).report;
  if (waivers.length === 0 && baseline === null) return null;
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const decides = failOn ?? (baseline === null ? 'any' : 'new');
  return { waivers, baseline, failOn: decides, allowsSecurity: allowSecurity === true, today };
}
