// The causes as a file of vitest: plain requests by fetch where one tells whether a finding is gone, else the command that replays it.
import type { CauseTests, FindingTest, PlainTest } from './cause-tests.ts';
import { BODY_HELPERS, comment, conditionsOf, freshIn, literal, quoted } from './javascript.ts';
import { FRESH_LETTERS } from './request.ts';

/** Methods that fetch refuses to send. Source: the Fetch standard, "forbidden method". */
const FORBIDDEN = /^(connect|trace|track)$/i;

/** `head`: what the file says of itself. `baseUrl`: the target, where the environment names no other. */
export function vitestFile(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const written = causes.map(({ title, tests }) => ({ title, tests: tests.map((test) => testOf(test)) }));
  const all = written.flatMap(({ tests }) => tests);
  const isPlain = all.some(({ kind }) => kind === 'plain');
  const isReplayed = all.some(({ kind }) => kind === 'replay');
  return [
    comment(head),
    ...(isReplayed ? ["import { spawnSync } from 'node:child_process';"] : []),
    "import { describe, expect, test } from 'vitest';",
    '',
    ...(isPlain
      ? [`const TARGET_URL = (process.env.TARGET_URL || ${quoted(baseUrl)}).replace(/\\/+$/, '');`, '', HELPERS]
      : []),
    ...(isReplayed ? [REPLAY] : []),
    ...written.map(({ title, tests }) =>
      [`describe(${quoted(title)}, () => {`, tests.map(({ text }) => text).join('\n\n'), '});\n'].join('\n'),
    ),
  ].join('\n');
}

function testOf({ title, message, fingerprint, plain, because, replay }: FindingTest) {
  const name = quoted(`${title} (${fingerprint})`);
  if (plain !== null) return { kind: 'plain', text: `  // ${message}\n${plainText(name, plain)}` };
  const told = `  // ${message}\n  // Assay looks again: ${because}.`;
  if (replay === '') return { kind: 'none', text: `${told}\n  test.todo(${name});` };
  return {
    kind: 'replay',
    text: `${told}\n  test(${name}, { timeout: LONGEST_REPLAY_MS }, () => {\n    expect(replayed(${quoted(replay)})).toBe(GONE);\n  });`,
  };
}

export function whyNotByFetch({ request: { method, body } }: PlainTest): string | null {
  if (FORBIDDEN.test(method)) return `fetch does not send ${method}`;
  return body !== null && /^(get|head)$/i.test(method) ? `fetch sends no body with ${method}` : null;
}

function plainText(name: string, { request, expectation }: PlainTest): string {
  const { method, url, headers, body } = request;
  const fresh = freshIn([url, ...headers.map(([, value]) => value), body ?? []]);
  const list = headers.map(([header, value]) => `[${quoted(header)}, ${literal(value)}]`).join(', ');
  const conditions = conditionsOf(expectation);
  const used = conditions.map(({ expression }) => expression).join(' ');
  const read = ['status', 'header', 'json'].filter((one) => new RegExp(`\\b${one}\\b`).test(used));
  const sent = [quoted(method), literal(url), `[${list}]`, ...(body === null ? [] : [literal(body)])];
  return [
    `  test(${name}, { timeout: LONGEST_ANSWER_MS + 10_000 }, async () => {`,
    ...fresh.map((number) => `    const fresh${number} = letters();`),
    `    const { ${read.join(', ')} } = await send(${sent.join(', ')});`,
    ...conditions.map(
      ({ sentence, expression }) =>
        `    expect(${expression}, \`answered \${status}: ${sentence.replaceAll(/[\\`]|\$\{/g, '\\$&')}\`).toBe(true);`,
    ),
    '  });',
  ].join('\n');
}

const HELPERS = `const LONGEST_ANSWER_MS = 30_000;

/** The environment's variable, which holds a token or what else no report shows. */
function env(name) {
  const value = process.env[name];
  if (!value) throw new Error(\`\${name} is not set: the request cannot be sent as it was\`);
  return value;
}

/** Letters that make a name new. */
function letters() {
  return Array.from({ length: ${FRESH_LETTERS} }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
}

async function send(method, url, headers, body) {
  const answer = await fetch(url, {
    method,
    headers,
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
  });
  const text = await answer.text();
  return { status: answer.status, header: (name) => answer.headers.get(name), json: jsonIn(text) };
}

${BODY_HELPERS}
`;

const REPLAY = `const LONGEST_REPLAY_MS = 600_000;
/** Exit codes of the command: 0 where the finding does not show, 1 where it does, 3 where nobody could look. */
const GONE = 0;

function replayed(command) {
  const target = process.env.TARGET_URL ? \` --base-url "\${process.env.TARGET_URL}"\` : '';
  return spawnSync(command + target + ' --quiet', { shell: true, stdio: ['ignore', 'ignore', 'inherit'] }).status;
}
`;
