// Short ways to write experiments: one request judged by one or more pure functions.
import type { Judgement } from '../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { spotOf } from '../openapi/model/operation.ts';
import type { Course, Experiment, Outcome } from './probe.ts';
import type { Reached } from './world.ts';

export type Judge = (exchange: Exchange) => Judgement;

/** An outcome of one clause on one operation. */
export function outcome(
  clause: string,
  on: { service: string | null; operation: string | null },
  judgement: Judgement,
  evidence: readonly Exchange[],
): Outcome {
  return { clause, service: on.service, operation: on.operation, judgement, evidence };
}

/** A request that is refused for its input, and makes nothing. */
export const IN_VAIN = { intent: 'invalid', makes: 'nothing' } as const;

/** Sends one plan, judges its last answer by every judge. `on`: the operation that is judged. */
export function* oneCall(plan: RequestPlan, judges: Readonly<Record<string, Judge>>, on: On = plan): Course {
  const { last } = yield plan;
  return Object.entries(judges).map(([clause, judge]) => outcome(clause, on, judge(last), [last]));
}

type On = Parameters<typeof outcome>[1];

/** An experiment of one request on a reached operation. */
export function single(
  reached: Reached,
  place: Pick<Experiment, 'probe' | 'stage' | 'rank' | 'companions'>,
  plan: () => RequestPlan,
  judges: Readonly<Record<string, Judge>>,
): Experiment {
  return {
    ...place,
    clauses: Object.keys(judges),
    ...spotOf(reached.operation),
    cost: 1,
    repeatable: true,
    run: () => oneCall(plan(), judges, spotOf(reached.operation)),
  };
}

/** Judges what is known first, and sends something only where that is to be looked at again. */
export function knownFirst(judge: () => readonly Outcome[], again: () => Course): Pick<Experiment, 'cost' | 'run'> {
  let isJudged = false;
  function* run(): Course {
    if (isJudged) return yield* again();
    isJudged = true;
    return judge();
  }
  return { cost: 0, run };
}
