// Keeps where the target fails whatever is sent. Probes and whoever sends ask it, for what is known to fail teaches nothing when it is sent again.

import { isCut } from '../../checks/req/req-09-unanswered.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { NotSent } from '../../probes/probe.ts';
import { spotKey } from '../plan/clause-target.ts';
import { DROPPED } from './traffic.ts';

/** Number of sound requests that failed alike, from which on it is no accident. */
const MIN_ALIKE = 3;
/** Number of requests that failed alike, from which on no more are sent: less than one in twenty of them would be served. */
const ENOUGH = 16;

/** The failure that each request of one kind met in one place; null where not all of them failed, or not alike. */
interface Row {
  how: string | null;
  times: number;
}

type Sent = Pick<RequestPlan, 'service' | 'operation' | 'method' | 'path' | 'intent'>;
type Kind = 'sound' | 'wrong';

export class Failures {
  readonly #rows = new Map<string, Row>();

  /** Counts an answer. One that asks for a wait, one that never came, and the refusal of a stranger tell nothing of what is there. */
  count({ plan, response, failure, limited }: Exchange): void {
    const isLost = response === null && !isCut({ failure });
    if (isOutside(plan) || isLost || response?.status === 503 || limited === true) return;
    const how = failureOf(response);
    for (const place of placesOf(plan)) {
      const key = `${place} ${kindOf(plan)}`;
      const row = this.#rows.get(key) ?? { how, times: 0 };
      this.#rows.set(key, { how: row.how === how ? how : null, times: row.times + 1 });
    }
  }

  /** Tells whether the failure is not the doing of what was sent: sound requests fail so as well, each time. */
  isUsual({ plan, response, failure }: Exchange): boolean {
    const how = response === null && !isCut({ failure }) ? null : failureOf(response);
    if (how === null) return false;
    const [operation, thing] = placesOf(plan);
    if (this.#rows.has(`${thing} sound`)) return this.#meets(how, thing, 'sound', MIN_ALIKE);
    return this.#meets(how, operation, 'sound', MIN_ALIKE) && this.#meets(how, operation, 'wrong', MIN_ALIKE);
  }

  /** Why a request is not sent that would fail as all before it; null: it may be answered otherwise. */
  refusalOf(plan: RequestPlan): NotSent | null {
    if (isOutside(plan) || plan.undoes === true) return null;
    // Another thing may be read where one cannot be.
    const places = kindOf(plan) === 'sound' ? placesOf(plan).slice(1) : placesOf(plan);
    for (const place of places) {
      const how = this.#rows.get(`${place} sound`)?.how ?? null;
      if (how !== null && this.#meets(how, place, 'sound', MIN_ALIKE) && this.#meets(how, place, kindOf(plan), ENOUGH))
        return new NotSent('precondition', `it fails whatever is sent: every answer was ${how}`);
    }
    return null;
  }

  #meets(how: string, place: string, kind: Kind, atLeast: number): boolean {
    const row = this.#rows.get(`${place} ${kind}`);
    return row !== undefined && row.how === how && row.times >= atLeast;
  }
}

function isOutside({ operation, intent }: Sent): boolean {
  return operation === null || intent === 'unauthenticated';
}

/** The operation, and the thing that the path names. */
function placesOf(plan: Sent): readonly [string, string] {
  const operation = `${spotKey(plan)} ${plan.method}`;
  return [operation, `${operation} ${plan.path}`];
}

function kindOf({ intent = 'sound' }: Sent): Kind {
  return intent === 'sound' ? 'sound' : 'wrong';
}

/** How it failed; null where it did not. */
function failureOf(response: Exchange['response']): string | null {
  if (response === null) return DROPPED;
  return response.status >= 500 ? String(response.status) : null;
}
