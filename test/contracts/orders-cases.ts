// What orders servers do wrong, and what they may do.
import type { ContractCase } from './cases.ts';
import type { Ways } from './orders.ts';

const defect = (clause: string, text: string, ways: Ways): ContractCase<Ways> => ({ clause, is: 'defect', text, ways });
const oddity = (clause: string, text: string, ways: Ways, contract?: readonly string[]): ContractCase<Ways> => ({
  ...{ clause, is: 'oddity', text, ways },
  ...(contract === undefined ? {} : { contract }),
});

const HEADER = ['contract: 1', 'name: Orders API contract'];

export const ORDERS_CASES: readonly ContractCase<Ways>[] = [
  defect('IDEM-01', 'a key that comes again is executed again', { again: 'executed' }),
  defect('IDEM-02', 'it is executed again and answered the original', { again: 'answered-anew' }),
  defect('IDEM-03', 'two requests at once under one key are both executed', { again: 'ignored-at-once' }),
  defect('SCH-06', 'a key that comes again is answered 500', { again: 'fails' }),
  defect('IDEM-01', 'the header is ignored', { keyIn: 'idempotency-key' }),
  defect('IDEM-06', 'a delete refuses the header', { elsewhere: 'refuses' }),
  defect('IDEM-08', 'another body changes what the first one made', { otherBody: 'accepted' }),
  defect('IDEM-08', 'another body is answered the first response', { otherBody: 'replayed' }),
  defect('IDEM-08', 'another body is executed', { otherBody: 'executed' }),
  defect('IDEM-08', 'another body is refused, and executed', { otherBody: 'refused-and-made' }),
  defect('IDEM-08', 'another body is answered 500', { otherBody: 'fails' }),
  defect('IDEM-08', 'another body is refused with a status that is not stated', { otherBody: 400 }),
  ...(['defect', 'oddity'] as const).map(
    (is): ContractCase<Ways> => ({
      ...{ clause: 'IDEM-08', is, ways: {} },
      text: is === 'defect' ? 'another body is refused with a code that is not stated' : 'its code is the stated one',
      contract: [
        ...HEADER,
        'errors: { members: { code: /title } }',
        'idempotency:',
        '  header: X-Idempotency-Key',
        '  operations: ["POST /orders"]',
        `  otherBody: { status: 422, code: ${is === 'defect' ? 'key_reused' : 'refused with 422'} }`,
      ],
    }),
  ),
  oddity('IDEM-08', '409 is one of the stated statuses', { otherBody: 409 }),
  oddity('IDEM-08', 'where no status is stated any 4xx is right', { otherBody: 400 }, [
    ...HEADER,
    'idempotency: { header: X-Idempotency-Key, operations: ["POST /orders"], elsewhere: accepted, otherBody: {} }',
  ]),
  ...(['quoted', 'uuid'] as const).map((keys) =>
    oddity('IDEM-01', `a key is ${keys}, as stated`, { keys }, [
      ...HEADER,
      `idempotency: { header: X-Idempotency-Key, keys: ${keys}, operations: ["POST /orders"], otherBody: {} }`,
    ]),
  ),
  oddity('IDEM-03', 'a second request waits for the answer of the first', { meanwhile: 'original' }),
  oddity('IDEM-06', 'a delete refuses the header, as stated', { elsewhere: 'refuses' }, [
    ...HEADER,
    'idempotency:',
    '  header: X-Idempotency-Key',
    '  operations: ["POST /orders"]',
    '  elsewhere: refused',
    '  otherBody: { status: 422 }',
  ]),
];
