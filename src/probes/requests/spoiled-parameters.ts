// REQ-03, REQ-04 and REQ-08 on the parameters of one operation: a required one left out, text in place of a number or boolean, and
// each keyword of a parameter broken once. Any 4xx is an answer to that.

import { isDeepStrictEqual } from 'node:util';
import type { Terms } from '../../contract/terms.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { pairsOf, parameterData, segmentText } from '../../generate/parameters.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import type { SpoilerKind } from '../../generate/spoiled-place.ts';
import { outsideValues, spoilersOf } from '../../generate/spoilers.ts';
import { spoiledBeside } from '../../generate/targets/exercised.ts';
import { inputsOf, isNoInput, isVariable } from '../../generate/targets/operation-inputs.ts';
import { asObject } from '../../openapi/json.ts';
import type { Description, Operation, Parameter } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';
import { IN_VAIN } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { cookieText, planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { type SpoiledInput, spoiledExperiment } from './spoiled-whole.ts';

const TEXT = 'assay';
const NOT_TEXT = ['integer', 'number', 'boolean'];
/** The same where a parameter is JSON: its objects and lists are no text either. */
const NOT_JSON_TEXT = [...NOT_TEXT, 'object', 'array'];
/** A header value as a client may send it. Source: RFC 9110, 5.5. */
const FIELD_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** Longer texts are refused by servers in front of the target, with statuses of their own. */
const LONGEST_TEXT = 2_100;

/** The clause, the part of a code and the words of each kind. */
const MISSING = { clause: 'REQ-03', name: 'missing-parameter', kind: 'a missing required parameter' };
const OTHER_TYPE = { clause: 'REQ-04', name: 'parameter-type', kind: 'a parameter of another type' };
const UNLISTED = { clause: 'REQ-08', name: 'parameter-enum', kind: 'a parameter outside its enumeration' };
const UNCONSTRAINED = { clause: 'REQ-08', name: 'parameter-constraint', kind: 'a parameter outside its constraints' };
/** The same within an object or a list, where every value is sent as text. */
const KIND_WITHIN: Readonly<Partial<Record<SpoilerKind, typeof MISSING>>> = {
  missing: MISSING,
  'wrong-scalar': OTHER_TYPE,
  constraint: UNCONSTRAINED,
};

interface Spoiled extends SpoiledInput {
  readonly recipe: Recipe;
}

/** One experiment for each parameter and keyword. The clauses of the contract `commerce` speak of bodies: what it accepts is an advisory there. */
export function spoiledParameterExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation } = reached;
  const isCommerce = world.contract === 'commerce';
  const seen = new Set<string>();
  return operation.parameters
    .filter((parameter) => !isJudgedElsewhere(world.terms, operation, parameter))
    .flatMap((parameter) => {
      const spoiled = [
        ...leftOut(reached, parameter),
        ...ofOtherType(reached, parameter),
        ...outside(world, reached, parameter),
        ...within(world, reached, parameter),
      ];
      // Parameters of one name are told apart by their places.
      const isShared = operation.parameters.filter(({ name }) => name === parameter.name).length > 1;
      return isShared ? spoiled.map((one) => ({ ...one, what: `${parameter.in} ${one.what}` })) : spoiled;
    })
    .map(({ clause, name, kind, what, accepted, recipe }) => {
      const isLean = !isCommerce && !seen.has(clause);
      seen.add(clause);
      const probe = `request/parameter/${what}`;
      const weight = isCommerce ? 'advisory' : accepted;
      const place = { probe, stage: isLean ? 'lean' : 'depth', rank: isLean ? 48 : 35 } as const;
      const plan = (): RequestPlan => planOf(recipe, probe, drawFor(world, 'parameter'), IN_VAIN);
      return spoiledExperiment(reached, place, { clause, name, kind, what, accepted: weight }, plan);
    });
}

/** PAG-12 speaks of bad sizes and page numbers. */
function isJudgedElsewhere(terms: Terms, operation: Operation, { in: place, name }: Parameter): boolean {
  const { size = null, turn = null } = statedPaging(operation, terms)?.parameters ?? {};
  return place === 'query' && (name === size || name === turn);
}

function calledBy({ name }: Parameter): string {
  return name === '' ? 'the query' : name;
}

