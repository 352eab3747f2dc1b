import { expect, it } from 'vitest';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { validInputExperiment } from '../reach/valid-inputs.ts';
import type { Reached } from '../world.ts';
import { spoiledWholeExperiments } from './spoiled-whole.ts';

const world = worldWith();

async function experimentsFor(schema: unknown, required = true, changes: Partial<Reached> = {}) {
  const requestBody = { required, content: { 'application/json': { schema } } };
  const post = { requestBody, responses: { 201: { description: 'Created' } } };
  return spoiledWholeExperiments(world, reachedWith(world, await loadShop({ '/a': { post } }), 'POST /a', {}, changes));
}

async function sent(schema: unknown, required = true) {
  return (await experimentsFor(schema, required)).map((experiment) => {
    const [plan] = drive(experiment.run(), () => ({ status: 400 })).plans;
    return plan?.body.kind === 'json' ? JSON.stringify(plan.body.value) : plan?.body.kind;
  });
}

const OBJECT = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const LIST = { type: 'array', items: OBJECT, minItems: 1 };

it('the body is left out, null, and of the other structured type', async () => {
  expect(await sent(OBJECT)).toEqual(['none', 'null', '[]']);
  expect(await sent(LIST)).toEqual(['none', 'null', '{}']);
});

it('what the description admits is not spoiled', async () => {
  expect(await sent(OBJECT, false)).toEqual(['null', '[]']);
  expect(await sent({ ...OBJECT, nullable: true }, false)).toEqual(['[]']);
  expect(await sent({}, false)).toEqual([]);
  expect(await sent({ oneOf: [OBJECT, LIST] }, false)).toEqual(['null']);
});

it('any 4xx holds, and what is accepted breaches', async () => {
  for (const experiment of await experimentsFor(OBJECT)) {
    const [clause] = experiment.clauses;
    expect(inWords(drive(experiment.run(), () => ({ status: 415 })).outcomes)).toEqual([`${clause} holds`]);
    expect(drive(experiment.run(), () => ({ status: 201 })).outcomes).toMatchObject([
      { clause, judgement: { kind: 'breached', breaches: [{ weight: 'breach' }] } },
    ]);
  }
});

it('what is accepted in place of the body is told apart', async () => {
  const causes = (await experimentsFor(OBJECT)).flatMap((experiment) =>
    drive(experiment.run(), () => ({ status: 201 })).outcomes.flatMap(({ judgement }) =>
      judgement.kind === 'breached' ? judgement.breaches.map(({ cause }) => cause) : [],
    ),
  );
  expect(causes).toEqual([
    'a request without its required body is accepted',
    'a body that is null is accepted',
    'a body that is a list is accepted',
  ]);
});

it('it is an advisory to accept it where an empty object is admitted', async () => {
  const weights = (await experimentsFor({ type: 'object' })).map(
    (experiment) => drive(experiment.run(), () => ({ status: 201 })).outcomes,
  );
  expect(weights).toMatchObject([1, 2, 3].map(() => [{ judgement: { breaches: [{ weight: 'advisory' }] } }]));
});

it('it is an advisory to read null as no body where none has to be there', async () => {
  const weights = (await experimentsFor(OBJECT, false)).map(
    (experiment) => drive(experiment.run(), () => ({ status: 201 })).outcomes,
  );
  const breachOf = (weight: string) => [{ judgement: { breaches: [{ weight }] } }];
  expect(weights).toMatchObject([breachOf('advisory'), breachOf('breach')]);
});

it('it costs a request each, and comes before the many that vary sound input', async () => {
  const numbered = { ...OBJECT, properties: { ...OBJECT.properties, count: { type: 'integer', maximum: 9 } } };
  const requestBody = { required: true, content: { 'application/json': { schema: numbered } } };
  const post = { requestBody, responses: { 200: { description: 'Found' } } };
  const reached = reachedWith(world, await loadShop({ '/a': { post } }), 'POST /a');
  const varied = validInputExperiment(world, reached)?.rank ?? 0;
  for (const { rank, cost } of spoiledWholeExperiments(world, reached))
    expect([rank < varied, cost]).toEqual([true, 1]);
});

it('where no sound call succeeded a refusal tells nothing of the fault, and what is accepted breaches', async () => {
  for (const experiment of await experimentsFor(OBJECT, true, { proof: null })) {
    const [clause] = experiment.clauses;
    expect(drive(experiment.run(), () => ({ status: 422 })).outcomes).toMatchObject([
      { judgement: { kind: 'cannot-tell' } },
    ]);
    expect(drive(experiment.run(), () => ({ status: 201 })).outcomes).toMatchObject([
      { clause, judgement: { kind: 'breached' } },
    ]);
  }
});
