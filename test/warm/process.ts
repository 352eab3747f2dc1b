// Performs command lines that its parent sends, one at a time, each with its folder and its environment.
import { main } from '../../src/cli/main.ts';
import type { Line, Printed } from './warm.ts';

process.on('message', async (line: Line) => process.send?.({ printed: await performed(line) }));
process.on('disconnect', () => process.exit());

async function performed({ argv, cwd, env }: Line): Promise<Printed> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const printed = { out: '', told: '', text: '' };
  const taken = (stream: NodeJS.WriteStream, into: 'out' | 'told') => {
    const write = stream.write;
    stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      printed[into] += text;
      printed.text += text;
      if (into === 'out') process.send?.({ out: text });
      for (const done of more) if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    };
    return () => {
      stream.write = write;
    };
  };
  const giveBack = [taken(process.stdout, 'out'), taken(process.stderr, 'told')];
  try {
    return { code: await main(argv), ...printed };
  } finally {
    for (const one of giveBack) one();
    process.exitCode = 0;
  }
}
