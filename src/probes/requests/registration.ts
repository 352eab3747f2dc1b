// REQ-07: a new email registers once; the same again conflicts; a missing field is refused.

import { judgeRegistered, judgeRegisteredAgain } from '../../checks/req/req-07-registration.ts';
import type { RegistrationTerms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, collectedOnCourse, type Experiment, type Outcome, type Stage } from '../probe.ts';
import { planOf, recipeBody, repeatOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { judgeBadInput } from './judges.ts';

/** The registration experiment; once in the lean pass, again in depth with other emails. */
export function registrationExperiment(
  world: World,
  reached: Reached,
  stated: RegistrationTerms,
  round: number,
): Experiment {
  const stage: Stage = round === 0 ? 'lean' : 'depth';
  return {
    probe: 'registration',
    stage,
    rank: round === 0 ? 6 : 55,
    clauses: ['REQ-07'],
    ...spotOf(reached.operation),
    cost: 4,
    run: () => collectedOnCourse((judged) => course(world, reached, stated, round, judged)),
  };
}

function* course(
  world: World,
  reached: Reached,
  stated: RegistrationTerms,
  round: number,
  judged: Outcome[],
): Generator<RequestPlan, void, Answered> {
  const body = registrationBody(world, reached, stated, `reg${round}`);
  const plan = (value: unknown, what: string): RequestPlan =>
    planOf(reached.recipe, `registration/${what}`, drawFor(world, 'registration'), { body: { kind: 'json', value } });
  const shared = round === 0 && world.lasts(reached.operation) ? registeredBefore(reached, stated) : null;
  const first = shared ?? (yield plan(body, 'first')).last;
  judged.push(outcome('REQ-07', plan(body, 'first'), judgeRegistered(first, stated), [first]));
  const same = shared === null ? plan(body, 'again') : { ...repeatOf(shared), probe: 'registration/again' };
  const again = (yield { ...same, makes: 'nothing' }).last;
  const registered = (first.response?.status ?? 599) < 300;
  if (registered)
    judged.push(outcome('REQ-07', plan(body, 'again'), judgeRegisteredAgain(again, stated), [first, again]));
  for (const field of membersOf(stated)) {
    const { [field]: _left, ...rest } = registrationBody(world, reached, stated, `reg${round}${field}`);
    const spoiledPlan: RequestPlan = { ...plan(rest, `without-${field}`), intent: 'invalid', makes: 'nothing' };
    const { last } = yield spoiledPlan;
    const about = {
      code: { clause: 'REQ-07', name: field },
      kind: `a registration without ${field}`,
      what: `${field} left out`,
      field,
      accepted: 'breach',
      control: registered,
    } as const;
    judged.push(outcome('REQ-07', spoiledPlan, judgeBadInput(world, last, about), [last]));
  }
}

/** Members without which nobody is registered. */
function membersOf({ email, password }: RegistrationTerms): readonly string[] {
  return password === null ? [email] : [email, password];
}

/** The first call of the run, where it registered an email with a password. */
function registeredBefore({ proof }: Reached, stated: RegistrationTerms): Exchange | null {
  const { body } = proof?.plan ?? {};
  const value = body?.kind === 'json' && isObject(body.value) ? body.value : {};
  return membersOf(stated).every((field) => typeof value[field] === 'string') ? proof : null;
}

function registrationBody(
  world: World,
  reached: Reached,
  stated: RegistrationTerms,
  label: string,
): Record<string, unknown> {
  const { nonce } = drawFor(world, label);
  const drawn = recipeBody(reached.recipe, drawFor(world, label));
  const password = stated.password === null ? {} : { [stated.password]: `Assay-9x-${nonce.serial}` };
  const email = { [stated.email]: `assay-${nonce.run}-${nonce.serial}@example.com` };
  return { ...password, ...(isObject(drawn) ? drawn : {}), ...email };
}
