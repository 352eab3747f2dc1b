// The reference platform as a process of its own: reads its arguments, serves, and prints one JSON line when it does.

import { once } from 'node:events';
import { ToldError } from '../contract/told-error.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';
import { ALL_FAULTS, ALL_TOLERANCES, listOf, selectDeviations } from './deviations.ts';
import { servePlatform } from './http/serve.ts';
import { readModel } from './schema/model.ts';

async function start(options: Arguments): Promise<void> {
  const deviations = [
    ...selectDeviations(ALL_FAULTS, options.faults, 'fault'),
    ...selectDeviations(ALL_TOLERANCES, options.tolerances, 'tolerance'),
  ];
  const documents = await readModel(options.files, options.folder).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const stopped = stopRequested(options.parent);
  const { port, seed, limits, webhook } = options;
  const { stop, ...offered } = await servePlatform({ documents, deviations, port, seed, limits, webhook });
  // Who does not read the address may know it.
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.stringify(offered)}\n`);
  await stopped;
  await stop();
}

/** Resolves on SIGTERM, SIGINT or SIGHUP, and with `parent` when the process that started this one goes away. */
async function stopRequested(parent: boolean): Promise<void> {
  const signs = [once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')];
  if (parent) {
    process.stdin.resume();
    signs.push(once(process.stdin, 'close'), once(process.stdin, 'end'), once(process, 'disconnect'));
  }
  await Promise.race(signs);
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options.list === null) {
    await start(options);
    process.exit(0);
  }
  process.stdout.write(listOf(options.list === 'faults' ? ALL_FAULTS : ALL_TOLERANCES, { json: options.json }));
} catch (error) {
  if (!(error instanceof ToldError) && !isListenError(error)) throw error;
  process.stderr.write(`assay platform: ${(error as Error).message}\n`);
  process.exit(2);
}

/** The port is taken, or may not be opened. */
function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
