// The nonce of a run: in the folder's name, and in every email, name and idempotency key that the run sends.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../clock/system.ts';

/** Sorts by time and is never the same twice: `20260131-120000-9f3a`, UTC. */
export function newRunId(): string {
  const stamp = new Date(systemClock.now())
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
