// ERR-06 and the second half of ERR-05: laws over a run.
import { describe, expect, it } from 'vitest';
import { type Changes, errorExchange, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { spoken } from '../../../test/support/checks/judging.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { ErrorTerms } from '../../contract/terms.ts';
import { docUrlBaseLaw } from './err-05.ts';
import { type FirstUse, requestIdLaw } from './err-06-request-ids.ts';
import { errRunLaws } from './run-laws.ts';

const errors = COMMERCE_TERMS.errors as ErrorTerms;

const answered = (id: string, request_id: unknown, changes: Changes = {}) =>
  errorExchange(errorObject({ request_id }), { id, ...changes });
const keyed = (key: string, path = '/api/v1/stores'): Changes => ({
  plan: { method: 'POST', path, headers: [['idempotency-key', key]] },
});

describe('ERR-06', () => {
  it('is breached when two requests share a request_id, with both as evidence', () => {
    const law = requestIdLaw(errors);
    expect(law.observe(answered('ex-1', 'req_1'))?.judgement.kind).toBe('holds');
    expect(law.observe(answered('ex-2', 'req_2'))?.judgement.kind).toBe('holds');
    const judged = law.observe(answered('ex-3', 'req_1'));
    expect(judged?.exchanges).toEqual(['ex-1', 'ex-3']);
    expect(spoken(judged!.judgement)).toEqual([
      {
        weight: 'breach',
        code: 'err-06.shared',
        cause: 'two requests share an error.request_id',
        message: 'error.request_id is "req_1", as in ex-1, expected an id that no other request of the run has',
        expected: 'an id that no other request of the run has',
        actual: '"req_1", as in ex-1',
        pointer: '/error/request_id',
      },
    ]);
  });

  it('counts a further attempt as a request of its own', () => {
    const law = requestIdLaw(errors);
    law.observe(answered('ex-1', 'req_1'));
    const retry = { ...answered('ex-2', 'req_1'), attempt: 2, previous: 'ex-1' };
    expect(law.observe(retry)?.judgement.kind).toBe('breached');
  });

  it('lets a replay of an idempotent original repeat it, and nothing else', () => {
    const law = requestIdLaw(errors);
    law.observe(answered('ex-1', 'req_1', keyed('k1')));
    expect(law.observe(answered('ex-2', 'req_1', keyed('k1')))?.judgement.kind).toBe('holds');
    expect(law.observe(answered('ex-3', 'req_1', keyed('k2')))?.judgement.kind).toBe('breached');
    expect(law.observe(answered('ex-4', 'req_1', keyed('k1', '/api/v1/other')))?.judgement.kind).toBe('breached');
    expect(law.observe(answered('ex-5', 'req_1'))?.judgement.kind).toBe('breached');
  });

  it('takes another error under the same key for the answer to another request', () => {
    const other = (fields: Changes & { readonly error: Record<string, unknown> }) => {
      const { error, ...changes } = fields;
      const law = requestIdLaw(errors);
      law.observe(answered('ex-1', 'req_1', keyed('k1')));
      const exchange = errorExchange(errorObject({ request_id: 'req_1', ...error }), {
        id: 'ex-2',
        ...keyed('k1'),
        ...changes,
      });
      return law.observe(exchange)?.judgement.kind;
    };
    expect(other({ error: { message: 'In other words.', timestamp: '2026-01-01T00:00:01Z' } })).toBe('holds');
    expect(other({ error: { code: 'idempotency_key_reused' } })).toBe('breached');
    expect(other({ error: { param: 'email' } })).toBe('breached');
    expect(other({ error: {}, status: 409 })).toBe('breached');
  });

  it('speaks of errors with a request_id only', () => {
    const law = requestIdLaw(errors);
    expect(law.observe(exchangeWith({ body: { error: errorObject() } }))).toBeNull();
    expect(law.observe(answered('ex-1', 7))).toBeNull();
    expect(law.observe(exchangeWith({ response: null }))).toBeNull();
  });

  it('remembers where it is told to', () => {
    const firstUses = new Map<string, FirstUse>();
    requestIdLaw(errors, firstUses).observe(answered('ex-1', '1'));
    expect([...firstUses.values()]).toEqual([{ exchange: 'ex-1', replayOf: null }]);
    expect(requestIdLaw(errors, firstUses).observe(answered('ex-2', '1'))?.judgement.kind).toBe('breached');
  });
});

describe('the one base of doc_url', () => {
  const documented = (id: string, doc_url: string) => errorExchange(errorObject({ doc_url }), { id });

  it('is breached by another base', () => {
    const law = docUrlBaseLaw(errors);
    expect(law.observe(documented('ex-1', 'https://a.example/errors/resource_not_found'))?.judgement.kind).toBe(
      'holds',
    );
    expect(law.observe(documented('ex-2', 'https://A.example/errors/resource_not_found'))?.judgement.kind).toBe(
      'holds',
    );
    expect(law.observe(documented('ex-3', 'https://a.example/errors/other'))).toBeNull();
    const judged = law.observe(documented('ex-4', 'https://b.example/errors/resource_not_found'));
    expect(judged?.exchanges).toEqual(['ex-1', 'ex-4']);
    expect(judged?.judgement.kind).toBe('breached');
  });

  it('is a law only where no docsUrl is configured', () => {
    expect(errRunLaws(COMMERCE_TERMS, null).map(({ clause }) => clause)).toEqual(['ERR-06', 'ERR-05']);
    expect(errRunLaws(COMMERCE_TERMS, 'https://docs.example.com').map(({ clause }) => clause)).toEqual(['ERR-06']);
  });
});
