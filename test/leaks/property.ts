// The property: whatever a target does with the secrets that it is sent, none of them stands in anything that is written.
import fc from 'fast-check';
import { artefactsOf, KNOWN } from './artefacts.ts';
import { type Draw, drawing } from './drawing.ts';
import { type Leak, leaksIn } from './search.ts';

/** Draws that share a report. */
const GROUP = 10;

/** Makes so many draws, and rejects with the seed and what leaked where. `onGroup` is told how many were made. */
export async function assertNoLeaks(
  draws: number,
  seed: number,
  onGroup: (made: number) => void = () => {},
): Promise<void> {
  let made = 0;
  const group = fc.tuple(...Array.from({ length: GROUP }, (_, serial) => drawing(serial)));
  const property = fc.asyncProperty(group, async (drawn) => {
    const leaks = await leaksOf(drawn);
    if (leaks.length > 0) throw new Error(await told(drawn, leaks));
    made += GROUP;
    onGroup(made);
  });
  const result = await fc.check(property, { seed, numRuns: Math.ceil(draws / GROUP), endOnFailure: true });
  if (!result.failed) return;
  const why = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
  throw new Error(`after ${made} draws, seed ${seed}, path ${result.counterexamplePath}: ${why}`);
}

async function leaksOf(drawn: readonly Draw[]): Promise<readonly Leak[]> {
  const values = drawn.flatMap(({ secrets }) => secrets.map(({ value }) => value));
  const { artefacts, secrets } = await artefactsOf(drawn);
  return leaksIn(artefacts, [...values, ...secrets], KNOWN);
}

/** The draws that leak by themselves, and what. */
async function told(drawn: readonly Draw[], leaks: readonly Leak[]): Promise<string> {
  const alone: string[] = [];
  for (const draw of drawn) {
    const own = await leaksOf([draw]);
    if (own.length > 0) alone.push(JSON.stringify({ draw, leaks: own.slice(0, 3) }, null, 1));
  }
  const found = alone.length > 0 ? alone : [JSON.stringify(leaks.slice(0, 5), null, 1)];
  return `${leaks.length} leaks:\n${found.join('\n')}`;
}
