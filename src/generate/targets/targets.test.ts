import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas, posting } from '../../../test/support/generate/schemas.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { validBody } from '../bodies.ts';
import { HOSTILE_MEMBERS } from '../hostile.ts';
import { pairsOf } from '../parameters.ts';
import { spoilersOf } from '../spoilers.ts';
import { candidatesOf } from './candidates.ts';
import { exercisedBy } from './exercised.ts';
import { inputsOf } from './operation-inputs.ts';
import { targetKey } from './target.ts';

const NONCE = { run: 'run-m3x9k2', serial: 'qhzkwe' };

function planFor(operation: Operation, change: Partial<RequestPlan> = {}): RequestPlan {
  return {
    service: operation.service,
    operation: operation.key,
    probe: 'test',
    method: operation.method,
    path: operation.path,
    query: '',
    headers: [],
    body: { kind: 'none' },
    credential: { kind: 'none' },
    retry: 'never',
    ...change,
  };
}

const json = (value: unknown): { readonly body: PlannedBody } => ({ body: { kind: 'json', value } });

async function described(operation: unknown, path = '/things/{id}', method = 'get', components = {}) {
  const responses = { 200: { description: 'OK' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: { [path]: { [method]: { responses, ...(operation as object) } } },
    components,
  };
  const description = await loadFiles({ 'things.json': document });
  return { description, operation: description.operations[0] as Operation };
}

function keysOf(description: Description, operation: Operation, plan: RequestPlan): readonly string[] {
  return exercisedBy(inputsOf(description, operation), plan).targets.map(targetKey);
}

async function bodyKeys(schema: unknown): Promise<readonly string[]> {
  const [posted] = await posting([schema]);
  const { targets } = inputsOf(posted!.description, posted!.operation);
  return targets.map(targetKey).filter((key) => key.startsWith('/body') && !key.includes('hostile'));
}

describe('the targets of an operation', () => {
  it('are two items of a list, a time of another zone, a whole number and a map as full and as empty as may be', async () => {
    const map = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 5 };
    const properties = {
      kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      at: { type: 'string', format: 'date-time' },
      lat: { type: 'number' },
      labels: map,
      seats: { type: 'integer' },
      named: { type: 'object', properties: { x: { type: 'string' } } },
    };
    const schema = { type: 'object', required: Object.keys(properties), properties };
    const wanted = /\/(kinds 2 items|at in another zone|lat whole number|labels (empty|maximum members))$/;
    const kinds = (await bodyKeys(schema)).filter((key) => wanted.test(key));
    expect(kinds).toHaveLength(5);
    const others = (await bodyKeys(schema)).filter((key) =>
      /(seats whole number|named (empty|maximum members))$/.test(key),
    );
    expect(others).toEqual([]);
    // Each of them can be made.
    const [posted] = await posting([schema]);
    const inputs = inputsOf(posted!.description, posted!.operation);
    for (const one of candidatesOf(inputs).filter(({ target }) => wanted.test(targetKey(target)))) {
      const [value] = one.values({ seed: 3, nonce: NONCE });
      expect([targetKey(one.target), one.isHit(value)]).toEqual([targetKey(one.target), true]);
    }
  });

  it('are the values of a map under a name made for them, whatever name a request has for one', async () => {
    const value = { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: { type: 'integer' } }] };
    const patternProperties = { '^n-[0-9]$': { type: 'integer', minimum: 3 } };
    const labels = { type: 'object', patternProperties, additionalProperties: value };
    const node: object = { type: 'object', additionalProperties: { $ref: '#/components/schemas/Node' } };
    const free = { type: 'object', additionalProperties: true };
    const properties = { labels, tree: { $ref: '#/components/schemas/Node' }, free };
    const schema = { type: 'object', properties };
    const { description, operation } = await described(
      { requestBody: { content: { 'application/json': { schema } } } },
      '/things',
      'post',
      { schemas: { Node: node } },
    );
    const inputs = inputsOf(description, operation);
    const keys = inputs.targets.map(targetKey).filter((key) => key.includes('labels/{'));
    expect(keys).toEqual([
      ...['present', 'minimum', 'just above minimum', 'breaks type', 'breaks minimum'].map(
        (kind) => `/body/labels/{^n-[0-9]$} ${kind}`,
      ),
      ...['present', 'branch 1', 'branch 2', 'branch 3', 'empty', 'long'].map((kind) => `/body/labels/{any} ${kind}`),
      ...['empty of branch 3', '2 items', '20 items', 'breaks type'].map((kind) => `/body/labels/{any} ${kind}`),
      ...['present', 'breaks type'].map((kind) => `/body/labels/{any}/* ${kind}`),
    ]);
    expect(inputs.cut.map(targetKey)).toEqual(['/body/tree/{any}/{any} this place and what is below']);
    for (const one of candidatesOf(inputs).filter(({ target }) => target.at.includes('{'))) {
      const hits = [...one.values({ seed: 3, nonce: NONCE })].map((drawn) => one.isHit(drawn));
      expect([targetKey(one.target), new Set(hits)]).toEqual([targetKey(one.target), new Set([true])]);
    }
    const sent = json({ labels: { colour: [7], 'n-4': 3, __proto__x: 'x' } });
    expect(keysOf(description, operation, planFor(operation, sent))).toEqual(
      expect.arrayContaining([
        '/body/labels/{any} branch 3',
        '/body/labels/{any}/* present',
        '/body/labels/{^n-[0-9]$} minimum',
      ]),
    );
    const spoiled = (value: unknown) =>
      keysOf(description, operation, planFor(operation, { ...json(value), intent: 'invalid' }));
    expect(spoiled({ labels: { colour: {} } })).toEqual(['/body/labels/{any} breaks type']);
    expect(spoiled({ labels: { 'n-1': 2 } })).toEqual(['/body/labels/{^n-[0-9]$} breaks minimum']);
  });

  it('are null, too, where nullable or a branch of its own allows it', async () => {
    const body = (schema: unknown) => ({
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { nick: schema } } } } },
    });
    const nullsOf = async (openapi: string, schema: unknown): Promise<readonly string[]> => {
      const paths = { '/things': { post: { ...body(schema), responses: { 200: { description: 'OK' } } } } };
      const document = { openapi, info: { title: 'Things', version: '1.0.0' }, paths };
      const description = await loadFiles({ 'things.json': document });
      const { targets } = inputsOf(description, description.operations[0] as Operation);
      return targets.map(targetKey).filter((key) => key.endsWith(' null'));
    };
    const text = { type: 'string', maxLength: 30 };
    expect(await nullsOf('3.0.3', { ...text, nullable: true })).toEqual(['/body/nick null']);
    expect(await nullsOf('3.1.0', { anyOf: [text, { type: 'null' }] })).toEqual(['/body/nick null']);
    expect(await nullsOf('3.0.3', text)).toEqual([]);
    expect(await nullsOf('3.1.0', { type: 'null' })).toEqual([]);
  });

  it('are bounds, listed values, null, branches and lists of its body, and each keyword broken once', async () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 9 },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        state: { type: ['string', 'null'], enum: ['on', 'off', null] },
        tags: { type: 'array', items: { type: 'string', format: 'date' } },
        pay: {
          oneOf: [
            { type: 'object', required: ['card'], properties: { card: { type: 'string' } } },
            { type: 'integer' },
          ],
        },
      },
    };
    const keys = await bodyKeys(schema);
    expect(keys).toEqual(
      expect.arrayContaining([
        '/body media type application/json',
        ...[
          'present',
          'minimum length',
          'just above minimum length',
          'just below maximum length',
          'maximum length',
        ].map((kind) => `/body/name ${kind}`),
        ...['required', 'type', 'minLength', 'maxLength'].map((keyword) => `/body/name breaks ${keyword}`),
        ...['absent', 'minimum', 'just above minimum', 'just below maximum', 'maximum'].map(
          (kind) => `/body/count ${kind}`,
        ),
        ...['enum value on', 'enum value off', 'null', 'absent', 'breaks enum'].map((kind) => `/body/state ${kind}`),
        ...['empty', '20 items'].map((kind) => `/body/tags ${kind}`),
        '/body/tags/* breaks format',
        ...['branch 1', 'branch 2'].map((kind) => `/body/pay ${kind}`),
        '/body/pay/card empty',
        '/body/pay/card long',
      ]),
    );
    expect(keys).not.toContain('/body/name absent');
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are no longer lists than there are values, where no item may stand in them twice', async () => {
    const items = { enum: ['red', 'green', 'blue'] };
    const keys = await bodyKeys({
      type: 'object',
      properties: { colours: { type: 'array', uniqueItems: true, items }, others: { type: 'array', items } },
    });
    expect(keys).toContain('/body/others 20 items');
    expect(keys).toContain('/body/colours maximum items');
    expect(keys).not.toContain('/body/colours 20 items');
  });

  it('are no longer lists than there are numbers, flags and small objects, either', async () => {
    const many = async (items: unknown): Promise<boolean> =>
      (await bodyKeys({ type: 'object', properties: { list: { type: 'array', uniqueItems: true, items } } })).includes(
        '/body/list 20 items',
      );
    const flag = { type: 'boolean' };
    const closed = { type: 'object', required: ['on'], additionalProperties: false };
    expect(await many({ type: 'integer', minimum: 1, maximum: 7 })).toBe(false);
    expect(await many({ type: 'integer', minimum: 1, maximum: 20 })).toBe(true);
    expect(await many({ anyOf: [flag, { enum: ['all'] }] })).toBe(false);
    expect(await many({ ...closed, properties: { on: flag, size: { enum: ['small', 'large'] } } })).toBe(false);
    expect(await many({ ...closed, properties: { on: flag, name: { type: 'string' } } })).toBe(true);
    expect(await many({ type: 'object', properties: { on: flag } })).toBe(true);
  });

  it('are bounded where a schema contains itself, and the cut is told', async () => {
    const node = { type: 'object', properties: { left: { $ref: '#/$defs/N' }, right: { $ref: '#/$defs/N' } } };
    const [posted] = await posting([
      {
        $defs: { N: node },
        ...node,
        properties: { left: { $ref: '#/paths/~1things~10/post/requestBody/content/application~1json/schema' } },
      },
    ]);
    const { targets, cut } = inputsOf(posted!.description, posted!.operation);
    expect(targets.length).toBeLessThan(100);
    expect(cut.map(({ note }) => note)).toContain('a schema that contains itself is followed once');
  });

  it('are bounded where a schema is wide and deep', async () => {
    const deep = (level: number): unknown => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`m${at}`, level === 0 ? { type: 'string' } : deep(level - 1)]),
      ),
    });
    const [posted] = await posting([deep(3)]);
    const { targets, cut } = inputsOf(posted!.description, posted!.operation);
    expect(targets.length).toBeLessThan(1_500);
    expect(cut).toHaveLength(1);
  });

  it('hold hostile input in the places that the operation has', async () => {
    const { description, operation } = await described({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    });
    const places = new Set(
      inputsOf(description, operation).targets.flatMap(({ at, kind }) => (kind.startsWith('hostile') ? [at] : [])),
    );
    expect([...places].sort()).toEqual(['/header', '/path', '/query']);
  });
});

