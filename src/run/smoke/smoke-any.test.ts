import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { loadShop, shopDocument, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { judgeKeyTaken, judgeServedAtLast, smokeAny } from './smoke-any.ts';

const list = { get: { responses: { 200: { description: 'All' } } } };
let shop: Description;
beforeAll(async () => {
  shop = await loadShop({ '/a': list, '/b': list, '/c': list, '/d/{id}': list, '/e': { post: list.get } });
});

async function smoked(answer: (plan: RequestPlan) => Changes, world = worldWith({ contract: 'openapi' })) {
  const plans: RequestPlan[] = [];
  const said = await smokeAny(world, [shop], async (plan) => {
    plans.push(plan);
    return exchangeWith({ ...answer(plan), plan });
  }).then(
    () => 'goes on',
    (error: { reasonCode: string; message: string }) => `${error.reasonCode}: ${error.message}`,
  );
  return { said, paths: plans.map(({ method, path }) => `${method} ${path}`) };
}

it('reads what needs no value', async () => {
  expect(await smoked(() => ({ body: [] }))).toEqual({ said: 'goes on', paths: ['GET /a', 'GET /b', 'GET /c'] });
});

it('asks once more where a connection is lost', async () => {
  let sends = 0;
  await smokeAny(worldWith({ contract: 'openapi' }), [shop], async (plan) => {
    sends += 1;
    const failure = { kind: 'reset', message: 'other side closed', reusedSocket: false } as const;
    return sends % 2 === 0 ? exchangeWith({ plan }) : { ...exchangeWith({ plan, response: null }), failure };
  });
  expect(sends).toBe(6);
});

describe('goes on though', () => {
  it.each<[string, (plan: RequestPlan) => Changes]>([
    ['operations answer 500', () => ({ status: 500 })],
    ['some are not there', ({ path }) => ({ status: path === '/c' ? 403 : 404 })],
    ['one refuses the key', ({ path }) => ({ status: path === '/a' ? 401 : 200 })],
    ['one does not answer', ({ path }) => (path === '/a' ? { response: null } : {})],
  ])('%s', async (_name, answer) => {
    expect((await smoked(answer)).said).toBe('goes on');
  });
});

describe('ends the run in one sentence where', () => {
  it.each<[string, Changes, RegExp]>([
    ['nothing answers', { response: null }, /^target-lost: nothing answers/],
    ['a gateway answers for the target', { status: 502 }, /^target-lost: the target is down/],
    ['no path is served', { status: 404 }, /^target-lost: the target serves none of \/a, \/b, \/c/],
    ['the key is refused everywhere', { status: 401 }, /^no-credential: key ent-1 is not accepted/],
  ])('%s', async (_name, answer, sentence) => {
    expect((await smoked(() => answer)).said).toMatch(sentence);
  });
});

describe('once everything was called', () => {
  const said = async (...statuses: readonly number[]): Promise<string> => {
    const paths = ['/a', '/b', '/c', '/d/{id}'];
    const catalogue = createCatalogue([
      await loadShop(Object.fromEntries(paths.map((path) => [path, { post: list.get }]))),
    ]);
    const answers = statuses.map((status, at) =>
      exchangeWith({ status, plan: { operation: `POST ${paths[at]}`, service: 'admin', method: 'POST' } }),
    );
    try {
      judgeServedAtLast(worldWith({ contract: 'openapi' }), catalogue, answers);
      return 'goes on';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('ends the run where nothing is served, and only writes could tell', async () => {
    expect(await said(404, 404, 404, 404)).toMatch(
      /^the target serves none of \/a, \/b, \/c \(404\); check target\.baseUrl/,
    );
  });

  it.each([[[404, 404, 404, 400]], [[404, 405, 404]], [[404, 404]]])('goes on after %j', async (statuses) => {
    expect(await said(...statuses)).toBe('goes on');
  });
});

describe('where the target serves another path', () => {
  const content = { 'application/json': {} };
  const described = { get: { responses: { 200: { description: 'All', content } } } };
  const page = { status: 200, headers: [['content-type', 'text/html']], body: '<html>' } as const;
  const ending = async (paths: Record<string, unknown>, answer: (path: string) => Changes) => {
    const servers = [{ url: '/v1' }, { url: '/v2' }];
    const pets = await loadFiles({ 'pets.json': { ...shopDocument(paths), servers } });
    const sent: string[] = [];
    const said = await smokeAny(worldWith({ contract: 'openapi' }), [pets], async (plan) => {
      sent.push(plan.path);
      return exchangeWith({ ...answer(plan.path), plan });
    }).then(
      () => 'goes on',
      (error: Error) => error.message,
    );
    return { said, sent };
  };
  const two = { '/a': described, '/b': described };
  const three = { ...two, '/c': described };

  it('tells what to change, by one operation that is served there', async () => {
    const { said, sent } = await ending(two, (path) => (path === '/v2/a' ? { body: [] } : { status: 404 }));
    expect(said).toMatch(
      /serves none of \/v1\/a, \/v1\/b \(404\); \/v2\/a is served: set services\.\w+\.basePath to \/v2$/,
    );
    expect(sent).toEqual(['/v1/a', '/v1/b', '/v2/a']);
  });

  it('is not taken in by a page that answers every path', async () => {
    expect((await ending(three, (path) => (path === '/a' ? { status: 401 } : page))).said).toMatch(
      /\(pages of HTML or 404\); \/a is served: set services\.\w+\.basePath to \/$/,
    );
    expect((await ending(three, () => page)).said).toMatch(/`assay doctor` looks for the address that serves them$/);
  });

  it('goes on where too few are described, and no other place serves them', async () => {
    expect((await ending(two, () => ({ status: 404 }))).said).toBe('goes on');
    expect((await ending(two, (path) => (path === '/v1/b' ? { status: 500 } : page))).said).toBe('goes on');
  });
});

it.each<[string, readonly number[], RegExp | null]>([
  ['the only answer to the key is 401', [401], /^key ent-1 is not accepted: the only operation called answers it 401/],
  ['both answers to the key are 401', [401, 401], /^key ent-1 is not accepted: 2 operations answer it 401/],
  [
    'three answers to the key are 403 or 401',
    [403, 401, 403],
    /^key ent-1 is not accepted: 3 operations answer it 401 or 403/,
  ],
  ['two are 403, which may be their own', [403, 403], null],
  ['one is something else', [401, 404], null],
  ['nothing was asked with it', [], null],
])('once everything was called, where %s', (_case, statuses, sentence) => {
  const judging = () =>
    judgeKeyTaken(
      worldWith({ contract: 'openapi' }),
      statuses.map((status) => exchangeWith({ status })),
    );
  if (sentence === null) expect(judging).not.toThrow();
  else expect(judging).toThrow(sentence);
});

it('without a key a refusal is no surprise', async () => {
  const world = worldWith({ contract: 'openapi', mainKey: null, keys: [] });
  expect((await smoked(() => ({ status: 401 }), world)).said).toBe('goes on');
});
