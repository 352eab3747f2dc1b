// Records, beside the samples of load, the operations that they were made on; `--from` reads the record.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyWhole, writeWhole } from '../../disk/whole-file.ts';
import { samplesPath } from '../../load/k6/measure.ts';
import { lanesOf } from '../../load/limits/ceiling.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Reached } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';
import type { Resumed } from './callers.ts';

/** Its name in the folder of the samples. */
export const RECORD_FILE = 'operations.json';

interface Named {
  readonly service: string;
  readonly operation: string;
}

/** The operations of a record: reads in their order, and those whose cost was asked for. */
export interface Recorded<T> {
  readonly reads: readonly T[];
  readonly priced: readonly T[];
}

export async function writeRecorded(folder: string, { reads, priced }: Recorded<Reached>): Promise<void> {
  const named = ({ operation: { service, key } }: Reached): Named => ({ service, operation: key });
  await writeWhole(join(folder, RECORD_FILE), JSON.stringify({ reads: reads.map(named), priced: priced.map(named) }));
}

/** The samples of what an earlier run measured to its end, so that this run's record is whole. */
export async function copySamples({ folder, keys }: Resumed, into: string): Promise<void> {
  for (const lane of [...keys].flatMap(lanesOf)) await copyWhole(samplesPath(folder, lane), samplesPath(into, lane));
}

/** Throws RunEnded (precondition) where there is no record, or one of operations that the descriptions do not have. */
export async function readRecorded(folder: string, catalogue: Catalogue): Promise<Recorded<Described>> {
  const text = await readFile(join(folder, RECORD_FILE), 'utf8').catch(() => null);
  if (text === null) throw new RunEnded('precondition', `there is no record of load: ${RECORD_FILE} is missing`);
  const recorded = recordedIn(text);
  if (recorded === null) throw new RunEnded('precondition', `${RECORD_FILE} is no record of load`);
  const described = ({ service, operation }: Named): Described => {
    const known = catalogue.operation(operation, service);
    if (known === null) throw new RunEnded('precondition', `the record calls ${operation}, which no description has`);
    return known;
  };
  return { reads: recorded.reads.map(described), priced: recorded.priced.map(described) };
}

/** The record that the text holds; null where it is none. */
export function recordedIn(text: string): Recorded<Named> | null {
  const { reads, priced } = objectIn(text);
  return isNamedList(reads) && isNamedList(priced) ? { reads, priced } : null;
}

function isNamedList(value: unknown): value is readonly Named[] {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof Object(one).service === 'string' && typeof Object(one).operation === 'string')
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // A record that is no JSON is as good as none.
    return {};
  }
}
