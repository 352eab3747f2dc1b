// AUTH-05 beside other laws: requests that are answered alike whoever sends them go out under the other keys in turn. Where a key is
// refused, or does not see what the path names, the main key sends the request again, and that answer is judged instead.
import { judgeKeyAccepted, judgeKeyBesideMain } from '../../checks/auth/auth-01-to-06-refusals.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import { outcome } from '../experiment.ts';
import type { Answered, Course, Experiment } from '../probe.ts';
import type { Knowledge } from '../reach/knowledge.ts';
import { mutates, type Reached, requiresToken, type World } from '../world.ts';
import type { KnownKey } from './security.ts';

/** The trials of one run: on which operations other keys were accepted, and keys that do not see what the main key sees. */
interface Tried {
  readonly accepted: Set<string>;
  readonly strangers: Set<string>;
}

const tried = new WeakMap<Knowledge, Tried>();

function triedIn({ knowledge }: World): Tried {
  const known = tried.get(knowledge) ?? { accepted: new Set(), strangers: new Set() };
  tried.set(knowledge, known);
  return known;
}

const spotOf = ({ operation }: Reached, key: KnownKey): string => `${operation.service} ${operation.key} ${key.name}`;

/** Tells whether the operation accepted the key in this run already: that is not asked again. */
export function isAccepted(world: World, reached: Reached, key: KnownKey): boolean {
  return triedIn(world).accepted.has(spotOf(reached, key));
}

/** Sends the first looks among experiments on the operation under the other keys, the next of them each time. */
export function borrowing(
  world: World,
  reached: Reached,
): (experiments: readonly Experiment[]) => readonly Experiment[] {
  const { operation, proof, recipe } = reached;
  const { mainKey, keys } = world;
  const others = keys.slice(1);
  const isMain = recipe.credential.kind === 'key' && recipe.credential.name === mainKey?.name;
  const isSuited = world.contract === 'commerce' && isMain && proof !== null;
  if (!isSuited || !requiresToken(operation) || others.length === 0) return (experiments) => experiments;
  // Reads begin with one key and writes with the next: their first experiments are of one sort, and both keys are to get some.
  let turn = mutates(operation) ? 1 : 0;
  return (experiments) =>
    experiments.map((experiment) => {
      const key = others[turn % others.length];
      if (key === undefined || experiment.stage !== 'lean' || 'converse' in experiment) return experiment;
      turn += 1;
      return borrowed(world, reached, experiment, key);
    });
}

function borrowed(world: World, reached: Reached, experiment: Experiment, key: KnownKey): Experiment {
  // Whoever looks again does so by the same key.
  let isSentByOther: boolean | null = null;
  function* run(): Course {
    const course = experiment.run();
    const first = course.next();
    if (first.done === true) return first.value;
    const plan = first.value;
    isSentByOther ??= !isAccepted(world, reached, key) && isAlikeForAll(world, reached, plan, key);
    if (!isSentByOther) return yield* goingOn(course, yield plan);
    const sent = yield { ...plan, credential: { kind: 'key', name: key.name } };
    const { last } = sent;
    const status = last.response?.status ?? 0;
    const judgement = judgeKeyAccepted(last, key.name, world);
    if (judgement.kind === 'holds' && !(status === 404 && namesWhatExists(reached, plan))) {
      triedIn(world).accepted.add(spotOf(reached, key));
      return [...(yield* goingOn(course, sent)), outcome('AUTH-05', plan, judgement, [last])];
    }
    const own = yield plan;
    if (judgement.kind === 'holds' && own.last.response?.status !== 404) triedIn(world).strangers.add(key.name);
    const told = judgeKeyBesideMain(last, own.last, key.name, world);
    return [...(yield* goingOn(course, own)), outcome('AUTH-05', plan, told, [last, own.last])];
  }
  const { probe } = experiment;
  return { ...experiment, kind: probe, probe: `${probe}/${key.name}`, run };
}

/**
 * Tells whether the request may go out under the key: it makes nothing that the main key could not delete, and the path
 * names nothing that the key is known not to see.
 */
function isAlikeForAll(world: World, reached: Reached, plan: RequestPlan, key: KnownKey): boolean {
  const { operation } = reached;
  if (mutates(operation) && plan.makes !== 'nothing') return false;
  const ids = parameterNames(operation.path).length;
  if (ids === 0) return true;
  return namesWhatExists(reached, plan) ? !triedIn(world).strangers.has(key.name) : ids === 1;
}

/** Tells whether the path holds ids, and all those of the first call. */
function namesWhatExists({ operation, proof }: Reached, { path }: RequestPlan): boolean {
  return parameterNames(operation.path).length > 0 && path === proof?.plan.path;
}

/** The rest of a course whose first request was answered so. */
function* goingOn(course: Course, answered: Answered): Course {
  let step = course.next(answered);
  while (step.done !== true) {
    let next: Answered;
    try {
      next = yield step.value;
    } catch (error) {
      step = course.throw(error);
      continue;
    }
    step = course.next(next);
  }
  return step.value;
}
