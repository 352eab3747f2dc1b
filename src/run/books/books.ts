// The books of a run, each of which hears what concerns it.

import { isRedirect, isServed } from '../../facts/answered.ts';
import { requiresToken } from '../../probes/world.ts';
import type { Cut, RunEvents } from '../perform/events.ts';
import { Losses } from '../perform/losses.ts';
import { UnjudgedAnswers } from '../perform/unjudged.ts';
import { Answers, type AnswersOptions } from './answers.ts';
import { Failures } from './failures.ts';
import type { HarnessErrors } from './harness-errors.ts';
import { InputBook } from './input-coverage.ts';
import type { Ledger } from './ledger.ts';
import { Traffic } from './traffic.ts';

export interface Books {
  readonly ledger: Ledger;
  /** Errors of the harness itself. */
  readonly errors: HarnessErrors;
  readonly traffic: Traffic;
  readonly failures: Failures;
  readonly inputs: InputBook;
  /** Answers that no check could judge. */
  readonly unjudged: UnjudgedAnswers;
  readonly losses: Losses;
  /** The experiments that budget or time left out. */
  readonly cuts: readonly Cut[];
  readonly answers: Answers;
}

/** From now on the books hear what happens. What has to know of an exchange before it is judged subscribes before that. */
export function openBooks(events: RunEvents, ledger: Ledger, options: AnswersOptions): Books {
  const [traffic, inputs, unjudged, losses] = [new Traffic(), new InputBook(), new UnjudgedAnswers(), new Losses()];
  const failures = new Failures();
  const cuts: Cut[] = [];
  // Where nothing asks for a key, what is answered without one is all that a key would be answered.
  const isOpen = !options.catalogue.operations.some(({ operation }) => requiresToken(operation));
  events.on('cut', ({ reasonCode, experiments }) => cuts.push({ reasonCode, experiments }));
  events.on('exchange', ({ exchange }) => losses.observe(exchange));
  events.on('stopped', ({ exchange }) => unjudged.countStopped(exchange.plan, exchange));
  events.on('sending', () => traffic.begin());
  events.on('sent', ({ attempts }) => traffic.end(attempts));
  events.on('answer', ({ spot, exchange }) => traffic.count(spot, exchange));
  events.on('answer', ({ exchange }) => failures.count(exchange));
  events.on('answer', ({ spot, exchange }) => {
    if (isServed(exchange) || isRedirect(exchange.response?.status ?? 0))
      ledger.serve(spot, isOpen || exchange.plan.credential.kind === 'key');
  });
  events.on('answer', ({ spot, exchange }) => unjudged.count(spot, exchange));
  events.on('answer', ({ exchange, described }) => described !== null && inputs.observe(exchange, described), {
    clauses: [],
    where: 'the coverage of inputs',
  });
  return {
    ledger,
    errors: events.errors,
    traffic,
    failures,
    inputs,
    unjudged,
    losses,
    cuts,
    answers: new Answers(events, options),
  };
}
