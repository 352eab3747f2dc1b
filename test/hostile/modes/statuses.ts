// Statuses that come at random, do not exist, or never end.
import { headOf, type Mode, sendSoundly, withBody, withHeader } from '../mode.ts';

const always = (status: number, name = `always-${status}`): Mode => ({
  name,
  change: (answer) => ({ ...answer, status }),
});

/** Sends what is no final answer again and again, and then the answer. */
function after(name: string, interim: string, times: number, ends?: readonly number[]): Mode {
  return {
    name,
    ...(ends === undefined ? {} : { ends }),
    async send(answer, line) {
      for (let sent = 0; sent < times; sent += 100) if (!(await line.write(interim.repeat(100)))) return;
      await sendSoundly(answer, line);
    },
  };
}

export const STATUSES: readonly Mode[] = [
  { name: 'status-at-random', change: (answer, _asked, chance) => ({ ...answer, status: 200 + chance.below(400) }) },
  { name: 'status-600-to-999', change: (answer, _asked, chance) => ({ ...answer, status: 600 + chance.below(400) }) },
  { name: 'status-below-200', change: (answer, _asked, chance) => ({ ...answer, status: 102 + chance.below(98) }) },
  { name: 'status-of-any-number', change: (answer, _asked, chance) => ({ ...answer, status: chance.below(1000) }) },
  {
    name: 'status-line-garbage',
    async send(answer, line) {
      await line.write(headOf(answer).replace(/^HTTP\/1.1 \d+ /, 'HTTP/9.7 2OO '));
      line.end();
    },
  },
  {
    name: 'reason-of-sixty-kilobytes',
    ends: [0, 1, 3],
    async send(answer, line) {
      await line.write(headOf(answer).replace('Status', 'x'.repeat(60_000)));
      await line.write(answer.body);
    },
  },
  after('continue-flood', 'HTTP/1.1 100 Continue\r\n\r\n', 20_000),
  after('continue-without-end', 'HTTP/1.1 100 Continue\r\n\r\n', Number.POSITIVE_INFINITY),
  after('early-hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 100, [0, 1, 3]),
  after('early-hints-flood', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', Number.POSITIVE_INFINITY),
  {
    name: 'status-line-without-reason',
    ends: [0, 1, 3],
    async send(answer, line) {
      await line.write(headOf(answer).replace(' Status\r\n', '\r\n'));
      await line.write(answer.body);
    },
  },
  {
    name: 'status-line-after-blank-lines',
    ends: [0, 1, 3],
    async send(answer, line) {
      await line.write(`\r\n\r\n${headOf(answer)}`);
      await line.write(answer.body);
    },
  },
  {
    name: 'preface-of-http-2',
    async send(_answer, line) {
      await line.write(Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0, ...Array<number>(18).fill(0)]));
      await line.wait(50);
      line.end();
    },
  },
  always(205, 'always-205-with-a-body'),
  always(206),
  always(299),
  always(301, 'always-301-without-location'),
  always(407),
  always(408),
  always(418),
  always(421),
  always(451),
  always(501),
  always(599),
  always(200),
  always(204, 'always-204-with-a-body'),
  always(304, 'always-304-with-a-body'),
  always(400),
  always(401),
  always(403),
  always(404),
  always(500),
  {
    name: 'redirects-to-itself',
    change: (answer, { target }) => withHeader(withBody({ ...answer, status: 302 }, ''), 'Location', target),
  },
  {
    name: 'redirects-elsewhere',
    change: (answer) => withHeader({ ...answer, status: 307 }, 'Location', 'http://169.254.169.254/latest/meta-data'),
  },
  { name: '429-for-ever', change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', '1') },
  { name: '429-negative', change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', '-1000000000') },
  {
    name: '429-for-a-billion',
    change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', '1000000000'),
  },
  {
    name: '429-in-the-past',
    change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT'),
  },
  { name: '429-of-digits', change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', '9'.repeat(400)) },
  {
    name: '429-every-other-time',
    ends: [0, 1, 3],
    change: (answer, { number }) =>
      number % 2 === 0 ? withHeader({ ...answer, status: 429 }, 'Retry-After', '0') : answer,
  },
  { name: '429-without-a-word', change: (answer) => ({ ...answer, status: 429 }) },
  { name: '429-for-a-year', change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', '31536000') },
  {
    name: '429-until-9999',
    change: (answer) => withHeader({ ...answer, status: 429 }, 'Retry-After', 'Fri, 31 Dec 9999 23:59:59 GMT'),
  },
  { name: '503-for-ever', change: (answer) => withHeader({ ...answer, status: 503 }, 'Retry-After', '1') },
  {
    name: '503-with-garbage',
    change: (answer) => withHeader({ ...answer, status: 503 }, 'Retry-After', '-1e400, soon'),
  },
];
