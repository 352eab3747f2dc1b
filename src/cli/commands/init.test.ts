// What `assay init` asks and writes: whatever is answered, the file loads, and says what was answered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    const answers = await answering(
      [ADDRESS, [ENTER]],
      [/What is it\?/, [ENTER]],
      [/judged by/, [ENTER]],
      [/admin service/, [ENTER]],
      [/May requests/, [ENTER]],
    );
    expect(answers).toEqual({
      baseUrl: 'http://127.0.0.1:8080',
      environment: 'staging',
      contract: 'commerce',
      spec: {},
      mutations: 'deny',
    });
  });

  test('and takes what is typed, of a local service not whether it may be changed', async () => {
    const answers = await answering(
      [ADDRESS, [...'http://127.0.0.1:9', ENTER]],
      [/What is it\?/, [DOWN, ENTER]],
      [/judged by/, [DOWN, ENTER]],
      [/OpenAPI description\?/, [...'a.json', ENTER]],
    );
    expect(answers).toEqual({
      baseUrl: 'http://127.0.0.1:9',
      environment: 'local',
      contract: 'openapi',
      spec: { api: 'a.json' },
      mutations: null,
    });
  });

  test('again where it is no address, and writes nothing where the person goes away', async () => {
    const gone = answering([ADDRESS, [...'nowhere', ENTER]], [/Expected an http or https URL/, ['\u0003']]);
    await expect(gone).rejects.toThrow('interrupted, nothing is written');
  });
});

describe('assay init with flags', () => {
  test.each([
    [[], { contract: 'commerce', mutations: 'deny', services: 3 }],
    [['--environment', 'local'], { contract: 'commerce', mutations: 'allow', services: 3 }],
    [['--mutations', 'allow', '--docs-url', 'https://d.example.com'], { mutations: 'allow', services: 3 }],
    [['--contract', ACME], { contract: 'openapi', stated: { name: 'Acme' }, services: 1 }],
    [['--contract', 'openapi'], { contract: 'openapi', mutations: 'deny', services: 1 }],
    [['--contract', 'openapi', '--spec', 'a=x.json', '--spec', 'b=pending'], { contract: 'openapi', services: 2 }],
  ])('%j writes a configuration that loads', async (flags, { services, ...expected }) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const file = join(folder, 'assay.config.yaml');
    expect(await main(['init', '--yes', '--force', '--out', file, ...flags])).toBe(0);
    const env = { ASSAY_STANDARD: 'token' };
    const config = await loadConfig({ file, baseUrl: null, env, cwd: folder });
    expect(config).toMatchObject(expected);
    expect(config?.services).toHaveLength(services);
  });
});
