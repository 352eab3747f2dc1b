// IDEM-01, -02 and -05 on every valid input that the description spans: a body of another branch, with null, an empty list, letters
// beyond ASCII or a value at its bound is kept, compared and given back as well as the usual one.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { Answered, Conversation } from '../probe.ts';
import { LETTERS, lettersBy, planChangedBy } from '../reach/contrary.ts';
import { planOf } from '../reach/recipe.ts';
import { inputRounds, mayVary, variedInput } from '../reach/valid-inputs.ts';
import { drawFor } from '../world.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/inputs';
/** Requests for most operations: as many rounds, each sent twice. */
const USUAL_REQUESTS = 16;

/** The experiment, each round of which makes something; null where the input has nothing to vary. */
export function variedExperiment(on: KeyedOperation): Conversation | null {
  const { world, reached } = on;
  if (reached.operation.method !== 'POST' || !mayVary(reached)) return null;
  const clauses = ['IDEM-01', 'IDEM-02', 'IDEM-05'];
  const stands = (): boolean => variedInput(world, reached).candidates.length > 0;
  const about = { probe: PROBE, stage: 'quiet', rank: 43, clauses, cost: USUAL_REQUESTS, stands } as const;
  return keyExperiment(on, about, (lab, letGo) => vary(lab).finally(letGo));
}

async function vary(lab: KeyLab): Promise<void> {
  const { world, reached } = lab.on;
  const twice = async (plan: RequestPlan): Promise<Answered> => {
    const keyed = lab.on.planned(plan);
    const first = await lab.send(keyed);
    if (succeeded(first)) {
      await lab.send(keyed);
      await lab.look([keyed], false);
    }
    return { attempts: [first], last: first };
  };
  const rounds = inputRounds(world, reached, variedInput(world, reached), { probe: PROBE, label: 'keyed inputs' });
  for (let next = rounds.next(); next.done !== true; ) next = rounds.next(await twice(next.value));
  // The usual request with letters beyond ASCII, where the description allows them in a text.
  const usual = planOf(reached.recipe, PROBE, drawFor(world, 'keyed letters'));
  const lettered = planChangedBy(lettersBy(LETTERS.join(' ')), reached, usual);
  if (lettered !== null) await twice(lettered);
}
