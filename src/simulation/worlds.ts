// The worlds that a run can be put into: what lies between it and the platform, and who else is there.

import type { Clock } from '../clock/clock.ts';
import { oncePer } from '../exchange/once-per.ts';
import type { Deviation } from '../platform/deviation.ts';
import type { Call } from '../platform/http/call.ts';
import type { Platform } from '../platform/platform.ts';
import type { Collection } from '../platform/store/collections.ts';
import { KEYS } from '../platform/tokens.ts';
import type { Chance } from './chance.ts';
import type { Restarts } from './outages.ts';

export interface SimulatedWorld {
  /** Time of a message, one way. A share of them takes the longer time. ms. */
  readonly latency: {
    readonly least: number;
    readonly most: number;
    readonly slowShare: number;
    readonly slowMs: number;
  };
  /** In the first so many ms every message takes so much longer. */
  readonly warmUp: { readonly forMs: number; readonly extraMs: number };
  /** How far the platform's calendar may be ahead of or behind the run's. ms. */
  readonly skewMs: number;
  /** Share of the requests on a connection that was used before which find it closed: the platform sees nothing of them. */
  readonly staleShare: number;
  /**
   * Share of all requests that are lost: the connection is reset before the platform sees it, or after it acted and
   * before its answer arrives.
   */
  readonly lostRequests: number;
  readonly lostAnswers: number;
  /** Share of the requests that read and arrive twice. */
  readonly duplicated: number;
  /** Share of the limit of each of the run's keys that others use: 0 to 1. */
  readonly othersShare: number;
  /** Items that others make or remove on each list that the run looks at. */
  readonly writesPerMinute: number;
  /** null: the platform is never restarted. */
  readonly restarts: Restarts | null;
}

const CALM: SimulatedWorld = {
  latency: { least: 0.5, most: 3, slowShare: 0, slowMs: 0 },
  warmUp: { forMs: 0, extraMs: 0 },
  skewMs: 0,
  staleShare: 0,
  lostRequests: 0,
  lostAnswers: 0,
  duplicated: 0,
  othersShare: 0,
  writesPerMinute: 0,
  restarts: null,
};

/** Worlds by name, the calmest first. */
export const WORLDS = {
  calm: CALM,
  distant: { ...CALM, latency: { least: 20, most: 120, slowShare: 0, slowMs: 0 } },
  uneven: { ...CALM, latency: { least: 1, most: 20, slowShare: 0.02, slowMs: 900 } },
  warming: { ...CALM, warmUp: { forMs: 8_000, extraMs: 700 } },
  skewed: { ...CALM, skewMs: 90_000 },
  resetting: { ...CALM, staleShare: 0.01, lostRequests: 0.002, lostAnswers: 0.002 },
  duplicating: { ...CALM, duplicated: 0.01 },
  writing: { ...CALM, writesPerMinute: 60 },
  restarting: { ...CALM, restarts: { everyMs: 15_000, downMs: 800 } },
  'others-1': { ...CALM, othersShare: 0.01 },
  'others-10': { ...CALM, othersShare: 0.1 },
  'others-50': { ...CALM, othersShare: 0.5 },
  rough: {
    ...CALM,
    latency: { least: 5, most: 60, slowShare: 0.005, slowMs: 400 },
    skewMs: 2_000,
    staleShare: 0.002,
    lostRequests: 0.0005,
    lostAnswers: 0.0005,
    othersShare: 0.05,
    writesPerMinute: 6,
  },
} as const satisfies Record<string, SimulatedWorld>;

export type WorldName = keyof typeof WORLDS;

export const WORLD_NAMES = Object.keys(WORLDS) as readonly WorldName[];

// Who else is there: users of the same keys, who spend calls of them, and writers, who change what lists show. Both act at times of
// their own; what they did is made up for whenever the run's next call arrives, which nobody can tell from its having happened then.

const MINUTE_MS = 60_000;
/** Windows after which nothing is left to see. */
const MAX_SEEN_WINDOWS = 3;

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
      return [{ call, perMs, memoryMs: MAX_SEEN_WINDOWS * limit.seconds * 1000, untilMs: clock.now() }];
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
  const stateOf = oncePer((_: Collection, nowMs: number) => ({ own: [] as string[], untilMs: nowMs }));
  const write = (collection: Collection, nowMs: number): void => {
    const state = stateOf(collection, nowMs);
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
