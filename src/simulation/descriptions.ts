// Descriptions of simulated platforms, read and compiled once a process: most faults leave them as they are.
import { hash } from 'node:crypto';
import type { Description } from '../openapi/model/operation.ts';
import { loadDescription } from '../openapi/read/load.ts';

const known = new Map<string, Description>();
const MOST_KNOWN = 100;

/** Of a description at hand, under the name of its file. */
export async function readOnce(service: string, file: string, text: string): Promise<Description> {
  const key = hash('sha256', `${service} ${file} ${text}`);
  const before = known.get(key);
  if (before !== undefined) return before;
  const description = await loadDescription({ service, file, text, remoteRefs: [] });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, description);
  return description;
}

/** Lets go of those that came to have further problems in a run: the next run is to find them anew. */
export function forgetProblematic(problemsBefore: ReadonlyMap<Description, number>): void {
  for (const [key, description] of known) {
    const before = problemsBefore.get(description);
    if (before !== undefined && before !== description.problems.length) known.delete(key);
  }
}
