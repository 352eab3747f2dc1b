import { expect, test, vi } from 'vitest';
import { foretell } from './say.ts';

test('a sentence is broken at words where the terminal is narrower, and is one line where there is none', () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  foretell('creates nothing: all that it may send only reads', { columns: 24 });
  foretell('creates nothing: all that it may send only reads', {});
  write.mockRestore();
  expect(written).toEqual([
    'assay: creates nothing:\n  all that it may send\n  only reads\n',
    'assay: creates nothing: all that it may send only reads\n',
  ]);
});
