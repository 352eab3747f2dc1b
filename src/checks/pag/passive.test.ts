// The PAG checks that look at one exchange.
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  declaring,
  descriptionWith,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { ACTIVITY_LOG_OPERATION } from '../../platform/facts.ts';
import type { ExchangeCheck } from '../check.ts';
import { pag01 } from './pag-01.ts';
import { pag03 } from './pag-03.ts';
import { pag04 } from './pag-04.ts';
import { pag05 } from './pag-05.ts';
import { pag11 } from './pag-11.ts';

const [, LOG_PATH = ''] = ACTIVITY_LOG_OPERATION.split(' ');
const PAGE = { data: [{ id: 1 }], total: 21, page: 1, limit: 10, total_pages: 3 };

/** An answer of the log, or of another list at `path`. */
function subject(body: unknown, query = 'limit=10', path = LOG_PATH, changes: Changes = {}) {
  const parameters = ['limit', 'page'].map((name) => ({
    name,
    in: 'query' as const,
    required: false,
    schema: null,
    style: 'form',
    explode: true,
    examples: [],
  }));
  const operation = operationWith({ path, parameters });
  const plan = { path, query, operation: operation.key };
  return subjectOf(exchangeWith({ body, plan, ...changes }), { operation, description: descriptionWith() });
}

describe('PAG-01', () => {
  it('holds for the envelope, with further members too', () => {
    expect(outcome(pag01, subject({ ...PAGE, links: {} }))).toBe('holds');
  });

  it('is breached by each member that is missing, of another type, or has_more', () => {
    expect(brief(pag01, subject({ ...PAGE, data: {}, total: '21', page: 1.5, has_more: false }))).toEqual([
      'data is no array (/data)',
      'total is no integer (/total)',
      'page is no integer (/page)',
      'has_more is present (/has_more)',
    ]);
    expect(brief(pag01, subject([]))).toEqual(['the list answers no paged envelope']);
  });

  it('leaves a declared body that is empty to SCH-03, and no other', () => {
    const empty = subject(undefined, '', LOG_PATH, { body: '' });
    expect(brief(pag01, empty)).toEqual(['the list answers no paged envelope']);
    const content = [{ mediaType: 'application/json', schema: null, examples: [] }];
    const operation = operationWith({ path: LOG_PATH, responses: [declaring('200', undefined, { content })] });
    expect(outcome(pag01, { ...empty, operation })).toBe('cannot tell');
  });

  it('does not apply to other lists and to refusals', () => {
    expect(outcome(pag01, subject([], '', '/api/v1/themes'))).toBe('does not apply');
    expect(outcome(pag01, subject({}, '', LOG_PATH, { status: 400 }))).toBe('does not apply');
  });
});

describe('PAG-03', () => {
  it('holds up to 100 items and a limit of 100', () => {
    expect(outcome(pag03, subject({ ...PAGE, data: Array(100).fill(1), limit: 100 }, 'limit=500'))).toBe('holds');
  });

  it('is breached by more', () => {
    expect(brief(pag03, subject({ ...PAGE, data: Array(101).fill(1), limit: 101 }, 'limit=101'))).toEqual([
      'a page holds more than 100 items (/data)',
      'a limit above 100 is reported (/limit)',
    ]);
  });

  it('rests on an answer to more than the maximum, where the log holds more or names the limit that it applied', () => {
    const shown = (body: object, query: string) => pag03.judge(subject(body, query)).grounds?.overLimits;
    const { limit: _limit, ...unnamed } = PAGE;
    expect(shown({ ...PAGE, limit: 100 }, 'limit=101')).toBe(1);
    expect(shown({ ...unnamed, total: 101 }, 'limit=101')).toBe(1);
    expect(shown({ ...unnamed, total: 100 }, 'limit=101')).toBe(0);
    expect(shown({ ...PAGE, limit: 100, total: 101 }, 'limit=100')).toBe(0);
  });
});

