// All that requests to an operation are to try, by its description: valid values of every parameter and body member, each
// keyword broken once at each place, and each kind of hostile input once in each location.

import { computeAtOnce, type Pieces } from '../../clock/pieces.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
import { appended } from '../../openapi/json.ts';
import { isReadBack } from '../../openapi/model/media-types.ts';
import type { Description, MediaType, Operation, Parameter, SchemaHandle } from '../../openapi/model/operation.ts';
import { jsonBodyType } from '../bodies.ts';
import { HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_MEMBERS, HOSTILE_TEXTS } from '../hostile.ts';
import { Schemas } from '../schema/schemas.ts';
import { breakKind } from './form-targets.ts';
import { type InputPlace, Places, spotsOf, type ValidTarget } from './places.ts';
import type { CutTarget, Target } from './target.ts';

export interface ParameterInput {
  readonly parameter: Parameter;
  readonly spot: InputPlace;
}

export interface MediaInput {
  readonly media: MediaType;
  /** "media type application/json". */
  readonly target: Target;
}

export interface ExampleInput {
  readonly target: Target;
  readonly value: unknown;
  /** null: the body. */
  readonly parameter: Parameter | null;
}

export interface OperationInputs {
  readonly description: Description;
  readonly operation: Operation;
  readonly parameters: readonly ParameterInput[];
  /** The media type whose values are followed: JSON before any other; null where nothing is said of it. */
  readonly body: { readonly media: MediaType; readonly schema: SchemaHandle; readonly spot: InputPlace } | null;
  readonly media: readonly MediaInput[];
  readonly examples: readonly ExampleInput[];
  readonly cut: readonly CutTarget[];
  /** Every target but those that are cut, each once. */
  readonly targets: readonly Target[];
}

const NO_INPUT = /^(accept|authorization|content-type|cookie)$/i;

/** Who asks, under which key and in which form, is no input of the operation. */
export function isNoInput(name: string): boolean {
  return NO_INPUT.test(name) || isKeyHeader(name);
}

/** Cookies that tell who asks are the run's, not an input. */
const OF_SESSIONS = /sess|^s?sid$|token|auth|csrf|xsrf|jwt|user/i;

/** Tells whether requests may give the parameter values of their own: ids in the path come from the target, keys from the run. */
export function isVariable({ in: place, name }: Parameter): boolean {
  if (place === 'cookie') return !OF_SESSIONS.test(name);
  return place === 'query' || (place === 'header' && !isNoInput(name));
}

const known = new WeakMap<Operation, OperationInputs>();

/** The inputs of an operation, worked out once. */
export function inputsOf(description: Description, operation: Operation): OperationInputs {
  return known.get(operation) ?? computeAtOnce(growInputs(description, operation));
}

/** The same, piece by piece: of an operation whose inputs were worked out in pieces `inputsOf` knows them. */
export function* growInputs(description: Description, operation: Operation): Pieces<OperationInputs> {
  const inputs = known.get(operation) ?? (yield* makeInputs(description, operation));
  known.set(operation, inputs);
  return inputs;
}

function* makeInputs(description: Description, operation: Operation): Pieces<OperationInputs> {
  const schemas = Schemas.of(description);
  const places = new Places(schemas);
  const conjunctionOf = (schema: SchemaHandle | null) => schemas.all(schema === null ? [] : [schema.value]);
  const parameters: ParameterInput[] = [];
  for (const parameter of operation.parameters) {
    const { name, in: place, required, schema } = parameter;
    const isRequired = required || place === 'path';
    const outer = { at: appended(`/${place}`, name), name, optional: !isRequired, required: isRequired };
    parameters.push({ parameter, spot: yield* places.of([conjunctionOf(schema)], outer) });
  }
  const content = operation.requestBody?.content ?? [];
  const media = jsonBodyType(operation) ?? content.find(isReadBack) ?? null;
  const isRequired = operation.requestBody?.required === true;
  const outer = { at: '/body', name: '', optional: !isRequired, required: isRequired };
  const body =
    media?.schema == null
      ? null
      : { media, schema: media.schema, spot: yield* places.of([conjunctionOf(media.schema)], outer) };
  const mediaInputs = content.map((one) => ({
    media: one,
    target: { at: '/body', kind: `media type ${one.mediaType}` },
  }));
  const examples = [
    ...operation.parameters.flatMap((parameter) =>
      examplesOf(description, appended(`/${parameter.in}`, parameter.name), parameter, parameter),
    ),
    ...(media === null ? [] : examplesOf(description, '/body', media, null)),
  ];
  const all = [
    ...parameters.flatMap(({ parameter, spot }) => parameterTargets(parameter, spot)),
    ...mediaInputs.map(({ target }) => target),
    ...(body === null ? [] : spotsOf(body.spot).flatMap((spot) => [...spot.targets, ...breakTargets(spot)])),
    ...examples.map(({ target }) => target),
    ...hostileTargets(operation),
  ];
  const targets = all.map(({ at, kind }) => ({ at, kind }));
  return { description, operation, parameters, body, media: mediaInputs, examples, cut: places.cut, targets };
}

