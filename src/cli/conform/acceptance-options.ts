// Reads the waivers and the baseline that a judged report is held against, as the options name them.

import { systemClock } from '../../clock/system.ts';
import { UsageError } from '../../config/errors.ts';
import { loadWaivers } from '../../config/waivers.ts';
import type { AcceptanceRules } from '../../grading/acceptance.ts';
import type { GateFlags } from '../process/options.ts';
import { readRun } from '../report/earlier-run.ts';

export interface GateRequest extends GateFlags {
  /** Folder of the configuration, whose waivers.yaml holds where no file is named; null: none. */
  readonly folder: string | null;
  readonly cwd: string;
}

/** The rules, or null where nothing was accepted beforehand. Throws UsageError for what cannot be read. */
export async function gateRules(request: GateRequest): Promise<AcceptanceRules | null> {
  if (request.failOn === 'new' && request.baseline === null)
    throw new UsageError(
      'ASSAY_OPTION_INVALID',
      '--fail-on new goes with --baseline: without one everything is new',
      'assay conform --baseline RUN --fail-on new',
    );
  if (request.allowSecurity && request.baseline === null)
    throw new UsageError(
      'ASSAY_OPTION_INVALID',
      '--allow-security goes with --baseline: a waiver says so itself',
      'assay conform --baseline RUN --allow-security, or allowSecurity: true beside the waiver',
    );
  if (request.failOn === 'any' && request.baseline === null)
    process.stderr.write('assay: without --baseline every violation fails the run: --fail-on any changes nothing\n');
  const waivers = await loadWaivers(request.waivers, request.cwd, request.folder);
  const baseline = request.baseline === null ? null : (await readRun(request.baseline)).report;
  if (waivers.length === 0 && baseline === null) return null;
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const failOn = request.failOn ?? (baseline === null ? 'any' : 'new');
  return { waivers, baseline, failOn, allowsSecurity: request.allowSecurity, today };
}
