// Conditional requests of an API that is not the platform: the sound server passes, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { oneDue } from '../programme.ts';
import { documentsApi, type Ways } from './documents.ts';
import { failedIn, judgedByContract, rowsOf, violationsIn } from './in-memory.ts';
import { judgedSensing } from './sensed.ts';
import { contractTable } from './table.ts';

const JUDGED = ['COND-01', 'COND-02', 'COND-03'];

contractTable('a documents API with entity tags', ({ ways, contract }, asking) =>
  judgedByContract(documentsApi(ways, contract), asking),
);

describe('a documents API with entity tags', () => {
  it('passes with its laws judged where it is sound', async () => {
    const report = await judgedSensing(documentsApi(), { 'COND-01': 1, 'COND-02': 1, 'COND-03': 1 });
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...JUDGED)).toEqual(JUDGED.map((id) => `${id} pass`));
  });

  it('is not blamed for refusing a state that it showed late, where a budget ends the run', async () => {
    const report = await judgedByContract(documentsApi({ lateMs: 2000 }), { clauses: JUDGED, budget: 60 });
    expect(violationsIn(report)).toEqual([]);
    expect(rowsOf(report, 'COND-01')).toEqual(['COND-01 pass']);
  });

  it('is judged on what may be read where nothing may be written', async () => {
    const denied = ['mutations: deny', 'fixtures: { docId: doc_2 }'];
    const report = await judgedByContract(documentsApi(), {}, denied);
    expect(rowsOf(report, ...JUDGED)).toEqual(['COND-01 not-tested', 'COND-02 pass', 'COND-03 pass']);
    const always = await judgedByContract(documentsApi({ tags: 'always-new' }), {}, denied);
    expect(failedIn(always)).toEqual(['COND-03']);
    expect(failedIn(await judgedByContract(documentsApi({ tags: 'none' }), {}, denied))).toEqual(['COND-02']);
  });

  it.each(oneDue([['put'], ['patch'], ['delete']]))('is blamed where its %s alone is wrong', async (method) => {
    const report = await judgedByContract(documentsApi({ stale: 'accepted' }, undefined, ['get', method]));
    const blamed = report.findings.filter(({ clause, kind }) => clause === 'COND-01' && kind === 'violation');
    expect(new Set(blamed.map(({ operation }) => operation))).toEqual(
      new Set([`${method.toUpperCase()} /docs/{docId}`]),
    );
  });

  it.each(oneDue([['put'], ['patch']]))(
    'is judged where nothing is made, and %s may change what is there',
    async (method) => {
      const found = (ways: Ways) => documentsApi(ways, undefined, ['get', method], 'without-create');
      const report = await judgedByContract(found({}));
      expect([exitCode(report), rowsOf(report, ...JUDGED)]).toEqual([0, JUDGED.map((id) => `${id} pass`)]);
      expect(failedIn(await judgedByContract(found({ stale: 'accepted' })))).toEqual(['COND-01']);
      expect(failedIn(await judgedByContract(found({ tags: 'never-new' })))).toContain('COND-03');
    },
  );

  it('has no law of writes where its contract names readings alone', async () => {
    const contract = ['contract: 1', 'name: Documents API contract', 'conditional: { operations: ["GET /docs/*"] }'];
    const report = await judgedByContract(documentsApi({ stale: 'accepted' }, contract));
    expect([failedIn(report), rowsOf(report, ...JUDGED)]).toEqual([
      [],
      ['COND-01 not-applicable', 'COND-02 pass', 'COND-03 pass'],
    ]);
  });
});
