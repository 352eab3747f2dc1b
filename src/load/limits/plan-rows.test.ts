import { expect, it } from 'vitest';
import type { Identified } from '../../limiters/identify.ts';
import { measuredRow } from './plan-rows.ts';

const EXACTLY = { least: 1000, best: 1000, most: 1000 };
const FOUND: Identified = {
  kinds: ['fixed-aligned'],
  limit: EXACTLY,
  windowMs: EXACTLY,
  burst: EXACTLY,
  stated: null,
  calls: 3000,
  unenforced: false,
  evidence: ['fresh windows admitted 1000 to 2000'],
};
const row = (found: Partial<Identified>) =>
  measuredRow({ plan: 'standard', name: 'std-1', costs: new Map(), found: { ...FOUND, ...found } });

it('has the numbers of a model that explains what was seen', () => {
  expect(row({})).toMatchObject({ limit: 1000, windowSeconds: 1, burst: 1000, confidence: 'sure' });
});

it('has no number where no model does, and says why', () => {
  expect(row({ kinds: [] })).toMatchObject({
    ...{ limit: null, windowSeconds: null, burst: null, limitBounds: null, windowSecondsBounds: null },
    confidence: 'unknown: fresh windows admitted 1000 to 2000',
  });
});
