// `npm run field`: products that others made, each started on loopback and judged as it comes, with a table of what came of it.
//   npm run field -- [--only NAME…] [--schemathesis st] [--time-limit SECONDS]
// Products come from PyPI, npm, Go's module proxy and Maven, once, into .assay/field; what a product needs that the machine lacks
// (python3, go, java with mvn) leaves it out, and the table says so. bench/field/verdicts holds what a person read of each product
// and marked true or false: whatever is told beside it, and whatever is no longer told, is a change, but for what shows now and then.
// In the same table stands Schemathesis (PyPI, 4.32) where it is installed, on a product started anew; what it told is laid beside
// what Assay told line by line, and kept as bench/field/beside.md says.
// Ends with 1 where something changed or a run came to no verdict.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse, wholeNumber } from '../scripts/command-line.ts';
import { childrenProcessorSeconds } from '../scripts/processor-time.ts';
import type { Report } from '../src/contract/report.ts';
import { besideLine, besideOf, type Failure } from './field/beside.ts';
import { install, type Product, type Running, start } from './field/product.ts';
import { PRODUCTS } from './field/products.ts';
import { causesOf, compare, type Told, verdictsOf } from './field/told.ts';

const USAGE = 'npm run field -- [--only NAME…] [--schemathesis st] [--time-limit SECONDS]';
const { values: flags } = readArguments(USAGE, {
  options: {
    only: { type: 'string', multiple: true, default: [] },
    schemathesis: { type: 'string', default: 'st' },
    /** Absent: the run fits itself to the time that it has by default. */
    'time-limit': { type: 'string' },
  },
});
const timeLimit = flags['time-limit'] === undefined ? null : wholeNumber('--time-limit', flags['time-limit']);
const unknown = flags.only.filter((name) => PRODUCTS.every((product) => product.name !== name));
if (unknown.length > 0)
  refuse(`no product is called ${unknown.join(', ')}: ${PRODUCTS.map(({ name }) => name).join(', ')}`);

const root = join(import.meta.dirname, '..');
const kept = join(root, '.assay', 'field');
const ASSAY = join(root, 'bin', 'assay.js');
/** Schemathesis, told to take as long as a run of Assay does by default. */
const MAX_SCHEMATHESIS_SECONDS = 300;
const hasSchemathesis = spawnSync(flags.schemathesis, ['--version']).status === 0;
mkdirSync(kept, { recursive: true });

interface Row {
  readonly product: string;
  readonly tool: string;
  readonly outcome: string;
  readonly reached: string;
  readonly requests: string;
  readonly seconds: string;
  readonly processorSeconds: string;
  readonly causes: string;
}

const rows: Row[] = [];
let changes = 0;
for (const product of PRODUCTS.filter(({ name }) => flags.only.length === 0 || flags.only.includes(name))) {
  try {
    install(product, join(kept, product.name));
  } catch (error) {
    rows.push(rowOf(product, 'assay', { outcome: 'not installed here' }));
    console.log(`${product.name}: ${(error as Error).message}`);
    continue;
  }
  await judge(product);
  if (hasSchemathesis) await judgeBySchemathesis(product);
}
console.log(`\n${tableOf(rows)}`);
console.log(changes === 0 ? 'nothing changed' : `${changes} changes`);
process.exitCode = changes === 0 ? 0 : 1;

async function judge(product: Product): Promise<void> {
  await onLoopback(product, async ({ baseUrl }, description, folder) => {
    const { token } = product;
    const config = {
      target: { baseUrl, environment: 'local' },
      contract: 'openapi',
      services: { api: { spec: description } },
      ...(token === undefined ? {} : { keys: [{ name: 'main', plan: 'any', token }] }),
      mutations: 'allow',
    };
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
    const out = join(kept, `${product.name}-report`);
    rmSync(out, { recursive: true, force: true });
    const limit = timeLimit === null ? [] : ['--time-limit', `${timeLimit}`];
    const args = ['conform', '--config', join(folder, 'assay.config.json'), '--out', out, ...limit];
    const { code, seconds, processorSeconds } = await timed(process.execPath, [ASSAY, ...args], folder);
    const report = reportIn(out);
    const told = report === null ? [] : causesOf(report.findings);
    const verdicts = verdictsOf(product.name);
    const isEnded = code === 0 || code === 1;
    const changed = tellChanges(product.name, told);
    changes += changed + (isEnded ? 0 : 1);
    rows.push(
      rowOf(product, 'assay', {
        outcome: `${report?.verdict ?? 'no report'} (exit ${code})`,
        reached: `${report?.counts.operationsTested ?? 0} of ${report?.counts.operations ?? 0}`,
        requests: `${report?.counts.requests ?? 0}`,
        seconds,
        processorSeconds,
        causes: `${told.length}, ${told.length - changed} of them as judged (${verdicts.length} judged)`,
      }),
    );
  });
}

