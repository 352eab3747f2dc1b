// SCH-05 to SCH-08: which statuses an answer may have.
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  declaring,
  descriptionWith,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome, spoken } from '../../../test/support/checks/judging.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import { termsOf } from '../../contract/terms-of.ts';
import { persistent503, sch05, sch06, sch07, sch08 } from './sch-05-to-08-statuses.ts';

const declared = (changes: Changes, ...statuses: string[]) =>
  subjectOf(exchangeWith(changes), {
    operation: operationWith({ responses: statuses.map((status) => declaring(status)) }),
    description: descriptionWith(),
  });

describe('SCH-05', () => {
  it.each([['200'], ['2XX'], ['default']])('holds for a 200 declared as %s', (status) => {
    expect(outcome(sch05, declared({}, status))).toBe('holds');
  });

  it('is breached by an undeclared success or redirect', () => {
    expect(outcome(sch05, declared({ status: 202 }, '200', '201'))).toEqual([
      {
        weight: 'breach',
        code: 'sch-05.undeclared.202',
        cause: 'the status 202 is not declared',
        message: 'the status is 202, expected a declared status: 200, 201',
        expected: 'a declared status: 200, 201',
        actual: '202',
      },
    ]);
    expect(outcome(sch05, declared({ status: 302 }, '2XX'))).toHaveLength(1);
    expect(outcome(sch05, declared({ plan: { method: 'HEAD' } }, '201'))).toHaveLength(1);
  });

  it('lets a conditional request be answered 304', () => {
    expect(outcome(sch05, declared({ status: 304 }, '200'))).toHaveLength(1);
    expect(outcome(sch05, declared({ status: 304, plan: { headers: [['If-None-Match', '"a"']] } }, '200'))).toBe(
      'does not apply',
    );
  });

  it('does not apply where no response is declared at all: that is for SPEC-01', () => {
    expect(outcome(sch05, declared({}))).toBe('does not apply');
  });

  it('does not apply to errors, failures and undescribed requests', () => {
    expect(outcome(sch05, declared({ status: 404 }, '200'))).toBe('does not apply');
    expect(outcome(sch05, declared({ response: null }, '200'))).toBe('does not apply');
    expect(outcome(sch05, subjectOf(exchangeWith()))).toBe('does not apply');
  });
});

describe('SCH-06', () => {
  it('is breached by a 500 whose body was cut', () => {
    const cut = subjectOf(exchangeWith({ status: 500, body: '{', response: { truncated: true } }));
    expect(outcome(sch06, cut)).toHaveLength(1);
  });

  it.each([500, 501, 502, 504, 599, 600, 999])('is breached by %i on any path', (status) => {
    expect(brief(sch06, subjectOf(exchangeWith({ status })))).toEqual([`a request is answered ${status}`]);
  });

  it.each([200, 404, 429, 503])('holds for %i', (status) => {
    expect(outcome(sch06, subjectOf(exchangeWith({ status })))).toBe('holds');
  });

  it('does not apply to a failure', () => {
    expect(outcome(sch06, subjectOf(exchangeWith({ response: null })))).toBe('does not apply');
  });

  it('reports a 503 that all retries did not clear, and no other', () => {
    const attempts = (...statuses: number[]) => statuses.map((status) => exchangeWith({ status }));
    const judged = persistent503(attempts(503, 503, 503, 503, 503), NO_TERMS);
    expect(judged && spoken(judged)).toMatchObject([
      { cause: 'a 503 stays after the retries', actual: '503 after 4 retries' },
    ]);
    expect(persistent503(attempts(503, 503, 503, 503, 200), NO_TERMS)).toBeNull();
    expect(persistent503(attempts(503), NO_TERMS)).toBeNull();
    expect(persistent503([], NO_TERMS)).toBeNull();
    const limited = termsOf({ name: 'Acme', rateLimits: { refused: { status: 503 } } });
    expect(persistent503(attempts(503, 503, 503, 503, 503), limited)).toBeNull();
    expect(persistent503([...attempts(503, 503, 503, 503), exchangeWith({ response: null })], NO_TERMS)).toBeNull();
  });
});

describe('SCH-07', () => {
  it.each([402, 423, 430])('is breached by %i', (status) => {
    expect(outcome(sch07, subjectOf(exchangeWith({ status })))).toHaveLength(1);
  });

  it.each([200, 400, 422, 429, 431, 500])('holds for %i', (status) => {
    expect(outcome(sch07, subjectOf(exchangeWith({ status })))).toBe('holds');
  });
});

describe('SCH-08', () => {
  it('is breached by an uncommon error status that is not declared', () => {
    expect(brief(sch08, declared({ status: 418 }, '200', '400'))).toEqual(['the status 418 is not declared']);
  });

  it('holds for a declared one', () => {
    for (const status of ['410', '4XX', 'default'])
      expect(outcome(sch08, declared({ status: 410 }, status))).toBe('holds');
  });

  it.each([200, 400, 405, 415, 422, 429, 402, 423, 430, 500, 503])('does not apply to %i', (status) => {
    expect(outcome(sch08, declared({ status }, '200'))).toBe('does not apply');
  });

  describe('by a description alone', () => {
    const alone = (status: number, changes: Changes = {}) =>
      ({ ...declared({ status, ...changes }, '200'), contract: 'openapi', terms: NO_TERMS }) as const;

    it.each([400, 401, 402, 403, 409, 410, 422, 423])('is breached by an undeclared %i', (status) => {
      expect(brief(sch08, alone(status))).toEqual([`the status ${status} is not declared`]);
    });

    it.each([404, 405, 406, 413, 415, 429, 431, 500, 503])(
      'does not apply to %i, which needs no declaration',
      (status) => {
        expect(outcome(sch08, alone(status))).toBe('does not apply');
      },
    );

    it('does not apply to what a contract says needs none, nor to the status of its limiter', () => {
      const stated = termsOf({
        name: 'Acme',
        undeclared: { statuses: [409] },
        rateLimits: { refused: { status: 420 } },
      });
      for (const status of [409, 420])
        expect(outcome(sch08, { ...alone(status), terms: stated })).toBe('does not apply');
      expect(outcome(sch08, { ...alone(415), terms: stated })).toHaveLength(1);
    });

    it('does not apply to 400 for hostile input, which a front end may answer', () => {
      expect(outcome(sch08, alone(400, { plan: { intent: 'hostile' } }))).toBe('does not apply');
      expect(outcome(sch08, alone(422, { plan: { intent: 'hostile' } }))).toHaveLength(1);
    });

    it('holds for one that is declared, by a range or by default, too', () => {
      for (const range of ['422', '4XX', 'default'])
        expect(outcome(sch08, { ...declared({ status: 422 }, '200', range), terms: NO_TERMS })).toBe('holds');
    });
  });
});
