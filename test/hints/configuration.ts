// Messages about configurations, and what stands beside them: waivers, own checks, hooks.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { configured, type HintCase, PETS } from './case.ts';

const RIGHT = configured();
const own = (text: string): Record<string, string> => ({ ...configured('extend: [./own.mjs]'), 'own.mjs': text });
const CHECK = `{ clause: 'X-01', level: 'should', text: 'It holds.', applies: () => true, judge: () => null }`;

export const CONFIGURATION: readonly HintCase[] = [
  { line: 'plan', says: 'no configuration: this folder has no assay.config.{ts,json,yaml,yml}', hint: '--config FILE' },
  { line: 'plan --config none.yaml', says: 'none.yaml does not exist', hint: 'assay init --out' },
  {
    line: 'plan',
    files: { ...RIGHT, 'assay.config.json': '{}' },
    says: 'assay.config.json and assay.config.yaml stand side by side',
    hint: '--config assay.config.json',
  },
  {
    line: 'plan --config here.yaml',
    prepare: (folder) => void mkdirSync(join(folder, 'here.yaml')),
    says: 'is a folder, not a file',
    hint: 'name the file in it',
  },
  { line: 'plan --config a.toml', files: { 'a.toml': '' }, says: '".toml" is no known form', hint: '.yaml' },
  {
    line: 'plan --config pipe.yaml',
    // A link to what only its reader itself can be shown: it is there, and not read by anybody else.
    prepare: (folder) => symlinkSync('/proc/self/mem', join(folder, 'pipe.yaml')),
    says: 'cannot be read (',
    hint: 'permissions',
  },
  {
    line: 'plan',
    files: { 'assay.config.yaml': 'target: { baseUrl: x' },
    says: 'assay.config.yaml:1:',
    hint: 'correct the line, then `assay doctor`',
  },
  {
    line: 'plan',
    files: { 'assay.config.yaml': 'target: *none' },
    says: 'Unresolved alias',
    hint: 'write out what the aliases stand for',
  },
  {
    line: 'plan',
    files: { 'assay.config.yaml': `a: ${'['.repeat(300)}${']'.repeat(300)}` },
    says: 'nested more than 200 levels deep',
    hint: 'write it without such nesting',
  },
  {
    line: 'plan',
    files: { 'assay.config.yaml': `a: ${'['.repeat(20000)}${']'.repeat(20000)}` },
    says: 'nested more than 200 levels deep',
    hint: 'write it without such nesting',
  },
  {
    line: 'plan',
    files: { 'assay.config.ts': "throw new Error('no')" },
    says: 'cannot be imported: no',
    hint: 'assay.config.ts shows where',
  },
  {
    line: 'plan',
    files: { 'assay.config.ts': 'export const x = 1;' },
    says: 'has no default export',
    hint: 'export default { target',
  },
  {
    line: 'plan',
    files: configured('tagret: 1'),
    says: 'tagret',
    hint: '`assay doctor` checks a configuration',
  },
  {
    line: 'plan',
    files: configured(`keys: [{ name: one, plan: standard, token: "\${ASSAY_NOT_SET}" }]`),
    says: 'ASSAY_NOT_SET',
    hint: 'set the variable',
  },
  {
    line: 'plan',
    files: configured('target: { baseUrl: "http://127.0.0.1:9", environment: local, tls: { ca: none.pem } }'),
    says: 'none.pem',
    hint: '`assay doctor` checks a configuration',
  },
  {
    line: 'plan --base-url ftp://x',
    files: RIGHT,
    says: '--base-url is not an http or https URL',
    hint: '--base-url http',
  },
  {
    line: 'plan --env moon',
    files: configured('environments: { staging: { target: { baseUrl: "http://127.0.0.1:8" } } }'),
    says: 'has no environment "moon"',
    hint: 'assay conform --env staging',
  },
  { line: 'plan --env moon', says: 'there is no configuration', hint: 'assay conform --config FILE --env moon' },
  {
    line: 'plan',
    files: configured('lists: { "GET /pest": { items: /data } }'),
    says: 'lists["GET /pest"]',
    hint: 'such as "GET',
  },
  {
    line: 'plan',
    files: configured('skip: [{ operation: "GET /pest", reason: shared }]'),
    says: 'skip[0].operation',
    hint: 'such as "DELETE',
  },
  {
    line: 'plan',
    files: configured('expect: { isolation: true }'),
    says: 'expect.isolation can never be judged (AUTH-08)',
    hint: 'state the account of each key',
  },
  {
    line: 'plan',
    files: configured('laws: { pagination: ["GET /pest"] }'),
    says: 'laws.pagination: "GET /pest"',
    hint: 'a glob over method and path',
  },
  {
    line: 'plan',
    files: configured('laws: { pagination: ["GET /pets"] }'),
    says: 'laws.pagination: "GET /pets" can never be judged',
    hint: 'name lists that take a size or a page',
  },
  {
    line: 'plan',
    files: configured('laws: { pagination: ["GET /pets"] }', { contract: 'commerce' }),
    says: 'laws.pagination: laws are claimed beyond a description',
    hint: 'set contract: openapi',
  },
  {
    line: 'plan',
    files: configured('promote: [ERR-03]'),
    says: 'promote: ERR-03 can never be judged',
    hint: 'docs/any-api.md',
  },
  {
    line: 'plan',
    files: configured('operations: [{ operation: "GET /pest", parameters: { a: 1 } }]'),
    says: 'operations[0] (/operations/0)',
    hint: 'operation',
  },
  { line: 'plan --operation "GET /pest"', files: RIGHT, says: '--operation: "GET /pest"', hint: '`assay specs`' },
  {
    line: 'plan --service pest',
    files: RIGHT,
    says: 'no service is named "pest"',
    hint: 'the configuration names pets',
  },
  { line: 'plan --clause ERR-99', files: RIGHT, says: 'no clause ERR-99', hint: '`assay clauses`' },
  { line: 'plan --clause X-99', files: RIGHT, says: 'X-99', hint: '`assay clauses`' },
  { line: 'plan --limit standard=x', files: RIGHT, says: '--limit: "standard=x"', hint: '--limit standard=100/60' },
  {
    line: 'plan',
    code: 3,
    files: { ...RIGHT, 'pets.json': PETS.replace(/"paths":.*/, '"paths":{}}') },
    says: 'the run could not be rehearsed',
    hint: '`assay conform --budget 100`',
  },
  { line: 'plan --ask', code: 3, files: RIGHT, says: '127.0.0.1:9', hint: '`assay doctor`' },
  {
    line: 'conform',
    files: configured('', { baseUrl: 'http://shop.example.com' }),
    env: { HTTP_PROXY: 'ftp://nobody' },
    says: 'HTTP_PROXY does not name an http or https proxy',
    hint: 'HTTP_PROXY=http://proxy.example.com:3128',
  },
  { line: 'conform --waivers none.yaml', files: RIGHT, says: '--waivers: ', hint: 'name the file that holds them' },
  {
    line: 'conform',
    files: {
      ...RIGHT,
      'waivers.yaml':
        'waivers: [{ clause: AUTH-03, operation: GET /pets, reason: known, owner: me, expires: 2099-01-01 }]',
    },
    says: 'waivers[0].allowSecurity',
    hint: 'docs/ci.md shows a file of waivers',
  },
  {
    line: 'plan',
    files: own("throw new Error('no')"),
    says: 'own.mjs cannot be imported: no',
    hint: 'own.mjs shows where',
  },
  {
    line: 'plan',
    files: own('export default 1'),
    says: 'has no default export of checks',
    hint: 'export default { checks',
  },
  { line: 'plan', files: own('export default { checks: 1 }'), says: 'are lists', hint: 'export default { checks' },
  {
    line: 'plan',
    files: own('export default { checks: [{}] }'),
    says: 'checks[0].clause: expected an id of the user',
    hint: 'docs/extending.md',
  },
  {
    line: 'plan',
    files: own(`export default { checks: [${CHECK}, ${CHECK}] }`),
    says: 'a check on X-01 stands in',
    hint: 'a clause of its own',
  },
  {
    line: 'plan',
    files: own("export default { hooks: [{ name: 'h', operation: 'GET /pest', beforeCall() {} }] }"),
    says: 'the hook h of',
    hint: 'operation is a glob',
  },
  {
    line: 'conform',
    code: 3,
    files: own("export default { hooks: [{ name: 'h', beforeRun() { throw new Error('no') } }] }"),
    says: 'failed before the run: ',
    hint: 'mend the hook',
  },
  {
    line: 'certify',
    files: own(`export default { checks: [${CHECK}] }`),
    says: 'the configuration brings the check of X-01',
    hint: 'without extend, checks, reporters and hooks',
  },
];
