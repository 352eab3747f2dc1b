// Gives a test run one folder for all its temporary files, and removes it in the end: no test has to think of what it leaves. The next run
// removes what a killed one left. Processes that tests start with an environment of their own do not get it; what they leave is theirs to remove.
import { temporaryFolder } from '../src/disk/passing.ts';

/** Sets TMPDIR, which Node's tmpdir() reads; returns what removes the folder and everything in it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await temporaryFolder('tests');
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder.path;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await folder.remove();
  };
}
