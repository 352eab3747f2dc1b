// IDEM-01, -02 and -05 on every valid input that the description spans: a body of another branch, with null, an empty list, letters
// beyond ASCII or a value at its bound is kept, compared and given back as well as the usual one.
import { judgePaidOnce, judgeReplay } from '../../checks/idem/idem-01-and-05-replay.ts';
import { judgeOneEffect } from '../../checks/idem/idem-02-to-04-effects.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { isObject } from '../../openapi/json.ts';
import { outcome } from '../experiment.ts';
import { type Answered, type Conversation, collected, type Outcome, type Send } from '../probe.ts';
import { LETTERS, lettersOf } from '../reach/contrary.ts';
import { planOf, recipeBody } from '../reach/recipe.ts';
import { inputRounds, mayVary, variedInput } from '../reach/valid-inputs.ts';
import { drawFor } from '../world.ts';
import { type Ground, succeeded } from './keyed-operation.ts';

const PROBE = 'idempotency/inputs';
/** What is expected of most operations: as many rounds, each sent twice. */
const USUAL_REQUESTS = 16;

/** The experiment; null where the input has nothing to vary, and where little may be made, for each round makes something. */
export function variedExperiment(ground: Ground): Conversation | null {
  const { world, reached } = ground;
  const { service, key, method } = reached.operation;
  if (ground.shares || method !== 'POST' || !mayVary(reached)) return null;
  return {
    ...{ probe: PROBE, stage: 'quiet', rank: 43, service, operation: key, cost: USUAL_REQUESTS, repeatable: false },
    clauses: ['IDEM-01', 'IDEM-02', ...(ground.isOnce ? ['IDEM-05'] : [])],
    stands: () => variedInput(world, reached).candidates.length > 0,
    converse: (send, letGo = () => {}) => converse(ground, send).finally(letGo),
  };
}

function converse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  const { world, reached } = ground;
  const { service, key: operation } = reached.operation;
  const rounds = inputRounds(world, reached, variedInput(world, reached), { probe: PROBE, label: 'keyed inputs' });
  return collected(async (outcomes) => {
    const twice = async (plan: RequestPlan): Promise<Answered> => {
      const first = await send(plan);
      if (succeeded(first.last)) {
        const { last: again } = await send({ ...plan, makes: 'nothing' });
        const evidence = [first.last, again];
        const book = (clause: string, judgement: Outcome['judgement']): void => {
          outcomes.push(outcome(clause, { service, operation }, judgement, evidence));
        };
        book('IDEM-01', judgeReplay(first.last, again, 'send 2 of the key, with other valid input than usual'));
        if (ground.creates) book('IDEM-02', judgeOneEffect(2, evidence, null));
        if (ground.isOnce) book('IDEM-05', judgePaidOnce(first.last, again, 'sent again with other valid input'));
      }
      return first;
    };
    for (let next = rounds.next(); next.done !== true; ) next = rounds.next(await twice(next.value));
    const lettered = planWithLetters(ground);
    if (lettered !== null) await twice(lettered);
  });
}

/** The usual request with letters beyond ASCII; null where the description allows them in no text. */
function planWithLetters({ world, reached }: Ground): RequestPlan | null {
  const { recipe, description, operation } = reached;
  const body = recipeBody(recipe, drawFor(world, 'keyed letters'));
  const schema = jsonBodyType(operation)?.schema ?? null;
  const value = isObject(body) ? lettersOf(description, schema, body, LETTERS.join(' ')) : null;
  return value && planOf(recipe, PROBE, drawFor(world, 'keyed letters'), { body: { kind: 'json', value } });
}
