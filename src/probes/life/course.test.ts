// The course of a life against a small shop of its own, sound and with one defect at a time.
import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { inWords, loadShop, PRODUCT, reachedWith, SHOP_PATHS, worldWith } from '../../../test/support/probes/world.ts';
import { experimentedIn } from '../../contract/judged-by.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { markIn } from '../../generate/preferred.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { CutShort, Outcome } from '../probe.ts';
import { Knowledge } from '../reach/knowledge.ts';
import type { World } from '../world.ts';
import { lifeExperiments } from './family.ts';

const LIST = 'GET /api/v1/products';
const CREATE = 'POST /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const REPLACE = 'PUT /api/v1/products/{productId}';
const AMEND = 'PATCH /api/v1/products/{productId}';
const REMOVE = 'DELETE /api/v1/products/{productId}';

const item = { type: 'object', properties: { id: { type: 'string', readOnly: true }, ...PRODUCT.properties } };
const note = { type: 'object', properties: { id: { type: 'string', readOnly: true }, text: { type: 'string' } } };
const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const answering = (status: string, schema: unknown) => ({ [status]: { description: 'As told', ...json(schema) } });

const NOTE = 'POST /api/v1/products/{productId}/notes';
const READ_NOTE = 'GET /api/v1/products/{productId}/notes/{noteId}';

/** A product as it is, and one with a shade that may be null. */
const SHADED = {
  ...PRODUCT,
  properties: { ...PRODUCT.properties, shade: { type: 'string', pattern: '^[A-Z]{3}$', nullable: true } },
};

let shop: Description;
/** Without partial updates. */
let shadedShop: Description;
beforeAll(async () => {
  const shaded = { type: 'object', properties: { id: { type: 'string', readOnly: true }, ...SHADED.properties } };
  const body = { requestBody: { required: true, ...json(SHADED) } };
  shadedShop = await loadShop({
    '/api/v1/products': {
      get: { responses: answering('200', { type: 'array', items: shaded }) },
      post: { ...body, responses: answering('201', shaded) },
    },
    '/api/v1/products/{productId}': {
      parameters: [pathParameter('productId')],
      get: { responses: answering('200', shaded) },
      put: { ...body, responses: answering('200', shaded) },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  });
  const [list = {}, one = {}] = [SHOP_PATHS['/api/v1/products'], SHOP_PATHS['/api/v1/products/{productId}']];
  const { properties } = PRODUCT;
  shop = await loadShop({
    '/api/v1/products': {
      get: { ...(list.get as object), responses: answering('200', { type: 'array', items: item }) },
      post: { ...(list.post as object), responses: answering('201', item) },
    },
    '/api/v1/products/{productId}': {
      ...one,
      get: { responses: answering('200', item) },
      put: { ...(one.put as object), responses: answering('200', item) },
      patch: { requestBody: json({ type: 'object', properties }), responses: answering('200', item) },
    },
    '/api/v1/products/{productId}/notes': {
      post: {
        parameters: [pathParameter('productId')],
        requestBody: json({ type: 'object', properties: { text: { type: 'string' } } }),
        responses: answering('201', note),
      },
    },
    '/api/v1/products/{productId}/notes/{noteId}': {
      get: { parameters: [pathParameter('productId'), pathParameter('noteId')], responses: answering('200', note) },
    },
  });
});

type Item = Record<string, unknown>;
type Store = Map<string, Item>;

interface Shop {
  readonly items: Store;
  readonly plan: RequestPlan;
  readonly body: Item;
  readonly id: string;
}

/** A defect of the shop, which answers in place of its sound answer; undefined: it does not. */
type Defect = (call: Shop) => { readonly status: number; readonly body?: unknown } | undefined;

const isRefused = ({ name, price }: Item): boolean => typeof name !== 'string' || typeof price !== 'number';

/** The members that are the client's to give. */
const given = (body: Item): Item =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name in SHADED.properties));

