// A product that others made: how it is installed from a registry, started on loopback, and described.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where the product is, and what it may listen to. */
export interface Place {
  /** What is installed, kept from run to run. */
  readonly installed: string;
  /** Its data: new for every start. */
  readonly data: string;
  readonly port: number;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Product {
  readonly name: string;
  readonly version: string;
  /** Language and framework. */
  readonly stack: string;
  /** Commands that install it into the folder, in their order; each needs a registry alone. */
  install(folder: string): readonly Command[];
  start(place: Place): Command;
  /** A path below its address that answers, whatever the status below 500, once it is up. */
  readonly ready: string;
  /** The description: a file that is installed with it, or a path that it serves. */
  description(place: Place): { readonly file: string } | { readonly path: string };
  /** Joined to the address where the description's paths start below it. */
  readonly base?: string;
  /** The bearer token that it takes, where it asks for one; it opens nothing but this product on loopback. */
  readonly token?: string;
}

const MAX_START_MS = 120_000;
const BETWEEN_LOOKS_MS = 300;

/** Installs the product unless that was done before. Throws with what the command told where it failed. */
export function install(product: Product, folder: string): void {
  const done = join(folder, `installed-${product.version}`);
  if (existsSync(done)) return;
  mkdirSync(folder, { recursive: true });
  for (const { file, args, env = {}, cwd = folder } of product.install(folder)) {
    const { status, stderr } = spawnSync(file, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${product.name} cannot be installed: ${file} ${args.join(' ')}\n${stderr}`);
  }
  writeFileSync(done, '');
}

export interface Running {
  readonly baseUrl: string;
  /** Ends the process that was started, and those of its group. */
  stop(): Promise<void>;
}

/** Starts the product and waits until it answers. Throws where it does not within two minutes. */
export async function start(product: Product, place: Omit<Place, 'port'>): Promise<Running> {
  const port = await freePort();
  mkdirSync(place.data, { recursive: true });
  const { file, args, env = {}, cwd = place.data } = product.start({ ...place, port });
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  // What cannot be started answers nothing, which is told below.
  child.on('error', () => {});
  const origin = `http://127.0.0.1:${port}`;
  const running = { baseUrl: `${origin}${product.base ?? ''}`, stop: () => stopped(child) };
  for (const startedAt = performance.now(); performance.now() - startedAt < MAX_START_MS; ) {
    const answer = await fetch(origin + product.ready).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null && answer.status < 500) return running;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
  await running.stop();
  throw new Error(`${product.name} did not answer ${product.ready} within ${MAX_START_MS / 1000} s of its start`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

/** A port of the system's choice that was free a moment ago: products do not tell which one they took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
