// Bounds and counts the objects that load creates: held to limits.created before k6 sends, written down, counted by the
// samples, and found in lists afterwards by the marks of the bodies.

import { plural } from '../../contract/numbers.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { StepLost } from '../../load/caller/caller.ts';
import type { Sample } from '../../load/samples/line.ts';
import { PAGE } from '../../probes/reach/reading-lists.ts';
import type { CreationBound } from '../books/creation-bound.ts';
import type { Creations } from '../books/creations.ts';
import type { Spot } from '../plan/clause-target.ts';

/** One operation of the load that creates. */
export interface Maker {
  /** The requests that are sent in turn. */
  readonly plans: readonly RequestPlan[];
  /** Its part of all requests, 0 to 1. */
  readonly share: number;
}

interface Counted extends Maker {
  readonly spot: Spot;
  /** Each request is sent under a key of its own: however often it is sent, it creates once. */
  readonly isKeyed: boolean;
  counted: number;
}

export interface LoadCreationsOptions {
  readonly bound: CreationBound;
  readonly creations: Creations;
  /** True where limits.created holds here: where the configuration does not state it, the mix says what is created. */
  readonly isBounded: boolean;
}

/** Reads that end a list and show whether a DELETE is true, for each operation. */
const LOOKS = 6;
const WHY = 'load created it, and no list shows it';

export class LoadCreations {
  readonly #options: LoadCreationsOptions;
  readonly #makers = new Map<string, Counted>();
  #isWritten = false;

  /** `makers`: those count that have created something when they were called once. */
  constructor(options: LoadCreationsOptions, makers: readonly Maker[]) {
    this.#options = options;
    for (const maker of makers) {
      const [first] = maker.plans;
      if (first === undefined || !options.creations.hasMade(first)) continue;
      const spot: Spot = { service: first.service, operation: first.operation };
      const isKeyed = keyIn(first.headers) !== null;
      this.#makers.set(spot.operation ?? '', { ...maker, spot, isKeyed, counted: 0 });
    }
  }

  /**
   * Writes down that so many requests are about to be sent; the requests that it takes to find and delete what they may
   * create. Throws StepLost (capped) where limits.created has no room for that; then none must be sent.
   */
  readonly reserve = (requests: number): number => {
    const { bound, isBounded } = this.#options;
    let undoing = 0;
    for (const maker of this.#makers.values()) {
      const most = mostOf(maker, requests);
      undoing += Math.ceil(most / PAGE) + LOOKS + (bound.stays(maker.spot) ? 0 : most);
      const room = bound.roomOf(maker.spot);
      if (isBounded && most > room)
        throw new StepLost(
          'capped',
          `the next step may create ${plural(most, 'object')} by ${maker.spot.operation}, and limits.created leaves room for ${room}`,
        );
    }
    if (!this.#isWritten)
      for (const { plans } of this.#makers.values()) for (const plan of plans) bound.announceRepeated(plan);
    this.#isWritten = true;
    return undoing;
  };

  /** Counts what a sample tells of. */
  readonly watch = (sample: Sample): void => {
    if (sample.kind !== 'request' && sample.kind !== 'histogram') return;
    const maker = this.#makers.get(sample.operation);
    if (maker === undefined || sample.status < 200 || sample.status >= 300) return;
    const many = sample.kind === 'request' ? 1 : [...sample.buckets.values()].reduce((sum, count) => sum + count, 0);
    for (let left = Math.min(many, this.#uncounted(maker)); left > 0; left -= 1) this.#count(maker);
  };

  #uncounted({ isKeyed, plans, counted }: Counted): number {
    return isKeyed ? plans.length - counted : Number.POSITIVE_INFINITY;
  }

  #count(maker: Counted): void {
    const plan = maker.plans[maker.counted % maker.plans.length];
    if (plan === undefined) return;
    maker.counted += 1;
    const { service, operation, path, credential } = plan;
    const made = { service, operation: operation ?? '', collection: path, id: null, path, deleter: null, ours: true };
    this.#options.creations.add({ ...made, credential }, { why: WHY });
  }
}

/** How much the requests may create beyond what was counted. */
function mostOf({ isKeyed, plans, counted, share }: Counted, requests: number): number {
  const sent = Math.ceil(requests * share);
  return isKeyed ? Math.min(sent, plans.length - counted) : sent;
}
