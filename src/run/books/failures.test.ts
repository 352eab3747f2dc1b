import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { Failures } from './failures.ts';

const DROPPED = { kind: 'reset', message: 'the connection was closed', reusedSocket: false } as const;
const READ = { service: 'notes', operation: 'GET /notes/{id}', method: 'GET', path: '/notes/1' } as const;

function answered(to: Partial<RequestPlan>, status: number | null): Exchange {
  const exchange = exchangeWith();
  const plan = { ...exchange.plan, ...READ, ...to };
  return status === null
    ? { ...exchange, plan, response: null, failure: DROPPED }
    : { ...exchange, plan, response: { ...exchange.response!, status } };
}

const { plan: PLAN } = answered({}, 500);
const OTHER: RequestPlan = { ...PLAN, path: '/notes/2' };
const HOSTILE = { intent: 'hostile', query: 'lang=%00' } as const;

function having(...sent: readonly (readonly [Partial<RequestPlan>, number | null, number])[]): Failures {
  const failures = new Failures();
  for (const [to, status, times] of sent)
    for (let time = 0; time < times; time += 1) failures.count(answered(to, status));
  return failures;
}

describe('a thing that fails each time', () => {
  it('is asked no more, and another thing is', () => {
    expect(having([{}, 500, 15]).refusalOf(PLAN)).toBeNull();
    const failures = having([{}, 500, 16]);
    expect(failures.refusalOf(PLAN)?.message).toBe('it fails whatever is sent: every answer was 500');
    expect(failures.refusalOf(OTHER)).toBeNull();
    expect(having([{}, null, 16]).refusalOf(PLAN)?.message).toMatch(/every answer was a dropped connection$/);
  });

  it.each([
    ['is served now and then', 200],
    ['fails otherwise now and then', 502],
    ['is refused now and then', 404],
  ])('is asked again where it %s', (_, status) => {
    expect(having([{}, 500, 10], [{}, status, 1], [{}, 500, 20]).refusalOf(PLAN)).toBeNull();
  });

  it('tells by answers that ask for a wait, or never came, nothing', () => {
    expect(having([{}, 503, 20]).refusalOf(PLAN)).toBeNull();
    expect(having([{ intent: 'unauthenticated' }, 500, 20]).refusalOf(PLAN)).toBeNull();
    expect(having([{}, 500, 16], [{ intent: 'unauthenticated' }, 401, 1]).refusalOf(PLAN)).not.toBeNull();
  });

  it('can be asked without credentials, and be deleted', () => {
    const failures = having([{}, 500, 20]);
    expect(failures.refusalOf({ ...PLAN, intent: 'unauthenticated' })).toBeNull();
    expect(failures.refusalOf({ ...PLAN, undoes: true })).toBeNull();
  });
});

describe('a hostile request that fails', () => {
  it('fails by something else where sound ones of the thing fail so', () => {
    expect(having([{}, 500, 3]).isUsual(answered(HOSTILE, 500))).toBe(true);
    expect(having([{}, 500, 3]).isUsual(answered(HOSTILE, 502))).toBe(false);
    expect(having([{}, 500, 3]).isUsual(answered(HOSTILE, null))).toBe(false);
    expect(having([{}, 500, 2]).isUsual(answered(HOSTILE, 500))).toBe(false);
    expect(having([{}, 200, 3]).isUsual(answered(HOSTILE, 500))).toBe(false);
  });

  it('fails by itself for what is not there, unless all fail for what is not there', () => {
    const nowhere = { ...HOSTILE, path: '/notes/%00' };
    const sound = [{}, 500, 3] as const;
    const unknown = (status: number) => [{ ...HOSTILE, path: '/notes/none' }, status, 3] as const;
    expect(having(sound, unknown(500)).isUsual(answered(nowhere, 500))).toBe(true);
    expect(having(sound, unknown(404)).isUsual(answered(nowhere, 500))).toBe(false);
  });

  it('is sent until many of its kind have failed as sound ones do', () => {
    const hostile = { ...PLAN, ...HOSTILE };
    expect(having([{}, 500, 3], [HOSTILE, 500, 15]).refusalOf(hostile)).toBeNull();
    expect(having([{}, 500, 3], [HOSTILE, 500, 16]).refusalOf(hostile)).not.toBeNull();
    expect(having([{}, 200, 3], [HOSTILE, 500, 16]).refusalOf(hostile)).toBeNull();
    expect(having([{}, 500, 3], [HOSTILE, 400, 1], [HOSTILE, 500, 16]).refusalOf(hostile)).toBeNull();
  });
});
