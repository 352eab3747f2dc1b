import { describe, expect, it } from 'vitest';
import { newStore, SpilledUses, type Store } from './spilled-uses.ts';

describe('the first uses of ids', () => {
  it('are known whether in memory or on disk', () => {
    const uses = new SpilledUses(3);
    const all = Array.from({ length: 10 }, (_, index) => ({
      digest: `d${index}`,
      use: { exchange: `ex-${index}`, replayOf: index % 2 === 0 ? null : `r${index}` },
    }));
    for (const { digest, use } of all) {
      expect(uses.get(digest)).toBeUndefined();
      uses.set(digest, use);
    }
    for (const { digest, use } of all) expect(uses.get(digest)).toEqual(use);
    uses.close();
    expect(uses.get('d1')).toBeUndefined();
  });

  /** A database that takes so many pages, which SQLite tells as a full disk does. */
  function small(pages: number): Store {
    const store = newStore();
    store.database.exec(`PRAGMA max_page_count = ${pages}`);
    return store;
  }

  it.each([
    ['full from some time on', () => small(6)],
    [
      'that cannot be opened',
      () => {
        throw new Error('unable to open database file');
      },
    ],
  ])('are known with a disk %s', (_how, open) => {
    const uses = new SpilledUses(100, open);
    const exchange = 'x'.repeat(60);
    for (let index = 0; index < 1000; index += 1)
      uses.set(`d${index}`, { exchange: `${exchange}${index}`, replayOf: null });
    for (let index = 0; index < 1000; index += 1) expect(uses.get(`d${index}`)?.exchange).toBe(`${exchange}${index}`);
    uses.close();
  });
});