describe('a sent request', () => {
  it('exercises of a random valid body targets of its operation alone, each place present or absent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 6, maxLength: 6 }), fc.nat(), async (schemas, seed) => {
        for (const { description, operation } of await posting(schemas)) {
          const listed = new Set(inputsOf(description, operation).targets.map(targetKey));
          for (const fullness of ['full', 'required'] as const) {
            const body = validBody(description, operation, fullness, { seed, nonce: NONCE });
            const plan = planFor(operation, json(body));
            const { sort, targets } = exercisedBy(inputsOf(description, operation), plan);
            expect(sort).toBe('valid');
            expect(targets.map(targetKey).filter((key) => !listed.has(key))).toEqual([]);
            for (const name of Object.keys(body as object))
              expect(targets.map(targetKey)).toContain(`/body/${name} present`);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('exercises, spoiled, a broken keyword at the spoiled place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 6, maxLength: 6 }), fc.nat(), async (schemas, seed) => {
        for (const { description, operation, schema } of await posting(schemas)) {
          const listed = new Set(inputsOf(description, operation).targets.map(targetKey));
          const body = validBody(description, operation, 'full', { seed, nonce: NONCE });
          for (const spoiler of spoilersOf(description, schema, body)) {
            const plan = planFor(operation, { ...json(spoiler.body), intent: 'invalid' });
            const keys = keysOf(description, operation, plan);
            const own = spoiler.what.includes('is not described') ? spoiler.path.slice(0, -1) : spoiler.path;
            const place = `/body${own.map((token) => (/^\d+$/.test(token) ? '/*' : `/${token}`)).join('')}`;
            expect(
              keys.filter((key) => key.startsWith(`${place} breaks`) && listed.has(key)),
              spoiler.what,
            ).not.toEqual([]);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('exercises what an object asks of its members, and an unknown tag of a union', async () => {
    const pick = (kind: string) => ({ type: 'object', required: ['kind'], properties: { kind: { const: kind } } });
    const [posted] = await posting([
      {
        type: 'object',
        maxProperties: 4,
        additionalProperties: false,
        dependentRequired: { unit: ['weight'] },
        properties: {
          unit: { type: 'string' },
          weight: { type: 'number' },
          pay: { oneOf: [pick('card'), pick('bank')] },
        },
      },
    ]);
    const { description, operation, schema } = posted!;
    const body = { unit: 'kg', weight: 2, pay: { kind: 'card' } };
    const keys = [...spoilersOf(description, schema, body)].flatMap((spoiler) =>
      keysOf(description, operation, planFor(operation, { ...json(spoiler.body), intent: 'invalid' })),
    );
    const wanted = [
      '/body breaks additionalProperties',
      '/body breaks dependentRequired',
      '/body/pay/kind breaks enum',
    ];
    expect(keys).toEqual(expect.arrayContaining(wanted));
    expect(inputsOf(description, operation).targets.map(targetKey)).toEqual(expect.arrayContaining(wanted));
  });

  it('exercises the values of parameters as their style writes them', async () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
      { name: 'tags', in: 'query', schema: { type: 'array', items: { enum: ['a', 'b'] } } },
      { name: 'X-Mode', in: 'header', schema: { type: 'boolean' } },
    ];
    const { description, operation } = await described({ parameters });
    const tags = operation.parameters.find(({ name }) => name === 'tags')!;
    const query = [...pairsOf(tags, ['a', 'b']), ['limit', '100']].map((pair) => pair.join('=')).join('&');
    const keys = keysOf(
      description,
      operation,
      planFor(operation, { path: '/things/7', query, headers: [['x-mode', 'true']] }),
    );
    expect(keys).toEqual(
      expect.arrayContaining([
        ...['/query/limit maximum', '/query/limit present', '/query/tags/* enum value a', '/query/tags/* enum value b'],
        '/header/X-Mode true',
      ]),
    );
    expect(keysOf(description, operation, planFor(operation, { path: '/things/7' }))).toContain('/query/limit absent');
  });

  it('asks of parameters what a request can say', async () => {
    const parameters = [
      { name: 'ids', in: 'query', schema: { type: 'array', minItems: 1, items: { type: 'string' } } },
      { name: 'codes', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
      { name: 'X-Mode', in: 'header', schema: { type: 'string' } },
      { name: 'X-Level', in: 'header', schema: { type: 'integer' } },
    ];
    const { description, operation } = await described({ parameters });
    const keys = inputsOf(description, operation).targets.map(targetKey);
    const [unsendable, sendable] = [
      ['/query/ids empty', '/query/ids breaks minItems', '/query/ids breaks type', '/header/X-Mode empty'],
      ['/query/codes empty', '/query/ids 20 items', '/header/X-Mode long', '/header/X-Level breaks type'],
    ];
    expect(keys.filter((key) => unsendable.includes(key))).toEqual([]);
    expect(keys).toEqual(expect.arrayContaining(sendable));
  });

  it('exercises no valid target where any of it is invalid', async () => {
    const [posted] = await posting([
      { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'boolean' } } },
    ]);
    const { description, operation } = posted!;
    expect(keysOf(description, operation, planFor(operation, json({ a: 'x', b: true })))).toEqual([]);
    expect(
      keysOf(description, operation, planFor(operation, { ...json({ a: 'x', b: true }), intent: 'invalid' })),
    ).toEqual(['/body/a breaks type']);
  });

  it('exercises hostile input where it stands', async () => {
    const [posted] = await posting([{ type: 'object' }]);
    const { description, operation } = posted!;
    const [{ code, value }] = HOSTILE_MEMBERS as [(typeof HOSTILE_MEMBERS)[number]];
    const plan = planFor(operation, { ...json({ any: value }), intent: 'hostile' });
    expect(keysOf(description, operation, plan)).toEqual([`/body hostile ${code}`]);
  });
});