function served({ items, plan, body: sent, id }: Shop): { readonly status: number; readonly body?: unknown } {
  const body = given(sent);
  if (plan.method === 'POST') {
    if (isRefused(body)) return { status: 400, body: {} };
    const numbers = [...items.keys()].map((one) => Number(one.slice('prd_'.length)) || 0);
    const made = { ...body, id: `prd_${Math.max(1, ...numbers) + 1}` };
    items.set(made.id, made);
    return { status: 201, body: made };
  }
  if (id === '') return { status: 200, body: [...items.values()] };
  const known = items.get(id);
  if (known === undefined) return { status: 404, body: {} };
  if (plan.method === 'DELETE') return items.delete(id) ? { status: 204 } : { status: 404 };
  if (plan.method === 'PUT') items.set(id, { ...body, id });
  if (plan.method === 'PATCH') items.set(id, { ...known, ...body, id });
  return { status: 200, body: items.get(id) };
}

interface Lived {
  readonly said: readonly string[];
  readonly sent: readonly RequestPlan[];
  readonly outcomes: readonly Outcome[];
}

/** Follows the life of a product of this shop. */
async function live(
  defect: Defect = () => undefined,
  changes: Partial<World> = {},
  more: readonly string[] = [],
  operations: readonly string[] = [LIST, CREATE, READ, REPLACE, AMEND, REMOVE],
): Promise<Lived> {
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ timing: { now: () => nowMs, sleep }, ...changes });
  const items: Store = new Map([['prd_0', { id: 'prd_0', name: 'first', price: 1 }]]);
  const sent: RequestPlan[] = [];
  const send = async (plan: RequestPlan): Promise<{ last: Exchange; attempts: readonly Exchange[] }> => {
    sent.push(plan);
    const id = /products\/([^/]+)$/.exec(plan.path)?.[1] ?? '';
    const body = plan.body.kind === 'json' ? (plan.body.value as Item) : {};
    const call = { items, plan, body, id };
    const answer = defect(call) ?? served(call);
    const told = { id: `ex-${sent.length}`, plan, status: answer.status, body: answer.body ?? '' };
    const last = { ...exchangeWith(told), sentAt: nowMs };
    const mark = markIn(JSON.stringify(body), world.nonce);
    if (plan.method !== 'GET' && mark !== null)
      world.knowledge.noteWritten(plan.path, mark, plan.method === 'POST' && answer.status >= 400);
    return { last, attempts: [last] };
  };
  const described = operations.includes(AMEND) ? shop : shadedShop;
  const reached = [...operations, ...more].map((key) =>
    reachedWith(world, described, key, { productId: 'prd_0', noteId: 'note_0' }),
  );
  const [course] = lifeExperiments(world, reached);
  if (course === undefined) throw new Error('there is no course');
  const outcomes = await course.converse(send);
  return { said: inWords(outcomes), sent, outcomes };
}

const blamed = ({ outcomes }: Lived): readonly string[] => [
  ...new Set(
    outcomes.flatMap(({ clause, judgement }) =>
      judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight !== 'observation')
        ? [clause]
        : [],
    ),
  ),
];
/** Knows that the item which was there is one that the run has made. */
const knowing = (): Knowledge => {
  const knowledge = new Knowledge();
  knowledge.noteCreated('/api/v1/products', { id: 'prd_0', name: 'first', price: 1 });
  return knowledge;
};
const heldOf = ({ outcomes }: Lived): ReadonlySet<string> =>
  new Set(outcomes.flatMap(({ clause, judgement }) => (judgement.kind === 'holds' ? [clause] : [])));

