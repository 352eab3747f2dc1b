// `npm run interrupt -- --rounds 20 [--seed N] [--only TEXT]`: ends commands from outside at moments drawn at random, and says what
// they should not have left. The same seed draws the same commands, signals and moments.
import { findK6 } from '../src/load/k6/find.ts';
import { randomRound } from '../test/interrupting-rounds.ts';
import { readArguments } from './command-line.ts';

const { values } = readArguments('npm run interrupt -- [--rounds 20] [--seed N] [--only TEXT]', {
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const withK6 = (await findK6(process.env)).found !== null;
console.log(`seed ${seed}${withK6 ? '' : ', without k6'}`);
let wrong = 0;
for (let round = 0; round < Number(values.rounds); round += 1) {
  const { what, complaints } = await randomRound(`${seed} ${round}`, { withK6, only: values.only ?? '' });
  console.log(`${round + 1} ${what}: ${complaints.length === 0 ? 'as it should be' : complaints.join('; ')}`);
  wrong += complaints.length;
}
console.log(`${values.rounds} rounds, ${wrong} complaints`);
process.exitCode = wrong === 0 ? 0 : 1;
