// An operation that names several security schemes is tried by each of them, but for one that ends the session or takes all away.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Asked, TOKEN, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone' } as const;
/** Removing everything is allowed by name. */
const ALLOWING = 'mutations: { default: allow, operations: { "DELETE /pets": ordinary } }';
type Paths = Record<string, Record<string, unknown>>;

/** The description with a logout and a removal of everything, and a second scheme by which each operation may be asked. */
function withTwoSchemes(whole: Record<string, unknown>): unknown {
  const responses = { 204: { description: 'Done' } };
  const { '/pets': pets, ...others } = whole.paths as Paths;
  const paths = { ...others, '/pets': { ...pets, delete: { responses } }, '/auth/logout': { get: { responses } } };
  const securitySchemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    header: { type: 'apiKey', in: 'header', name: 'X-Token' },
  };
  return { ...whole, paths, security: [{ bearer: [] }, { header: [] }], components: { securitySchemes } };
}

test.each(['local', 'staging'])(
  'a run in %s logs nobody out and takes nothing away to try a scheme',
  async (environment) => {
    const clock = simulatedClock();
    const target = thingsOf(COLLECTIONS, clock);
    let calls = 0;
    const ending: number[] = [];
    const byOther: string[] = [];
    const report = await judgedInMemory(
      { collections: COLLECTIONS, described: withTwoSchemes, environment, configuration: [ALLOWING] },
      (request: Asked) => {
        const { method, url, authorization, token } = request;
        calls += 1;
        if (authorization === undefined && token === TOKEN) byOther.push(`${method} ${url}`);
        const isEnding = url.startsWith('/auth/logout') || (method === 'DELETE' && /^\/pets(\?|$)/.test(url));
        const isHeld = authorization === `Bearer ${TOKEN}` || token === TOKEN;
        if (!isEnding) return target.answer({ ...request, authorization: isHeld ? `Bearer ${TOKEN}` : authorization });
        if (!isHeld) return { status: 401, body: { error: 'no token' } };
        ending.push(calls);
        return { status: 204 };
      },
      {},
      clock,
    );
    expect(byOther).toContain('GET /pets');
    expect(report.counts.requests).toBe(calls);
    // The session is ended when all else is done, and so is all taken away, on this machine alone.
    expect(ending).toEqual(environment === 'local' ? [calls - 1, calls] : [calls]);
    expect(target.left()).toEqual({ pets: [] });
  },
);
