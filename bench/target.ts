// A server to send load to, started as a process of its own: it prints its port, and how many requests it answered when asked.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Target {
  readonly baseUrl: string;
  /** How many requests it has answered so far. */
  answered(): Promise<number>;
  stop(): void;
}

/** By default load-target.ts, which answers every request alike at once. */
export async function startTarget(script = 'load-target.ts', ...args: readonly string[]): Promise<Target> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout!);
  const [port] = await once(lines, 'line');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async answered() {
      child.stdin!.write('\n');
      const [count] = await once(lines, 'line');
      return Number(count);
    },
    stop: () => child.stdin!.end(),
  };
}
