import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { closeStreamsAtEnd } from './child-end.ts';
import { systemClock } from './system.ts';

it('ends the wait for a child that leaves a process with its streams behind, once what it wrote was read', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & echo $!'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  child.stdout.on('data', (piece: Buffer) => {
    written += piece.toString('utf8');
  });
  closeStreamsAtEnd(child, systemClock);
  const [code] = await once(child, 'close');
  process.kill(Number(written));
  expect([code, Number(written) > 0]).toEqual([0, true]);
});
