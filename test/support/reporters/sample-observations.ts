// The made-up report's table of what the source does not show: one row of every confidence, places that answer alike, a key,
// and strings as hostile as a target can send.
import type { Observation } from '../../../src/contract/report.ts';

export function sampleObservations(operations: readonly string[], hostile: string): readonly Observation[] {
  return [
    row({ clause: 'SPEC-09', subject: 'operations', value: '7; the source says 292', calls: 0, finding: 'spec09-1' }),
    row({
      clause: 'ERR-11',
      operation: 'POST /api/v1/stores',
      subject: `the code ${hostile}`,
      value: hostile,
      basis: hostile,
      exchanges: ['ex-15'],
      finding: 'err11-1',
    }),
    ...operations.map((operation) => row({ operation, subject: 'default page size', value: '20', calls: 3 })),
    row({
      service: 'ai',
      operation: 'GET /api/v1/ai/runs',
      subject: 'default page size',
      value: '50',
      confidence: 'likely',
    }),
    row({ operation: operations[0]!, subject: 'maximum page size', value: 'at least 60', confidence: 'cannot-tell' }),
    row({
      clause: 'RATE-11',
      service: null,
      operation: null,
      key: 'std-1',
      plan: 'standard',
      subject: 'window',
      value: '60 s',
      calls: 412,
    }),
  ];
}

function row(given: Partial<Observation> & Pick<Observation, 'subject' | 'value'>): Observation {
  return {
    clause: 'PAG-13',
    service: 'admin',
    operation: null,
    key: null,
    plan: null,
    confidence: 'sure',
    calls: 1,
    basis: 'as the envelope says',
    exchanges: [],
    finding: null,
    ...given,
  };
}
