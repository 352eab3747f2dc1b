// Gives a test run one folder for all its temporary files, and removes it in the end: no test has to think of what it leaves.
// Processes that tests start with an environment of their own do not get it; what they leave is theirs to remove.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sets TMPDIR, which Node's tmpdir() reads; returns what removes the folder and everything in it. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tests-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
