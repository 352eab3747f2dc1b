// A sample of cases in every world, at a seed that is new each day: wrong verdicts that no known seed shows come to light here.
// A test that fails names the world, the case and the seed: `npm run simulate -- --case ID --world NAME --first SEED`.
import { afterAll, expect, test } from 'vitest';
import { CASES, type Case, judgeCase } from '../src/simulation/cases.ts';
import { chanceOf } from '../src/simulation/chance.ts';
import { WORLD_NAMES, WORLDS } from '../src/simulation/worlds.ts';
import { isNightly, shareDue } from './programme.ts';
import { SEED } from './seed.ts';

afterAll(() => {
  process.stdout.write(`\nsimulated worlds: seed ${SEED}\n`);
});

/** Cases that are drawn for each world. */
const DRAWN = isNightly ? 20 : 1;

/** Days in which each world is met once by day. */
const ROUND_OF_WORLDS_DAYS = 13;

/** The platform as it is, and cases by chance. By day the one or the other, by turns. */
function casesOf(world: string): readonly Case[] {
  const chance = chanceOf(SEED, `sample ${world}`);
  const draw = () => CASES[Math.floor(chance.between(1, CASES.length))];
  const drawn = Array.from({ length: DRAWN }, draw).filter((one) => one !== undefined);
  const asItIs = CASES.slice(0, 1);
  if (isNightly) return [...new Set([...asItIs, ...drawn])];
  return Math.floor(SEED / ROUND_OF_WORLDS_DAYS) % 2 === 0 ? asItIs : drawn;
}

const SAMPLE = shareDue(WORLD_NAMES, ROUND_OF_WORLDS_DAYS).flatMap((world) =>
  casesOf(world).map((one) => [one.id, world, SEED, one] as const),
);

test.each(SAMPLE)('%s in the world "%s" at seed %i is blamed for nothing else', async (...row) => {
  const [, name, seed, one] = row;
  const world = WORLDS[name];
  const { missed, falseAlarms } = await judgeCase(one, { world, seed });
  expect(falseAlarms).toEqual([]);
  // Where others use the keys or write to the lists, what they could have done is not blamed on the platform.
  if (world.othersShare === 0 && world.writesPerMinute === 0) expect(missed).toBe(false);
});
