// VER-02: headers that announce an end.
import { describe, expect, it } from 'vitest';
import { exchangeWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { ver02 } from './ver-02.ts';

describe('VER-02', () => {
  it('holds without either header', () => {
    expect(outcome(ver02, subjectOf(exchangeWith()))).toBe('holds');
  });

  it('is breached by either, on any answer', () => {
    const headers = [
      ['sunset', 'Sat, 21 Nov 2026 10:11:12 GMT'],
      ['deprecation', '@1688169599'],
    ] as const;
    for (const status of [200, 302, 404, 503]) {
      expect(brief(ver02, subjectOf(exchangeWith({ status, headers })))).toEqual([
        'a Sunset header is sent',
        'a Deprecation header is sent',
      ]);
    }
  });

  it('does not apply to a failure', () => {
    expect(outcome(ver02, subjectOf(exchangeWith({ response: null })))).toBe('does not apply');
  });
});
