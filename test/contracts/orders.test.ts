// Keys of an API that is not the platform: the sound server passes with its laws judged, and each defect fails by its clause.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { failedIn, judgedByContract, rowsOf } from './in-memory.ts';
import { ordersApi } from './orders.ts';
import { judgedSensing } from './sensed.ts';
import { contractTable } from './table.ts';

const JUDGED = ['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04', 'IDEM-06', 'IDEM-08'];

contractTable('an orders API with keys', ({ ways, contract }, asking) =>
  judgedByContract(ordersApi(ways, contract), asking),
);

describe('an orders API with X-Idempotency-Key', () => {
  it('passes with its laws judged where it is sound', async () => {
    const report = await judgedSensing(ordersApi(), { 'IDEM-08': 1 });
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...JUDGED)).toEqual(JUDGED.map((id) => `${id} pass`));
    expect(rowsOf(report, 'IDEM-05', 'IDEM-07')).toEqual(['IDEM-05 not-applicable', 'IDEM-07 not-applicable']);
  });

  it('fails by IDEM-06 where the contract states a refusal, and the header is accepted', async () => {
    const contract = [
      ...['contract: 1', 'name: Orders API contract'],
      'idempotency: { header: X-Idempotency-Key, operations: ["POST /orders"], elsewhere: refused }',
    ];
    expect(failedIn(await judgedByContract(ordersApi({}, contract)))).toEqual(['IDEM-06']);
  });

  it('has keys that the configuration claims (laws.idempotency), in the header that is usual', async () => {
    const contract = ['contract: 1', 'name: Orders API contract'];
    const laws = ['laws: { idempotency: ["POST /orders"] }'];
    const claimed = await judgedByContract(ordersApi({ keyIn: 'idempotency-key' }, contract), {}, laws);
    expect(rowsOf(claimed, 'IDEM-01', 'IDEM-02', 'IDEM-08')).toEqual([
      ...['IDEM-01 pass', 'IDEM-02 pass', 'IDEM-08 not-applicable'],
    ]);
  });
});
