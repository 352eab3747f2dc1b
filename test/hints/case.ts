// One way to meet a message with a hint: a command line in a folder of its own, and what it prints there.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { COMPILED } from '../compiled.ts';
import { ROOT } from '../root.ts';
import type { WarmAssay } from '../warm/warm.ts';

export interface HintCase {
  /** Without `assay`; words with blanks stand in double quotes. */
  readonly line: string;
  /** Pieces of the message: what happened, and where. */
  readonly says: string;
  /** A piece of the hint: what to do. */
  readonly hint: string;
  /** 2, wrong usage, unless stated. */
  readonly code?: number;
  /** Content by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What else the folder needs. */
  readonly prepare?: (folder: string) => void | Promise<void>;
}

export interface Told {
  readonly code: number | null;
  readonly text: string;
}

/** What a case came to, and the folders that it left behind empty. */
export interface Met extends Told {
  readonly emptyFolders: readonly string[];
}

/** Stands in every environment, and must stand in no output. */
export const TOKEN = 'sk_test_4f9a1c7be2d80356';

export const PETS = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'all' } } } } },
});

/** A configuration that is right, with one operation, `GET /pets`; `more` are further lines, its own or in place of these. */
export function configured(
  more = '',
  { baseUrl = 'http://127.0.0.1:9', contract = 'openapi' } = {},
): Record<string, string> {
  const target = /^target:/m.test(more) ? '' : `target: { baseUrl: "${baseUrl}", environment: local }\n`;
  const services = /^services:/m.test(more) ? '' : 'services: { pets: { spec: pets.json } }\n';
  const keys = /^keys:/m.test(more) ? '' : `keys: [{ name: one, plan: standard, token: "\${ASSAY_STANDARD}" }]\n`;
  return { 'assay.config.yaml': `contract: ${contract}\n${target}${services}${keys}${more}\n`, 'pets.json': PETS };
}

/** Performs the case in a fresh folder. `recorded`: a folder with reports, for cases about earlier runs. */
export async function told(one: HintCase, recorded: string, warm: WarmAssay): Promise<Met> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-hint-'));
  try {
    if (/reports\/(?!none)/.test(one.line)) cpSync(recorded, folder, { recursive: true });
    for (const [name, text] of Object.entries(one.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    await one.prepare?.(folder);
    const before = emptyIn(folder);
    const outcome = await ended(one, folder, warm);
    return { ...outcome, emptyFolders: emptyIn(folder).filter((name) => !before.includes(name)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders below this one that hold nothing. */
function emptyIn(folder: string): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isDirectory());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readdirSync(path).length === 0);
}

/** What `assay` prints for the case in this folder, and its exit code. Where the case says how a process begins, it has one of its own. */
export async function ended(
  { line, env: more = {}, input }: Pick<HintCase, 'line' | 'env' | 'input'>,
  cwd: string,
  warm: WarmAssay,
): Promise<Told> {
  const env = {
    ...{ PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: cwd, NO_COLOR: '1' },
    ...{ ASSAY_CACHE: 'off', ASSAY_DEBUG: '1', ASSAY_STANDARD: TOKEN, ...more },
  };
  const isOfProcess = input !== undefined || more.NODE_OPTIONS !== undefined;
  if (!isOfProcess) return warm.perform({ argv: wordsOf(line), cwd, env });
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'assay.js'), ...wordsOf(line)], {
    cwd,
    env: { ...env, ...COMPILED },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The child may end before it has read.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

/** The words of a line as a shell makes them. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}
