// The options that `assay check` and `assay proxy` share.
import type { Command } from 'commander';
import type { RunOptions } from '../../config/config.ts';
import {
  addGateOptions,
  collect,
  collectClause,
  type GateFlags,
  type RunFlags,
  receivingOptions,
  repeatable,
  seconds,
} from '../process/options.ts';

/** As commander hands them over. */
export type TrafficFlags = GateFlags &
  Pick<RunFlags, 'config' | 'out' | 'service' | 'operation' | 'clause' | 'timeLimit' | 'quiet' | 'json'>;

export type CheckFlags = TrafficFlags & { readonly baseUrl: readonly string[] };

export interface ProxyFlags extends TrafficFlags {
  readonly target?: string;
  readonly embedded?: true;
  readonly host: string;
  readonly port: number;
  readonly seconds?: number;
}

export function addTrafficOptions(command: Command): Command {
  command
    .option('--out <dir>', 'folder of the reports (default: reports/<run id>/)')
    .addOption(repeatable('--service <name>', 'only this service; repeatable', collect, 'all'))
    .addOption(repeatable('--operation <glob>', 'only operations like "GET /v1/stores*"; repeatable', collect, 'all'))
    .addOption(repeatable('--clause <id>', 'only this clause or family: ERR-04, ERR; repeatable', collectClause, 'all'))
    .option('--time-limit <seconds>', 'longest duration', seconds)
    .option('--quiet', 'print problems only')
    .option('--json', 'print the final summary as JSON on stdout');
  return addGateOptions(command);
}

export function trafficOptions(flags: TrafficFlags): RunOptions & { readonly runId: string } {
  return { ...receivingOptions(flags), operations: flags.operation };
}
