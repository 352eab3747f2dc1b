import { describe, expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { Finding } from '../../contract/report.ts';
import { worstClauses } from './first.ts';

/** A violation of the clause by a cause of its own. */
function finding(clause: string, cause: number): Finding {
  const [any] = sampleReport().findings as [Finding];
  const code = `${clause.toLowerCase()}.cause-${cause}`;
  return { ...any, clause, code, kind: 'violation', cause: `cause ${cause}`, fingerprint: `${clause}-${cause}` };
}

function lines(causes: number) {
  const findings = Array.from({ length: causes }, (_, at) => finding(at % 2 === 0 ? 'ERR-02' : 'ERR-04', at));
  return worstClauses({ ...sampleReport(), findings });
}

describe('what is to be repaired first', () => {
  it('has a line for each cause as long as eight are enough', () => {
    const { lines: told, left } = lines(8);
    expect(told.map(({ cause }) => cause).toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `cause ${at}`));
    expect(told.every(({ others }) => others === '')).toBe(true);
    expect(left).toBe(0);
  });

  it('has a line for each clause where causes are more', () => {
    const { lines: told, causes } = lines(9);
    expect(told.map(({ id, others }) => [id, others])).toEqual([
      ['ERR-02', 'and 4 other causes'],
      ['ERR-04', 'and 3 other causes'],
    ]);
    expect(causes).toBe(9);
  });

  it('has one line for what two clauses say of the same answers', () => {
    const same = (clause: string) => ({ ...finding(clause, 1), fingerprint: clause });
    const findings = [same('PAG-06'), same('PAG-08'), finding('PAG-07', 2)];
    const { lines: told } = worstClauses({ ...sampleReport(), findings });
    expect(told.map(({ id, cause }) => [id, cause])).toEqual([
      ['PAG-06, -08', 'cause 1'],
      ['PAG-07', 'cause 2'],
    ]);
  });
});
