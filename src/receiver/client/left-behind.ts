// Ends what a command leaves behind outside of its process group: a daemon has a session of its own, and still has the
// environment that it was started with, in which one variable is like no other.
import { readdir, readFile } from 'node:fs/promises';

/** A process that is ended may have started another one meanwhile. */
const MOST_ROUNDS = 5;

/**
 * Kills every process whose environment holds the text, this one aside, and returns how many they were. Only Linux shows the
 * environment of a process: elsewhere nothing is found. Neither is a process that cleared its environment, or another user's.
 */
export async function endLeftBehind(mark: string): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = await processesWith(mark);
    if (left.length === 0) break;
    for (const pid of left) if (killed(pid)) ended.add(pid);
  }
  return ended.size;
}

async function processesWith(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const holding = pids.map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    return environment?.includes(mark) === true && pid !== process.pid ? [pid] : [];
  });
  return (await Promise.all(holding)).flat();
}

function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
