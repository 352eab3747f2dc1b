// Who else is there: users of the same keys, who spend calls of them, and writers, who change what lists show. Both act at times of
// their own; what they did is made up for whenever the run's next call arrives, which nobody can tell from its having happened then.
import type { Clock } from '../clock/clock.ts';
import type { Deviation } from '../platform/deviation.ts';
import type { Call } from '../platform/http/call.ts';
import type { Platform } from '../platform/platform.ts';
import type { Collection } from '../platform/store/collections.ts';
import { KEYS } from '../platform/tokens.ts';
import type { Chance } from './chance.ts';
import type { SimulatedWorld } from './worlds.ts';

const MINUTE_MS = 60_000;
/** Of what happened longer ago than so many windows nothing is left to see. */
const WINDOWS = 3;

/** Calls of others under the run's keys. */
export class OtherUsers {
  readonly #platform: Platform;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #users: readonly {
    readonly call: Call;
    readonly perMs: number;
    readonly memoryMs: number;
    untilMs: number;
  }[];

  /** Each key is used by others to so large a share of its limit. `clock` is the platform's. */
  constructor(platform: Platform, clock: Clock, chance: Chance, share: number) {
    this.#platform = platform;
    this.#clock = clock;
    this.#chance = chance;
    this.#users = KEYS.flatMap((key) => {
      const limit = platform.limits[key.plan];
      const call = plainCall(platform, platform.tokens.mint(key));
      if (limit === undefined || call === null || share === 0) return [];
      const perMs = (share * limit.calls) / (limit.seconds * 1000);
      return [{ call, perMs, memoryMs: WINDOWS * limit.seconds * 1000, untilMs: clock.now() }];
    });
  }

  /** Makes the calls that came since it was last asked. */
  catchUp(): void {
    const nowMs = this.#clock.now();
    for (const user of this.#users) {
      let atMs = Math.max(user.untilMs, nowMs - user.memoryMs);
      for (atMs += this.#gapMs(user.perMs); atMs <= nowMs; atMs += this.#gapMs(user.perMs))
        this.#platform.admit({ ...user.call, receivedAt: Math.floor(atMs), standing: {} }, null);
      user.untilMs = nowMs;
    }
  }

  /** Until the next of calls that come independently of each other. */
  #gapMs(perMs: number): number {
    return -Math.log(1 - this.#chance.next()) / perMs;
  }
}

/** A call of an operation that reads, needs a token and no id. */
function plainCall(platform: Platform, token: string): Call | null {
  const route = platform.routes.find(
    ({ operation: { method, path, public: isPublic } }) => method === 'GET' && !path.includes('{') && !isPublic,
  );
  if (route === undefined) return null;
  const { path } = route.operation;
  return {
    ...{ requestId: 'of others', receivedAt: 0, method: 'GET', url: path, path, route, params: {}, query: {} },
    ...{ headers: { authorization: `Bearer ${token}` }, body: undefined, key: null, standing: {} },
  };
}

/** Writers on each collection that the run looks at: they make items, and remove some of those that they made. */
export function writers(chance: Chance, { writesPerMinute }: Pick<SimulatedWorld, 'writesPerMinute'>): Deviation {
  const known = new Map<Collection, { readonly own: string[]; untilMs: number }>();
  const write = (collection: Collection, nowMs: number): void => {
    const state = known.get(collection) ?? { own: [], untilMs: nowMs };
    known.set(collection, state);
    const expected = ((nowMs - state.untilMs) * writesPerMinute) / MINUTE_MS;
    const writes = Math.floor(expected) + Number(chance.happens(expected % 1));
    state.untilMs = nowMs;
    for (let turn = 0; turn < writes; turn += 1) {
      const removed = chance.happens(0.4) ? state.own.shift() : undefined;
      if (removed === undefined) state.own.push(collection.create({}).id);
      else collection.delete(removed);
    }
  };
  return {
    id: 'writers',
    clause: 'PAG-06',
    description: 'Others write to the collections that the run looks at.',
    hooks: ({ collectionOf }) => ({
      act: (call, proceed) => {
        const collection = collectionOf(call);
        if (collection !== null) write(collection, call.receivedAt);
        return proceed();
      },
    }),
  };
}
