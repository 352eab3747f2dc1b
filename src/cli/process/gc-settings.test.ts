import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The value that a process of its own prints which runs this code with the module: flags of V8 are for all of a process. */
function told(code: string, isInThread = false): unknown {
  const module = JSON.stringify(join(import.meta.dirname, 'gc-settings.ts'));
  const script = `import { getHeapSpaceStatistics } from 'node:v8';
const { keepHeapSmall, holdNewSpace, giveBackGarbage } = await import(${module});
const sizeMb = (name) => getHeapSpaceStatistics().find((space) => space.space_name === name).space_size / 2 ** 20;
${code}`;
  const thread = `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(script)}, { eval: true });`;
  const args = ['--input-type=module', '--eval', isInThread ? thread : script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('space for new objects has its size at once, and keeps it whatever survives', () => {
  const [first, last] = told(`holdNewSpace();
const sizes = [sizeMb('new_space')];
const kept = [];
for (let index = 0; index < 1_000_000; index += 1) kept[index % 300_000] = { index, text: 'text ' + index };
console.log(JSON.stringify([...sizes, sizeMb('new_space')]));`) as [number, number];
  expect(first).toBeGreaterThanOrEqual(32);
  expect(last).toBe(first);
});

/** The largest heap, in multiples of the living data (MB), while every part of these is replaced again and again. */
function mostOf(livingMb: number): number {
  return told(`keepHeapSmall();
const part = () => new Array(131_072).fill(0.5);
const kept = Array.from({ length: ${livingMb} }, part);
let most = 0;
for (let index = 0; index < 1000; index += 1) {
  kept[index % 50] = part();
  if (index % 10 === 0) await new Promise(setImmediate);
  most = Math.max(most, process.memoryUsage().heapUsed);
}
console.log(JSON.stringify(most / 2 ** 20 / ${livingMb}));`) as number;
}

it('a large heap holds little garbage, and a small one as much as V8 likes', () => {
  expect(mostOf(300)).toBeLessThan(2);
  expect(mostOf(60)).toBeGreaterThan(2);
});

it('the garbage of a large heap is given back, and nothing needed is to be exposed for it', () => {
  const [before, after, newSpace, exposed] =
    told(`let kept = Array.from({ length: 400 }, () => new Array(100_000).fill(0.5));
const before = process.memoryUsage.rss();
kept = null;
await giveBackGarbage();
console.log(JSON.stringify([before, process.memoryUsage.rss(), sizeMb('new_space'), typeof globalThis.gc]));`) as [
      number,
      number,
      number,
      string,
    ];
  expect(after).toBeLessThan(before / 2);
  expect(newSpace).toBeGreaterThanOrEqual(32);
  expect(exposed).toBe('undefined');
});

it('a thread leaves its process as it is', () => {
  const sizes = told(
    "const before = sizeMb('new_space'); holdNewSpace(); console.log(JSON.stringify([before, sizeMb('new_space')]));",
    true,
  );
  expect(new Set(sizes as number[]).size).toBe(1);
});
