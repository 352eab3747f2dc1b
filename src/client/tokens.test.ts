import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, PLAN } from '../../test/support/client/fixture.ts';
import { json } from '../../test/support/client/scripted-server.ts';
import { simulatedClock } from '../clock/simulated.ts';
import { createRedactor } from '../exchange/redaction.ts';
import { createTokens, expiryOf, type TokenSource, TokenUnavailable } from './tokens.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-tokens-'));
});
afterAll(() => rm(folder, { recursive: true }));

function jwt(id: string, expiresAtMs: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub: id, exp: expiresAtMs / 1000 })}.${part({ id, signature: 'of the token' })}`;
}

/** A command that prints the given tokens in turn, the last one for ever, and counts its runs. */
async function commandPrinting(
  name: string,
  tokens: readonly string[],
): Promise<{ source: TokenSource; runs(): Promise<number> }> {
  const counter = join(folder, `${name}.count`);
  await writeFile(counter, '');
  const script = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const tokens = ${JSON.stringify(tokens)};
    const run = readFileSync(process.argv[1]).length;
    appendFileSync(process.argv[1], '.');
    console.log(tokens[Math.min(run, tokens.length - 1)]);`;
  const source = { name: 'std-1', token: null, tokenCommand: [process.execPath, '-e', script, counter] };
  return { source, runs: async () => (await readFile(counter)).length };
}

function tokensFor(source: TokenSource) {
  const clock = simulatedClock();
  const redactor = createRedactor();
  const tokens = createTokens({ keys: [source], credentials: { locked: null, expired: null }, redactor, clock });
  return { clock, redactor, tokens, current: () => tokens.tokenOf({ kind: 'key', name: 'std-1' }) };
}

describe('a token command', () => {
  it('runs once for all who wait, and its token is redacted from then on', async () => {
    const command = await commandPrinting('shared', ['token-from-the-command']);
    const { current, redactor } = tokensFor(command.source);
    expect(await Promise.all([current(), current(), current()])).toEqual(Array(3).fill('token-from-the-command'));
    expect(await command.runs()).toBe(1);
    expect(redactor.redact('a token-from-the-command b')).toBe('a [redacted key std-1] b');
  });

  it('runs again 30 s before a JWT expires', async () => {
    const startMs = simulatedClock().now();
    const [first, second] = [jwt('first', startMs + 600_000), jwt('second', startMs + 1_200_000)];
    const { clock, current } = tokensFor((await commandPrinting('ageing', [first, second])).source);
    expect(await current()).toBe(first);
    await clock.drive(clock.sleep(569_000));
    expect(current()).toBe(first);
    await clock.drive(clock.sleep(1_000));
    expect(await current()).toBe(second);
  });

  it.each([
    ['that fails', ['-e', 'console.log("secret-output"); process.exit(7)'], 'ended with 7'],
    ['that prints nothing', ['-e', ''], 'must print one token'],
    ['that prints a sentence', ['-e', 'console.log("secret-output and more")'], 'must print one token'],
  ])('%s is named without its output', async (_, args, what) => {
    const { current } = tokensFor({ name: 'std-1', token: null, tokenCommand: [process.execPath, ...args] });
    const error = await Promise.resolve(current()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokenUnavailable);
    expect(String(error)).toContain(`tokenCommand of key "std-1"`);
    expect(String(error)).toContain(what);
    expect(String(error)).not.toContain('secret-output');
  });

  it('that does not exist is named', async () => {
    const { current } = tokensFor({ name: 'std-1', token: null, tokenCommand: ['/nonexistent/program'] });
    await expect(current()).rejects.toThrow('(program) failed: ENOENT');
  });
});

describe('a token that aged in mid-run', () => {
  it('is renewed once on a 401, and the request sent again with the new one', async () => {
    const command = await commandPrinting('aged', ['token-number-one', 'token-number-two']);
    let valid = 'token-number-one';
    await using run = await fixture(
      (response, { headers }) => json(response, headers.authorization === `Bearer ${valid}` ? 200 : 401, {}),
      { keys: [command.source] },
    );
    await run.client.send(PLAN);
    valid = 'token-number-two';
    const sent = await Promise.all([run.client.send(PLAN), run.client.send(PLAN), run.client.send(PLAN)]);
    expect(sent.map((attempts) => attempts.map(({ response }) => response?.status))).toEqual(Array(3).fill([401, 200]));
    expect(await command.runs()).toBe(2);
    expect(JSON.stringify(run.recorded)).not.toContain('token-number');
  });

  it('is not sent again when the command yields the same, nor renewed at every later 401', async () => {
    const command = await commandPrinting('same', ['token-number-one']);
    await using run = await fixture((response, _, index) => json(response, index === 0 ? 200 : 401, {}), {
      keys: [command.source],
    });
    for (let index = 0; index < 4; index += 1) await run.client.send(PLAN);
    expect(run.server.seen).toHaveLength(4);
    expect(await command.runs()).toBe(2);
  });

  it('is left alone when it never worked', async () => {
    const command = await commandPrinting('dead', ['token-number-one', 'token-number-two']);
    await using run = await fixture((response) => json(response, 401, {}), { keys: [command.source] });
    await run.client.send(PLAN);
    expect(run.server.seen).toHaveLength(1);
    expect(await command.runs()).toBe(1);
  });
});

describe('credentials that are not configured', () => {
  it('are named with their place in the configuration', async () => {
    await using run = await fixture((response) => json(response, 200, {}));
    await expect(run.client.send({ ...PLAN, credential: { kind: 'locked' } })).rejects.toThrow('credentials.locked');
    await expect(run.client.send({ ...PLAN, credential: { kind: 'key', name: 'x' } })).rejects.toThrow('key "x"');
    expect(run.server.seen).toHaveLength(0);
  });
});

describe('expiryOf', () => {
  it('reads exp of a JWT, and takes anything else for lasting', () => {
    expect(expiryOf(jwt('a', 1_800_000_000_000))).toBe(1_800_000_000_000);
    for (const token of ['opaque', 'a.b.c', 'a.e30.c']) expect(expiryOf(token)).toBe(Number.POSITIVE_INFINITY);
  });
});
