// The clauses on conditional requests: what each says, what it needs, who judges it and how a breach is repaired.
import { entries, NO_LIFE, TWO_ANSWERS } from './entry.ts';

export const COND = entries('COND', { severity: 'data', needs: TWO_ANSWERS, on: ['experiment'] }, [
  {
    id: 'COND-01',
    text: 'A write with an `If-Match` that names a former state is refused with 412 and changes nothing; with the present one it succeeds.',
    tolerance: 'Weak tags never match (412).',
    needs: { answers: 3 },
    judges: ['checks/cond/cond-01-if-match'],
    experiments: ['probes/conditional/course'],
    repair: 'Compare the tag in the transaction of the write, strongly, and answer 412 before any change.',
  },
  {
    id: 'COND-02',
    text: 'A read with an `If-None-Match` that names the present state is answered 304 without a body, with the same ETag; after a change 200.',
    tolerance: 'Compared weakly.',
    judges: ['checks/cond/cond-02-if-none-match'],
    experiments: ['probes/conditional/course', 'probes/conditional/family'],
    shownByTraffic: NO_LIFE,
    repair: 'Compare the tag weakly before a body is sent, and send it with the 304.',
  },
  {
    id: 'COND-03',
    text: 'Two states that differ never have the same strong ETag; the same state read twice has the same.',
    tolerance: 'Members that change by themselves aside.',
    judges: ['checks/cond/cond-03-tags'],
    experiments: ['probes/conditional/course', 'probes/conditional/family'],
    shownByTraffic: NO_LIFE,
    repair: 'Make the tag of a digest or a version of the whole state, and of nothing else.',
  },
]);
