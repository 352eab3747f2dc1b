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