/** An example that is no valid value is SPEC's matter. */
function examplesOf(
  description: Description,
  at: string,
  { schema, examples }: Pick<Parameter | MediaType, 'schema' | 'examples'>,
  parameter: Parameter | null,
): readonly ExampleInput[] {
  return examples.flatMap((value, index) =>
    schema === null || description.fits(schema, value) === true
      ? [{ target: { at, kind: `example ${index + 1}` }, value, parameter }]
      : [],
  );
}

/** An id is tried where it names something and where it names nothing: its bounds are not an input of their own. */
function parameterTargets(parameter: Parameter, spot: InputPlace): readonly Target[] {
  const { in: place, name } = parameter;
  if (place === 'path') return [...listedOf(spot), { at: spot.at, kind: 'unknown id' }];
  if (place === 'header' && isNoInput(name)) return spot.targets.filter(({ test }) => typeof test === 'string');
  return spotsOf(spot)
    .flatMap((one): readonly Target[] => [...one.targets, ...(one === spot ? breakTargets(one) : [])])
    .filter((target) => target.at !== spot.at || isSendable(parameter, spot, target.kind));
}

/**
 * Tells whether a request can say it: all that a parameter is, is text, no header is empty, and a list without items is
 * no parameter at all.
 */
function isSendable(
  { in: place, style, explode, contentType }: Parameter,
  { forms }: InputPlace,
  kind: string,
): boolean {
  const isEmpty =
    kind === 'empty' || (kind === breakKind('minLength') && forms.every(({ minLength }) => minLength < 2));
  if (place === 'header' && isEmpty) return false;
  if (contentType !== undefined) return true;
  if (kind === breakKind('type'))
    return forms.every(({ types }) =>
      types.every((type) => type === 'number' || type === 'boolean' || type === 'null'),
    );
  const hasNoItems =
    kind === 'empty' || (kind === breakKind('minItems') && forms.every(({ minItems }) => minItems < 2));
  const isList = forms.every(({ types }) => types.every((type) => type === 'array'));
  return !(isList && hasNoItems && explode && style === 'form');
}

function listedOf({ targets }: InputPlace): readonly ValidTarget[] {
  return targets.filter(
    ({ test }) => typeof test === 'object' && 'form' in test && (test.form.values?.length ?? 0) === 1,
  );
}

function breakTargets({ at, breaks }: InputPlace): readonly Target[] {
  return breaks.map((kind) => ({ at, kind }));
}

function hostileTargets(operation: Operation): readonly Target[] {
  const { method, parameters } = operation;
  const has = (place: Parameter['in']): boolean =>
    parameters.some((parameter) => parameter.in === place && !(place === 'header' && isNoInput(parameter.name)));
  const reads = method === 'GET';
  const kinds = (at: string, codes: readonly string[]): readonly Target[] =>
    codes.map((code) => ({ at, kind: `hostile ${code}` }));
  const texts = HOSTILE_TEXTS.map(({ code }) => code);
  const inHeaders = HOSTILE_HEADERS.map(({ code }) => code);
  const bodies = [...HOSTILE_MEMBERS, ...HOSTILE_BODIES].map(({ code }) => code);
  return [
    ...(has('path') ? kinds('/path', texts) : []),
    ...(has('query') || reads ? kinds('/query', [...texts, 'duplicate-parameter']) : []),
    ...(has('header') || reads ? kinds('/header', inHeaders) : []),
    ...(jsonBodyType(operation) === null ? [] : kinds('/body', bodies)),
  ];
}
