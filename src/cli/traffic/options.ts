// The options that `assay check` and `assay proxy` share.
import type { Command } from 'commander';
import type { RunOptions } from '../../config/config.ts';
import {
  addGateOptions,
  collect,
  collectClause,
  type GateFlags,
  receivingOptions,
  repeatable,
  seconds,
} from '../process/options.ts';

/** As commander hands them over. */
export interface TrafficFlags extends Partial<Pick<FlagsOfGate, 'waivers' | 'baseline' | 'failOn' | 'allowSecurity'>> {
  readonly config?: string;
  readonly out?: string;
  readonly service: readonly string[];
  readonly operation: readonly string[];
  readonly clause: readonly string[];
  readonly timeLimit?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

interface FlagsOfGate {
  readonly waivers: string;
  readonly baseline: string;
  readonly failOn: NonNullable<GateFlags['failOn']>;
  readonly allowSecurity: true;
}

export interface CheckFlags extends TrafficFlags {
  readonly baseUrl: readonly string[];
}

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
