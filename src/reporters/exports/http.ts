// The causes as an .http file with the response handlers of JetBrains' HTTP client, which httpYac runs, too. Editors that know no
// handlers send the requests.
import {
  type CauseTests,
  type FindingTest,
  leftOutLines,
  oneLine,
  type PlainTest,
  parted,
  variablesIn,
} from './cause-tests.ts';
import { BODY_HELPERS, conditionsOf, freshIn } from './javascript.ts';
import { FRESH_LETTERS, type Parts, type TestRequest } from './request.ts';

export function httpFile(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const { causes: written, leftOut } = parted(causes);
  const variables = variablesIn(written.flatMap(({ tests }) => tests.map(({ plain }) => plain)));
  return [
    ...[...head, ...variables.map((name) => `Set ${name} in the environment.`), ...leftOutLines(leftOut)].map((line) =>
      `# ${line}`.trimEnd(),
    ),
    '',
    `@TARGET_URL = ${oneLine(baseUrl)}`,
    '',
    ...written.flatMap(({ title, tests }) => tests.map((test) => requestText(title, test))),
  ].join('\n');
}

/** Signs of the format's own, and blanks at the ends of a body, which it does not keep. */
export function whyNotByHttp(test: PlainTest): string | null {
  const { url, headers, body } = test.request;
  const texts = [url, ...headers.map(([, value]) => value), body ?? []].map(textOf);
  if (texts.some((text) => text.includes('{{'))) return 'braces are variables in such a file';
  const sent = textOf(body ?? []);
  const isKept = sent === sent.trim() && !/^(?:###|[<>#]|\/\/)/m.test(sent) && !/[^\P{Cc}\t\n]/u.test(sent);
  return isKept ? null : 'its body has signs of the format';
}

export function textOf(parts: Parts): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

/** Variables and letters drawn anew in double braces. */
export function braced(parts: Parts): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      return 'fresh' in part ? `{{fresh${part.fresh}}}` : `{{${part.variable}}}`;
    })
    .join('');
}

/** Lines of JavaScript that draw what is new in the request. `set`: how a variable is set. */
export function freshLines({ url, headers, body }: TestRequest, set: string): readonly string[] {
  return freshIn([url, ...headers.map(([, value]) => value), body ?? []]).map(
    (number) =>
      `${set}('fresh${number}', Array.from({ length: ${FRESH_LETTERS} }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join(''));`,
  );
}

function requestText(
  cause: string,
  { title, message, fingerprint, plain }: FindingTest & { plain: PlainTest },
): string {
  const { request, expectation } = plain;
  const fresh = freshLines(request, 'request.variables.set');
  const tests = conditionsOf(expectation).map(
    ({ sentence, expression }) =>
      `  client.test(${JSON.stringify(sentence)}, () => client.assert(${expression}, 'answered ' + status));`,
  );
  return [
    `### ${cause} – ${title} (${fingerprint})`,
    `# ${message}`,
    '# @no-redirect',
    '# @no-cookie-jar',
    '# @timeout 30000 ms',
    ...(fresh.length === 0 ? [] : ['< {%', ...fresh.map((line) => `  ${line}`), '%}']),
    `${request.method} ${braced(request.url)}`,
    ...request.headers.map(([name, value]) => `${name}: ${braced(value)}`),
    ...(request.body === null ? [] : ['', braced(request.body)]),
    '',
    '> {%',
    ANSWER,
    ...tests,
    '%}',
    '',
  ].join('\n');
}

const ANSWER = `  const status = response.status;
  const header = (name) => response.headers.valueOf(name);
  const json = typeof response.body === 'string' ? jsonIn(response.body) : response.body;
${BODY_HELPERS.replaceAll(/^(?=.)/gm, '  ')}`;
