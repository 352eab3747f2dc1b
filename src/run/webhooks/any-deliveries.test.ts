// Whatever is delivered – no headers, empty names, values and bodies, bytes that are no text, any instant – the report keeps its
// own schema: a report that breaks it ends a run without a verdict.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { reportProblems } from '../../reporters/formats/json.ts';
import { runWebhooks } from './run-webhooks.ts';

const SECRET = 'the-secret-of-this-test';

const BODIES = fc.oneof(
  fc.constantFrom('', '{}', '[]', 'null', '""', '{"type":""}', '{"type":"a"}', '{"":""}').map(Buffer.from),
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const NAMES = fc.oneof(
  fc.constantFrom('', 'host', 'user-agent', 'x-event', 'x-topic', 'x-signature', 'x-event-id', 'webhook-id', 'date'),
  fc.string({ maxLength: 8 }),
);
const VALUES = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'sha256=', '1700000000', 'ab'.repeat(32)),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const ANSWERS = fc.option(
  fc.record({
    status: fc.option(fc.integer({ min: 100, max: 999 })),
    said: fc.constantFrom('', '500', 'accept'),
    afterMs: fc.oneof(fc.constant(-5), fc.double({ min: 0, max: 1e6, noNaN: true })),
    senderLeft: fc.boolean(),
  }),
);

const DELIVERIES = fc.array(
  fc
    .record({
      at: fc.oneof(fc.constantFrom(0, -8.64e15, 8.64e15, 1e15), fc.integer({ min: 1.7e12, max: 1.8e12 })),
      method: fc.constantFrom('POST', 'PUT', 'GET', 'HEAD', 'OPTIONS', 'X'),
      path: fc.constantFrom('/', '/hooks', '/?', '/?a', '/hooks?hub.challenge=&hub.mode=subscribe'),
      headers: fc.array(fc.tuple(NAMES, VALUES), { maxLength: 4 }),
      body: BODIES,
      answer: ANSWERS,
      isSigned: fc.boolean(),
    })
    .map(({ isSigned, ...one }) => {
      const signature = createHmac('sha256', SECRET).update(one.body).digest('hex');
      return isSigned ? { ...one, headers: [...one.headers, ['x-hub-signature', signature] as const] } : one;
    }),
  { maxLength: 5 },
);

it('every report on deliveries keeps its own schema', async () => {
  const drawn = fc.asyncProperty(DELIVERIES, fc.constantFrom(SECRET, null), async (deliveries, secret) => {
    const recorded = deliveries.map((one, index): Delivery => ({ id: `delivery-${index + 1}`, ...one }));
    const webhooks = secret === null ? null : { secret, header: null, form: null, trigger: null, answers: null };
    const report = await runWebhooks({
      config: configWith({ webhooks }),
      ...{ options: optionsWith(), checks: [], clock: simulatedClock(), source: { recorded } },
      ...{ stop: new AbortController().signal, say: () => {} },
    });
    expect(reportProblems(JSON.parse(JSON.stringify(report)))).toEqual([]);
  });
  await fc.assert(drawn, { numRuns: 200 });
});
