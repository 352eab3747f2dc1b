// Recorded deliveries are read whole, and every broken line is named with what is wrong with it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../config/errors.ts';
import { recordedDeliveries } from '../receiving/deliveries-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-deliveries-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'recorded.jsonl');
const LINE = {
  at: '2026-01-31T12:00:00Z',
  method: 'post',
  path: '/hooks?a=1',
  headers: { 'X-Signature': 'abc', 'Set-Thing': ['a', 'b'] },
  bodyBase64: Buffer.from([0, 255]).toString('base64'),
};

function read(...lines: readonly unknown[]) {
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return recordedDeliveries(file);
}

async function refusal(...lines: readonly unknown[]): Promise<string> {
  const error: unknown = await read(...lines).catch((one) => one);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
}

describe('a recording', () => {
  it('is read line by line, blank lines aside', async () => {
    const [first, second, ...more] = await read(LINE, '', { ...LINE, at: 1_769_860_800, status: 500 }, '  ');
    expect(more).toEqual([]);
    expect(first).toEqual({
      ...{ id: 'delivery-1', at: Date.UTC(2026, 0, 31, 12), method: 'POST', path: '/hooks?a=1' },
      headers: [
        ['x-signature', 'abc'],
        ['set-thing', 'a'],
        ['set-thing', 'b'],
      ],
      ...{ body: Buffer.from([0, 255]), answer: null },
    });
    expect(second).toMatchObject({
      id: 'delivery-3',
      at: Date.UTC(2026, 0, 31, 12),
      answer: { status: 500, said: '500' },
    });
  });

  it('may be empty', async () => {
    expect(await read('')).toEqual([]);
  });

  it('may say that nothing was answered', async () => {
    expect((await read({ ...LINE, status: null }))[0]?.answer).toMatchObject({ status: null });
  });
});

describe('a broken line', () => {
  it.each([
    ['{"at":', 'expected a JSON object, found text that is no JSON'],
    ['[]', 'expected a JSON object'],
    [{ ...LINE, at: 'yesterday' }, 'at: expected a date'],
    [{ ...LINE, at: undefined }, 'at: expected a date'],
    [{ ...LINE, method: 7 }, 'method: expected'],
    [{ ...LINE, path: 'hooks' }, 'path: expected'],
    [{ ...LINE, headers: { a: { b: 1 } } }, 'headers: expected'],
    [{ ...LINE, headers: 'a: b' }, 'headers: expected'],
    [{ ...LINE, bodyBase64: '{"a":1}' }, 'bodyBase64: expected'],
    [{ ...LINE, bodyBase64: undefined }, 'bodyBase64: expected'],
    [{ ...LINE, status: 'ok' }, 'status: expected'],
  ])('%j is named', async (line, why) => {
    expect(await refusal(LINE, line)).toContain(`recorded.jsonl:2: ${why}`);
  });

  it('does not hide the others', async () => {
    const message = await refusal('x', LINE, 'y');
    expect(message).toContain('recorded.jsonl:1:');
    expect(message).toContain('recorded.jsonl:3:');
  });

  it('never ends otherwise than with the line, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.json(), fc.jsonValue()), { maxLength: 3 }), async (lines) => {
        const found: unknown = await read(...lines).catch((error: unknown) => error);
        if (!Array.isArray(found)) expect((found as UsageError).message).toContain('recorded.jsonl:');
      }),
      { numRuns: 60 },
    );
  });
});

it('a file that is none is refused', async () => {
  await expect(recordedDeliveries(join(folder, 'absent'))).rejects.toThrow('absent cannot be read (ENOENT)');
  await expect(recordedDeliveries(folder)).rejects.toThrow('is no file');
});