describe('a list that leaves out items by a value', () => {
  const without = (isHidden: (item: Item) => boolean): Defect => {
    return ({ items, plan, id }) =>
      plan.method === 'GET' && id === '' && !plan.path.endsWith('/notes')
        ? { status: 200, body: [...items.values()].filter((one) => !isHidden(one)) }
        : undefined;
  };

  it('is blamed (LIFE-01)', async () => {
    const first = { price: undefined as unknown };
    const seen = await live(({ plan, body }) => {
      if (plan.method === 'POST' && first.price === undefined && !isRefused(body)) first.price = body.price;
      return undefined;
    });
    expect(blamed(seen)).toEqual([]);
    const hidden = await live(without(({ id, price }) => id !== 'prd_0' && price !== first.price && price === 0));
    expect(blamed(hidden)).toEqual(['LIFE-01']);
  });

  it('is blamed where it leaves out items by a value that few have, or every third item', async () => {
    const hasNoTags = ({ id, tags }: Item): boolean => id !== 'prd_0' && Array.isArray(tags) && tags.length === 0;
    expect(blamed(await live(without(hasNoTags)))).toEqual(['LIFE-01']);
    expect(blamed(await live(without(({ id }) => Number(String(id).slice(4)) % 3 === 1)))).toEqual(['LIFE-01']);
  });

  it('is not blamed where it shows the items of one state', async () => {
    const isOther = ({ status }: Item): boolean => status === 'active';
    const drafts: Defect = (call) => {
      call.items.set('prd_0', { id: 'prd_0', name: 'first', price: 1, status: 'draft' });
      return without(isOther)(call);
    };
    expect(blamed(await live(drafts))).toEqual([]);
  });
});

describe('what stands below an item', () => {
  const notes =
    (after: (isThere: boolean) => number): Defect =>
    ({ items, plan }) => {
      const [, parent = ''] = /products\/([^/]+)\/notes/.exec(plan.path) ?? [];
      if (parent === '') return undefined;
      if (plan.method === 'POST') return { status: 201, body: { id: 'note_1', text: 'a' } };
      const status = after(items.has(parent));
      return { status, body: status < 300 ? { id: 'note_1', text: 'a' } : {} };
    };
  const told = async (after: (isThere: boolean) => number, changes: Partial<World> = {}) => {
    const lived = await live(notes(after), changes, [NOTE, READ_NOTE]);
    const made = lived.sent.filter(({ method, path }) => method === 'POST' && path.endsWith('/notes'));
    return { blamed: blamed(lived), made: made.map(({ path }) => path) };
  };

  it('goes with it (LIFE-04)', async () => {
    const { blamed: sound, made } = await told((isThere) => (isThere ? 200 : 404));
    expect(sound).toEqual([]);
    expect(made).toEqual([expect.stringMatching(/products\/prd_\d+\/notes$/)]);
    expect((await told(() => 200)).blamed).toEqual(['LIFE-04']);
    expect((await told(() => 403)).blamed).toEqual([]);
  });

  it('is not made within a budget', async () => {
    expect((await told(() => 200, { isBrief: true })).made).toEqual([]);
  });
});

describe('items beside the one that is deleted', () => {
  const takingWith =
    (step: number, spare: (call: Shop) => boolean = () => false): Defect =>
    (call) => {
      const { items, plan, id } = call;
      const all = [...items.keys()];
      const other = all[all.indexOf(id) + step];
      if (plan.method === 'DELETE' && items.has(id) && other !== undefined && !spare(call)) items.delete(other);
      return undefined;
    };

  it('are told where one goes along that was made before it, or after it (LIFE-01)', async () => {
    expect(blamed(await live(takingWith(-1)))).toContain('LIFE-01');
    expect(blamed(await live(takingWith(1)))).toContain('LIFE-01');
  });

  it('are told where what was sent may hide them, and they go so again', async () => {
    const inAState =
      (defect: Defect): Defect =>
      (call) => {
        if (call.plan.method === 'POST')
          Object.assign(call.plan, { body: { kind: 'json', value: { ...call.body, active: true } } });
        return defect(call);
      };
    expect(blamed(await live(inAState(takingWith(-1))))).toContain('LIFE-01');
    let deletes = 0;
    const once = takingWith(-1, () => {
      deletes += 1;
      return deletes > 2;
    });
    expect(blamed(await live(inAState(once)))).not.toContain('LIFE-01');
  });

  it('are not looked at within a budget', async () => {
    expect(blamed(await live(takingWith(-1), { isBrief: true }))).not.toContain('LIFE-01');
  });
});

