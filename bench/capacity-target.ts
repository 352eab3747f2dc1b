// A server with a known limit, a process of its own: so many slots, each busy for an exponential time with each request; what
// finds none free waits its turn. `node bench/capacity-target.ts SLOTS MEAN_MS SEED` prints its port; a line on its standard
// input makes it print how many it has answered.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const [slots = 8, meanMs = 10, seed = 1] = process.argv.slice(2).map(Number);
let state = seed >>> 0;
const waiting: (() => void)[] = [];
let free = slots;
let answered = 0;
const server = createServer((_request, response) => {
  const serve = (sinceMs: number): void => {
    const doneMs = sinceMs - meanMs * Math.log(1 - random());
    setTimeout(
      () => {
        response.setHeader('Content-Type', 'application/json').end('{"id":1}');
        answered += 1;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      },
      Math.max(0, doneMs - performance.now()),
    );
  };
  if (free === 0) waiting.push(() => serve(performance.now()));
  else {
    free -= 1;
    serve(performance.now());
  }
});

/** In [0, 1). */
function random(): number {
  state = (state * 1_664_525 + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
createInterface(process.stdin)
  .on('line', () => console.log(answered))
  .on('close', () => process.exit());
