import { describe, expect, it } from 'vitest';
import { fixture, PLAN, TOKEN } from '../../test/support/client/fixture.ts';
import type { Placement, RequestPlan } from '../exchange/exchange.ts';
import { placedWith } from './placing.ts';
import { wireOf } from './wire.ts';

const KEY = { kind: 'key', name: 'std-1' } as const;
const at = (place: Placement['in'], name: string, form: Placement['form'] = 'plain'): Placement => ({
  in: place,
  name,
  form,
  key: 'std-1',
});
const sent = (changes: Partial<RequestPlan>, further: readonly string[] = [], own = 'a b') => {
  const plan: RequestPlan = { ...PLAN, credential: KEY, ...changes };
  const { headers, query } = wireOf(plan, placedWith(plan, { own, further }));
  return { headers: headers.filter(([name]) => name !== 'User-Agent').map((header) => header.join(': ')), query };
};

describe('a credential', () => {
  it.each([
    [at('header', 'X-Key'), ['X-Key: a b'], ''],
    [at('header', 'Authorization', 'bearer'), ['Authorization: Bearer a b'], ''],
    [at('header', 'Authorization', 'basic'), ['Authorization: Basic YSBi'], ''],
    [at('query', 'api key'), [], 'q=1&api%20key=a%20b'],
    [at('cookie', 'sid'), ['Cookie: sid=a b'], ''],
  ])('goes where %j has it', (placement, headers, query) => {
    const asked = sent({ placements: [placement], query: placement.in === 'query' ? 'q=1' : '' });
    expect(asked).toEqual({ headers, query });
  });

  it('of letters beyond ASCII goes out in UTF-8', () => {
    const asked = (placement: Placement) => sent({ placements: [placement], query: '' }, [], 'ü:ł');
    expect(asked(at('header', 'Authorization', 'basic')).headers).toEqual(['Authorization: Basic w7w6xYI=']);
    expect(asked(at('query', 'key')).query).toBe('key=%C3%BC%3A%C5%82');
    expect(asked(at('header', 'X-Key')).headers).toEqual(['X-Key: \u00c3\u00bc:\u00c5\u0082']);
  });

  it('stands beside those of further keys, and beside the cookies of the plan', () => {
    const placements = [at('cookie', 'sid'), at('header', 'X-App')];
    const asked = sent({ placements, headers: [['Cookie', 'theme=dark']] }, ['app-1']);
    expect(asked.headers).toEqual(['X-App: app-1', 'Cookie: theme=dark; sid=a b']);
  });

  it('that must be refused goes out as it is, those beside it stay valid', () => {
    const credential = { kind: 'invalid', how: 'random', authorization: 'nonsense' } as const;
    const placements = [at('header', 'X-Key'), at('header', 'X-App')];
    expect(sent({ credential, placements }, ['app-1']).headers).toEqual(['X-Key: nonsense', 'X-App: app-1']);
  });

  it('that is none leaves nothing, not even a content type without a body', () => {
    expect(sent({ credential: { kind: 'none' }, placements: [at('header', 'X-Key')] }).headers).toEqual([]);
  });
});

it.each([
  ['query', at('query', 'key')],
  ['cookie', at('cookie', 'sid')],
  ['base64', at('header', 'Authorization', 'basic')],
])('the record shows no secret sent as %s', async (_name, placement) => {
  await using run = await fixture((response) => response.writeHead(200).end('{}'));
  const [exchange] = await run.send({ ...PLAN, credential: KEY, placements: [placement] });
  const text = JSON.stringify(exchange);
  expect(text).toContain('[redacted key std-1]');
  for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64')]) expect(text).not.toContain(form.slice(4, -4));
});