describe('an update that is not the first', () => {
  it('is blamed where it brings back what an earlier one has changed (LIFE-03)', async () => {
    const made = new Map<string, Item>();
    const restoring: Defect = ({ items, plan, id, body }) => {
      const known = items.get(id);
      if (plan.method !== 'PATCH' || known === undefined) return undefined;
      const first = made.get(id) ?? { ...known };
      made.set(id, first);
      items.set(id, { ...first, ...given(body), id });
      return { status: 200, body: items.get(id) };
    };
    expect(blamed(await live(restoring))).toEqual(['LIFE-03']);
  });
});

describe('a create that conflicts with what is there', () => {
  const conflicting =
    (also: (call: Shop, taken: Item) => void): Defect =>
    (call) => {
      const { items, plan, body } = call;
      const taken = plan.method === 'POST' ? [...items.values()].find(({ name }) => name === body.name) : undefined;
      if (taken === undefined || isRefused(body)) return undefined;
      also(call, taken);
      return { status: 409, body: {} };
    };

  it('changes nothing, and leaves nothing behind (LIFE-05)', async () => {
    expect(blamed(await live(conflicting(() => {})))).toEqual([]);
    const overwriting = conflicting(({ items, body }, taken) =>
      items.set(String(taken.id), { ...taken, ...given(body) }),
    );
    expect(blamed(await live(overwriting))).toEqual(['LIFE-05']);
    const making = conflicting(({ items, body }) =>
      items.set(`twin_${items.size}`, { ...given(body), id: `twin_${items.size}` }),
    );
    expect(blamed(await live(making))).toEqual(['LIFE-05']);
    let refusals = 0;
    const once = conflicting(() => {
      refusals += 1;
    });
    const refusingOnce: Defect = (call) => (refusals > 0 ? undefined : once(call));
    expect(blamed(await live(refusingOnce))).toEqual([]);
  });
});

