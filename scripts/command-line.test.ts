// What a script or a bench says to a line that it does not understand: in a process of its own, which it ends.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const MODULE = join(import.meta.dirname, 'command-line.ts');

function told(...args: readonly string[]) {
  const script = `import { readArguments } from ${JSON.stringify(MODULE)};
    const options = { seeds: { type: 'string' }, whole: { type: 'boolean' } };
    console.log(JSON.stringify(readArguments('npm run simulate -- [--seeds 1] [--whole]', { options }).values));`;
  const all = ['--input-type=module', '--eval', script, '--', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each([
  [['--nope'], "Unknown option '--nope'"],
  [['--seeds'], "Option '--seeds <value>' argument missing"],
  [['--whole=yes'], "Option '--whole' does not take an argument"],
  [['more'], "Unexpected argument 'more'"],
])('%j ends with 2, the reason, and the line that is right', (args, why) => {
  const stderr = `${why}\nusage: npm run simulate -- [--seeds 1] [--whole]\n`;
  expect(told(...args)).toEqual({ status: 2, stdout: '', stderr });
});

test('what is right is read', () => {
  expect(told('--seeds', '3', '--whole')).toEqual({ status: 0, stdout: '{"seeds":"3","whole":true}\n', stderr: '' });
});

test('no script and no bench reads its options by itself', () => {
  const entries = globSync(['scripts/*.ts', 'bench/*.ts', 'test/*/main.ts'], { cwd: ROOT }).filter(
    (path) => !path.startsWith('scripts/command-line'),
  );
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('parseArgs'))).toEqual([]);
});
