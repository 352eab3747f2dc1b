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
  expect(goOnCommand(argv, '/work/reports/one', '/work')).toBe(command);
});

test('a folder elsewhere is named whole', () => {
  expect(goOnCommand(['conform'], '/elsewhere/one', '/work')).toBe('npx assay conform --resume /elsewhere/one');
});