/** The request without the parameter; none for one with a default, which may be left out whatever the description demands. */
function leftOut({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { name, in: place, required, schema } = parameter;
  const hasDefault = schema !== null && 'default' in shapeOf(description, schema.value);
  const isInput =
    place === 'header' ? !isNoInput(name) : place === 'query' || (place === 'cookie' && isVariable(parameter));
  if (!required || hasDefault || !isInput) return [];
  const changed = without(recipe, description, parameter);
  if (isSame(changed, recipe)) return [];
  return [{ ...MISSING, what: `${calledBy(parameter)} left out`, accepted: 'breach', recipe: changed }];
}

function ofOtherType({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { schema, contentType } = parameter;
  const shape = schema === null ? {} : shapeOf(description, schema.value);
  const others = contentType !== undefined && isJson(contentType) ? NOT_JSON_TEXT : NOT_TEXT;
  const types = typesOf(shape).filter((type) => type !== 'null');
  const isTyped = types.length > 0 && types.every((type) => others.includes(type));
  if (schema === null || !isTyped || description.fits(schema, TEXT) !== false) return [];
  const changed = withValue(recipe, description, parameter, TEXT);
  return changed === null
    ? []
    : [{ ...OTHER_TYPE, what: `${calledBy(parameter)} is ${TEXT}`, accepted: 'advisory', recipe: changed }];
}

/** The member of an object, or an item of a list, that breaks one thing: it is left out, of another type, or outside its constraints. */
function within(world: World, reached: Reached, parameter: Parameter): readonly Spoiled[] {
  const { recipe, description } = reached;
  const { schema } = parameter;
  if (schema === null || !isVariable(parameter)) return [];
  const data = parameterData(description, parameter, drawFor(world, 'parameter'));
  const bare = without(recipe, description, parameter);
  // Members beside those that are described may be ignored.
  const inner = [...spoilersOf(description, schema, data)].filter(({ path }) => path.length > 0 && isIn(data, path));
  return inner.flatMap(({ kind, what, body }): readonly Spoiled[] => {
    const about = KIND_WITHIN[kind];
    const changed = about === undefined ? null : withValue(recipe, description, parameter, body);
    if (about === undefined || changed === null || isSame(changed, bare)) return [];
    if (!isSpoiled(world, reached, changed)) return [];
    return [{ ...about, what: `${calledBy(parameter)}.${what}`, accepted: 'advisory', recipe: changed }];
  });
}

function isIn(value: unknown, [token, ...rest]: readonly string[]): boolean {
  if (token === undefined) return value !== undefined;
  return typeof value === 'object' && value !== null && isIn((value as Record<string, unknown>)[token], rest);
}

/** Tells whether the parameters of both are sent alike, those of the path aside. */
function isSame(left: Recipe, right: Recipe): boolean {
  return isDeepStrictEqual([left.query, left.headers], [right.query, right.headers]);
}

/** Tells whether something is still wrong once the parameter is written: an empty list is no parameter at all, and a number is a text. */
function isSpoiled(world: World, { description, operation, recipe }: Reached, changed: Recipe): boolean {
  const plan = (of: Recipe): RequestPlan => planOf(of, '', drawFor(world, 'parameter'), { intent: 'invalid' });
  return spoiledBeside(inputsOf(description, operation), () => plan(recipe))(plan(changed));
}

/** Each keyword of the parameter broken once; in a path those of numbers and lists of values. Ids that name nothing are REQ-02's. */
function outside(world: World, reached: Reached, parameter: Parameter): readonly Spoiled[] {
  const { recipe, description } = reached;
  const { schema, in: place } = parameter;
  if (schema === null || (place !== 'path' && !isVariable(parameter))) return [];
  const draw = drawFor(world, 'parameter');
  const found = outsideValues(description, schema, parameterData(description, parameter, draw)).filter(
    ({ value, keywords }) => place !== 'path' || typeof value === 'number' || keywords?.includes('enum') === true,
  );
  return found.flatMap(({ keywords, what, value }): readonly Spoiled[] => {
    const changed = withValue(recipe, description, parameter, value);
    if (changed === null || !isSpoiled(world, reached, changed)) return [];
    const about = keywords?.includes('enum') === true ? UNLISTED : UNCONSTRAINED;
    return [{ ...about, what: `${calledBy(parameter)} ${what}`, accepted: 'advisory', recipe: changed }];
  });
}

/** The recipe with another value of the parameter; null where none can be sent there. */
function withValue(recipe: Recipe, description: Description, parameter: Parameter, value: unknown): Recipe | null {
  const { name, in: place } = parameter;
  const pairs = place === 'query' || place === 'cookie' ? pairsOf(parameter, value) : [];
  if (pairs.reduce((sum, pair) => sum + pair.join('').length, 0) > LONGEST_TEXT) return null;
  const bare = without(recipe, description, parameter);
  if (place === 'query') return { ...bare, query: [...bare.query, ...pairs] };
  if (place === 'cookie') return withCookies(bare, [...cookiesOf(bare), cookieText(pairs)]);
  const text = segmentText(parameter, value);
  if (place === 'path') return { ...recipe, pathValues: { ...recipe.pathValues, [name]: text } };
  if (place !== 'header' || isNoInput(name) || !FIELD_VALUE.test(text) || text.length > LONGEST_TEXT) return null;
  return { ...bare, headers: [...bare.headers, [name, text]] };
}

/** The request without the parameter; one in the path stays. */
function without(recipe: Recipe, description: Description, parameter: Parameter): Recipe {
  const { name, in: place, schema, style, explode } = parameter;
  if (place === 'header') return { ...recipe, headers: withoutHeader(recipe, name) };
  // The members of an object that is taken apart bear names of their own. Source: OpenAPI, style values.
  const isApart = style === 'form' && explode && schema !== null;
  const members = isApart ? Object.keys(asObject(shapeOf(description, schema.value).properties)) : [];
  const names = new Set([name, ...members]);
  if (place === 'query') {
    const query = recipe.query.filter(([given]) => !names.has(given) && !given.startsWith(`${name}[`));
    return { ...recipe, query };
  }
  const coded = new Set([...names].map(uriEncoded));
  const others = cookiesOf(recipe).filter((pair) => !coded.has(pair.split('=', 1)[0] as string));
  return place === 'cookie' ? withCookies(recipe, others) : recipe;
}

function cookiesOf({ headers }: Recipe): readonly string[] {
  return headers.find(([name]) => name === 'Cookie')?.[1].split('; ') ?? [];
}

function withCookies(recipe: Recipe, cookies: readonly string[]): Recipe {
  const others = withoutHeader(recipe, 'Cookie');
  return { ...recipe, headers: cookies.length === 0 ? others : [...others, ['Cookie', cookies.join('; ')]] };
}

function withoutHeader({ headers }: Recipe, name: string): Recipe['headers'] {
  return headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
}
