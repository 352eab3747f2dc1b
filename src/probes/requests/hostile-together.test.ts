// Many hostile values in one request, against targets that take all of them, stumble over one, or over some only when they come together.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Changes } from '../../../test/support/checks/exchanges.ts';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import {
  type Driven,
  drive,
  inWords,
  loadShop,
  reachedWith,
  sentJson,
  worldWith,
} from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { HOSTILE_MEMBERS, HOSTILE_TEXTS, MALFORMED_HEADERS, REFUSED_HEADERS } from '../../generate/hostile.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { NotSent } from '../probe.ts';
import { type Bundle, bundlesOf, togetherCourse } from './hostile-together.ts';

const HEADER = 'Accept-Language';
const CREATE = 'POST /api/v1/products';
const LIST = 'GET /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const world = worldWith({ isBrief: true });
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const bundles = (key: string, turn = 0, around = world): readonly Bundle[] =>
  bundlesOf(around, reachedWith(around, shop, key, { productId: 'prd_1' }), HEADER, turn);

function sent(key: string, bundle: Bundle | undefined, answer: (plan: RequestPlan, index: number) => Changes): Driven {
  if (bundle === undefined) throw new Error('there is no such bundle');
  const course = togetherCourse(world, reachedWith(world, shop, key, { productId: 'prd_1' }), bundle);
  return drive(course, answer);
}

const refused: Changes = { status: 400, body: { error: errorObject({ status: 400 }) } };
const failed: Changes = { status: 500 };
const kindsIn = ({ parts }: Bundle): readonly string[] => parts.map(({ kind }) => kind.code);

