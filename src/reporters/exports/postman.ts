// The causes as a collection of Postman (format 2.1), which newman runs: a folder a cause, with the tests of each request.
import { type CauseTests, type FindingTest, leftOutLines, type PlainTest, parted, variablesIn } from './cause-tests.ts';
import { braced, freshLines, textOf } from './http.ts';
import { BODY_HELPERS, conditionsOf } from './javascript.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanFile(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const { causes: written, leftOut } = parted(causes);
  const variables = variablesIn(written.flatMap(({ tests }) => tests.map(({ plain }) => plain)));
  const told = [...head, ...variables.map((name) => `Set ${name} in the environment.`), ...leftOutLines(leftOut)];
  const collection = {
    info: { name: head[0] ?? 'Findings', description: told.join('\n'), schema: SCHEMA },
    variable: [{ key: 'TARGET_URL', value: baseUrl }],
    item: written.map(({ title, tests }) => ({ name: title, item: tests.map(itemOf) })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

export function whyNotByPostman({ request: { url, headers, body } }: PlainTest): string | null {
  const texts = [url, ...headers.map(([, value]) => value), body ?? []].map(textOf);
  if (texts.some((text) => text.includes('{{'))) return 'braces are variables in a collection';
  return /\/:/.test(textOf(url).split('?')[0] as string) ? 'a colon begins a variable in its path' : null;
}

function itemOf({ title, message, fingerprint, plain }: FindingTest & { plain: PlainTest }) {
  const { request, expectation } = plain;
  const fresh = freshLines(request, 'pm.variables.set');
  const tests = conditionsOf(expectation).map(
    ({ sentence, expression }) =>
      `pm.test(${JSON.stringify(sentence)}, () => pm.expect(${expression}, 'answered ' + status).to.equal(true));`,
  );
  const listening = (listen: string, exec: readonly string[]) => ({
    listen,
    script: { type: 'text/javascript', exec },
  });
  return {
    name: `${title} (${fingerprint})`,
    protocolProfileBehavior: {
      ...{ followRedirects: false, disableBodyPruning: true, disableCookies: true },
      disabledSystemHeaders: { 'content-type': true },
    },
    event: [
      ...(fresh.length === 0 ? [] : [listening('prerequest', fresh)]),
      listening('test', [...ANSWER.split('\n'), ...tests, IN_TIME]),
    ],
    request: {
      description: message,
      method: request.method,
      header: request.headers.map(([key, value]) => ({ key, value: braced(value) })),
      url: braced(request.url),
      ...(request.body === null ? {} : { body: { mode: 'raw', raw: braced(request.body) } }),
    },
  };
}

const IN_TIME = "pm.test('it is answered within 30 s', () => pm.expect(pm.response.responseTime).to.be.below(30000));";

const ANSWER = `const status = pm.response.code;
const header = (name) => pm.response.headers.get(name);
const json = jsonIn(pm.response.text());

${BODY_HELPERS}
`;
