// Tests the questions and the file of `assay init`: whatever is answered, the file loads, and says what was answered.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../config/load.ts';
import { type Answers, ask } from '../init/questions.ts';
import { main } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
const ACME = join(folder, 'acme.contract.yaml');
writeFileSync(ACME, 'contract: 1\nname: Acme\nextends: problem-details\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

const ENTER = '\r';
const DOWN = '\u001b[B';

/** Answers each question, in turn, as soon as it is asked. */
function answering(...typed: readonly (readonly [question: RegExp, keys: readonly string[]])[]): Promise<Answers> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const waiting = [...typed];
  let shown = '';
  output.on('data', (chunk) => {
    shown += String(chunk);
    const next = waiting[0];
    if (next === undefined || !next[0].test(shown)) return;
    waiting.shift();
    shown = '';
    // A question listens once it is shown; keys come one at a time, as a person presses them.
    setImmediate(() => {
      for (const key of next[1]) input.write(key);
    });
  });
  return ask({ input, output });
}

const ADDRESS = /address of the target/;

describe('assay init asks a person', () => {
  test('and takes what is offered', async () => {
    const answers = await answering([/judged by/, [ENTER]], [/OpenAPI description\?/, [ENTER]], [ADDRESS, [ENTER]]);
    expect(answers).toEqual({ contract: 'openapi', description: 'openapi.yaml' });
  });

  test('and takes what is typed', async () => {
    const answers = await answering(
      [/judged by/, [ENTER]],
      [/OpenAPI description\?/, [...'a.json', ENTER]],
      [ADDRESS, [...'http://127.0.0.1:9', ENTER]],
    );
    expect(answers).toEqual({ contract: 'openapi', description: 'a.json', baseUrl: 'http://127.0.0.1:9' });
  });

  test('of the platform where it is, and whether it may be changed unless it is local', async () => {
    const platform = [/judged by/, [DOWN, ENTER]] as const;
    const staging = await answering(
      platform,
      [ADDRESS, [ENTER]],
      [/What is it\?/, [ENTER]],
      [/admin service/, [ENTER]],
      [/May requests/, [ENTER]],
    );
    const answers = { contract: 'commerce', baseUrl: 'http://127.0.0.1:8080', spec: {} };
    expect(staging).toEqual({ ...answers, environment: 'staging', mutations: 'deny' });
    const local = await answering(
      platform,
      [ADDRESS, [ENTER]],
      [/What is it\?/, [DOWN, ENTER]],
      [/admin service/, [ENTER]],
    );
    expect(local).toEqual({ ...answers, environment: 'local' });
  });

  test('again where it is no address, and writes nothing where the person goes away', async () => {
    const gone = answering(
      [/judged by/, [DOWN, ENTER]],
      [ADDRESS, [...'nowhere', ENTER]],
      [/Expected an http or https URL/, ['\u0003']],
    );
    await expect(gone).rejects.toThrow('interrupted, nothing is written');
  });
});

describe('assay init with flags', () => {
  test.each([
    [[], { contract: 'commerce', mutations: 'deny', services: 3 }],
    [['--base-url', 'http://127.0.0.1:9'], { contract: 'commerce', mutations: 'allow', services: 3 }],
    [['--base-url', 'https://s.example.com'], { contract: 'commerce', mutations: 'deny', services: 3 }],
    [['--environment', 'local'], { contract: 'commerce', mutations: 'allow', services: 3 }],
    [['--mutations', 'allow', '--docs-url', 'https://d.example.com'], { mutations: 'allow', services: 3 }],
    [['--contract', ACME], { contract: 'openapi', stated: { name: 'Acme' }, services: 1 }],
    [['--contract', 'openapi'], { contract: 'openapi', mutations: 'deny', services: 1 }],
    [['--contract', 'openapi', '--spec', 'a=x.json', '--spec', 'b=pending'], { contract: 'openapi', services: 2 }],
  ])('%j writes a configuration that loads', async (flags, { services, ...expected }) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const file = join(folder, 'assay.config.yaml');
    expect(await main(['init', '--yes', '--force', '--out', file, ...flags])).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('\n\n\n');
    const env = { ASSAY_STANDARD: 'token' };
    const config = await loadConfig({ file, baseUrl: null, env, cwd: folder });
    expect(config).toMatchObject(expected);
    expect(config?.services).toHaveLength(services);
  });
});
