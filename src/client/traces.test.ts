// Each request names its trace, and what names one itself keeps that.
import { describe, expect, it } from 'vitest';
import { fixture, PLAN } from '../../test/support/client/fixture.ts';
import { json } from '../../test/support/client/scripted-server.ts';
import { curlOf } from '../exchange/curl.ts';
import { toReported } from '../exchange/reported.ts';
import { traceIn, traceparentOf, tracesOf } from '../exchange/trace-context.ts';

const traces = tracesOf('run-1');
const OTHER = traceparentOf(tracesOf('another')(1));

describe('a request', () => {
  it('names a trace of its own, in every attempt another, and its exchange tells which', async () => {
    await using run = await fixture((response) => json(response, 503, {}), { traces });
    const attempts = await run.send(PLAN);
    const sent = run.server.seen.map(({ headers }) => headers.traceparent);
    expect(sent).toEqual([1, 2, 3, 4, 5].map((serial) => traceparentOf(traces(serial))));
    expect(attempts.map((one) => toReported(one).traceId)).toEqual([1, 2, 3, 4, 5].map((one) => traces(one).traceId));
    expect(curlOf(attempts[0]!)).toContain(`traceparent: ${traceparentOf(traces(1))}`);
  });

  it.each([
    ['has such a header itself', { headers: [['Traceparent', 'spoiled']] as const }, {}, 'spoiled'],
    ['shares one with all others', {}, { headers: [{ name: 'traceparent', value: OTHER, secret: null }] }, OTHER],
    ['is of an operation that describes one', { untraced: true as const }, {}, undefined],
  ])('that %s gets none', async (_, plan, options, expected) => {
    await using run = await fixture((response) => json(response, 200, {}), { traces, ...options });
    const [exchange] = await run.send({ ...PLAN, ...plan });
    expect(run.server.seen[0]?.headers.traceparent).toBe(expected);
    const reported = toReported(exchange!).traceId;
    expect(reported).toBe(expected === OTHER ? traceIn([['traceparent', OTHER]])?.traceId : undefined);
  });

  it('names none where traces are not asked for', async () => {
    await using run = await fixture((response) => json(response, 200, {}));
    const [exchange] = await run.send(PLAN);
    expect(run.server.seen[0]?.headers.traceparent).toBeUndefined();
    expect(toReported(exchange!)).not.toHaveProperty('traceId');
  });
});
