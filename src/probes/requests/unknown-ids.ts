// REQ-02 on one operation: an id that names nothing, 0 among them, in the path, and in a body that the contract says names things.

import { judgeBelowUnknown } from '../../checks/req/status-classes.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isServed } from '../../facts/answered.ts';
import { nounsBefore } from '../../facts/nouns.ts';
import { parameterNames, trimmed } from '../../facts/paths.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import { type UnknownId, unknownId } from '../../generate/identifiers.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import { isObject } from '../../openapi/json.ts';
import { fixesMember } from '../../openapi/model/fixed-input.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { IN_VAIN, outcome, single } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { firstRecipe, inOtherLanguage, planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, mutates, ordinaryCredential, type Reached, type World } from '../world.ts';
import { unknownIdFor } from './harmless.ts';
import { judgeUnknown } from './judges.ts';

/** REQ-02: each path parameter in turn names nothing, the others what exists. */
export function unknownIdExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const mayCreate =
    operation.method === 'PUT' && operation.responses.some(({ status }) => status === '201' || status === '2XX');
  const names = parameterNames(operation.path).toReversed();
  return names.flatMap((name, index) => {
    const unknown = unknownIdFor(world, reached, name);
    if (unknown.mayExist) return [];
    const about = { ...caseOf(reached, unknown), mayCreate, ...({ place: 'path', name } as const) };
    const probe = `request/unknown-id/${name}`;
    const changed: Recipe = { ...recipe, pathValues: { ...recipe.pathValues, [name]: unknown.value } };
    const plan = (): RequestPlan => {
      const own = planOf(changed, probe, drawFor(world, 'unknown'), IN_VAIN);
      return mutates(operation) ? inOtherLanguage(own, operation) : own;
    };
    const judge = (exchange: Exchange): Judgement => judgeUnknown(world, exchange, about);
    const place = { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 30 : 20 } as const;
    const one = single(reached, place, plan, { 'REQ-02': judge });
    const isParent = world.contract === 'openapi' && index > 0 && about.control;
    return [
      isParent ? { ...one, run: () => belowUnknown(world, { ...reached, recipe: changed }, plan(), name, judge) } : one,
    ];
  });
}

/** Names of things that others live by, and that keep their data apart. */
const BOUNDARIES = /tenant|account|organi[sz]ation|^org|customer|compan|workspace|user|member|realm/;

/** REQ-02 where what the unknown id names has something below it: where that is served, the parent itself is read. */
function* belowUnknown(
  world: World,
  { operation, description, recipe }: Reached,
  plan: RequestPlan,
  name: string,
  judge: (exchange: Exchange) => Judgement,
): Course {
  const { last } = yield plan;
  if (!isServed(last) || showsNothing(last)) return [outcome('REQ-02', plan, judge(last), [last])];
  const parent = trimmed(operation.path.slice(0, operation.path.indexOf(`{${name}}`) + name.length + 2));
  const reading = readingAt(world, description, recipe, parent, plan.probe);
  if (reading === null) return [outcome('REQ-02', plan, judge(last), [last])];
  const { last: denied } = yield reading;
  const isDenied = denied.response?.status === 404;
  const isBoundary = nounsBefore(operation.path, name)
    .slice(0, 2)
    .some((noun) => BOUNDARIES.test(noun));
  const judgement = isDenied ? judgeBelowUnknown(last, { name, isBoundary }) : judge(last);
  return [outcome('REQ-02', plan, judgement, [last, denied])];
}

/** Reads the thing at the template, by the recipe's path values; null where nothing describes that. */
function readingAt(
  world: World,
  description: Description,
  { pathValues }: Recipe,
  template: string,
  probe: string,
): RequestPlan | null {
  const reader = description.operations.find(
    (one) => one.method === 'GET' && withoutNames(one.path) === withoutNames(template),
  );
  if (reader === undefined) return null;
  const named = parameterNames(reader.path);
  const values = parameterNames(template).map((one, at) => [named[at] ?? one, pathValues[one] ?? ''] as const);
  const from = drawFor(world, 'unknown');
  const reading = firstRecipe(description, reader, Object.fromEntries(values), ordinaryCredential(world, reader), from);
  return planOf(reading, probe, from, { intent: 'invalid' });
}

