// A thread that performs one run after the other of limiters that deviate by some size, and tells what the clauses came to.
import { parentPort } from 'node:worker_threads';
import { measured, type Point } from './curves.ts';

parentPort?.on('message', async (point: Point) => {
  parentPort?.postMessage(await measured(point));
});
