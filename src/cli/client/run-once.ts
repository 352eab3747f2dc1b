// One `assay client`: prepared, played, judged, written down, summed up, and turned into an exit code.
import { join, resolve } from 'node:path';
import { CLIENT_JUDGES } from '../../checks/client/judges.ts';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { checkConfig, loadConfig } from '../../config/load.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { runClients } from '../../run/clients/run-clients.ts';
import { extensionsOf, mustBeKnown } from '../conform/extensions.ts';
import { type Interruption, interruptible } from '../conform/interrupt.ts';
import { checkServices, makeWritable } from '../conform/prepare.ts';
import type { Outcome } from '../conform/run-job.ts';
import { mustBeTold } from '../process/failure.ts';
import { mustJudge } from '../process/judged-here.ts';
import { receivingOptions } from '../process/options.ts';
import { tell } from '../process/print-result.ts';
import { keepSecret } from '../process/say.ts';
import type { ClientFlags } from './options.ts';

/** Exit code of the run. Throws UsageError before anything was started, NoVerdict where no report can be written. */
export async function clientOnce(command: readonly string[], flags: ClientFlags): Promise<number> {
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    const outcome = await performed(command, flags, interruption);
    tell(outcome, flags);
    mustBeTold(outcome);
    return exitCode(outcome.report);
  } finally {
    interruption.dispose();
  }
}

async function performed(
  command: readonly string[],
  flags: ClientFlags,
  { signal: stop, strays }: Interruption,
): Promise<Outcome> {
  const config = await configOf(flags);
  const { checks, reporters } = await extensionsOf(config);
  const options = receivingOptions(flags);
  mustBeKnown('--clause', options.clauses, checks);
  mustJudge('client', Object.keys(CLIENT_JUDGES), options.clauses);
  checkServices(options.services, config);
  const outDir = resolve(options.out ?? join('reports', options.runId));
  await makeWritable(outDir);
  const client = { command, env: process.env, folder: process.cwd(), name: null };
  const onScenario = progress(flags);
  const report = await runClients({ config, options, checks, client, clock: systemClock, stop, strays, onScenario });
  const { paths, failures } = await writeReports(report, outDir);
  return { report, paths, failures: [...failures, ...(await reportOwn(report, outDir, reporters, systemClock))] };
}

/** The configuration; without a file one that says nothing. */
async function configOf({ config: file }: ClientFlags): Promise<Config> {
  const config = await loadConfig({ file: file ?? null, baseUrl: null, env: process.env, cwd: process.cwd() });
  if (config === null) {
    const nothing = { target: { baseUrl: 'http://127.0.0.1', environment: 'local' } };
    return { ...checkConfig(nothing, 'no configuration', { baseUrl: null, env: {} }), file: null, folder: null };
  }
  keepSecret(config.secrets);
  return config;
}

const TOLD_EACH = 10;

/** Tells how far it is, every ten scenarios. */
function progress({ quiet = false }: ClientFlags): (played: number, all: number) => void {
  if (quiet) return () => {};
  process.stderr.write('assay: plays the platform for the client; waits that the contract asks for take some 20 s\n');
  return (played, all) => {
    if (played % TOLD_EACH === 0) process.stderr.write(`assay: ${played} of ${all} scenarios played\n`);
  };
}
