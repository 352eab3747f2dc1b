// How to call an operation so that it succeeds: path values, query, headers and a body, as far as this run knows.
// Every probe is a variation of the recipe's plan.

import { uriEncoded } from '../../exchange/decoded.ts';
import type { AsRead, Credential, Exchange, PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import { describedMembers } from '../../facts/kind.ts';
import {
  type Beside,
  bodyType,
  type Draw,
  type Fullness,
  isValid,
  NOTHING_BESIDE,
  validBody,
} from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { type Pair, pairsOf, parameterData, pathText, segmentText } from '../../generate/parameters.ts';
import { uniqueTexts } from '../../generate/preferred.ts';
import { parameterKey } from '../../generate/targets/sent.ts';
import { isObject } from '../../openapi/json.ts';
import { fixesParameter } from '../../openapi/model/fixed-input.ts';
import { contentTypeFor } from '../../openapi/model/media-types.ts';
import { type Description, type Operation, type Parameter, spotOf } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { carriesKeyOf, ownKey } from '../idempotency/keys.ts';
import { changedThing, withOwnId } from './own-id.ts';
import { conditional, drawnPlaces } from './preconditions.ts';

/** Everything that refusals taught of the operation's input beside its description. */
export interface Learned {
  readonly body: Beside;
  /** Members of the body that it decides. */
  readonly members: readonly string[];
  /** Members of the body by which the thing is known: what had the value of before was there already. */
  readonly fresh: readonly string[];
  /** Schemas that parameters must fit as well, by place and name: these are sent, even if they need not be. */
  readonly parameters: Readonly<Record<string, readonly unknown[]>>;
  /** Values of path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Set: an object without members is sent where the description has no body. */
  readonly emptyBody?: true;
}

export const NOTHING_LEARNED: Learned = { body: NOTHING_BESIDE, members: [], fresh: [], parameters: {}, path: {} };

export interface Recipe {
  readonly description: Description;
  readonly operation: Operation;
  /** Path parameter → value; all are present. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly fullness: Fullness;
  /** Members that the target asked for beyond the description, and references to what exists: of the body, or of each object in its list. */
  readonly additions: Readonly<Record<string, unknown>>;
  /** Body members that are left out, for what they name is not there. Absent: none. */
  readonly omitted?: readonly string[];
  /** Absent: nothing. */
  readonly learned?: Learned;
  /** Values of members that refusals said to name nothing. Absent: none. */
  readonly refused?: readonly string[];
  /** Places that hold what reading the thing shows. Absent: none. */
  readonly asRead?: readonly AsRead[];
  readonly credential: Credential;
}

/** Commas stand as they are: some servers split a list before they decode its items. */
export function queryText(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, value]) => (name === '' ? uriEncoded(value) : `${uriEncoded(name)}=${uriEncoded(value)}`))
    .join('&')
    .replaceAll('%2C', ',');
}

/** Characters that may not stand in a cookie (RFC 6265, 4.1.1), and what marks them where they are encoded. */
const NO_COOKIE_OCTETS = /[^\x21\x23\x24\x26-\x3a\x3c-\x5b\x5d-\x7e]/gu;

/** The header that carries these cookies. What may stand in one is not encoded: many servers read cookies as they are. */
export function cookieText(pairs: readonly Pair[]): string {
  return pairs
    .map(([name, value]) => `${uriEncoded(name)}=${value.replaceAll(NO_COOKIE_OCTETS, uriEncoded)}`)
    .join('; ');
}

/** A recipe from the description alone: required parameters by example or by schema, and all that the configuration fixes. */
export function firstRecipe(
  description: Description,
  operation: Operation,
  pathValues: Readonly<Record<string, string>>,
  credential: Credential,
  from: Draw,
  learned = NOTHING_LEARNED,
): Recipe {
  const asked = (parameter: Parameter): readonly unknown[] | undefined => learned.parameters[parameterKey(parameter)];
  const isWanted = (parameter: Parameter): boolean =>
    parameter.required || isFixed(parameter) || asked(parameter) !== undefined;
  const wanted = (place: Parameter['in']): readonly Parameter[] =>
    operation.parameters.filter((parameter) => parameter.in === place && isWanted(parameter));
  const isFixed = ({ name }: Parameter): boolean => fixesParameter(operation, name);
  const given = (parameter: Parameter): unknown =>
    isFixed(parameter)
      ? operation.fixed?.parameters[parameter.name]
      : parameterData(description, parameter, from, asked(parameter));
  const pairs = (parameter: Parameter): readonly Pair[] => pairsOf(parameter, given(parameter));
  const cookie = cookieText(wanted('cookie').flatMap(pairs));
  const { headers, asRead } = conditional(
    operation,
    wanted('header')
      .filter(({ name }) => !carriesKeyOf(operation, name))
      .map((parameter) => [parameter.name, segmentText(parameter, given(parameter))] as const),
  );
  return {
    description,
    operation,
    pathValues: { ...pathValues, ...learned.path },
    query: wanted('query').flatMap(pairs),
    headers: cookie === '' ? headers : [...headers, ['Cookie', cookie]],
    fullness: 'example',
    additions: {},
    ...(learned === NOTHING_LEARNED ? {} : { learned }),
    ...(asRead.length === 0 ? {} : { asRead }),
    credential,
  };
}

