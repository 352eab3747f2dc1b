import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas, type Posted, posting } from '../../../test/support/generate/schemas.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isValid, validBody } from '../bodies.ts';
import { BODY, type Candidate, candidatesOf } from './candidates.ts';
import { type Chosen, choose, eachChoice, type Open, supportsOf } from './choice.ts';
import { exercisedBy } from './exercised.ts';
import { inputsOf } from './operation-inputs.ts';
import { targetKey } from './target.ts';

const NONCE = { run: 'run-m3x9k2', serial: 'qhzkwe' };
const from = { seed: 7, nonce: NONCE };

function baseOf({ description, operation }: Posted, seed = 7): ReadonlyMap<string, unknown> {
  return new Map([[BODY, validBody(description, operation, 'full', { seed, nonce: NONCE })]]);
}

/** Targets that the values exercise once they are sent. */
function measured({ description, operation }: Posted, { values }: Chosen): ReadonlySet<string> {
  const plan: RequestPlan = {
    service: operation.service,
    operation: operation.key,
    probe: 'test',
    method: operation.method,
    path: operation.path,
    query: '',
    headers: [],
    body: values.has(BODY) ? { kind: 'json', value: values.get(BODY) } : { kind: 'none' },
    credential: { kind: 'none' },
    retry: 'never',
  };
  return new Set(exercisedBy(inputsOf(description, operation), plan).targets.map(targetKey));
}

function openTo(inputs: Open['inputs'], base: Open['base'], candidates: readonly Candidate[], all = candidates): Open {
  return { inputs, base, candidates, supports: supportsOf(all) };
}

async function rounds(
  schema: unknown,
): Promise<{ readonly posted: Posted; readonly chosen: readonly Chosen[]; readonly open: readonly Candidate[] }> {
  const [posted] = await posting([schema]);
  const inputs = inputsOf(posted!.description, posted!.operation);
  const candidates = candidatesOf(inputs);
  const chosen = [...eachChoice(openTo(inputs, baseOf(posted!), candidates), () => from, 30)];
  const taken = new Set(chosen.flatMap((one) => one.candidates));
  return { posted: posted!, chosen, open: candidates.filter((candidate) => !taken.has(candidate)) };
}

