// The causes as one script of k6, which ends non-zero while any of them shows. What one request does not tell is left out by name.
import { type CauseTests, leftOutLines, type PlainTest, parted, variablesIn } from './cause-tests.ts';
import { BODY_HELPERS, comment, conditionsOf, freshIn, literal, quoted } from './javascript.ts';
import { FRESH_LETTERS } from './request.ts';

export function k6File(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const { causes: written, leftOut } = parted(causes);
  const plain = written.flatMap(({ tests }) => tests.map((test) => test.plain));
  return [
    comment([...head, ...leftOutLines(leftOut)]),
    "import { check, group } from 'k6';",
    "import http from 'k6/http';",
    "import { Counter } from 'k6/metrics';",
    '',
    `const TARGET_URL = (__ENV.TARGET_URL || ${quoted(baseUrl)}).replace(/\\/+$/, '');`,
    `for (const name of ${quoted(variablesIn(plain))})`,
    `  if (!__ENV[name]) throw new Error(name + ' is not set: the requests cannot be sent as they were');`,
    '',
    "const lookedAt = new Counter('findings_looked_at');",
    'export const options = {',
    '  iterations: 1,',
    `  thresholds: { checks: ['rate==1'], findings_looked_at: ['count==${plain.length}'] },`,
    '};',
    '',
    'export default function () {',
    ...(plain.length === 0 ? ['  lookedAt.add(0);'] : []),
    ...written.flatMap(({ title, tests }) => [
      `  group(${quoted(title.replaceAll('::', ': :'))}, () => {`,
      ...tests.flatMap((test) => [
        `    // ${test.message}`,
        ...plainLines(`${test.title} (${test.fingerprint})`, test.plain),
      ]),
      '  });',
    ]),
    '}',
    '',
    HELPERS,
  ].join('\n');
}

function plainLines(name: string, { request, expectation }: PlainTest): readonly string[] {
  const { method, url, headers, body } = request;
  const fresh = freshIn([url, ...headers.map(([, value]) => value), body ?? []]);
  const own = headers.map(([header, value]) => `${quoted(header)}: ${literal(value)}`).join(', ');
  const sent = `${quoted(method)}, ${literal(url)}, { ${own} }, ${body === null ? 'null' : literal(body)}`;
  const conditions = conditionsOf(expectation).map(
    ({ sentence, expression }) =>
      `        ${quoted(`${name}: ${sentence}`)}: ({ status, header, json }) => ${expression},`,
  );
  return [
    '    {',
    ...fresh.map((number) => `      const fresh${number} = letters();`),
    `      check(send(${sent}), {`,
    ...conditions,
    '      });',
    '      lookedAt.add(1);',
    '    }',
  ];
}

const HELPERS = `function env(name) {
  return __ENV[name];
}

/** Letters that make a name new. */
function letters() {
  return Array.from({ length: ${FRESH_LETTERS} }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
}

/** The answer; its status is 0 where none came. */
function send(method, url, headers, body) {
  const answer = http.request(method, url, body, { headers, redirects: 0, timeout: '30s' });
  const named = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const byName = Object.fromEntries(named);
  return { status: answer.status, header: (name) => byName[name], json: jsonIn(answer.body) };
}

${BODY_HELPERS}
`;
