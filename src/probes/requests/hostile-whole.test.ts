// Hostile bodies as a whole: how they are written, and for what they are sent.
import { beforeAll, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { hostileExperiments } from './hostile-input.ts';

const world = worldWith();
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});
const refused = { status: 400, body: { error: errorObject({ status: 400 }) } };

it('is a body in a coding, a charset or a media type that it does not have, or no JSON at all', () => {
  const plans = hostileExperiments(world, reachedWith(world, shop, 'POST /api/v1/products'), 0)
    .filter(({ probe }) => probe.startsWith('hostile/body/'))
    .map((one) => drive(one.run(), () => refused).plans[0]);
  const types = plans.map((plan) => (plan?.body.kind === 'raw' ? plan.body.contentType : ''));
  expect(types).toEqual(
    expect.arrayContaining(['application/json; charset=utf-16', 'application/json; charset=assay-8']),
  );
  const codings = plans.flatMap((plan) => plan?.headers.filter(([name]) => name === 'Content-Encoding') ?? []);
  expect(codings.map(([, coding]) => coding)).toEqual(['gzip', 'assay']);
  const texts = plans.map((plan) => (plan?.body.kind === 'raw' ? plan.body.text : null));
  expect(texts).toEqual(expect.arrayContaining(['', '\u0000', '{"assay":NaN,"count":-Infinity}']));
  expect(plans.every((plan) => plan?.makes === 'nothing')).toBe(true);
});

it('is a body for what is not there, too, where nothing was ever served', () => {
  const reached = reachedWith(world, shop, 'PUT /api/v1/products/{productId}', { productId: 'prd_1' });
  const paths = (proof: typeof reached.proof) =>
    hostileExperiments(world, { ...reached, proof }, 0)
      .filter(({ probe }) => probe.startsWith('hostile/body/'))
      .map((one) => drive(one.run(), () => refused).plans[0]?.path);
  expect(new Set(paths(null))).toEqual(new Set(['/api/v1/products/prd_1', '/api/v1/products/assay']));
  expect(new Set(paths(exchangeWith({})))).toEqual(new Set(['/api/v1/products/prd_1']));
});
