// `npm run leaks -- --draws 10000 [--seed N]`: the property on leaks at length.
import { readArguments } from '../../scripts/command-line.ts';
import { assertNoLeaks } from './property.ts';

const { values } = readArguments('npm run leaks -- [--draws 1000] [--seed N]', {
  options: { draws: { type: 'string', default: '1000' }, seed: { type: 'string' } },
});
const draws = Number(values.draws);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!Number.isInteger(draws) || draws < 1 || !Number.isInteger(seed)) {
  console.error('--draws and --seed are whole numbers: npm run leaks -- --draws 10000 --seed 1');
  process.exit(2);
}
console.log(`${draws} draws, seed ${seed}`);
const startedAt = performance.now();
const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
await assertNoLeaks(draws, seed, (made) => {
  if (made % 500 === 0) console.log(`${made} draws without a leak, ${seconds()}`);
});
console.log(`No leak in ${draws} draws, ${seconds()}`);
