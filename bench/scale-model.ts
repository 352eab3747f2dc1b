// `node bench/scale-model.ts DIR [--seed 1]`: writes three descriptions of the platform's full size into the folder, 1,674 operations
// made up from the seed. `assay platform --specs DIR` serves them, `assay specs DIR/*` summarises them.
import { readArguments, refuse } from '../scripts/command-line.ts';
import { writeScaleModel } from './scale-model/scale-model.ts';

const usage = 'node bench/scale-model.ts DIR [--seed 1]';
const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [folder] = positionals;
const seed = Number(values.seed);
if (folder === undefined || !Number.isInteger(seed) || seed < 0)
  refuse(`a folder and a whole number are needed: ${usage}`);
const written = await writeScaleModel(folder, seed).catch((error: Error) => refuse(error.message));
for (const file of written) console.log(file);
