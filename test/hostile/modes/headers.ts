// Headers without measure or meaning.
import { type Answer, type Headers, headOf, type Mode, withHeader } from '../mode.ts';

function adding(name: string, headers: () => Headers, ends?: readonly number[]): Mode {
  return {
    name,
    ...(ends === undefined ? {} : { ends }),
    change: (answer) => ({ ...answer, headers: [...answer.headers, ...headers()] }),
  };
}

function setting(name: string, header: string, value: string, ends?: readonly number[]): Mode {
  return { name, ...(ends === undefined ? {} : { ends }), change: (answer) => withHeader(answer, header, value) };
}

/** The answer with its rate-limit headers as given. */
function limited(answer: Answer, limit: string, remaining: string, reset: string): Answer {
  const named = { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining, 'X-RateLimit-Reset': reset };
  return Object.entries(named).reduce((sofar, [name, value]) => withHeader(sofar, name, value), answer);
}

const ANY = [0, 1, 3];

export const HEADERS: readonly Mode[] = [
  adding('ten-thousand-headers', () => Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, 'y'])),
  adding('five-thousand-short-headers', () => Array.from({ length: 5000 }, () => ['a', '']), ANY),
  adding('megabyte-header', () => [['x-long', 'y'.repeat(1_000_000)]]),
  adding('sixty-kilobyte-header', () => [['x-long', 'y'.repeat(60_000)]], ANY),
  {
    name: 'headers-without-end',
    async send(_answer, line) {
      await line.write('HTTP/1.1 200 OK\r\n');
      while (await line.write('x-more: y\r\n'.repeat(1000)));
    },
  },
  adding('header-with-nul', () => [['x-nul', 'a\0b']]),
  adding('header-with-bare-cr', () => [['x-cr', 'a\rb']]),
  adding('header-name-with-a-blank', () => [['x odd', 'y']]),
  adding('header-name-of-odd-characters', () => [["x!#$%&'*+-.^_`|~", 'y']], ANY),
  adding('header-name-not-ascii', () => [['x-\xfcml\xe4ut', 'y']]),
  adding('header-name-in-brackets', () => [['(x)<y>', 'z']]),
  adding('header-name-of-sixty-kilobytes', () => [['x'.repeat(60_000), 'y']], ANY),
  adding('blank-before-the-colon', () => [['x-odd ', 'y']]),
  adding('framing-named-twice', () => [['content-LENGTH', '1']]),
  adding('keep-alive-of-nothing', () => [['Keep-Alive', 'timeout=0, max=0']], ANY),
  adding('keep-alive-negative', () => [['Keep-Alive', 'timeout=-5']], ANY),
  adding('keep-alive-for-ever', () => [['Keep-Alive', `timeout=${'9'.repeat(40)}`]], ANY),
  adding('connection-close-that-stays-open', () => [['Connection', 'close']], ANY),
  adding('connection-names-everything', () => [['Connection', 'content-length, content-type, x-ratelimit-limit']], ANY),
  adding('upgrade-offered', () => [['Upgrade', 'h2c, websocket']], ANY),
  adding('challenges', () => [['WWW-Authenticate', `Basic realm="${'\\"'.repeat(20_000)}`]], ANY),
  adding('links', () => [['Link', `<${'a'.repeat(30_000)}>; rel="next", `.repeat(2)]], ANY),
  {
    name: 'limits-twice',
    ends: ANY,
    change: (answer) => ({
      ...answer,
      headers: [...answer.headers, ['X-RateLimit-Limit', '7'], ['X-RateLimit-Limit', '']],
    }),
  },
  adding('header-folded', () => [['x-folded', 'a\r\n b']]),
  adding('header-without-name', () => [['', 'value']]),
  adding('header-not-ascii', () => [['x-odd', '\xff\xfe\x80 \u00e9']], ANY),
  adding(
    'header-named-proto',
    () => [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['hasOwnProperty', 'z'],
    ],
    ANY,
  ),
  adding('cookies', () => Array.from({ length: 500 }, (_, at) => ['Set-Cookie', `c${at}=${'v'.repeat(50)}`]), ANY),
  adding(
    'content-types-in-conflict',
    () => [
      ['Content-Type', 'text/html'],
      ['Content-Type', 'application/json'],
    ],
    ANY,
  ),
  setting('content-type-garbage', 'Content-Type', `;;=,/${'application/'.repeat(2000)}`),
  setting('content-type-of-a-stream', 'Content-Type', 'text/event-stream'),
  setting('content-type-empty', 'Content-Type', '', ANY),
  setting('content-type-of-parts', 'Content-Type', 'multipart/mixed; boundary=', ANY),
  setting('charset-unknown', 'Content-Type', 'application/json; charset=klingon', ANY),
  setting('charset-a-lie', 'Content-Type', 'application/json; charset=utf-16', ANY),
  setting('charset-twice', 'Content-Type', 'application/json; charset=utf-8; charset="utf-7', ANY),
  setting('content-range', 'Content-Range', 'bytes 5-2/-1', ANY),
  setting('date-of-1970', 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT', ANY),
  setting('age-negative', 'Age', '-99999999999999999999', ANY),
  setting('location-of-a-script', 'Location', 'javascript:alert(1)', ANY),
  setting('retry-after-everywhere', 'Retry-After', '1000000000', ANY),
  setting('date-garbage', 'Date', 'Thu, 99 Foo 99999 99:99:99 ???', ANY),
  setting('date-far-away', 'Date', 'Fri, 31 Dec 9999 23:59:59 GMT', ANY),
  setting('location-garbage', 'Location', `http://[::${'/'.repeat(5000)}%zz`, ANY),
  setting('vary-huge', 'Vary', '*, '.repeat(15_000), ANY),
  { name: 'reset-in-the-year-9999', ends: ANY, change: (answer) => limited(answer, '100', '0', '253402300799') },
  { name: 'reset-negative', ends: ANY, change: (answer) => limited(answer, '100', '0', '-99999999999') },
  { name: 'limits-no-numbers', ends: ANY, change: (answer) => limited(answer, 'NaN', '1e400', 'Infinity') },
  { name: 'limits-huge', ends: ANY, change: (answer) => limited(answer, '9'.repeat(400), '9'.repeat(399), '1e308') },
  { name: 'limit-of-nothing', ends: ANY, change: (answer) => limited(answer, '0', '0', '0') },
  {
    name: 'limits-at-random',
    ends: ANY,
    change: (answer, _asked, chance) =>
      limited(answer, `${chance.below(200)}`, `${chance.below(300) - 50}`, `${chance.below(1e9)}`),
  },
  {
    name: 'header-lines-broken',
    async send(answer, line) {
      await line.write(`HTTP/1.1 200 OK\nno colon here\n: \n${headOf(answer).slice(16)}`);
      line.end();
    },
  },
];
