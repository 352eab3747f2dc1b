import { beforeAll, describe, expect, it, test } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import type { Config } from '../../config/config.ts';
import { contractOf } from '../../config/contract-file.ts';
import { clauseById } from '../../contract/clauses.ts';
import type { Absence } from '../../grading/rows.ts';
import { type Catalogue, createCatalogue } from '../../openapi/model/catalogue.ts';
import { absenceOf, clauseFilter, selectOperations, wantedBy } from './selection.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = createCatalogue([await loadShop()]);
});

const keys = (operations: readonly string[], services: readonly string[] = []): readonly string[] =>
  selectOperations(catalogue, optionsWith({ operations, services })).map(({ operation }) => operation.key);

describe('operations', () => {
  it('are all of them without a filter', () => {
    expect(keys([])).toHaveLength(catalogue.operations.length);
  });

  it('are those that a glob and a service match', () => {
    expect(keys(['GET /api/v1/products'])).toEqual(['GET /api/v1/products']);
    expect(keys(['GET /api/v1/products'], ['store'])).toEqual([]);
    expect(keys(['GET /api/v1/products/*'], ['admin'])).toEqual(['GET /api/v1/products/{productId}']);
  });
});

it('a clause takes part when it is implemented and asked for', () => {
  expect(['ERR-04', 'HOOK-01'].map(clauseFilter(optionsWith(), contractOf('commerce', '.')))).toEqual([true, false]);
  expect(
    ['ERR-04', 'ERR-05'].map(clauseFilter(optionsWith({ clauses: ['ERR-05'] }), contractOf('commerce', '.'))),
  ).toEqual([false, true]);
});

describe('a clause without a check', () => {
  const ended: Absence = { reasonCode: 'target-lost', reason: 'gone' };
  const reason = (
    id: string,
    {
      config = {},
      clauses = [],
      after = null,
    }: { config?: Partial<Config>; clauses?: string[]; after?: Absence | null } = {},
  ): string => {
    const operations = catalogue.operations.filter(({ operation }) => !operation.path.includes('register'));
    return absenceOf(clauseById(id), configWith(config), optionsWith({ clauses }), after, operations).reasonCode;
  };

  it('says why', () => {
    expect(reason('CLIENT-01')).toBe('other-command');
    expect(reason('HOOK-01')).toBe('other-command');
    expect(reason('HOOK-01', { clauses: ['ERR-05'] })).toBe('other-command');
    expect(reason('ERR-04', { clauses: ['ERR-05'] })).toBe('filtered');
    expect(reason('ERR-04', { after: ended })).toBe('target-lost');
    expect(reason('ERR-04', { config: { services: [{ name: 'store', spec: null, basePath: null }] } })).toBe(
      'service-pending',
    );
    expect(reason('RED-01')).toBe('not-declared');
    expect(reason('REQ-07')).toBe('not-declared');
    expect(reason('REQ-02')).not.toBe('not-declared');
    expect(reason('AUTH-08')).toBe('no-credential');
    const key = { name: 'a', plan: 'any', token: null, tokenCommand: null, scheme: null };
    const keys = ['one', 'two'].map((account) => ({ ...key, account }));
    expect(reason('AUTH-08', { config: { mutations: 'deny', keys } })).toBe('mutations-denied');
    expect(reason('REQ-03', { config: { mutations: 'deny' } })).toBe('mutations-denied');
    expect(reason('ERR-04')).toBe('precondition');
    // A GET would do.
    for (const id of ['AUTH-07', 'ERR-09']) expect(reason(id, { config: { mutations: 'deny' } })).toBe('precondition');
  });
});

describe('under the contract openapi', () => {
  it('clauses of this platform take no part, whatever is asked for', () => {
    const inRun = clauseFilter(optionsWith(), contractOf('openapi', '.'));
    expect(['SCH-01', 'AUTH-01', 'REQ-09', 'ERR-01', 'RATE-01', 'AUTH-05', 'PAG-01'].filter(inRun)).toEqual([
      'SCH-01',
      'AUTH-01',
      'REQ-09',
    ]);
  });

  it('PAG and IDEM hold for what the configuration claims', () => {
    const laws = { pagination: ['GET /api/v1/products*'], idempotency: [] };
    const claimed = configWith({ contract: 'openapi', laws });
    const absence = (clause: string, config: Config): string =>
      absenceOf(clauseById(clause), config, optionsWith(), null, catalogue.operations).reason;
    expect(absence('PAG-08', configWith({ contract: 'openapi' }))).toBe('laws.pagination names no operation');
    expect(absence('IDEM-01', claimed)).toBe('laws.idempotency names no operation');
  });

  it('expectations of limits are told as not judged, and isolation is judged where two accounts have keys', () => {
    const expectation = { plans: { free: { limit: 10 } }, isolation: true };
    const expecting = configWith({ contract: 'openapi', expect: expectation });
    const absence = (clause: string) =>
      absenceOf(clauseById(clause), expecting, optionsWith(), null, catalogue.operations);
    expect(absence('RATE-10')).toMatchObject({
      reasonCode: 'not-declared',
      reason: expect.stringMatching(/expect\.plans/),
    });
    expect(absence('AUTH-08').reasonCode).toBe('no-credential');
    expect(clauseFilter(optionsWith(), contractOf('openapi', '.'))('AUTH-08')).toBe(true);
  });
});

// A narrowed run performs what its clauses are judged on, and nothing that the contract does not have.
const all = { possible: () => true, wantsAll: false };

test.each([
  [['ERR-06'], ['REQ-02'], true],
  [['SCH-06'], ['REQ-04', 'REQ-05'], true],
  [['PAG-11'], ['PAG-08', 'PAG-12'], true],
  [['PAG-08'], ['PAG-07'], false],
  [['RATE-05'], ['RATE-03'], true],
  [['SPEC-04'], ['AUTH-06'], true],
  [['SPEC-04'], ['AUTH-01'], false],
  [['SCH-01'], ['RATE-03'], false],
  [['SCH-01'], [], true],
])('a run of %j and an experiment for %j: %s', (inRun, clauses, wanted) => {
  expect(wantedBy({ ...all, inRun })(clauses)).toBe(wanted);
});

test('clauses of the user want any answer that a whole run would bring about', () => {
  const wanted = wantedBy({ inRun: ['X-01'], possible: (clause) => clause !== 'INT-01', wantsAll: true });
  expect([wanted(['REQ-02']), wanted(['PAG-08']), wanted(['INT-01'])]).toEqual([true, true, false]);
});

it.each([
  [[['bearer']], null, 'no operation is public'],
  [[], 'no operation requires a token', null],
  [[['bearer'], []], 'no operation requires a token', null],
])('with security %j, clauses on tokens lack %j, and that on public operations %j', (security, token, open) => {
  const description = descriptionWith({ operations: [operationWith({ security })] });
  const selected = createCatalogue([description]).operations;
  const lack = (id: string): string | null => {
    const { reasonCode, reason } = absenceOf(clauseById(id), configWith(), optionsWith(), null, selected);
    return reasonCode === 'not-declared' ? reason : null;
  };
  expect(['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-06'].map(lack)).toEqual([token, token, token, open]);
});
