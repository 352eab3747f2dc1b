import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { whyNoneServes } from './reaching.ts';

const NOTHING = 'no operation reads: there is nothing to send';
const LOST = { kind: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:1', reusedSocket: false } as const;

/** The end of a run whose first calls were answered by these statuses; null: not at all. */
function ended(statuses: readonly (number | null)[], key: string | null = 'std-1') {
  const answers = statuses.map((status, at) => {
    const exchange = exchangeWith({ status: status ?? 200 });
    return [`GET /${at}`, status === null ? { ...exchange, response: null, failure: LOST } : exchange] as const;
  });
  const world = { mainKey: key === null ? null : ({ name: key } as never) };
  const { reasonCode, message } = whyNoneServes({ reaching: { firstAnswers: new Map(answers) }, world }, NOTHING);
  return [reasonCode, message];
}

describe('why no load can be sent', () => {
  it.each([
    ['nothing to call', [], 'precondition', NOTHING],
    ['operations that serve and are not of the kind', [200, 401], 'precondition', NOTHING],
    ['no answer', [null, null], 'target-lost', 'nothing answers at the target: connect ECONNREFUSED 127.0.0.1:1;'],
    ['failures alone', [502, null, 503], 'target-lost', 'every answer is a failure (502, 503)'],
    ['a refused key', [401, 403], 'no-credential', 'key std-1 is not accepted'],
    ['anything else', [404, 401], 'target-lost', '404, 401 is answered'],
  ] as const)('of %s is told by what was answered', (_, statuses, code, words) => {
    expect(ended(statuses)).toEqual([code, expect.stringContaining(words)]);
  });

  it('asks for a key where none is configured', () => {
    expect(ended([401], null)).toEqual(['no-credential', expect.stringContaining('no key is configured (keys)')]);
  });
});
