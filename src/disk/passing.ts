// Files and folders that exist only for a while: how they are named, and how they are removed. This process removes its own
// when it ends. What a killed process left is removed by the next run that comes by, which knows it by its name.
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, rmSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock/system.ts';

/** Age from which a file of another machine is a leftover: whether its process lives is not known here. */
const MIN_ABANDONED_AGE_MS = 24 * 3_600_000;
const NAME = /^\.?assay-[a-z0-9]+-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}(\.tmp)?$/;
const OWN_FOLDER = 0o700;

/** Paths that this process has to remove before it ends. */
const passing = new Set<string>();
let isListening = false;

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A new folder, readable by this user alone, below the system's folder for temporary files or the one given. */
export async function temporaryFolder(purpose: string, parent = tmpdir()): Promise<TemporaryFolder> {
  await mkdir(parent, { recursive: true });
  await sweepOnce(parent);
  const path = join(parent, `assay-${purpose}-${owner()}`);
  keepInMind(path);
  try {
    await mkdir(path, { mode: OWN_FOLDER });
  } catch (error) {
    passing.delete(path);
    throw error;
  }
  return { path, remove: () => removePassing(path) };
}

/** A path in the folder for a file that is removed, or renamed, before this process ends. `settle` says that it was. */
export function passingFile(folder: string): { readonly path: string; settle(): void } {
  const path = join(folder, `.assay-file-${owner()}.tmp`);
  keepInMind(path);
  return { path, settle: () => passing.delete(path) };
}

/** Removes what this process said to be passing. A file that cannot be removed is left. */
export async function removePassing(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
  passing.delete(path);
}

/** Folders that this process has looked through. */
const swept = new Set<string>();

/** Removes the leftovers of the folder, unless this process did so before: whoever writes there calls it first. */
async function sweepOnce(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  await removeLeftovers(folder);
}

/**
 * The same for the folder and those directly in it: a run that was killed may have been writing into a folder of its own
 * that this run never opens. Links are not followed.
 */
export async function sweepBelowOnce(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  await sweepOnce(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  await Promise.all(entries.filter((one) => one.isDirectory()).map(({ name }) => sweepOnce(join(folder, name))));
}

/**
 * Removes what processes that are gone left in the folder. Only entries of this user that are named as here are looked at.
 * A folder that cannot be read is as if it were empty.
 */
export async function removeLeftovers(folder = tmpdir(), nowMs = systemClock.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => removeLeftover(join(folder, name), NAME.exec(name), nowMs)));
}

async function removeLeftover(path: string, match: RegExpExecArray | null, nowMs: number): Promise<void> {
  if (match === null || passing.has(path)) return;
  const [, machine, pid] = match;
  const found = await lstat(path).catch(() => null);
  if (found === null || (process.getuid !== undefined && found.uid !== process.getuid())) return;
  // A run may last for days: what belongs to a process that lives is needed, however old it is.
  const isOrphan = machine === machineDigest() ? !isAlive(Number(pid)) : nowMs - found.mtimeMs > MIN_ABANDONED_AGE_MS;
  if (isOrphan) await rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Told in every name: the machine, the process, and what makes the name one of a kind. */
function owner(): string {
  return `${machineDigest()}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

let digest: string | null = null;

/** Where process ids mean the same: the host, and on Linux the space of its process ids. */
function machineDigest(): string {
  digest ??= createHash('sha256').update(`${hostname()} ${pidSpace()}`).digest('hex').slice(0, 8);
  return digest;
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux tells; elsewhere the host is enough.
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function keepInMind(path: string): void {
  passing.add(path);
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const left of passing) removeNow(left);
  });
}

function removeNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The process ends; the next run that comes by tries again.
  }
}