describe('the course of a life', () => {
  it('finds nothing in a sound shop, and judges all clauses of the family there', async () => {
    const lived = await live();
    expect(blamed(lived)).toEqual([]);
    const judged = ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-05', 'LIFE-06', 'LIFE-07'];
    expect([...heldOf(lived)]).toEqual(expect.arrayContaining(judged));
  });

  // Breaches that the platform has as faults (src/platform/faults/life.ts) are tried in test/faults/lives-1.test.ts and -2 alone.
  it.each<[string, Defect]>([
    [
      'LIFE-02',
      ({ items, plan, body }) => {
        if (plan.method !== 'POST' || body.price !== 0 || isRefused(body)) return undefined;
        const made: Item = { ...given(body), price: 5, id: `prd_${items.size + 1}` };
        items.set(String(made.id), made);
        return { status: 201, body: made };
      },
    ],
    [
      'LIFE-01',
      ({ items, plan, body }) =>
        plan.method === 'POST' && body.price === 0 && !isRefused(body)
          ? { status: 201, body: { ...given(body), id: `lost_${items.size + 1}` } }
          : undefined,
    ],
  ])('finds a breach of %s that one value shows', async (clause, defect) => {
    expect(blamed(await live(defect))).toContain(clause);
  });

  it.each<[string, Defect]>([
    [
      'letters beyond ASCII that a create sends',
      ({ items, plan, body }) => {
        if (plan.method !== 'POST' || isRefused(body)) return undefined;
        const name = String(body.name).replaceAll(/[^ -~]/gu, '?');
        return served({ items, plan, body: { ...body, name }, id: '' });
      },
    ],
    [
      'one value that a replacement sends',
      ({ items, plan, id, body }) => {
        if (plan.method !== 'PUT' || body.price !== 0 || !items.has(id)) return undefined;
        items.set(id, { ...given(body), price: 5, id });
        return { status: 200, body: items.get(id) };
      },
    ],
  ])('finds that %s are not kept', async (_what, defect) => {
    expect(blamed(await live(defect))).toEqual(['LIFE-02']);
  });

  /** A list that shows what it is told to; the item that was there has another state than the first that is made. */
  const filtering = (shows: (one: Item, first: Item | undefined) => boolean): Defect => {
    let status: string | null = null;
    return ({ items, plan, id, body }) => {
      if (plan.method === 'POST' && !isRefused(body)) status ??= body.status === 'draft' ? 'active' : 'draft';
      items.set('prd_0', { id: 'prd_0', name: 'first', price: 1, status });
      if (plan.method !== 'GET' || id !== '') return undefined;
      return { status: 200, body: [...items.values()].filter((one) => shows(one, items.get('prd_0'))) };
    };
  };

  it('tells a list that shows one state from a list that shows nothing new, by an item of that state', async () => {
    expect(blamed(await live(filtering(({ status }, first) => status === first?.status)))).toEqual([]);
    expect(blamed(await live(filtering(({ id }) => id === 'prd_0')))).toEqual(['LIFE-01']);
  });

  /** A shop in which what is written has the state that it is told to have. */
  const inState =
    (stateOf: (method: string, asked: unknown, current: unknown) => unknown): Defect =>
    ({ items, plan, body, id }) => {
      const current = items.get(id)?.status;
      const answer = served({ items, plan, body, id });
      const item = answer.body as Item;
      if (!['POST', 'PUT', 'PATCH'].includes(plan.method) || answer.status >= 300) return answer;
      const kept = { ...item, status: stateOf(plan.method, body.status ?? current ?? 'draft', current) };
      items.set(String(item.id), kept);
      return { ...answer, body: kept };
    };

  it.each<[string, Defect]>([
    ['an update', inState((method, asked, current) => (method === 'PATCH' ? current : asked))],
    ['a replacement', inState((method, asked, current) => (method === 'PUT' ? current : asked))],
    [
      'an update, and a create begins as a draft',
      inState((method, asked, current) => (method === 'PATCH' ? current : method === 'PUT' ? asked : 'draft')),
    ],
  ])('finds that a state is not kept which %s sends and another writer sets', async (_what, defect) => {
    expect(blamed(await live(defect))).toEqual(['LIFE-02']);
  });

  it('finds that a state is not kept which every writer takes and none sets', async () => {
    expect(blamed(await live(inState(() => 'new')))).toEqual(['LIFE-02']);
    expect(blamed(await live(inState((_method, _asked, current) => current ?? 'draft')))).toEqual(['LIFE-02']);
  });

  /** Updates of another member set the state back. */
  const resettingState: Defect = (call) => {
    const { plan, body, items, id } = call;
    const answer = inState((_method, asked) => asked)(call);
    const isOther = plan.method === 'PATCH' && answer?.status === 200 && !('status' in body);
    if (isOther) items.set(id, { ...items.get(id), status: 'draft' });
    return isOther ? { status: 200, body: items.get(id) } : answer;
  };

  it('finds that an update of another member resets a state which clients set', async () => {
    expect(blamed(await live(resettingState))).toEqual(['LIFE-03']);
  });

  it('blames no update for a state that was reset once alone', async () => {
    let isReset = false;
    const once: Defect = (call) => {
      const isAgain = isReset || call.items.get(call.id)?.status !== 'active' || 'status' in call.body;
      isReset ||= call.plan.method === 'PATCH' && !isAgain;
      return isAgain ? undefined : resettingState(call);
    };
    expect([blamed(await live(once)), isReset]).toEqual([[], true]);
  });

  it.each<[string, Defect]>([
    ['begins as a draft', inState((method, asked) => (method === 'POST' ? 'draft' : asked))],
    [
      'is never left again once it is reached',
      inState((_method, asked, current) => (current === 'active' ? current : asked)),
    ],
  ])('holds for a state that %s', async (_what, defect) => {
    expect(blamed(await live(defect))).toEqual([]);
  });

  it('sends one create that must be refused where none was', async () => {
    const refusals = ({ sent }: Lived): number =>
      sent.filter(({ method, intent }) => method === 'POST' && intent === 'invalid').length;
    expect(refusals(await live())).toBe(1);
    expect(refusals(await live(undefined, { isBrief: true }))).toBe(1);
  });

  it('leaves the name by which it could be found as it is in the create that must be refused', async () => {
    const { sent } = await live();
    const refused = sent.find(({ method, intent }) => method === 'POST' && intent === 'invalid');
    expect(refused?.body).toMatchObject({ kind: 'json', value: { name: expect.any(String) } });
  });

  describe('where a budget bounds the run', () => {
    it('looks at a state that updates set: whether they do, and whether an update of another member keeps it', async () => {
      const operations = [LIST, CREATE, READ, AMEND, REMOVE];
      const told = async (state: Defect) => blamed(await live(state, { isBrief: true }, [], operations));
      expect(await told(inState(() => 'draft'))).toEqual(['LIFE-02']);
      expect(await told(inState((method, asked) => (method === 'POST' ? 'draft' : asked)))).toEqual([]);
      expect(await told(resettingState)).toEqual(['LIFE-03']);
      expect(await told(inState((_method, asked, current) => (current === 'active' ? current : asked)))).toEqual([]);
    });

    const ofPrice =
      (answer: (call: Shop) => ReturnType<Defect>): Defect =>
      (call) =>
        call.plan.method === 'POST' && call.body.price === 0 ? answer(call) : undefined;

    it('gives the second item other values than usual', async () => {
      const raised = ofPrice((call) => served({ ...call, body: { ...call.body, price: 7 } }));
      expect(blamed(await live(raised, { isBrief: true }))).toEqual(['LIFE-02']);
    });

    it('looks at the second item by usual values where others are refused', async () => {
      const { outcomes } = await live(
        ofPrice(() => ({ status: 422, body: {} })),
        { isBrief: true },
      );
      const onCreate = outcomes.filter(({ clause, operation }) => clause === 'LIFE-07' && operation === CREATE);
      expect(onCreate.map(({ judgement }) => judgement.kind)).toEqual(['holds']);
    });

    it('sends null where it may, in the second item and in the second replacement', async () => {
      const operations = [LIST, CREATE, READ, REPLACE, REMOVE];
      const sound = await live(undefined, { isBrief: true }, [], operations);
      expect(blamed(sound)).toEqual([]);
      const nulls = sound.sent.filter(({ body }) => body.kind === 'json' && Object(body.value).shade === null);
      expect(nulls.map(({ method }) => method)).toEqual(['PUT', 'POST']);
      for (const method of ['PUT', 'POST']) {
        const replaced: Defect = (call) =>
          call.plan.method === method && call.body.shade === null
            ? served({ ...call, body: { ...call.body, shade: 'ABC' } })
            : undefined;
        expect(blamed(await live(replaced, { isBrief: true }, [], operations))).toEqual(['LIFE-02']);
      }
    });

    it('misses the second item where a delete takes it away, too, and where the list leaves it out', async () => {
      const taking: Defect = ({ items, plan, id }) => {
        if (plan.method !== 'DELETE') return undefined;
        for (const one of [...items.keys()]) if (one !== 'prd_0') items.delete(one);
        return { status: id === '' ? 404 : 204 };
      };
      expect(blamed(await live(taking, { isBrief: true }))).toContain('LIFE-01');
      const hiding: Defect = ({ items, plan, id }) =>
        plan.method === 'GET' && id === ''
          ? { status: 200, body: [...items.values()].filter(({ price }) => price !== 0) }
          : undefined;
      expect(blamed(await live(hiding, { isBrief: true }))).toContain('LIFE-01');
    });

    it('makes no more than two items', async () => {
      const { sent } = await live(undefined, { isBrief: true });
      const made = sent.filter(({ method, intent }) => method === 'POST' && intent !== 'invalid');
      expect(made).toHaveLength(2);
    });
  });

  it('tells what it has shown where the run ends before it does', async () => {
    const unreadable: Defect = ({ plan, id }) => {
      if (plan.method === 'DELETE') throw new Error('the budget is spent');
      return plan.method === 'GET' && id !== '' ? { status: 404, body: {} } : undefined;
    };
    const ended = await live(unreadable).catch((error: unknown) => error);
    expect(ended).toMatchObject({ cause: { message: 'the budget is spent' } });
    const { outcomes } = ended as CutShort;
    expect(outcomes.map(({ clause, judgement }) => `${clause} ${judgement.kind}`)).toContain('LIFE-01 breached');
    expect(outcomes.every(({ judgement }) => judgement.kind === 'breached')).toBe(true);
  });

  it('deletes once more what an update of a deleted item has brought back', async () => {
    const gone = new Map<string, Item>();
    const lived = await live(({ items, plan, id }) => {
      const known = items.get(id);
      if (plan.method === 'DELETE' && known !== undefined) gone.set(id, known);
      if (plan.method !== 'PATCH' || known !== undefined) return undefined;
      items.set(id, gone.get(id) ?? {});
      return { status: 200, body: items.get(id) };
    });
    const first = [...gone.keys()][0];
    const ends = lived.sent.flatMap(({ method, path }, at) =>
      method === 'DELETE' && path.endsWith(`/${first}`) ? [at] : [],
    );
    const revival = lived.sent.findLastIndex(({ method, path }) => method === 'PATCH' && path.endsWith(`/${first}`));
    expect(ends.at(-1)).toBe(revival + 1);
    expect(blamed(lived)).toEqual([]);
  });

  it('says why nothing can be followed where the create is refused', async () => {
    const lived = await live(({ plan }) => (plan.method === 'POST' ? { status: 409, body: {} } : undefined));
    expect(new Set(lived.outcomes.map(({ judgement }) => judgement.kind))).toEqual(new Set(['cannot-tell']));
    expect(lived.outcomes.map(({ clause }) => clause)).toEqual(experimentedIn('LIFE'));
    expect(lived.sent).toHaveLength(1);
  });

  it('waits for a list that shows what was made earlier, too, and then tells what refused creates have left', async () => {
    let lists = 0;
    const lived = await live(
      ({ items, plan, id }) => {
        if (plan.method !== 'GET' || id !== '') return undefined;
        lists += 1;
        return lists < 4 ? { status: 200, body: [items.get('prd_0')] } : undefined;
      },
      { knowledge: knowing() },
    );
    expect(blamed(lived)).toEqual([]);
    expect([...heldOf(lived)]).toContain('LIFE-05');
  });

  it('does not take a page that is cut at seven items for the whole list', async () => {
    const older = Array.from({ length: 12 }, (_, index) => ({ id: `old_${index}`, name: `old ${index}`, price: 1 }));
    const cutAt = (shown: (items: Store) => readonly Item[]): Defect => {
      return ({ items, plan, id }) => {
        if (plan.method !== 'GET' || id !== '') return undefined;
        const page = Number(new URLSearchParams(plan.query).get('page') ?? 1);
        return { status: 200, body: shown(items).slice((page - 1) * 7, page * 7) };
      };
    };
    expect(blamed(await live(cutAt((items) => [...older, ...items.values()])))).toEqual([]);
    expect(blamed(await live(cutAt(() => older)))).toEqual(['LIFE-01']);
  });

  it('waits for a list that shows new items late', async () => {
    let lists = 0;
    const lived = await live(({ items, plan, id }) => {
      if (plan.method !== 'GET' || id !== '') return undefined;
      lists += 1;
      return lists < 6 ? { status: 200, body: [items.get('prd_0')] } : undefined;
    });
    expect(blamed(lived)).toEqual([]);
    expect(lists).toBeGreaterThanOrEqual(6);
  });
});
