// A session over the shop of the probes' tests, with a client that answers from a script instead of a socket.

import { BudgetSpent, type Client } from '../../../src/client/client.ts';
import { simulatedClock } from '../../../src/clock/simulated.ts';
import type { CreationLimits } from '../../../src/config/config.ts';
import type { Exchange, Failure, RequestPlan } from '../../../src/exchange/exchange.ts';
import { type Catalogue, createCatalogue } from '../../../src/openapi/model/catalogue.ts';
import type { Description } from '../../../src/openapi/model/operation.ts';
import type { Experiment } from '../../../src/probes/probe.ts';
import { Knowledge } from '../../../src/probes/reach/knowledge.ts';
import { CreationBound } from '../../../src/run/books/creation-bound.ts';
import { Creations } from '../../../src/run/books/creations.ts';
import { type CreationJournal, unwrittenJournal } from '../../../src/run/books/journal.ts';
import { Ledger } from '../../../src/run/books/ledger.ts';
import { Session, type SessionOptions } from '../../../src/run/perform/session.ts';
import { type Changes, exchangeWith } from '../checks/exchanges.ts';

/** The answer to the n-th request (from 0) of a plan: changes of a sound 200, or why there is none. */
export type Script = (plan: RequestPlan, index: number) => Changes | Failure;

/** An empty list that keeps to every clause. */
export const SOUND_LIST: Changes = {
  headers: [
    ['content-type', 'application/json'],
    ['x-ratelimit-limit', '100'],
    ['x-ratelimit-remaining', '99'],
    ['x-ratelimit-reset', '60'],
  ],
  body: [],
};

/** Longer than any call of a script takes: calls come one after the other. */
const CALL_MS = 1000;

export function failing(kind: Failure['kind'], reusedSocket = false): Failure {
  return { kind, message: `the connection was ${kind}`, reusedSocket };
}

/** The id of the run. */
export const NONCE = 'run-7';

export interface Bench {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly catalogue: Catalogue;
  readonly creations: Creations;
  readonly bound: CreationBound;
  /** Every plan that was sent, in order. */
  readonly plans: RequestPlan[];
}

/** A session whose client answers by the script, one tick later, and stops at the budget. */
export function benchWith(
  description: Description,
  script: Script,
  changes: Partial<SessionOptions> & {
    readonly budget?: number;
    readonly limits?: CreationLimits;
    readonly journal?: CreationJournal;
  } = {},
): Bench {
  const ledger = new Ledger({ promote: [], expected: [] });
  const catalogue = createCatalogue([description]);
  const { limits = { perOperation: 5, total: 200 }, journal = unwrittenJournal() } = changes;
  const creations = new Creations(new Knowledge(), catalogue, { nonce: NONCE, journal });
  const bound = new CreationBound({ limits, nonce: NONCE, catalogue, creations, journal });
  const plans: RequestPlan[] = [];
  const session = new Session({
    ledger,
    catalogue,
    docsUrl: null,
    contract: 'commerce',
    keys: [],
    ownChecks: [],
    laws: [],
    inRun: () => true,
    clock: simulatedClock(),
    made: { creations, bound },
    onExchange: () => {},
    ...changes,
  });
  const client: Client = {
    get sent() {
      return plans.length;
    },
    async send(plan) {
      if (plans.length >= (changes.budget ?? Number.POSITIVE_INFINITY)) throw new BudgetSpent('spent');
      const index = plans.push(plan) - 1;
      await Promise.resolve();
      const exchange = { ...answered(plan, index, script(plan, index)), sentAt: index * CALL_MS };
      session.observe(exchange);
      return [exchange];
    },
    async close() {},
  };
  session.attach(client);
  return { session, ledger, catalogue, creations, bound, plans };
}

function answered(plan: RequestPlan, index: number, answer: Changes | Failure): Exchange {
  const id = `ex-${index + 1}`;
  if (!('kind' in answer)) return exchangeWith({ ...answer, id, plan });
  return { ...exchangeWith({ response: null, id, plan }), failure: answer };
}

/** A `GET` of a path; `operation` makes it the call of a described one. */
export function getting(path: string, changes: Partial<RequestPlan> = {}): RequestPlan {
  return exchangeWith({ plan: { method: 'GET', path, operation: `GET ${path}`, ...changes } }).plan;
}

/** An experiment that sends these plans one after another and judges nothing. */
export function sending(plans: readonly RequestPlan[], changes: Partial<Experiment> = {}): Experiment {
  return {
    probe: 'test',
    stage: 'lean',
    rank: 1,
    clauses: [],
    service: 'admin',
    operation: plans[0]?.operation ?? null,
    cost: plans.length,
    repeatable: false,
    *run() {
      for (const plan of plans) yield plan;
      return [];
    },
    ...changes,
  };
}
