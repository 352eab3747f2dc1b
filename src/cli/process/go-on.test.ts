import { expect, test } from 'vitest';
import { goOnCommand } from './go-on.ts';

test.each([
  [['conform'], 'npx assay conform --resume reports/one'],
  [
    ['conform', '--config', 'my config.yaml', '--service', 'admin', '--seed=7'],
    "npx assay conform --config 'my config.yaml' --service admin --seed=7 --resume reports/one",
  ],
  [
    ['conform', '--out', 'reports/one', '--resume=reports/zero', '--run-id', 'x', '--time-limit', '5', '--json'],
    'npx assay conform --json --resume reports/one',
  ],
])('a run given as %j goes on by itself', (argv, command) => {
  expect(goOnCommand(argv, '/work/reports/one', { cwd: '/work' })).toBe(command);
});

test('a folder elsewhere is named whole', () => {
  expect(goOnCommand(['conform'], '/elsewhere/one', { cwd: '/work' })).toBe(
    'npx assay conform --resume /elsewhere/one',
  );
});

test('tells of secrets where they come from', () => {
  const argv = ['conform', 'pets.json', '--key', 'secret-1', '--header=X-Gate: secret-2', '--budget', '9'];
  const described = {
    description: 'pets.json',
    baseUrl: 'http://127.0.0.1:1',
    headers: ['X-Gate: env:GATE'],
    keys: ['a=@k'],
  };
  expect(goOnCommand(argv, '/work/reports/one', { cwd: '/work', described })).toBe(
    "npx assay conform pets.json --budget 9 --header 'X-Gate: env:GATE' --key a=@k --resume reports/one",
  );
});
