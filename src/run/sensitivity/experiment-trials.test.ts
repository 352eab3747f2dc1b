// The trials of experiments: what is recorded is performed once more, until somebody stops them.
import { expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { breached, holds } from '../../contract/judgement.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { outcome } from '../../probes/experiment.ts';
import type { Experiment } from '../../probes/probe.ts';
import { type ExperimentPlant, withBody } from '../../sensitivity/plant.ts';
import { NOWHERE } from '../plan/shard.ts';
import { ExperimentTrials, type Stage } from './experiment-trials.ts';
import { PlantBook } from './plant-book.ts';
import { Tapes } from './tapes.ts';

const PLAN = exchangeWith({ plan: { path: '/api/v1/nowhere', query: '' } }).plan;
const ANSWER = exchangeWith({ plan: PLAN, status: 404, body: { sound: true } });

/** Holds where the answer is the recorded one. */
const EXPERIMENT: Experiment = {
  ...{ probe: 'test/place', stage: 'lean', rank: 1, clauses: ['REQ-01'], cost: 1, repeatable: true, ...NOWHERE },
  *run() {
    const { last } = yield PLAN;
    const breach = {
      weight: 'breach',
      code: 'req-01.test',
      cause: 'c',
      message: 'm',
      expected: 'e',
      actual: 'a',
    } as const;
    const isSound = last.response?.body === ANSWER.response?.body;
    return [outcome('REQ-01', NOWHERE, isSound ? holds() : breached([breach]), [last])];
  },
};
const PLANT: ExperimentPlant = {
  ...{ id: 'req-01-test', clause: 'REQ-01', text: 'It differs.', lacks: 'nothing was asked', at: 'run' },
  concerns: () => true,
  change: ({ exchange: { response } }) =>
    response === null ? null : { response: withBody(response, { other: true }) },
};

const shop = await loadShop();
async function tried(halted: Stage['halted']) {
  const book = new PlantBook();
  const rules = { promote: [], expected: [] };
  const trials = new ExperimentTrials([PLANT], book, {
    ...{
      rules,
      under: { contract: 'commerce', terms: COMMERCE_TERMS },
      seed: 1,
      own: createCatalogue([shop]).operations,
      forTarget: true,
    },
    ...{ inRun: () => true, lawful: () => true },
  });
  const tapes = new Tapes(1, () => true);
  tapes.record(EXPERIMENT, PLAN, { attempts: [ANSWER], last: ANSWER });
  await trials.perform(tapes, {
    anew: (experiment) => experiment,
    proof: () => null,
    series: () => ({ observe() {}, concludeSeries: () => [] }),
    halted,
  });
  const { planted, caught, missed } = book.result({ whyNot: () => null, cutShort: null });
  return { planted, caught, missed: missed.map(({ fault, reason, detail }) => [fault, reason, detail]) };
}

test('a planted defect is caught by performing the recorded experiment on changed answers', async () => {
  expect(await tried(() => Promise.resolve(null))).toEqual({ planted: 1, caught: 1, missed: [] });
});

test('what an interruption kept from being tried is missed for that', async () => {
  const why = { reason: 'interrupted', detail: 'the trials were interrupted' } as const;
  expect(await tried(() => Promise.resolve(why))).toEqual({
    ...{ planted: 1, caught: 0 },
    missed: [['req-01-test', 'interrupted', 'the trials were interrupted']],
  });
});
