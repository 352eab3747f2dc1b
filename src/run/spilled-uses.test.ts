import { describe, expect, it } from 'vitest';
import { SpilledUses } from './spilled-uses.ts';

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
});