describe('a chosen request', () => {
  it('is valid, and exercises each target that it takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodySchemas, { minLength: 6, maxLength: 6 }), fc.nat(), async (schemas, seed) => {
        for (const posted of await posting(schemas)) {
          const inputs = inputsOf(posted.description, posted.operation);
          const draw = (round: number) => ({ seed: seed + round, nonce: NONCE });
          for (const chosen of eachChoice(openTo(inputs, baseOf(posted, seed), candidatesOf(inputs)), draw, 6)) {
            expect(isValid(posted.description, posted.schema, chosen.values.get(BODY))).toBe(true);
            const keys = measured(posted, chosen);
            const lost = chosen.candidates.map(({ target }) => targetKey(target)).filter((key) => !keys.has(key));
            expect(lost, JSON.stringify(chosen.values.get(BODY))).toEqual([]);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('puts a list or an object there for what lies inside of it', async () => {
    const parcel = { type: 'object', properties: { weight: { type: 'integer', minimum: 1, maximum: 9 } } };
    const [posted] = await posting([
      { type: 'object', properties: { tags: { type: 'array', items: { type: 'string', maxLength: 9 } }, parcel } },
    ]);
    const inputs = inputsOf(posted!.description, posted!.operation);
    const candidates = candidatesOf(inputs);
    const chosenAt = (at: string, kind: string): unknown => {
      const wanted = candidates.filter(({ target }) => target.at === at && target.kind === kind);
      return choose(openTo(inputs, new Map([[BODY, {}]]), wanted, candidates), from)?.values.get(BODY);
    };
    expect(chosenAt('/body/tags/*', 'maximum length')).toMatchObject({ tags: [expect.stringMatching(/^.{9}$/)] });
    expect(chosenAt('/body/parcel/weight', 'maximum')).toMatchObject({ parcel: { weight: 9 } });
  });

  it('takes many targets together, and every one in a few requests', async () => {
    const { chosen, open } = await rounds({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 9 },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        state: { type: ['string', 'null'], enum: ['on', 'off', null] },
        tags: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 30 } },
        price: { type: 'number', minimum: 0, maximum: 10, multipleOf: 0.01 },
      },
    });
    expect(open.map(({ target }) => targetKey(target))).toEqual([]);
    expect(chosen.length).toBeLessThanOrEqual(6);
  });

  it('takes both branches, and what is inside of each', async () => {
    const { chosen, open } = await rounds({
      type: 'object',
      required: ['pay'],
      properties: {
        pay: {
          oneOf: [
            {
              type: 'object',
              required: ['kind', 'card'],
              properties: { kind: { const: 'card' }, card: { type: 'string', minLength: 4 } },
            },
            {
              type: 'object',
              required: ['kind', 'iban'],
              properties: { kind: { const: 'bank' }, iban: { type: 'string', maxLength: 20 } },
            },
          ],
        },
      },
    });
    expect(open).toEqual([]);
    const branches = chosen.map(({ values }) => (values.get(BODY) as { pay: { kind: string } }).pay.kind);
    expect(new Set(branches)).toEqual(new Set(['card', 'bank']));
  });

  it('leaves open what no valid request can take', async () => {
    const { open } = await rounds({
      type: 'object',
      properties: { code: { type: 'string', pattern: '^[a-z]{3}$', maxLength: 5 } },
    });
    expect(open.map(({ target }) => targetKey(target))).toEqual([
      '/body/code just below maximum length',
      '/body/code maximum length',
    ]);
  });

  it('keeps apart what does not go together', async () => {
    const [posted] = await posting([
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' } }, not: { required: ['a', 'b'] } },
    ]);
    const inputs = inputsOf(posted!.description, posted!.operation);
    const present = candidatesOf(inputs).filter(({ target: { kind } }) => kind === 'true');
    const chosen = choose(openTo(inputs, new Map([[BODY, {}]]), present), from);
    expect(chosen?.candidates).toHaveLength(1);
  });

  it.each([false, true])(
    'holds no member of another branch, though open schemas let it pass; writeOnly: %s',
    async (writeOnly) => {
      const kind = (name: string) => ({ enum: [name] });
      const pickup = {
        type: 'object',
        required: ['kind', 'point'],
        properties: { kind: kind('pickup'), point: { type: 'string', writeOnly } },
      };
      const street = { type: 'string', minLength: 2, maxLength: 9 };
      const parcel = { type: 'object', required: ['kind', 'street'], properties: { kind: kind('parcel'), street } };
      const { chosen } = await rounds({ oneOf: [pickup, parcel] });
      const sent = chosen.map(({ values }) =>
        Object.keys(Object(values.get(BODY)))
          .sort()
          .join(),
      );
      expect(new Set(sent)).toEqual(new Set(['kind,point', 'kind,street']));
    },
  );

  it('is looked for in a bounded number of tries, though many hundred targets exclude each other', async () => {
    // Patterns that hold patterns, each of one of many kinds, as stubs of requests are described.
    const kinds = Array.from({ length: 12 }, (_, kind) => ({
      type: 'object',
      required: [`kind${kind}`],
      additionalProperties: false,
      properties: {
        [`kind${kind}`]: { type: 'string', minLength: 1, maxLength: 40 },
        and: {
          type: 'array',
          items: { $ref: '#/paths/~1things~10/post/requestBody/content/application~1json/schema' },
        },
      },
    }));
    const members = Array.from({ length: 12 }, (_, member) => [`member${member}`, { oneOf: kinds }] as const);
    const [posted] = await posting([{ type: 'object', properties: Object.fromEntries(members) }]);
    const inputs = inputsOf(posted!.description, posted!.operation);
    let looks = 0;
    const counted = candidatesOf(inputs).map((one) => ({
      ...one,
      isHit: (value: unknown) => {
        looks += 1;
        return one.isHit(value);
      },
    }));
    expect(counted.length).toBeGreaterThan(400);
    const each: number[] = [];
    for (const _chosen of eachChoice(openTo(inputs, baseOf(posted!), counted), () => from, 8)) {
      each.push(looks);
      looks = 0;
    }
    expect(each.length).toBeGreaterThan(2);
    expect(Math.max(...each)).toBeLessThan(60_000);
  });
});
