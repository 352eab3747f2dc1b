// Compiles what the package ships into dist/: all that the entries named in tsconfig.build.json reach, laid out like
// the repository, with the data that sources read beside themselves. Node refuses to strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiled = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (compiled.status === 0) {
  const isShippedData = (path: string) => !path.endsWith('.ts') && basename(path) !== 'test-data';
  for (const folder of ['src', 'suites']) {
    cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isShippedData });
  }
} else {
  process.exitCode = 1;
}
