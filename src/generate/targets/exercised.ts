// From a request that was sent to the targets that it exercises: measured on the plan, whichever probe made it.

import { uriDecoded } from '../../exchange/decoded.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { appended, isObject, isSame, membersOf, tokensOf, valueBelow } from '../../openapi/json.ts';
import { sentType } from '../../openapi/model/media-types.ts';
import type { SchemaHandle } from '../../openapi/model/operation.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';
import { isValid } from '../bodies.ts';
import { HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_MEMBERS, HOSTILE_TEXTS, withoutBytes } from '../hostile.ts';
import { conforms, formOf } from '../schema/conforms.ts';
import { namedMembers } from '../schema/form.ts';
import { Schemas } from '../schema/schemas.ts';
import { breakKind } from './form-targets.ts';
import type { ExampleInput, OperationInputs } from './operation-inputs.ts';
import { type InputPlace, memberPlace, type ValidTarget } from './places.ts';
import { parameterKey, type SentInput, sentInput } from './sent.ts';
import { type Target, targetKey } from './target.ts';

export interface Exercised {
  /** valid: the description admits all of it. */
  readonly sort: 'valid' | 'invalid' | 'hostile';
  readonly targets: readonly Target[];
}

/** Keywords of an object whose breach is told at the member that should, or should not, be there. */
const OF_PARENT: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'dependentRequired']);
/** Items of a list that are looked at. */
const MAX_ITEMS = 50;

const NOTHING: Exercised = { sort: 'invalid', targets: [] };

/** The targets that the request exercises once it is answered; none where its values take too long to look at. Pure. */
export function exercisedBy(inputs: OperationInputs, plan: RequestPlan): Exercised {
  try {
    return exercised(inputs, plan);
  } catch (error) {
    if (error instanceof TooCostly || error instanceof RangeError) return NOTHING;
    throw error;
  }
}

/**
 * Flaws of the request: values that the description does not admit; kind is empty where no single keyword is broken.
 * Nothing where its values take too long to look at. Pure.
 */
export function flawsOfPlan(inputs: OperationInputs, plan: RequestPlan): readonly Target[] {
  try {
    return flawsOf(inputs, sentInput(inputs.description, inputs.operation, plan));
  } catch (error) {
    if (error instanceof TooCostly || error instanceof RangeError) return [];
    throw error;
  }
}

/**
 * Tells of a request whether it breaks, as whoever receives it reads it, what the sound one does not: an id may break what the description says
 * of it, and what was written as pairs may read otherwise.
 */
export function spoiledBeside(inputs: OperationInputs, sound: () => RequestPlan): (plan: RequestPlan) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (plan) => {
    known ??= new Set(flawsOfPlan(inputs, sound()).map(targetKey));
    return flawsOfPlan(inputs, plan).some((flaw) => known?.has(targetKey(flaw)) === false);
  };
}

function exercised(inputs: OperationInputs, plan: RequestPlan): Exercised {
  const { description, operation } = inputs;
  if (plan.method !== operation.method) return NOTHING;
  if (plan.intent === 'hostile') return { sort: 'hostile', targets: hostileIn(inputs, plan) };
  const sent = sentInput(description, operation, plan);
  const flaws = flawsOf(inputs, sent);
  if (flaws.length > 0) {
    const told = plan.intent === 'invalid' ? flaws.filter(({ kind }) => kind !== '') : [];
    return { sort: 'invalid', targets: told };
  }
  // Nothing is wrong with it but what it names.
  if (plan.intent === 'invalid') return { sort: 'invalid', targets: unknownIds(inputs) };
  return { sort: 'valid', targets: validTargets(inputs, sent) };
}

function unknownIds({ parameters }: OperationInputs): readonly Target[] {
  return parameters.flatMap(({ parameter, spot }) =>
    parameter.in === 'path' ? [{ at: spot.at, kind: 'unknown id' }] : [],
  );
}

