// REQ-02 on one operation: an id that names nothing, in the path and in the body of an export request.
import { EXPORT_OPERATION } from '../../contract/platform.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { unknownId } from '../../generate/identifiers.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import { fixesMember } from '../../openapi/model/fixed-input.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { single } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { parameterNames } from '../reach/path-values.ts';
import { inOtherLanguage, planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { unknownIdFor } from './harmless.ts';
import { judgesOf } from './judges.ts';

/** REQ-02: each path parameter in turn names nothing, the others what exists. */
export function unknownIdExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const mayCreate =
    operation.method === 'PUT' && operation.responses.some(({ status }) => status === '201' || status === '2XX');
  const names = parameterNames(operation.path).toReversed();
  return names.flatMap((name, index) => {
    const unknown = unknownIdFor(world, reached, name);
    if (unknown.mayExist) return [];
    const control = reached.proof !== null;
    const about = {
      ...unknown,
      mayCreate,
      control,
      declares404: declares404(operation),
      ...({ place: 'path', name } as const),
    };
    const probe = `request/unknown-id/${name}`;
    const changed: Recipe = { ...recipe, pathValues: { ...recipe.pathValues, [name]: unknown.value } };
    return [
      single(
        reached,
        { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 30 : 20 },
        () => {
          const plan = planOf(changed, probe, drawFor(world, 'unknown'), { intent: 'invalid', makes: 'nothing' });
          return mutates(operation) ? inOtherLanguage(plan, operation) : plan;
        },
        { 'REQ-02': (exchange) => judgesOf(world).unknownId(exchange, about) },
      ),
    ];
  });
}

function declares404({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === '404');
}

const REFERENCE = /(^id|_id|Id)$/;

/** REQ-02 in the body of an export request: a reference that names nothing. */
export function unknownReferenceExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, description } = reached;
  if (operation.key !== EXPORT_OPERATION) return [];
  const schema = jsonBodyType(operation)?.schema ?? null;
  const properties = schema === null ? {} : (shapeOf(description, schema.value).properties ?? {});
  const names = Object.keys(properties).filter((name) => REFERENCE.test(name) && !fixesMember(operation, name));
  return names.flatMap((name, index) => {
    const handle = { pointer: '', value: (properties as Record<string, unknown>)[name] };
    const parameter = {
      name,
      in: 'path',
      required: true,
      schema: handle,
      style: 'simple',
      explode: false,
      examples: [],
    } as const;
    const unknown = unknownId(description, parameter, null, world.seed, `${operation.key} ${name}`);
    if (unknown.mayExist) return [];
    const isNumber = typesOf(shapeOf(description, handle.value)).some(
      (type) => type === 'integer' || type === 'number',
    );
    const value = isNumber ? Number(unknown.value) : unknown.value;
    const about = {
      wellFormed: unknown.wellFormed,
      mayCreate: false,
      control: reached.proof !== null,
      declares404: declares404(operation),
      ...({ place: 'body', name } as const),
    };
    const probe = `request/unknown-reference/${name}`;
    const place = { probe, stage: index === 0 ? 'lean' : 'depth', rank: 35 } as const;
    const plan = (): RequestPlan =>
      planOf({ ...recipe, additions: { ...recipe.additions, [name]: value } }, probe, drawFor(world, 'reference'), {
        intent: 'invalid',
        makes: 'nothing',
      });
    return [single(reached, place, plan, { 'REQ-02': (exchange) => judgesOf(world).unknownId(exchange, about) })];
  });
}
