// The tool judged by itself: the embedded platform without a fault must not be blamed, and each of its faults must be
// caught by its clause. Known once for a program, until the program changes.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SelfCheck } from '../certify/statement.ts';
import { systemClock } from '../clock/system.ts';
import { cacheFolder } from '../config/cache-folder.ts';
import type { RunOptions } from '../config/config.ts';
import type { Report } from '../contract/report.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { FAULTS } from '../platform/faults/all.ts';
import { conform } from '../run/conform.ts';
import { loadDescriptions } from './descriptions.ts';
import { startEmbedded } from './embedded.ts';

/** Runs at once: each is a platform and a client. */
const AT_ONCE = 2;
/** Some faults show only within milliseconds: on a busy machine one more look is fair. */
const LOOKS = 2;

export interface SelfCheckRequest {
  /** Digest of the program. */
  readonly tool: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
  /** How many faults were tried, of how many. */
  onProgress(done: number, all: number): void;
}

/** What came of it; null where it was interrupted. Kept in the user's cache by the program's digest. */
export async function selfCheck(request: SelfCheckRequest): Promise<SelfCheck | null> {
  const folder = cacheFolder(request.env, process.platform);
  const file = folder === null ? null : join(folder, `self-check-${request.tool}.json`);
  const known = file === null ? null : await readFile(file, 'utf8').then(parsed, () => null);
  if (known?.tool === request.tool) return known;
  const made = await performed(request);
  if (made !== null && file !== null && folder !== null) await kept(folder, file, made);
  return made;
}

async function performed({ tool, stop, onProgress }: SelfCheckRequest): Promise<SelfCheck | null> {
  const clean = (await judge([], [], stop)).findings.every(({ kind }) => kind !== 'violation');
  const waiting = [...FAULTS];
  const missed: string[] = [];
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined && !stop.aborted; fault = waiting.shift()) {
      if (!(await isCaught(fault, stop))) missed.push(fault.id);
      onProgress(FAULTS.length - waiting.length, FAULTS.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (stop.aborted) return null;
  return { tool, clean, faults: FAULTS.length, caught: FAULTS.length - missed.length, missed: missed.sort() };
}

async function isCaught({ id, clause }: (typeof FAULTS)[number], stop: AbortSignal): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { clauses } = await judge([id], [clause], stop);
    if (clauses.some((row) => row.id === clause && row.violations > 0)) return true;
  }
  return false;
}

async function judge(faults: readonly string[], clauses: readonly string[], stop: AbortSignal): Promise<Report> {
  const { config, end } = await startEmbedded({ faults });
  try {
    const descriptions = await loadDescriptions(config);
    return await conform({
      config,
      options: optionsFor(clauses),
      descriptions,
      clock: systemClock,
      onProgress: () => {},
      stop,
    });
  } finally {
    await end();
  }
}

function optionsFor(clauses: readonly string[]): RunOptions {
  const none = { services: [], operations: [], out: null, budget: null, timeLimitSeconds: null };
  return { ...none, clauses, seed: 1, runId: 'self-check' };
}

async function kept(folder: string, file: string, made: SelfCheck): Promise<void> {
  // Without it the check is made again: no run fails for a cache that cannot be written.
  await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => writeWhole(file, JSON.stringify(made)))
    .catch(() => {});
}

function parsed(text: string): SelfCheck | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
