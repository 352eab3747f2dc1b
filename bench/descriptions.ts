// How fast descriptions are ready to send: from the call that loads them to the first request built, in a process of its
// own each time, without a cache, then with it, beside JSON.parse of the same files. Medians; the ratios hold on any machine.
// `node bench/descriptions.ts [FILE…]`; without files: the scale model. Exits 1 when a goal is missed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reading } from './description-reading.ts';
import { writeScaleModel } from './scale-model/scale-model.ts';

const ROUNDS = 5;
const SEED = 1;
/** Of a machine with two cores that does nothing else. */
const GOALS = {
  'scale model': { coldMs: 1700, warmMs: 300, megabytes: 600 },
  files: { coldMs: 3000, warmMs: 3000, megabytes: 600 },
};

const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const given = process.argv.slice(2);
  const isModel = given.length === 0;
  const files = isModel ? await writeScaleModel(join(scratch, 'model'), SEED) : given;
  if (!measured(files, isModel ? 'scale model' : 'files')) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Prints the medians, their ratios and the memory; whether the goals are met. */
function measured(files: readonly string[], name: keyof typeof GOALS): boolean {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const cache = join(scratch, `cache-${round}`);
    return { cold: reading(cache, files), warm: reading(cache, files) };
  });
  const [cold, warm] = [rounds.map((round) => round.cold), rounds.map((round) => round.warm)];
  const all = [...cold, ...warm];
  const goal = GOALS[name];
  const parseMs = median(all.map((one) => one.parseMs ?? Number.NaN));
  const { operations, sizeMegabytes, request } = all[0] as Reading;
  console.log(`${name}: ${sizeMegabytes.toFixed(1)} MB, ${operations} operations; first request: ${request}`);
  const coldMs = told('cold', cold, parseMs, goal.coldMs);
  const warmMs = told('warm', warm, parseMs, goal.warmMs);
  const megabytes = Math.max(...all.map((one) => one.megabytes));
  const parse = Number.isNaN(parseMs) ? '' : `JSON.parse ${(parseMs / 1000).toFixed(3)} s; `;
  console.log(`${parse}peak memory ${megabytes.toFixed(0)} MB (goal ≤ ${goal.megabytes})`);
  return coldMs <= goal.coldMs && warmMs <= goal.warmMs && megabytes <= goal.megabytes;
}

/** Prints one kind of reading; returns its median. */
function told(what: string, readings: readonly Reading[], parseMs: number, mostMs: number): number {
  const readyMs = median(readings.map((one) => one.readyMs));
  const cpuMs = median(readings.map((one) => one.cpuMs));
  const ratio = Number.isNaN(parseMs) ? '' : `, ${(readyMs / parseMs).toFixed(1)} × JSON.parse`;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  console.log(`${what} ${seconds(readyMs)} (cpu ${seconds(cpuMs)}${ratio}; goal ≤ ${seconds(mostMs)})`);
  return readyMs;
}

function reading(cache: string, files: readonly string[]): Reading {
  const script = join(import.meta.dirname, 'description-reading.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, cache, ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Reading;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
