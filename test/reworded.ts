// A thread that performs the run of many-faults.ts with other words in every breach, and posts its findings. It loads every module anew,
// so that what it replaces reaches no test.
import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';

/** Every breach of every check goes through this function. */
const BREACHED = 'export function breached<';
const REWORDING = `
import { hash } from 'node:crypto';
const otherWords = (text) => 'other words ' + hash('sha256', text).slice(0, 12);
const reworded = ({ cause, message, expected, ...rest }) =>
  ({ ...rest, cause: otherWords(cause), message: otherWords(message), expected: otherWords(expected) });
export const breached = (breaches, assertions) => breachedAsSaid(breaches.map(reworded), assertions);
`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/contract/judgement.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(BREACHED)) throw new Error(`${url} has no line "${BREACHED}"`);
    return { ...loaded, source: source.replace(BREACHED, 'function breachedAsSaid<') + REWORDING };
  },
});
const { findingsOfManyFaults } = await import('./many-faults.ts');
parentPort?.postMessage(await findingsOfManyFaults());
