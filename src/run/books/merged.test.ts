// Whatever was booked, and by whichever shard: the shards' reports merged have the clause table of one run that booked all.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { optionsWith } from '../../../test/support/run/test-config.ts';
import { benchWith, factsOf } from '../../../test/support/run/test-session.ts';
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { ReasonCode, Report } from '../../contract/report.ts';
import { mergeShards } from '../../grading/merge.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Spot } from '../plan/clause-target.ts';
import { NOWHERE, shareOf } from '../plan/shard.ts';
import { buildReport } from './report.ts';

const CLAUSES = ['ERR-04', 'SCH-01', 'REQ-08', 'PAG-13', 'RATE-03'];
const WHY: readonly ReasonCode[] = ['precondition', 'not-declared', 'no-credential'];

interface Booking {
  readonly clause: string;
  /** Index of the operation; beyond the last: none. */
  readonly at: number;
  readonly kind: 'holds' | 'breached' | 'untested';
  readonly cause: number;
  /** Which shard books it. */
  readonly by: number;
}

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

function judgementOf({ kind, cause, clause }: Booking): Judgement {
  if (kind === 'holds') return holds(1 + cause);
  if (kind === 'untested') return cannotTell(WHY[CLAUSES.indexOf(clause) % WHY.length]!, `${clause} lacks something`);
  const weight = clause === 'REQ-08' ? 'advisory' : 'breach';
  const code = codeOf(clause, 'kind', cause);
  return breached([{ weight, code, cause: `cause ${cause}`, message: 'm', expected: 'e', actual: 'a' }]);
}

/** The report of a run, or of shard `index` of `count`, that booked these. */
function reported(bookings: readonly Booking[], index: number, count: number): Report {
  const bench = benchWith(shop, () => ({}));
  const { ledger, catalogue } = bench;
  const shard = count === 1 ? {} : { shard: { index, count } };
  const options = optionsWith(shard);
  const share = shareOf(catalogue.operations, options.shard ?? null);
  for (const booking of bookings) {
    const operation = catalogue.operations[booking.at]?.operation;
    const spot: Spot = operation === undefined ? NOWHERE : { service: operation.service, operation: operation.key };
    // Why something was not judged is said by its owner.
    const isBooked = booking.kind === 'untested' ? share.performs(spot) : booking.by % count === index - 1;
    const evidence = booking.kind === 'holds' ? [exchangeWith()] : [];
    ledger.serve(spot, true);
    if (isBooked) ledger.book(booking.clause, spot, judgementOf(booking), evidence);
  }
  return buildReport(factsOf(bench, { options, runId: `run-${index}` }));
}

const booking: fc.Arbitrary<Booking> = fc.record({
  clause: fc.constantFrom(...CLAUSES),
  at: fc.nat({ max: 6 }),
  kind: fc.constantFrom('holds', 'breached', 'untested'),
  cause: fc.nat({ max: 2 }),
  by: fc.nat({ max: 4 }),
});

test('shards merged have the clause table, the findings and the verdict of one run that booked the same', () => {
  fc.assert(
    fc.property(fc.array(booking, { maxLength: 30 }), fc.integer({ min: 2, max: 5 }), (bookings, count) => {
      const whole = reported(bookings, 1, 1);
      const parts = Array.from({ length: count }, (_, at) => reported(bookings, at + 1, count));
      const merged = mergeShards(parts.toReversed());
      expect(merged.clauses).toEqual(whole.clauses);
      expect(merged.verdict).toBe(whole.verdict);
      expect(merged.counts).toEqual(whole.counts);
      const prints = ({ findings }: Report) => findings.map(({ fingerprint }) => fingerprint).toSorted();
      expect(prints(merged)).toEqual(prints(whole));
      const rows = ({ operations }: Report) =>
        Object.fromEntries(operations.map(({ operation, clauses }) => [operation, clauses]));
      expect(rows(merged)).toEqual(rows(whole));
    }),
    { numRuns: 60 },
  );
});