/** Flaws of one input; kind is empty where no single keyword is broken. */
function flawsOf(inputs: OperationInputs, sent: SentInput): readonly Target[] {
  const { description, operation, body } = inputs;
  const inParameters = inputs.parameters.flatMap(({ parameter, spot }) => {
    const value = sent.parameters.get(parameterKey(parameter));
    const isRequired = parameter.required && parameter.in !== 'path';
    if (value === undefined) return isRequired ? [{ at: spot.at, kind: breakKind('required') }] : [];
    return isValid(description, parameter.schema, value) ? [] : breachesAt(inputs, parameter.schema, spot, value);
  });
  if (sent.mediaType === null) {
    const isRequired = operation.requestBody?.required === true;
    return isRequired ? [...inParameters, { at: '/body', kind: breakKind('required') }] : inParameters;
  }
  const isDeclared =
    operation.requestBody?.content.some(({ mediaType }) => sentType(mediaType) === sent.mediaType) === true;
  if (!isDeclared) return [...inParameters, { at: '/body', kind: '' }];
  if (body === null || sentType(body.media.mediaType) !== sent.mediaType) return inParameters;
  if (sent.body === undefined) return [...inParameters, { at: '/body', kind: '' }];
  if (isValid(description, body.schema, sent.body)) return inParameters;
  return [...inParameters, ...breachesAt(inputs, body.schema, body.spot, sent.body)];
}

/** The keywords that the value breaks, each where nothing beside its place is broken. */
function breachesAt(
  { description }: OperationInputs,
  schema: SchemaHandle | null,
  spot: InputPlace,
  value: unknown,
): readonly Target[] {
  const nothing = [{ at: spot.at, kind: '' }];
  if (schema === null) return nothing;
  const breaches = description.validator(schema, 'request')?.(value) ?? [];
  const told = breaches.flatMap(({ pointer, keyword }) => {
    const path = tokensOf(pointer);
    const keywords = keyword === 'required' || keyword === 'dependentRequired' ? null : [keyword];
    const isAlone = breaches.length === 1 || description.isBrokenAt(schema, { value, path, keywords });
    const own = OF_PARENT.has(keyword) ? path.slice(0, -1) : path;
    const at = isAlone ? placeOf(Schemas.of(description), spot.at, spot, own, value) : '';
    return isAlone ? [{ at, kind: breakKind(keyword) }] : [];
  });
  return told.length > 0 ? told : nothing;
}

/** The place with "*" for the index of an item. `spot`: the outer place; null: it is told apart no further. */
function placeOf(
  schemas: Schemas,
  at: string,
  spot: InputPlace | null,
  [token, ...rest]: readonly string[],
  value: unknown,
): string {
  if (token === undefined) return at;
  const inner = valueBelow(value, [token]);
  if (Array.isArray(value)) return placeOf(schemas, `${at}/*`, spot?.item ?? null, rest, inner);
  const member = spot === null ? null : memberPlace(schemas, spot, token);
  return placeOf(schemas, member?.at ?? appended(at, token), member, rest, inner);
}

function validTargets(inputs: OperationInputs, sent: SentInput): readonly Target[] {
  const schemas = Schemas.of(inputs.description);
  const { body, examples } = inputs;
  const ofParameters = inputs.parameters.flatMap(({ parameter, spot }) => {
    const own = examples.filter((one) => one.parameter === parameter);
    return targetsAt(schemas, spot, own, sent.parameters.get(parameterKey(parameter)));
  });
  const isFollowed = sent.mediaType === null || (body !== null && sentType(body.media.mediaType) === sent.mediaType);
  const own = examples.filter(({ parameter }) => parameter === null);
  const ofBody = body === null || !isFollowed ? [] : targetsAt(schemas, body.spot, own, sent.body);
  const ofMedia = inputs.media.flatMap(({ media, target }) =>
    sentType(media.mediaType) === sent.mediaType ? [target] : [],
  );
  return [...ofParameters, ...ofMedia, ...ofBody].map(({ at, kind }) => ({ at, kind }));
}

/** The targets that a value exercises at a place and below it, with the examples that it is; undefined: nothing stands there. */
function targetsAt(
  schemas: Schemas,
  spot: InputPlace,
  examples: readonly ExampleInput[],
  value: unknown,
): readonly Target[] {
  const found = new Set<Target>();
  collect(schemas, spot, value, found);
  for (const example of examples) if (isExample(example, value)) found.add(example.target);
  return [...found];
}

