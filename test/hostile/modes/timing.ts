// Answers that take their time, or never come.
import { headOf, type Line, type Mode, sendSoundly } from '../mode.ts';

const FOR_EVER_MS = 3_600_000;
const A_SECOND_MS = 1000;

/** One byte a second. */
async function drip(line: Line, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    if (!(await line.write(Buffer.of(byte)))) return;
    await line.wait(A_SECOND_MS);
  }
}

export const TIMING: readonly Mode[] = [
  { name: 'no-answer', ends: [3], send: (_answer, line) => line.wait(FOR_EVER_MS) },
  {
    name: 'stall-before-body',
    ends: [3],
    async send(answer, line) {
      await line.write(headOf(answer));
      await line.wait(FOR_EVER_MS);
    },
  },
  {
    name: 'stall-in-body',
    ends: [3],
    async send(answer, line) {
      await line.write(headOf({ ...answer, body: Buffer.concat([answer.body, answer.body, Buffer.of(32)]) }));
      await line.write(answer.body);
      await line.wait(FOR_EVER_MS);
    },
  },
  {
    name: 'drip-body',
    ends: [3],
    async send(answer, line) {
      await line.write(headOf({ ...answer, body: Buffer.alloc(answer.body.length + 1000, ' ') }));
      await drip(line, Buffer.concat([answer.body, Buffer.alloc(1000, ' ')]));
    },
  },
  {
    name: 'drip-headers',
    ends: [3],
    send: (answer, line) => drip(line, Buffer.concat([Buffer.from(headOf(answer)), answer.body])),
  },
  {
    name: 'drip-chunks',
    ends: [3],
    async send(answer, line) {
      await line.write(headOf(answer, 'Transfer-Encoding: chunked'));
      while (await line.write('1\r\n \r\n')) await line.wait(A_SECOND_MS);
    },
  },
  {
    name: 'late',
    ends: [0, 1, 3],
    async send(answer, line, chance) {
      await line.wait(chance.below(900));
      await sendSoundly(answer, line);
    },
  },
];