/**
 * The id 0 where numbers are ids: none that stores give, and what takes it for none at all fails. What is changed is read first: it
 * must not be there. The passive checks judge.
 */
export function zeroIdExperiments(
  world: World,
  { operation, description, recipe, proof }: Reached,
): readonly Experiment[] {
  const name = parameterNames(operation.path).at(-1);
  const schema = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? null;
  if (world.contract !== 'openapi' || name === undefined || schema === null || proof === null) return [];
  if (recipe.pathValues[name] === '0' || !isNumeric(description, schema.value) || !isValid(description, schema, 0))
    return [];
  const probe = 'request/zero-id';
  const zero: Recipe = { ...recipe, pathValues: { ...recipe.pathValues, [name]: '0' } };
  const reading = mutates(operation) ? readingAt(world, description, zero, operation.path, probe) : null;
  if (mutates(operation) && reading === null) return [];
  function* run(): Course {
    if (reading !== null && (yield reading).last.response?.status !== 404) return [];
    yield planOf(zero, probe, drawFor(world, 'zero'), IN_VAIN);
    return [];
  }
  const { service, key } = operation;
  const place = { probe, stage: 'depth', rank: 20, clauses: ['SCH-06'], service, operation: key } as const;
  return [{ ...place, cost: reading === null ? 1 : 2, run }];
}

function isNumeric(description: Description, schema: unknown): boolean {
  return typesOf(shapeOf(description, schema)).some((type) => type === 'integer' || type === 'number');
}

/** Tells whether the answer is empty, or a page without items, and nothing beside them but numbers: a list below a missing parent may be empty. */
function showsNothing(exchange: Exchange): boolean {
  const body = exactBody(exchange);
  if (!body.ok) return false;
  const { value } = body;
  if (isEmpty(value)) return true;
  const members = isObject(value) && !Object.hasOwn(value, 'id') ? Object.values(value) : [];
  return (
    members.some((one) => Array.isArray(one) && one.length === 0) &&
    members.every((one) => isEmpty(one) || isCount(one))
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isCount(value: unknown): boolean {
  return (
    typeof value === 'number' || typeof value === 'boolean' || (isObject(value) && Object.values(value).every(isCount))
  );
}

/** The template whatever its parameters are called. */
function withoutNames(path: string): string {
  return trimmed(path).replaceAll(/\{[^}]*\}/g, '{}');
}

/** The facts of the operation and of the id by which an answer is judged. */
function caseOf({ operation, proof }: Reached, { wellFormed }: UnknownId) {
  const declares404 = operation.responses.some(({ status }) => status === '404');
  return { wellFormed, control: proof !== null, declares404 };
}

const REFERENCE = /(^id|_id|Id)$/;

/** REQ-02 in the body of an operation that the contract names: a reference that names nothing. */
export function unknownReferenceExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, description } = reached;
  const { references } = world.terms.requests;
  if (references.length === 0 || !operationMatcher(references)(operation.key)) return [];
  const schema = jsonBodyType(operation)?.schema ?? null;
  const properties = schema === null ? {} : (shapeOf(description, schema.value).properties ?? {});
  const names = Object.keys(properties).filter((name) => REFERENCE.test(name) && !fixesMember(operation, name));
  return names.flatMap((name, index) => {
    const schema = { pointer: '', value: (properties as Record<string, unknown>)[name] };
    const unknown = unknownId(description, { schema }, null, world.seed, `${operation.key} ${name}`);
    if (unknown.mayExist) return [];
    const value = isNumeric(description, schema.value) ? Number(unknown.value) : unknown.value;
    const about = { ...caseOf(reached, unknown), mayCreate: false, ...({ place: 'body', name } as const) };
    const probe = `request/unknown-reference/${name}`;
    const place = { probe, stage: index === 0 ? 'lean' : 'depth', rank: 35 } as const;
    const changed: Recipe = { ...recipe, additions: { ...recipe.additions, [name]: value } };
    const plan = (): RequestPlan => planOf(changed, probe, drawFor(world, 'reference'), IN_VAIN);
    return [single(reached, place, plan, { 'REQ-02': (exchange) => judgeUnknown(world, exchange, about) })];
  });
}
