import { describe, expect, it } from 'vitest';
import { preferredValue } from './preferred.ts';

const nonce = { run: 'run-M3x9', serial: '00000a' };
const text = { type: 'string' };

describe('a preferred value', () => {
  it.each([
    ['email', text, 'assay-run-m3x9-00000a@example.com'],
    ['contactEmail', text, 'assay-run-m3x9-00000a@example.com'],
    ['anything', { ...text, format: 'email' }, 'assay-run-m3x9-00000a@example.com'],
    ['password', text, 'Assay-9x-run-m3x9-00000a'],
    ['storeName', text, 'assay-run-m3x9-00000a'],
    ['store_slug', text, 'assay-run-m3x9-00000a'],
    ['name', { ...text, maxLength: 20 }, 'assay-m3x900000a'],
    ['name', { ...text, maxLength: 12 }, 'm3x900000a'],
    ['code', { ...text, pattern: '^[A-Z0-9]{3,16}$' }, 'M3X900000A'],
    ['code', { ...text, pattern: '^[A-Z]{3}$' }, undefined],
    ['currency', text, 'USD'],
    ['currency', { ...text, pattern: '^[a-z]{3}$' }, undefined],
    ['callback_url', text, 'https://example.com/run-m3x9-00000a'],
    ['name', { ...text, maxLength: 5 }, undefined],
    ['name', { type: 'integer' }, undefined],
    ['name', { ...text, format: 'uuid' }, undefined],
    ['note', text, undefined],
    ['endsAt', { ...text, format: 'date-time' }, '2035-06-30T12:00:00Z'],
    ['valid_until', { ...text, format: 'date' }, '2035-06-30'],
    ['startsAt', { ...text, format: 'date-time' }, undefined],
    ['endsAt', text, undefined],
    ['username', {}, 'assay-run-m3x9-00000a'],
    ['rename', text, undefined],
  ])('of %s with %j is %j', (name, shape, expected) => {
    expect(preferredValue(name, shape, nonce)).toBe(expected);
  });
});
