import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith, refusal } from '../../../test/support/checks/exchanges.ts';
import {
  drive,
  inWords,
  loadShop,
  MAIN_KEY,
  OTHER_KEY,
  reachedWith,
  worldWith,
} from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { malformedExperiments } from '../requests/not-understood.ts';
import { unknownIdExperiments } from '../requests/unknown-ids.ts';
import type { Reached, World } from '../world.ts';
import { otherKeyExperiments } from './accounts.ts';
import { borrowing } from './borrowed-requests.ts';

const READ = 'GET /api/v1/products/{productId}';
const PUT = 'PUT /api/v1/products/{productId}';
const CREATE = 'POST /api/v1/products';
const OWN = { productId: 'prd_own_0001' };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const [missing, malformed] = [refusal(404, 'resource_not_found'), refusal(400, 'malformed_json')];
const senders = (plans: readonly RequestPlan[]) =>
  plans.map(({ credential }) => (credential.kind === 'key' ? credential.name : credential.kind));
const [MAIN, OTHER] = [MAIN_KEY.name, OTHER_KEY.name];

function reachedIn(world: World, key: string): Reached {
  const reached = reachedWith(world, shop, key, OWN);
  const path = reached.operation.path.replace('{productId}', OWN.productId);
  return { ...reached, proof: exchangeWith({ plan: { ...exchangeWith().plan, path } }) };
}

describe('where a budget bounds the run', () => {
  const world = () => worldWith();
  const unknownId = (on: World, key = READ) => {
    const reached = reachedIn(on, key);
    const [experiment] = borrowing(on, reached)(unknownIdExperiments(on, reached));
    return { reached, experiment: experiment! };
  };
  const malformedOn = (on: World, key: string) => {
    const reached = reachedIn(on, key);
    const [experiment] = borrowing(on, reached)(malformedExperiments(on, reached));
    return experiment!;
  };

  it('another key asks for what nobody has, and its acceptance is judged beside what the request is for', () => {
    const { experiment } = unknownId(world());
    const { plans, outcomes } = drive(experiment.run(), () => missing);
    expect(senders(plans)).toEqual([OTHER]);
    expect(inWords(outcomes)).toEqual(['REQ-02 holds', 'AUTH-05 holds']);
    expect(experiment.probe).toContain(OTHER);
  });

  it('an operation that accepted the key is not asked for it again', () => {
    const on = world();
    const { reached, experiment } = unknownId(on);
    const [asked] = otherKeyExperiments(on, reached, { first: false });
    expect(asked?.stands?.()).toBe(true);
    drive(experiment.run(), () => missing);
    expect(asked?.stands?.()).toBe(false);
    expect(senders(drive(unknownId(on).experiment.run(), () => missing).plans)).toEqual([MAIN]);
  });

  it('a key that is refused breaches AUTH-05 where the main key is not, which sends the request again', () => {
    const { plans, outcomes } = drive(unknownId(world()).experiment.run(), (_plan, index) =>
      index === 0 ? refusal(401, 'auth_token_invalid') : missing,
    );
    expect(senders(plans)).toEqual([OTHER, MAIN]);
    expect(inWords(outcomes)).toEqual(['REQ-02 holds', 'AUTH-05 breached: a valid key is refused']);
  });

  it('a key tells nothing where the main key is refused as well', () => {
    const { outcomes } = drive(unknownId(world()).experiment.run(), () => refusal(401, 'auth_token_invalid'));
    expect(inWords(outcomes)).toContain('AUTH-05 cannot tell');
  });

  it('what a request is for is judged by the answer to the main key where the other has no right', () => {
    const { plans, outcomes } = drive(malformedOn(world(), CREATE).run(), (_plan, index) =>
      index === 0 ? refusal(403, 'scope') : malformed,
    );
    expect(senders(plans)).toEqual([OTHER, MAIN]);
    expect(inWords(outcomes)).toEqual(['REQ-05 holds', 'AUTH-05 cannot tell']);
  });

  it('a key that does not see what the main key sees is sent there no more', () => {
    const on = world();
    const apart = drive(malformedOn(on, PUT).run(), (_plan, index) => (index === 0 ? missing : malformed));
    expect(senders(apart.plans)).toEqual([OTHER, MAIN]);
    expect(inWords(apart.outcomes)).toEqual(['REQ-05 holds', 'AUTH-05 holds']);
    expect(senders(drive(malformedOn(on, PUT).run(), () => malformed).plans)).toEqual([MAIN]);
    expect(senders(drive(malformedOn(on, CREATE).run(), () => malformed).plans)).toEqual([OTHER]);
  });

  it('what breaks by another key is looked at again by the same key', () => {
    const { experiment } = unknownId(world());
    const answered = (plan: RequestPlan) =>
      plan.credential.kind === 'key' && plan.credential.name === OTHER ? {} : missing;
    for (let look = 0; look < 2; look += 1)
      expect(inWords(drive(experiment.run(), answered).outcomes)[0]).toContain('REQ-02 breached');
  });

  it('what may make something is sent by the main key', () => {
    const on = world();
    const reached = reachedIn(on, CREATE);
    const [first] = malformedExperiments(on, reached);
    const making = { ...first!, run: () => withoutMark(first!.run()) };
    const [experiment] = borrowing(on, reached)([making]);
    expect(senders(drive(experiment!.run(), () => malformed).plans)).toEqual([MAIN]);
  });
});

it('requests go out under the main key on operations that nobody called with success', () => {
  const world = worldWith();
  const reached = { ...reachedIn(world, READ), proof: null };
  const experiments = unknownIdExperiments(world, reached);
  expect(borrowing(world, reached)(experiments)).toBe(experiments);
});

/** The course without the word that its requests make nothing. */
function* withoutMark(course: ReturnType<ReturnType<typeof malformedExperiments>[number]['run']>) {
  let step = course.next();
  while (step.done !== true) {
    const { makes: _makes, ...plan } = step.value;
    step = course.next(yield plan);
  }
  return step.value;
}