describe('PAG-04', () => {
  it('holds on every paged envelope, and for none or one page of an empty list', () => {
    expect(outcome(pag04, subject(PAGE))).toBe('holds');
    for (const total_pages of [0, 1]) {
      expect(outcome(pag04, subject({ ...PAGE, data: [], total: 0, total_pages }, '', '/api/v1/themes'))).toBe('holds');
    }
  });

  it('is breached by a floor, and by echoes of something else', () => {
    expect(brief(pag04, subject({ ...PAGE, total_pages: 2, page: 2, limit: 11 }, 'limit=10&page=1'))).toEqual([
      'limit does not echo what was applied (/limit)',
      'page does not echo what was applied (/page)',
    ]);
    expect(brief(pag04, subject({ ...PAGE, total_pages: 2 }))).toEqual([
      'total_pages is not ceil(total / limit) (/total_pages)',
    ]);
  });

  it('lets other lists clamp, the activity log above 100 only', () => {
    const clamped = { ...PAGE, limit: 5, total_pages: 5 };
    expect(outcome(pag04, subject(clamped, 'limit=10', '/api/v1/themes'))).toBe('holds');
    expect(brief(pag04, subject(clamped))).toEqual(['limit does not echo what was applied (/limit)']);
    expect(outcome(pag04, subject({ ...PAGE, limit: 100, total_pages: 1 }, 'limit=101'))).toBe('holds');
  });

  it('is breached by a total below 0 in any envelope, and in the paged one below what the page holds', () => {
    const tooSmall = ['total is less than the items that the page holds (/total)'];
    const data = [1, 2, 3];
    expect(brief(pag04, subject({ ...PAGE, data, total: -1, total_pages: 0 }, '', '/api/v1/themes'))).toEqual(tooSmall);
    expect(brief(pag04, subject({ ...PAGE, data, total: 2, total_pages: 1 }, '', '/api/v1/themes'))).toEqual(tooSmall);
    expect(brief(pag04, subject({ data, total: -1 }, '', '/api/v1/themes'))).toEqual(tooSmall);
    // The contract does not state what a total of another envelope counts.
    expect(outcome(pag04, subject({ data, total: 2 }, '', '/api/v1/themes'))).toBe('does not apply');
  });

  it('does not ask bad values to be echoed', () => {
    for (const query of ['limit=abc&page=2', 'limit=10&page=0', 'limit=2&limit=3', 'limit=010', 'page=9']) {
      expect(outcome(pag04, subject(PAGE, query))).toBe('holds');
    }
  });
});

describe('PAG-05', () => {
  it('holds for a page as large as its limit, whatever was asked for', () => {
    expect(outcome(pag05, subject({ ...PAGE, data: Array(10).fill(1) }, 'limit=0'))).toBe('holds');
  });

  it('is breached by one item more than the limit named, on every list', () => {
    const body = { ...PAGE, data: Array(11).fill(1) };
    expect(brief(pag05, subject(body, 'limit=0', '/api/v1/themes'))).toEqual([
      'a page holds more items than the limit that it names (/data)',
    ]);
  });

  it('does not apply to other forms', () => {
    expect(outcome(pag05, subject([1, 2], 'limit=1'))).toBe('does not apply');
    expect(outcome(pag05, subject({ ...PAGE, limit: 0 }))).toBe('does not apply');
  });
});

describe('PAG-11', () => {
  it('is breached by a Link header, on any answer of a described operation', () => {
    const headers = [['link', '</next>; rel="next"']] as const;
    expect(brief(pag11, subject(PAGE, '', LOG_PATH, { headers }))).toEqual(['a Link header is sent']);
    expect(outcome(pag11, subject(PAGE))).toBe('holds');
    expect(outcome(pag11, subjectOf(exchangeWith({ headers })))).toBe('does not apply');
  });
});

it.each([pag01, pag03, pag04, pag11])('$clause never throws', (check: ExchangeCheck) => {
  for (const body of [
    '',
    '{',
    null,
    7,
    [],
    { data: null },
    { data: [], total: 1e308, page: -1, limit: -1, total_pages: null },
  ]) {
    for (const response of [undefined, null, { truncated: true }]) {
      const changes: Changes = response === undefined ? {} : { response };
      expect(() => outcome(check, subject(body, '%', LOG_PATH, changes))).not.toThrow();
    }
  }
});
