// REQ-03 and REQ-04 on the JSON body as a whole: left out, null, and a list in place of an object. Any 4xx is an answer to that.
import { judgeSpoiledRefused } from '../../checks/req/status-classes.ts';
import type { Weight } from '../../contract/judgement.ts';
import type { PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import { IN_VAIN, single } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** Input of an operation of which one thing is spoiled. */
export interface SpoiledInput {
  readonly clause: string;
  /** The kind's part of a code. */
  readonly name: string;
  readonly kind: string;
  readonly what: string;
  /** How much it weighs that it is accepted. */
  readonly accepted: Weight;
}

/** The experiment that it is refused, which tells something of the fault where a sound call succeeded. */
export function spoiledExperiment(
  reached: Reached,
  place: Pick<Experiment, 'probe' | 'stage' | 'rank'>,
  { clause, name, ...spoiled }: SpoiledInput,
  plan: () => RequestPlan,
): Experiment {
  const about = { ...spoiled, code: { clause, name }, field: '', control: reached.proof !== null };
  return single(reached, place, plan, { [clause]: (exchange) => judgeSpoiledRefused(exchange, about) });
}

interface Whole extends Omit<SpoiledInput, 'accepted'> {
  readonly body: PlannedBody;
}

/** One experiment for each way in which the description does not admit the body as a whole. */
export function spoiledWholeExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { description, operation, recipe } = reached;
  const schema = jsonBodyType(operation)?.schema ?? null;
  if (schema === null) return [];
  const types = new Set(inputsOf(description, operation).body?.spot.forms.flatMap((form) => form.types));
  const isObject = types.has('object') && !types.has('array');
  const isList = types.has('array') && !types.has('object');
  const isRequired = operation.requestBody?.required === true;
  // Some languages cannot tell an empty list, null or nothing at all from an empty object, and many not null from nothing.
  const isEmptySound = isValid(description, schema, isList ? [] : {});
  const acceptedAs = ({ name }: Whole): Weight =>
    isEmptySound || (name === 'body-null' && !isRequired) ? 'advisory' : 'breach';
  const other: readonly Whole[] = isObject
    ? [wrong('list', 'a list', [])]
    : isList
      ? [wrong('object', 'an object', {})]
      : [];
  const refused = [wrong('null', 'null', null), ...other].filter(
    ({ body }) => body.kind === 'json' && !isValid(description, schema, body.value),
  );
  return [...(isRequired ? [LEFT_OUT] : []), ...refused].map((whole) => {
    const { body, ...input } = whole;
    const probe = `request/body/${whole.name}`;
    const plan = (): RequestPlan => planOf(recipe, probe, drawFor(world, 'whole'), { body, ...IN_VAIN });
    const spoiled = { ...input, accepted: acceptedAs(whole) };
    return spoiledExperiment(reached, { probe, stage: 'depth', rank: 24 }, spoiled, plan);
  });
}

const LEFT_OUT: Whole = {
  clause: 'REQ-03',
  name: 'missing-body',
  kind: 'a request without its required body',
  what: 'the body is left out',
  body: { kind: 'none' },
};

function wrong(name: string, inWords: string, value: unknown): Whole {
  const about = { clause: 'REQ-04', name: `body-${name}`, kind: `a body that is ${inWords}` };
  return { ...about, what: `the body is ${inWords}`, body: { kind: 'json', value } };
}
