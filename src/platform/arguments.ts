// The command line of the reference platform's process.

import { parseArgs } from 'node:util';
import { ToldError } from '../contract/told-error.ts';
import type { Limit } from './limits/limiter.ts';

export interface Arguments {
  readonly port: number;
  readonly faults: readonly string[];
  readonly tolerances: readonly string[];
  /** Description files in place of the platform's own, by service. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder whose descriptions are served, and no others; null: the platform's own. */
  readonly folder: string | null;
  readonly limits: Readonly<Record<string, Limit>>;
  readonly seed: number;
  /** Where webhooks are delivered from the start; null: nowhere. */
  readonly webhook: string | null;
  /** Ends when the process that started it goes away. */
  readonly parent: boolean;
  readonly list: 'faults' | 'tolerances' | null;
  readonly json: boolean;
}

/** A command line that cannot be followed; the message says what is wrong with it. */
export class UsageError extends ToldError<'ASSAY_OPTION_INVALID', null> {
  constructor(message: string) {
    super('ASSAY_OPTION_INVALID', message, null);
  }
}

const SERVICES = ['admin', 'store', 'ai'] as const;

/** Throws `UsageError` for unknown options and values that do not read as what they should be. */
export function readArguments(argv: readonly string[]): Arguments {
  const values = parsed(argv);
  const files: Record<string, string> = {};
  for (const service of SERVICES) if (values[service] !== undefined) files[service] = values[service];
  return {
    port: wholeNumber('--port', values.port ?? '0', 65_535),
    faults: values.fault ?? [],
    tolerances: values.tolerance ?? [],
    files,
    folder: values.specs ?? null,
    limits: Object.fromEntries((values.limit ?? []).map(limit)),
    seed: wholeNumber('--seed', values.seed ?? '1', Number.MAX_SAFE_INTEGER),
    webhook: values.webhook === undefined ? null : httpUrl(values.webhook),
    parent: values.parent ?? false,
    list: values['list-faults'] === true ? 'faults' : values['list-tolerances'] === true ? 'tolerances' : null,
    json: values.json ?? false,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        fault: { type: 'string', multiple: true },
        tolerance: { type: 'string', multiple: true },
        admin: { type: 'string' },
        store: { type: 'string' },
        ai: { type: 'string' },
        specs: { type: 'string' },
        limit: { type: 'string', multiple: true },
        seed: { type: 'string' },
        webhook: { type: 'string' },
        parent: { type: 'boolean' },
        'list-faults': { type: 'boolean' },
        'list-tolerances': { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most)
    throw new UsageError(`${name} takes a whole number up to ${most}, not "${text}"`);
  return value;
}

function httpUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`--webhook takes an http or https URL, not "${text}"`);
}

function limit(text: string): [string, Limit] {
  const read = limitIn(text);
  if (read === null)
    throw new UsageError(`--limit takes PLAN=CALLS/SECONDS, for example standard=100/60, not "${text}"`);
  return read;
}

/** "standard=100/60" as the plan and its limit; null for anything else. */
export function limitIn(text: string): [plan: string, limit: Limit] | null {
  const [, plan, calls, seconds] = /^([\w-]+)=(\d+)\/(\d+)$/.exec(text) ?? [];
  if (plan === undefined || Number(seconds) < 1) return null;
  return [plan, { calls: Number(calls), seconds: Number(seconds) }];
}
