import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector, Client } from 'undici';
import { expect, it } from 'vitest';
import { withoutContinue } from './unasked-continue.ts';

const ASKED = 'HTTP/1.1 100 Continue\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n';
const BODY = 'HTTP/1.1 100 ok!';

it.each([
  ['nothing before the answer', [ANSWER + BODY]],
  ['one in the same packet', [ASKED + ANSWER + BODY]],
  ['one in a packet of its own, and a body that begins like one', [ASKED, ANSWER, BODY]],
  ['one that comes in pieces', ['HT', 'TP/1.1 1', '00 Con', 'tinue\r\n', `\r\n${ANSWER}`, BODY]],
  ['two, one with a header and no reason', [`HTTP/1.1 100\r\nserver: a\r\n\r\n${ASKED}${ANSWER}`, BODY]],
  ['early hints, too', [`${ASKED}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n`, ANSWER + BODY]],
])('an answer is read with %s', async (_, packets) => {
  const answer = async (socket: Socket): Promise<void> => {
    for (const packet of packets) {
      socket.write(packet);
      await sleep(5);
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => void answer(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client(origin, { pipelining: 1, connect: withoutContinue(buildConnector({})) });
  for (const path of ['/one', '/two']) {
    const { statusCode, body } = await client.request({ method: 'GET', path });
    expect([statusCode, await body.text()]).toEqual([200, BODY]);
  }
  await client.destroy();
  server.close();
});
