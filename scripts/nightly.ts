// `npm run nightly`: everything that can be proved, part by part, with one table of what came of it.
//   npm run nightly -- [--only PART…] [--resume]
// The table is printed, and stands in .assay/nightly/table.md; beside it stands what each part told. --resume goes on with the last
// night where the sources are the same: parts that ended well are not run again. Ends with 1 where a part did not end well.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { readArguments, refuse } from './command-line.ts';
import { type Night, type Outcome, outcomeOf, tableOf } from './nightly/night.ts';
import { PARTS, type Part } from './nightly/parts.ts';
import { childrenProcessorSeconds } from './processor-time.ts';

const { values: flags } = readArguments('npm run nightly -- [--only PART…] [--resume]', {
  options: {
    only: { type: 'string', multiple: true, default: [] },
    resume: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay', 'nightly');
const nightFile = join(folder, 'night.json');

const unknown = flags.only.filter((name) => PARTS.every((part) => part.name !== name));
if (unknown.length > 0)
  refuse(`no part is called ${unknown.join(', ')}: there are ${PARTS.map(({ name }) => name).join(', ')}`);
const chosen = PARTS.filter(({ name }) => flags.only.length === 0 || flags.only.includes(name));

mkdirSync(folder, { recursive: true });
const sources = sourcesNow();
const last = flags.resume ? lastNight() : null;
let night: Night = { sources, outcomes: last?.sources === sources ? last.outcomes : {} };
for (const part of chosen) {
  if (night.outcomes[part.name]?.isGood === true) continue;
  const outcome = await perform(part);
  night = { ...night, outcomes: { ...night.outcomes, [part.name]: outcome } };
  // After each part: a night that is interrupted is gone on with from here.
  writeFileSync(nightFile, `${JSON.stringify(night, null, 1)}\n`);
  writeFileSync(join(folder, 'table.md'), tableOf(night, PARTS));
}
console.log(`\n${tableOf(night, PARTS)}`);
process.exitCode = chosen.every(({ name }) => night.outcomes[name]?.isGood === true) ? 0 : 1;

/** What the sources are: the commit, and the change that is not committed. */
function sourcesNow(): string {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '';
  return `${git('rev-parse', 'HEAD').trim()} ${git('diff', 'HEAD', '--stat').trim()}`;
}

/** The night before, or null where none is kept. */
function lastNight(): Night | null {
  try {
    return JSON.parse(readFileSync(nightFile, 'utf8'));
  } catch {
    return null;
  }
}

/** Runs the part; what it tells goes to the terminal and into a file of its own. */
async function perform({ name, about, args }: Part): Promise<Outcome> {
  console.log(`\n# ${name}: ${about}`);
  const startedAt = performance.now();
  const before = childrenProcessorSeconds();
  const file = createWriteStream(join(folder, `${name}.log`));
  const env = { ...process.env, ASSAY_PROGRAMME: 'nightly' };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      process.stdout.write(piece);
      file.write(piece);
      tail = `${tail}${piece}`.slice(-2000);
    });
  const [code] = await once(child, 'close');
  file.end();
  await finished(file);
  const after = childrenProcessorSeconds();
  const processorSeconds = before === null || after === null ? null : after - before;
  return outcomeOf({ code, tail, seconds: (performance.now() - startedAt) / 1000, processorSeconds });
}