/** Prints each difference from what was judged; how many there are. */
function tellChanges(product: string, told: readonly Told[]): number {
  const { unread, falselyTold, missing } = compare(told, verdictsOf(product));
  const line = ({ clause, code, kind, operations }: Told): string =>
    `${clause} ${code} (${kind}) on ${operations.length}: ${operations.slice(0, 3).join(', ')}`;
  for (const one of unread) console.log(`${product}: nobody has judged ${line(one)}`);
  for (const one of falselyTold) console.log(`${product}: falsely told, as known: ${line(one)}`);
  for (const { clause, code, why } of missing) console.log(`${product}: no longer told: ${clause} ${code} (${why})`);
  return unread.length + missing.length;
}

async function judgeBySchemathesis(product: Product): Promise<void> {
  await onLoopback(product, async ({ baseUrl }, description, folder) => {
    const { token } = product;
    const header = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`];
    const out = join(kept, `${product.name}-schemathesis`);
    rmSync(out, { recursive: true, force: true });
    const args = [
      'run',
      description,
      '--url',
      baseUrl,
      '--seed',
      '1',
      '--no-color',
      '--max-time',
      `${MAX_SCHEMATHESIS_SECONDS}`,
    ];
    const report = ['--report', 'json', '--report-dir', out];
    const { code, seconds, processorSeconds } = await timed(
      flags.schemathesis,
      [...args, ...report, ...header],
      folder,
    );
    const failures = failuresIn(out);
    const findings = reportIn(join(kept, `${product.name}-report`))?.findings ?? [];
    for (const one of besideOf(failures, findings)) console.log(`${product.name}: ${besideLine(one)}`);
    const causes = new Set(failures.map(({ title }) => title)).size;
    rows.push(
      rowOf(product, 'schemathesis', { outcome: `exit ${code}`, seconds, processorSeconds, causes: `${causes}` }),
    );
  });
}

function failuresIn(folder: string): readonly Failure[] {
  try {
    const [file = ''] = readdirSync(folder);
    return JSON.parse(readFileSync(join(folder, file), 'utf8')).failures;
  } catch {
    // It was ended before it wrote one.
    return [];
  }
}

/** Starts the product with data of its own, and hands over its description as a file; ends it, and removes what it left. */
async function onLoopback(
  product: Product,
  use: (running: Running, description: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `assay-field-${product.name}-`));
  const place = { installed: join(kept, product.name), data: join(folder, 'data') };
  const running = await start(product, place);
  try {
    const described = product.description({ ...place, port: Number(new URL(running.baseUrl).port) });
    const file = join(folder, 'description.json');
    if ('file' in described) writeFileSync(file, readFileSync(described.file));
    else writeFileSync(file, await (await fetch(new URL(described.path, running.baseUrl))).text());
    await use(running, file, folder);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function reportIn(folder: string): Report | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  } catch {
    return null;
  }
}

async function timed(file: string, args: readonly string[], cwd: string) {
  const startedAt = performance.now();
  const before = childrenProcessorSeconds();
  const child = spawn(file, args, { cwd, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  const after = childrenProcessorSeconds();
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(0)}`;
  return { code, seconds, processorSeconds: before === null || after === null ? '–' : (after - before).toFixed(0) };
}

function rowOf({ name, version, stack }: Product, tool: string, told: Partial<Row>): Row {
  const none = { outcome: '', reached: '–', requests: '–', seconds: '–', processorSeconds: '–', causes: '–' };
  return { product: `${name} ${version} (${stack})`, tool, ...none, ...told };
}

function tableOf(all: readonly Row[]): string {
  const head = ['product', 'tool', 'outcome', 'reached', 'requests', 'seconds', 'CPU s', 'causes'];
  const lines = all.map((row) => [
    row.product,
    row.tool,
    row.outcome,
    row.reached,
    row.requests,
    row.seconds,
    row.processorSeconds,
    row.causes,
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