/** The body by the recipe; undefined when the operation takes none, or none can be made. `serial` keeps bodies of one run apart. */
export function recipeBody(recipe: Recipe, from: Draw): unknown {
  const { omitted = [], learned = NOTHING_LEARNED } = recipe;
  const whole = validBody(recipe.description, recipe.operation, recipe.fullness, from, learned.body);
  if (Array.isArray(whole)) return whole.map((item) => (isObject(item) ? { ...item, ...recipe.additions } : item));
  if (!isObject(whole)) return whole;
  const kept = Object.entries(whole).filter(([name]) => !omitted.includes(name));
  const drawn = omitted.length === 0 ? whole : Object.fromEntries(kept);
  const thing = changedThing(recipe.operation, recipe.pathValues);
  const { wrapper } = describedMembers(recipe.description, recipe.operation, recipe.operation);
  const body = thing === null ? drawn : withOwnId(drawn, thing, wrapper);
  const { fixed } = recipe.operation;
  const added = Object.entries(recipe.additions).filter(([name]) => !learned.members.includes(name));
  if (fixed === undefined && added.length === 0 && learned.fresh.length === 0) return body;
  return { ...renewed(recipe, body, learned.fresh, from), ...Object.fromEntries(added), ...fixed?.body };
}

/** The body with texts that no other body holds in the members, as far as the schema admits them. */
function renewed(
  { description, operation }: Recipe,
  body: Record<string, unknown>,
  fresh: readonly string[],
  { nonce }: Draw,
): Record<string, unknown> {
  const schema = bodyType(operation)?.schema ?? null;
  const [full, compact] = uniqueTexts(nonce);
  const changed = { ...body };
  for (const name of fresh.filter((one) => Object.hasOwn(body, one))) {
    const texts = [`assay-${full}`, `a${compact}`];
    changed[name] = texts.find((text) => isValid(description, schema, { ...body, [name]: text })) ?? body[name];
  }
  return changed;
}

/** The plan that calls the operation by its recipe. `body: undefined` builds the recipe's own. */
export function planOf(recipe: Recipe, probe: string, from: Draw, change: Partial<RequestPlan> = {}): RequestPlan {
  const { operation, asRead = [] } = recipe;
  const path = pathOf(recipe);
  const body = typedBody(operation, change.body ?? plannedBody(recipe, from));
  const isOwn = change.body === undefined || asRead.length === 0;
  const credential = change.credential ?? recipe.credential;
  return {
    ...spotOf(operation),
    probe,
    method: operation.method,
    path,
    query: queryText(recipe.query),
    headers: ownKey(recipe, recipe.headers, from.nonce.run, [from.nonce.serial, probe, path, body, nameOf(credential)]),
    credential,
    retry: 'never',
    ...(asRead.length === 0
      ? {}
      : { asRead: drawnPlaces({ ...recipe, asRead }, isOwn ? body : plannedBody(recipe, from)) }),
    ...change,
    body,
  };
}

const LANGUAGE_HEADER = 'Accept-Language';
/** As a browser names it: no server has a reason to refuse it. */
const OTHER_LANGUAGE = 'de-DE,de;q=0.9,en;q=0.5';

/** The plan of one who would rather be answered in another language: texts may differ for that, and no code, status or address. */
export function inOtherLanguage(plan: RequestPlan, { parameters }: Pick<Operation, 'parameters'>): RequestPlan {
  const isTaken = [...parameters.map(({ name }) => name), ...plan.headers.map(([name]) => name)].some(
    (name) => name.toLowerCase() === LANGUAGE_HEADER.toLowerCase(),
  );
  return isTaken ? plan : { ...plan, headers: [...plan.headers, [LANGUAGE_HEADER, OTHER_LANGUAGE]] };
}

/** The plan of an exchange once more: under its key it is the same request, and makes nothing new. */
export function repeatOf({ plan }: Exchange): RequestPlan {
  const { experiment: _experiment, elsewhere: _elsewhere, intent: _intent, needed: _needed, ...rest } = plan;
  return { ...rest, makes: 'nothing' };
}

function plannedBody(recipe: Recipe, from: Draw): PlannedBody {
  const media = bodyType(recipe.operation);
  if (media === null && recipe.learned?.emptyBody === true) return { kind: 'json', value: {} };
  const value = media === null ? undefined : recipeBody(recipe, from);
  return media === null || value === undefined ? { kind: 'none' } : encodedBody(recipe.description, media, value);
}

/** JSON under the name that the operation declares for it. */
function typedBody(operation: Operation, body: PlannedBody): PlannedBody {
  if (body.kind !== 'json' || body.contentType !== undefined) return body;
  const declared = bodyType(operation);
  const contentType = declared === null || !isJson(declared.mediaType) ? 'application/json' : contentTypeFor(declared);
  return contentType === 'application/json' ? body : { ...body, contentType };
}

/** The concrete path, parameters in their declared style. */
export function pathOf(
  { description, operation, pathValues }: Pick<Recipe, 'description' | 'operation' | 'pathValues'>,
  values = pathValues,
): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
    return pathText(description, operation, name, values[name] ?? name);
  });
}

/** Who sends, without the token itself: keys are the same in the next run. */
function nameOf(credential: Credential): string {
  if (credential.kind === 'invalid') return credential.how;
  return credential.kind === 'key' ? credential.name : credential.kind;
}