/** Tells whether the value is the example, addresses aside; undefined: nothing stands there. */
export function isExample(example: ExampleInput, value: unknown): boolean {
  return value !== undefined && isSame(unnamed(value), unnamed(example.value));
}

/** Addresses of examples are made new for each run. */
function unnamed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^[^\s@]+@([^\s@]+)$/, '@$1');
  if (Array.isArray(value)) return value.map(unnamed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unnamed(member)]));
}

function collect(schemas: Schemas, spot: InputPlace, value: unknown, found: Set<Target>): void {
  for (const target of spot.targets) if (isHit(schemas, target, value)) found.add(target);
  if (Array.isArray(value) && spot.item !== null) {
    for (const item of value.slice(0, MAX_ITEMS)) collect(schemas, spot.item, item, found);
  }
  if (isObject(value) && spot.members.size + spot.unnamed.size > 0) collectMembers(schemas, spot, value, found);
}

function collectMembers(schemas: Schemas, spot: InputPlace, value: Record<string, unknown>, found: Set<Target>): void {
  // A member is left out only where the branch that is taken has it.
  const taken = spot.forms.filter((form) => conforms(schemas, form, value)).flatMap(namedMembers);
  for (const [name, member] of spot.members) {
    const isThere = Object.hasOwn(value, name);
    if (isThere || taken.includes(name)) collect(schemas, member, isThere ? value[name] : undefined, found);
  }
  if (spot.unnamed.size === 0) return;
  for (const [name, member] of membersOf(value).slice(0, MAX_ITEMS)) {
    const unnamed = spot.members.has(name) ? null : memberPlace(schemas, spot, name);
    if (unnamed !== null) collect(schemas, unnamed, member, found);
  }
}

/** Tells whether the value at the target's place is one that the target asks for; undefined: nothing stands there. */
export function isHit(schemas: Schemas, { test }: ValidTarget, value: unknown): boolean {
  if (test === 'absent' || value === undefined) return test === 'absent' && value === undefined;
  if (test === 'present') return true;
  if ('form' in test) return conforms(schemas, test.form, value);
  return formOf(schemas, test.branch.conjunction, value) === test.branch.form;
}

function hostileIn({ operation }: OperationInputs, plan: RequestPlan): readonly Target[] {
  const hostile = (at: string, code: string): Target => ({ at, kind: `hostile ${code}` });
  const pairs = [...new URLSearchParams(withoutBytes(plan.query))];
  const names = pairs.map(([name]) => name);
  const segments = withoutBytes(plan.path).split('/').map(uriDecoded);
  const texts = HOSTILE_TEXTS.map(({ code, text }) => ({ code, text: text.toWellFormed() })).flatMap(
    ({ code, text }) => [
      ...(pairs.some(([, value]) => value === text) ? [hostile('/query', code)] : []),
      ...(operation.path.includes('{') && segments.includes(text) ? [hostile('/path', code)] : []),
    ],
  );
  const inHeaders = HOSTILE_HEADERS.flatMap(({ code, text }) =>
    plan.headers.some(([, value]) => value === text) ? [hostile('/header', code)] : [],
  );
  const isTwice = names.some((name, index) => names.indexOf(name) < index);
  return [
    ...texts,
    ...inHeaders,
    ...(isTwice ? [hostile('/query', 'duplicate-parameter')] : []),
    ...hostileInBody(plan),
  ];
}

function hostileInBody({ body }: RequestPlan): readonly Target[] {
  const found = (code: string): Target => ({ at: '/body', kind: `hostile ${code}` });
  if (body.kind === 'none') return [];
  if (body.kind === 'raw')
    return HOSTILE_BODIES.filter(({ text }) => text === body.text).map(({ code }) => found(code));
  const members = isObject(body.value) ? Object.values(body.value) : [];
  // The very value is sent: comparing what is nested deeply or very long would cost more than it tells.
  return HOSTILE_MEMBERS.filter(({ value }) => members.includes(value)).map(({ code }) => found(code));
}
