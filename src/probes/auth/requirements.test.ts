// Shapes of security requirements, each with servers that keep them and servers that make one mistake.
import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, MAIN_KEY, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { acceptedKeys, requirementExperiments } from './requirements.ts';

const LIST = 'GET /api/v1/products';
const SCHEMES = {
  head: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2', flows: {} },
  tls: { type: 'mutualTLS' },
  digest: { type: 'http', scheme: 'digest' },
};
type Given = Readonly<Record<string, string>>;

/** The values that the plan sends: for each place the name of a key, or "wrong". */
function givenBy({ credential, placements = [] }: RequestPlan): Given {
  if (credential.kind === 'none') return {};
  return Object.fromEntries(
    placements.map(({ in: place, name, form, key }, index) => {
      const own = credential.kind === 'key' ? credential.name : 'wrong';
      return [place === 'header' ? `${name} ${form}` : name, index === 0 ? own : key];
    }),
  );
}

const HELD: Readonly<Record<string, (given: Given) => boolean>> = {
  head: (given) => given['X-Key plain'] === 'head',
  query: ({ key }) => key === 'query',
  cookie: ({ sid }) => sid === 'cookie',
  basic: (given) => given['Authorization basic'] === 'basic',
  oauth: (given) => given['Authorization bearer'] === 'oauth',
};

interface Setting {
  readonly security: Readonly<Record<string, readonly string[]>>[];
  readonly keys?: readonly string[];
  readonly accepted?: readonly string[];
}

async function judged(
  { security, keys = Object.keys(HELD), accepted = keys }: Setting,
  lets: (given: Given) => boolean,
) {
  const description = await loadShop({
    '/api/v1/products': { get: { security, responses: { 200: { description: 'Served' } } } },
  });
  const known = keys.map((name) => ({ ...MAIN_KEY, name, scheme: name }));
  const schemes = Object.entries(SCHEMES).map(([name, one]) => {
    const {
      type,
      scheme = null,
      in: place = null,
      name: parameter = null,
    } = { scheme: null, in: null, name: null, ...one };
    return { name, type, scheme, bearerFormat: null, in: place as 'header' | 'query' | 'cookie' | null, parameter };
  });
  const world = worldWith({ contract: 'openapi', keys: known, mainKey: known[0] ?? null });
  const reached = reachedWith(world, { ...description, securitySchemes: schemes }, LIST);
  const experiments = requirementExperiments(world, reached, new Set(accepted));
  const runs = experiments.map((experiment) =>
    drive(experiment.run(), (plan) => ({ status: lets(givenBy(plan)) ? 200 : 401 })),
  );
  const outcomes = runs.flatMap((run) => run.outcomes);
  const rows = outcomes.flatMap(({ judgement }) => judgement.observed ?? []);
  return {
    said: [...new Set(inWords(outcomes).filter((one) => one.includes('breached')))],
    sent: runs.flatMap(({ plans }) => plans.map(givenBy)),
    ranks: experiments.map(({ probe, rank }) => [probe, rank] as const),
    rows: rows.map(({ subject, value }) => `${subject}: ${value}`),
  };
}

/** Keeps the requirement as it is written. */
const keeps =
  (security: Setting['security']) =>
  (given: Given): boolean =>
    security.some((alternative) => Object.keys(alternative).every((scheme) => HELD[scheme]?.(given) === true));

const AND: Setting['security'] = [{ head: [], cookie: [] }];
const OR: Setting['security'] = [{ head: [] }, { query: [] }];
const BOTH: Setting['security'] = [{ head: [], cookie: [] }, { basic: [] }];
const NESTED: Setting['security'] = [{ head: [], cookie: [] }, { head: [] }];

describe('a server that keeps the requirement', () => {
  it.each<[string, Setting['security']]>([
    ['one scheme', [{ head: [] }]],
    ['two together', AND],
    ['either', OR],
    ['two together or one', BOTH],
    ['two together, of which one is enough', NESTED],
    ['three together', [{ head: [], cookie: [], basic: [] }]],
    ['none or one', [{}, { head: [] }]],
    ['one for each of three places', [{ head: [] }, { query: [] }, { cookie: [] }]],
  ])('is accused of nothing: %s', async (_name, security) => {
    expect((await judged({ security }, keeps(security))).said).toEqual([]);
  });

  it('is accused of nothing where a wrong key is ignored or refused on an operation that needs none', async () => {
    const security: Setting['security'] = [{}, { head: [] }];
    expect((await judged({ security }, () => true)).said).toEqual([]);
    const refuses = (given: Given) => given['X-Key plain'] !== 'wrong';
    expect((await judged({ security }, refuses)).said).toEqual([]);
  });
});

