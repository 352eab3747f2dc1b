// Whatever somebody hands over, a description, a configuration or what an earlier run left, is read, or refused by an error
// that is known: with a message that names the file, and never another error. Nothing in it changes what all objects inherit.
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../src/config/errors.ts';
import { DescriptionUnreadable } from '../src/openapi/read/unreadable.ts';
import { brokenBytes, brokenJson } from './inputs/mutations.ts';
import { matched, READERS, type Reader } from './inputs/readers.ts';
import { isNightly } from './programme.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-inputs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What became of the file with these bytes: "read", or why it was refused. */
async function outcome({ name, read }: Reader, bytes: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), bytes);
  try {
    await read(folder, name);
    return 'read';
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof DescriptionUnreadable)) throw error;
    expect(
      [name, folder].some((place) => error.message.includes(place)),
      error.message,
    ).toBe(true);
    expect(error.message).not.toMatch(/\n\s+at /);
    expect(error.hint).not.toBe('');
    return error.message;
  } finally {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  }
}

describe.each(READERS)('$what', (reader) => {
  it('is read as it is', async () => {
    expect(await outcome(reader, reader.valid)).toBe('read');
  });

  it('is read or refused with any of its bytes cut or replaced', async () => {
    await fc.assert(
      fc.asyncProperty(brokenBytes(reader.valid), async (bytes) => {
        await outcome(reader, bytes);
      }),
      { numRuns: isNightly ? 60 : 15 },
    );
  });
});

it.each(READERS.filter(({ isJson }) => isJson))(
  '$what is read or refused with any of its values replaced, gone or renamed',
  async (reader) => {
    await fc.assert(
      fc.asyncProperty(brokenJson(JSON.parse(reader.valid.toString())), async (text) => {
        await outcome(reader, text);
      }),
      { numRuns: isNightly ? 120 : 30 },
    );
  },
);

it('any text is a glob over operations', () => {
  const characters = fc.constantFrom(...'*?[]()!+@{}|\\/^$.,-a ', '**', '*a', '/*');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 60 }), (glob) => {
      matched(glob);
    }),
    { numRuns: 2000 },
  );
});
