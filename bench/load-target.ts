// The plain fast server that load is measured against: a process of its own, one answer for every request, counted.
// `node bench/load-target.ts [page]` prints its port; a line on its standard input makes it print how many it has answered.
// `page`: the answer is what capacity is mostly measured with, a first page of 50 items; else it is one item.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const ITEM = { id: 'prod_1', name: 'Cup', price: { amount: 1250, currency: 'EUR' }, stock: 12 };
const PAGE = { data: Array.from({ length: 50 }, () => ITEM), page: 1, limit: 50, total: 1200, total_pages: 24 };
const BODY = JSON.stringify(process.argv[2] === 'page' ? PAGE : ITEM);
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const END = '\r\n\r\n';

let answered = 0;
const server = createServer({ noDelay: true }, (socket) => {
  let open = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    // Requests without bodies: each ends where its headers do.
    const parts = (open + chunk.toString('latin1')).split(END);
    open = parts.pop() ?? '';
    answered += parts.length;
    for (const _ of parts) socket.write(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
createInterface(process.stdin)
  .on('line', () => console.log(answered))
  .on('close', () => process.exit());
