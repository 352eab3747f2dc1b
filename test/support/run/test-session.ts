// A session over the shop of the probes' tests, with a client that answers from a script instead of a socket.

import { BudgetSpent, type Client } from '../../../src/client/client.ts';
import { simulatedClock } from '../../../src/clock/simulated.ts';
import type { CreationLimits } from '../../../src/config/config.ts';
import type { Exchange, Failure, RequestPlan } from '../../../src/exchange/exchange.ts';
import { createRedactor } from '../../../src/exchange/redaction.ts';
import { type Catalogue, createCatalogue } from '../../../src/openapi/model/catalogue.ts';
import type { Description } from '../../../src/openapi/model/operation.ts';
import type { Experiment } from '../../../src/probes/probe.ts';
import { Knowledge } from '../../../src/probes/reach/knowledge.ts';
import { type Books, openBooks } from '../../../src/run/books/books.ts';
import { CreationBound } from '../../../src/run/books/creation-bound.ts';
import { CreationWatch } from '../../../src/run/books/creation-watch.ts';
import { Creations } from '../../../src/run/books/creations.ts';
import { type CreationJournal, unwrittenJournal } from '../../../src/run/books/journal.ts';
import { Ledger } from '../../../src/run/books/ledger.ts';
import { OwnChecks } from '../../../src/run/books/own-checks.ts';
import type { RunFacts } from '../../../src/run/books/run-facts.ts';
import { RunEvents } from '../../../src/run/perform/events.ts';
import { type Judges, judgeAnswers } from '../../../src/run/perform/judging.ts';
import { Originals } from '../../../src/run/perform/originals.ts';
import { Session, type SessionOptions } from '../../../src/run/perform/session.ts';
import { shareOf } from '../../../src/run/plan/shard.ts';
import { newReaching } from '../../../src/run/reach/reaching.ts';
import { type Changes, exchangeWith } from '../checks/exchanges.ts';
import { worldWith } from '../probes/world.ts';
import { termsOfBase } from './terms.ts';
import { configWith, optionsWith } from './test-config.ts';

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
  readonly events: RunEvents;
  readonly session: Session;
  readonly books: Books;
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
  } & Partial<Judges> = {},
): Bench {
  const { contract = 'commerce', inRun = () => true, ownChecks = [], laws = [] } = changes;
  const scope = { books: () => true, judges: inRun, notes: () => true };
  const ledger = new Ledger({ promote: [], expected: [] }, scope);
  const catalogue = createCatalogue([description]);
  const { limits = { perOperation: 5, total: 200 }, journal = unwrittenJournal() } = changes;
  const knowledge = new Knowledge();
  const creations = new Creations(knowledge, catalogue, journal);
  const watch = new CreationWatch(creations, { knowledge, catalogue, nonce: NONCE, journal });
  const bound = new CreationBound({ limits, nonce: NONCE, catalogue, creations, journal });
  const plans: RequestPlan[] = [];
  const terms = changes.terms ?? termsOfBase(contract);
  const events = new RunEvents();
  events.on('exchange', ({ exchange }) => watch.observe(exchange));
  events.on('released', ({ experiment }) => creations.release(experiment));
  events.on('sent', ({ plan }) => bound.settle(plan));
  const books = openBooks(events, ledger, { catalogue, docsUrl: null, contract, terms });
  judgeAnswers(events, ledger, { ownChecks, laws, inRun });
  const session = new Session({
    ...{ events, books, catalogue, contract, terms, bound },
    keys: [],
    clock: simulatedClock(),
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
      events.tell({ kind: 'exchange', exchange });
      return [exchange];
    },
    async close() {},
  };
  session.sender.attach(client);
  return { events, session, books, ledger, catalogue, creations, bound, plans };
}

function answered(plan: RequestPlan, index: number, answer: Changes | Failure): Exchange {
  const id = `ex-${index + 1}`;
  if (!('kind' in answer)) return exchangeWith({ ...answer, id, plan });
  return { ...exchangeWith({ response: null, id, plan }), failure: answer };
}

/** What a report of the bench is made of. */
export function factsOf(
  { session, books, catalogue, creations, bound }: Bench,
  changes: Partial<RunFacts> & Partial<RunFacts['input']> = {},
): RunFacts {
  const { config = configWith(), options = optionsWith(), redactor = createRedactor() } = changes;
  const { operations: selected, descriptions } = catalogue;
  const share = shareOf(selected, options.shard ?? null);
  return {
    input: { config, options, descriptions, redactor },
    scope: { catalogue, selected, share, expected: [], own: new OwnChecks([]) },
    ...{ books: { ...books, creations, sensing: null }, session, bound, reaching: newReaching() },
    originals: new Originals({ world: worldWith(), catalogue, creations }),
    ...{ runId: 'run-7', startedAtMs: 0, endedAtMs: 1, ended: null },
    ...changes,
  };
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