it('looks at wrong credentials of a further scheme when hostile input was sent', async () => {
  const { ranks } = await judged({ security: OR, keys: ['head'] }, keeps(OR));
  const further = ranks.filter(([probe]) => /random-query$/.test(probe)).map(([, rank]) => rank);
  expect(further).toEqual([expect.toSatisfy((rank: number) => rank > 80)]);
});

describe('a server is blamed that', () => {
  const accepted = (what: string, clause = 'AUTH-02') => `${clause} breached: a request with ${what} is accepted`;
  it.each<[string, Setting['security'], (given: Given) => boolean, string]>([
    [
      'takes the first of two for both',
      AND,
      (given) => HELD.head!(given),
      accepted('valid credentials for head and none for cookie', 'AUTH-01'),
    ],
    [
      'takes the second of two for both',
      AND,
      (given) => HELD.cookie!(given),
      accepted('valid credentials for cookie and none for head', 'AUTH-01'),
    ],
    [
      'wants the second of two, whatever its value',
      AND,
      (given) => HELD.head!(given) && given.sid !== undefined,
      accepted('random credentials for cookie'),
    ],
    [
      'takes any value for the second alternative',
      OR,
      (given) => HELD.head!(given) || given.key !== undefined,
      accepted('random credentials for query'),
    ],
    [
      'takes one of two in the first alternative',
      BOTH,
      (given) => HELD.head!(given) || HELD.basic!(given),
      accepted('valid credentials for head and none for cookie', 'AUTH-01'),
    ],
    [
      'takes any password in the second alternative',
      BOTH,
      (given) => keeps(AND)(given) || given['Authorization basic'] !== undefined,
      accepted('random credentials for basic'),
    ],
    [
      'takes a key that the operation does not name',
      [{ head: [] }],
      (given) => HELD.head!(given) || HELD.query!(given),
      accepted('a valid key for query, which the operation does not name'),
    ],
    [
      'knows the first alternative alone',
      OR,
      (given) => HELD.head!(given),
      'AUTH-01 breached: valid credentials that the description names are refused',
    ],
    [
      'refuses the key where none is needed',
      [{}, { head: [] }],
      (given) => given['X-Key plain'] === undefined,
      'AUTH-01 breached: valid credentials that the description names are refused',
    ],
  ])('%s', async (_name, security, lets, expected) => {
    expect((await judged({ security }, lets)).said).toContain(expected);
  });
});

it('blames nobody twice where nothing at all is asked for', async () => {
  expect((await judged({ security: AND }, () => true)).said).toEqual([]);
});

it('tells nothing of a refused alternative whose key no operation accepted', async () => {
  const onlyFirst = (given: Given) => HELD.head!(given);
  expect((await judged({ security: OR, accepted: ['head'] }, onlyFirst)).said).toEqual([]);
});

describe('schemes without a key', () => {
  it('are told by name, and what there is of an alternative is not enough', async () => {
    const { said, rows } = await judged({ security: BOTH, keys: ['head'] }, (given) => HELD.head!(given));
    expect(said).toEqual([
      'AUTH-01 breached: a request with valid credentials for head and none for cookie is accepted',
      'AUTH-02 breached: a request with random credentials for cookie is accepted',
    ]);
    const why = 'not tried: no key is configured for it';
    expect(rows).toEqual([`the security scheme cookie: ${why}`, `the security scheme basic: ${why}`]);
  });

  it('are those, too, that a key alone does not satisfy', async () => {
    const unspoken = ['tls', 'digest'];
    const description = await loadShop({
      '/api/v1/products': {
        get: { security: [{ tls: [] }, { digest: [] }], responses: { 200: { description: 'S' } } },
      },
    });
    const operation = { ...description.operations[0]!, unspoken };
    const world = worldWith({ contract: 'openapi' });
    const reached = { ...reachedWith(world, description, LIST), operation };
    const [told] = requirementExperiments(world, reached, new Set()).filter(({ probe }) => probe === 'auth/untried');
    const rows = drive(told!.run(), () => ({})).outcomes.flatMap(({ judgement }) => judgement.observed ?? []);
    expect(rows.map(({ value }) => value)).toEqual(Array(2).fill('not tried: a key alone does not satisfy it'));
  });
});

it('calls those keys accepted that a success was asked with', () => {
  const at = (key: string) => ({ in: 'header', name: 'X', form: 'plain', key }) as const;
  const { plan } = exchangeWith();
  const proof = exchangeWith({
    plan: { ...plan, credential: { kind: 'key', name: 'a' }, placements: [at('a'), at('b')] },
  });
  const { operation, ...rest } = {
    operation: { security: [['x']] },
    description: null,
    recipe: null,
    firstStatus: 200,
  };
  const reached = { ...rest, operation, proof } as unknown as Parameters<typeof acceptedKeys>[0][number];
  expect([...acceptedKeys([reached])]).toEqual(['a', 'b']);
});
