// Connections that are reset, ended, refused, or mixed up.
import { type Answer, headOf, type Mode, sendSoundly } from '../mode.ts';

const DIES_AFTER = 60;

/** The answer to another request. */
function swapping(): Mode {
  const earlier: Answer[] = [];
  return {
    name: 'swapped-answers',
    change(answer, _asked, chance) {
      earlier.push(answer);
      return chance.pick(earlier.slice(-20));
    },
  };
}

export const CONNECTIONS: readonly (() => Mode)[] = [
  () => ({ name: 'reset-before-headers', send: async (_answer, line) => line.reset() }),
  () => ({
    name: 'reset-in-headers',
    async send(answer, line) {
      await line.write(headOf(answer).slice(0, 40));
      await line.wait(5);
      line.reset();
    },
  }),
  () => ({
    name: 'reset-in-body',
    async send(answer, line) {
      await line.write(headOf(answer));
      await line.write(answer.body.subarray(0, answer.body.length >> 1));
      await line.wait(5);
      line.reset();
    },
  }),
  () => ({ name: 'end-before-headers', send: async (_answer, line) => line.end() }),
  () => ({
    name: 'end-in-body',
    async send(answer, line) {
      await line.write(headOf({ ...answer, body: Buffer.alloc(answer.body.length + 10) }));
      await line.write(answer.body);
      line.end();
    },
  }),
  () => ({
    name: 'refuse-every-other-connection',
    ends: [0, 1, 3],
    meet: (line, count) => (count % 2 === 0 ? line.reset() : undefined),
  }),
  () => ({ name: 'death-after-60-requests', diesAfter: DIES_AFTER }),
  swapping,
  () => ({
    name: 'close-after-each',
    ends: [0, 1, 3],
    async send(answer, line) {
      await sendSoundly(answer, line);
      line.end();
    },
  }),
  () => ({
    name: 'close-at-random',
    ends: [0, 1, 3],
    async send(answer, line, chance) {
      await sendSoundly(answer, line);
      await line.wait(chance.below(20));
      if (chance.hits(0.5)) line.reset();
    },
  }),
  () => ({
    name: 'answer-before-the-body-is-read',
    ends: [0, 1, 3],
    async hasty(line) {
      await line.write('HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
      line.end();
    },
  }),
  () => ({
    name: 'two-answers-for-one',
    async send(answer, line) {
      await sendSoundly(answer, line);
      await sendSoundly({ ...answer, status: 500, body: Buffer.from('{}') }, line);
    },
  }),
  () => ({
    name: 'garbage-after-the-answer',
    ends: [0, 1, 3],
    async send(answer, line) {
      await sendSoundly(answer, line);
      await line.write('\0\xff GET / \r\n\r\n');
    },
  }),
  () => ({
    name: 'answer-before-the-request',
    ends: [0, 1, 3],
    meet: (line) => {
      void line.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}');
    },
  }),
  // Connections that are open already stay so: later, it may never be met.
  () => ({ name: 'closed-when-opened', ends: [3], meet: (line) => line.end() }),
  () => ({
    name: 'alert-of-tls',
    async send(_answer, line) {
      await line.write(Buffer.of(0x15, 3, 1, 0, 2, 2, 40));
      line.end();
    },
  }),
  () => ({
    name: 'ten-answers-for-one',
    async send(answer, line) {
      for (let sent = 0; sent < 10; sent += 1) await sendSoundly(answer, line);
    },
  }),
  () => ({
    name: 'body-to-an-answer-that-has-none',
    async send(answer, line) {
      await sendSoundly({ ...answer, status: 204 }, line);
      await line.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    },
  }),
  () => ({
    name: 'no-http',
    async send(_answer, line) {
      await line.write('SSH-2.0-OpenSSH_9.6\r\n');
      line.end();
    },
  }),
  () => ({
    name: 'other-protocol',
    async send(_answer, line) {
      await line.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      await line.wait(50);
      line.end();
    },
  }),
];