describe('hostile values together', () => {
  it('are all kinds at once in a body, in members that are not described where there are too few, and in a header', () => {
    const [first] = bundles(CREATE);
    expect(new Set(kindsIn(first!))).toEqual(
      new Set([...[...HOSTILE_MEMBERS, ...MALFORMED_HEADERS].map(({ code }) => code), 'long-text-in-header']),
    );
    const { plans, outcomes } = sent(CREATE, first, () => refused);
    expect(Object.keys(Object(sentJson(plans[0])))).toEqual(expect.arrayContaining(['name', 'price', 'assay11']));
    expect(plans[0]).toMatchObject({ intent: 'hostile', makes: 'nothing' });
    expect([plans.length, ...inWords(outcomes)]).toEqual([1, 'REQ-09 holds']);
  });

  it('are rotated from operation to operation', () => {
    const valueOfName = (turn: number): unknown =>
      bundles(CREATE, turn)[0]?.parts.find(({ name }) => name === 'name')?.kind.code;
    expect(new Set([0, 1, 2].map(valueOfName)).size).toBe(3);
  });

  it('are blamed one by one: the one that fails by itself is found among all', () => {
    const [first] = bundles(CREATE);
    const stumbles = (plan: RequestPlan): Changes =>
      JSON.stringify(sentJson(plan)).includes('__proto__') ? failed : refused;
    const { plans, outcomes } = sent(CREATE, first, stumbles);
    expect(inWords(outcomes)).toEqual(['REQ-09 breached: hostile input (__proto__ member) is answered 5xx']);
    expect(plans.length).toBeLessThanOrEqual(9);
    const dropping = sent(CREATE, first, ({ headers }) =>
      headers.some(([name, value]) => name === HEADER && value.length > 1000) ? { response: null } : refused,
    );
    expect(inWords(dropping.outcomes)).toEqual([
      'REQ-09 breached: hostile input (very long text in a header) drops the connection',
    ]);
  });

  it('are blamed together where none fails by itself, and not where that does not show again', () => {
    const [first] = bundles(CREATE);
    const members = (plan: RequestPlan): number => Object.keys(Object(sentJson(plan))).length;
    const { outcomes } = sent(CREATE, first, (plan) => (members(plan) >= HOSTILE_MEMBERS.length ? failed : refused));
    expect(inWords(outcomes)).toEqual([
      'REQ-09 breached: hostile input (several hostile values at once) is answered 5xx',
    ]);
    const once = sent(CREATE, first, (_plan, index) => (index === 0 ? failed : refused));
    expect(inWords(once.outcomes)).not.toContainEqual(expect.stringContaining('breached'));
  });

  it('are blamed together where parts of them may make something, and no more may be made', () => {
    const [first] = bundles(CREATE);
    if (first === undefined) throw new Error('there is no bundle');
    const course = togetherCourse(world, reachedWith(world, shop, CREATE), first);
    const whole = course.next().value as RequestPlan;
    const answered = (plan: RequestPlan) => {
      const last = exchangeWith({ ...failed, plan });
      return { attempts: [last], last };
    };
    course.next(answered(whole));
    let step = course.throw(new NotSent('precondition', 'enough was made'));
    while (step.done !== true) {
      expect(step.value.body).toEqual(whole.body);
      step = course.next(answered(step.value));
    }
    expect(inWords(step.value)).toEqual([
      'REQ-09 breached: hostile input (several hostile values at once) is answered 5xx',
    ]);
  });

  it('go apart where the description admits them: they would be refused for the others before they are read', () => {
    const admitted = bundles(CREATE).find(({ probe }) => probe.endsWith('admitted'));
    const { plans } = sent(CREATE, admitted, () => refused);
    expect(plans[0]?.makes).toBeUndefined();
    const stays = worldWith({ isBrief: true, lasts: () => true });
    expect(bundles(CREATE, 0, stays).map(({ probe }) => probe)).not.toContain(admitted?.probe);
  });

  it('are but one where it is longer than 100 kB', () => {
    const huge = bundles(CREATE).filter(({ isHuge }) => isHuge);
    expect(huge.map(kindsIn)).toEqual([['huge-string']]);
  });

  it('stand in each query parameter, and in the header of what is read', () => {
    const found = bundles(LIST);
    const first = found.filter(({ probe }) => /query\/0/.test(probe)).flatMap(({ parts }) => parts);
    const places = first.map(({ place, name }) => `${place} ${name}`);
    const headers = MALFORMED_HEADERS.map(({ header }) => `header ${header}`);
    expect(new Set(places)).toEqual(new Set(['query limit', 'query page', `header ${HEADER}`, ...headers]));
    const texts = found.flatMap(({ parts }) =>
      parts.filter(({ place, name }) => place === 'query' && name === 'limit'),
    );
    expect(new Set(texts.map(({ value }) => value)).size).toBe(HOSTILE_TEXTS.length);
  });

  it('stand in an id as numbers first, beside a query that no parameter is described for', () => {
    const ids = bundles(READ).map(({ parts }) => parts.find(({ place }) => place === 'path')?.value);
    expect(ids.slice(0, 2)).toEqual(['-1', '99999999999999999999999999999999']);
    const { plans } = sent(READ, bundles(READ)[0], () => refused);
    expect(plans[0]?.path).toBe('/api/v1/products/-1');
    expect(plans[0]?.query).toMatch(/^assay=/);
  });

  it('hold headers that are broken by their own grammar, and blame the one that a server fails to read', () => {
    const reads = (plan: RequestPlan): Changes => {
      const [, tag = '"1"'] = plan.headers.find(([name]) => name === 'If-None-Match') ?? [];
      return /^"[^"]*"$/.test(tag) ? refused : failed;
    };
    const { outcomes } = sent(LIST, bundles(LIST)[0], reads);
    expect(inWords(outcomes)).toEqual(['REQ-09 breached: hostile input (malformed If-None-Match) is answered 5xx']);
    const { plans, outcomes: unread } = sent(LIST, bundles(LIST)[0], () => ({ status: 304 }));
    expect([plans.length, ...inWords(unread)]).toEqual([1, 'REQ-09 holds']);
    expect(plans[0]?.headers.map(([name]) => name)).toEqual(
      expect.arrayContaining(MALFORMED_HEADERS.map(({ header }) => header)),
    );
  });

  it('leave apart the headers for which requests are refused: each read has one of them', () => {
    const apart = REFUSED_HEADERS.map((_header, turn) =>
      bundles(READ, turn)
        .filter(({ probe }) => probe.endsWith('/header'))
        .flatMap(({ parts }) => parts.map(({ name }) => name)),
    );
    expect(apart.flat()).toEqual(REFUSED_HEADERS.map(({ header }) => header));
  });

  it('are names in brackets for each described parameter, which many frameworks read as objects', () => {
    const brackets = bundles(LIST).find(({ probe }) => probe.endsWith('/brackets'));
    const objects = (plan: RequestPlan): Changes =>
      new URLSearchParams(plan.query).has('limit[assay]') ? failed : refused;
    expect(inWords(sent(LIST, brackets, objects).outcomes)).toEqual([
      'REQ-09 breached: hostile input (a parameter with a name in brackets) is answered 5xx',
    ]);
    expect(inWords(sent(LIST, brackets, () => refused).outcomes)).toEqual(['REQ-09 holds']);
  });

  it('are told at once where they hang: each further look takes as long, and one that the end of the run cuts short tells nothing', () => {
    const course = togetherCourse(world, reachedWith(world, shop, LIST), bundles(LIST)[0]!);
    course.next();
    const failure = { kind: 'timeout', message: 'no answer', reusedSocket: false } as const;
    const last = { ...exchangeWith({ response: null }), failure };
    const { done, value } = course.next({ last, attempts: [last] });
    expect([done, ...inWords(done === true ? value : [])]).toEqual([
      true,
      'REQ-09 breached: hostile input (several hostile values at once) goes unanswered',
    ]);
  });

  it('stand in a query and in headers of an action without a body, unless to be called once more does harm', async () => {
    const act = { '/api/v1/act': { post: { responses: { 200: { description: 'Done' } } } } };
    const described = await loadShop(act);
    const first = (of: typeof world) =>
      bundlesOf(of, reachedWith(of, described, 'POST /api/v1/act'), HEADER, 0).map(({ probe }) => probe);
    expect(first(world)).toEqual(['hostile/together/query/0']);
    expect(first(worldWith({ isBrief: true, lasts: () => true }))).toEqual([]);
  });
});
