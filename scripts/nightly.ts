// `npm run nightly`: everything that can be proved, part by part, with one table of what came of it.
//   npm run nightly -- [--only PART…] [--resume]
// What waits runs beside what computes, each lane in a process of its own, and what measures time comes after both.
// The table is printed, and stands in .assay/nightly/table.md; beside it stands what each part told. With --resume parts are not run again
// that ended well on the same sources. The table keeps what came of parts that are not run, with the sources that they ran on. Each
// part has a folder of its own for temporary files, and is to leave it empty. Ends with 1 where a part did not end well.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { finished } from 'node:stream/promises';
import { temporaryFolder } from '../src/disk/passing.ts';
import { readArguments, refuse } from './command-line.ts';
import { isDone, type Night, type Outcome, outcomeOf, tableOf } from './nightly/night.ts';
import { PARTS, type Part } from './nightly/parts.ts';
import { childrenProcessorSeconds } from './processor-time.ts';

const { values: flags } = readArguments('npm run nightly -- [--only PART…] [--resume]', {
  options: {
    only: { type: 'string', multiple: true, default: [] },
    resume: { type: 'boolean', default: false },
    // The command gives this to itself: the table is its own to print.
    lane: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay', 'nightly');

const unknown = flags.only.filter((name) => PARTS.every((part) => part.name !== name));
if (unknown.length > 0)
  refuse(`no part is called ${unknown.join(', ')}: there are ${PARTS.map(({ name }) => name).join(', ')}`);
const chosen = PARTS.filter(({ name }) => flags.only.length === 0 || flags.only.includes(name));

mkdirSync(folder, { recursive: true });
const sources = sourcesNow();
const due = chosen.filter(({ name }) => !flags.resume || !isDone(lastNight()[name], sources));
if (new Set(due.map(({ lane }) => lane)).size > 1) {
  await Promise.all([performLane('computes'), performLane('waits')]);
  await performLane('alone');
} else
  for (const part of due) {
    // After each part: a night that is interrupted is gone on with from here.
    writeFileSync(outcomeFile(part), `${JSON.stringify(await perform(part), null, 1)}\n`);
    writeFileSync(join(folder, 'table.md'), tableOf(lastNight(), PARTS));
  }
const night = lastNight();
if (!flags.lane) console.log(`\n${tableOf(night, PARTS)}`);
process.exitCode = chosen.every(({ name }) => isDone(night[name], sources)) ? 0 : 1;

/** Performs what is due of a lane in a process of its own, which counts its processor time alone, and tells its lines with the lane's name. */
async function performLane(lane: Part['lane']): Promise<void> {
  const names = due.filter((part) => part.lane === lane).map(({ name }) => name);
  if (names.length === 0) return;
  const args = [import.meta.filename, '--lane', ...names.flatMap((name) => ['--only', name])];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) console.log(`${lane} | ${line}`);
  await closed;
}

/** What the sources are: the commit, and the change that is not committed. */
function sourcesNow(): string {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '';
  const change = git('diff', 'HEAD');
  const digest = createHash('sha256').update(change).digest('hex').slice(0, 8);
  return `${git('rev-parse', '--short', 'HEAD').trim()}${change === '' ? '' : ` and ${digest}`}`;
}

/** What came of a part stands in a file of its own: two lanes write at the same time. */
function outcomeFile({ name }: Part): string {
  return join(folder, `${name}.json`);
}

/** What came of the parts until now. */
function lastNight(): Night {
  const told = PARTS.map((part) => [part.name, outcomeFile(part)] as const).filter(([, file]) => existsSync(file));
  return Object.fromEntries(told.map(([name, file]) => [name, JSON.parse(readFileSync(file, 'utf8'))]));
}

/** Runs the part; what it tells goes to the terminal and into a file of its own. */
async function perform({ name, about, args, leftOut = [] }: Part): Promise<Outcome> {
  console.log(`\n# ${name}: ${about}`);
  const startedAt = performance.now();
  const before = childrenProcessorSeconds();
  const file = createWriteStream(join(folder, `${name}.log`));
  const temporary = await temporaryFolder('night');
  const env = {
    ...process.env,
    ASSAY_PROGRAMME: 'nightly',
    ASSAY_LEFT_OUT: leftOut.join(' '),
    TMPDIR: temporary.path,
  };
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
  const left = readdirSync(temporary.path);
  await temporary.remove();
  const seconds = (performance.now() - startedAt) / 1000;
  return outcomeOf({ code, tail, left, sources, seconds, processorSeconds });
}
