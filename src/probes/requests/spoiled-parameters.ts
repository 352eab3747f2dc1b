// REQ-03, REQ-04 and REQ-08 on the parameters of one operation: a required one left out, text in place of a number or boolean, and
// each keyword of a parameter broken once. Any 4xx is an answer to that.
import { judgeSpoiledRefused } from '../../checks/req/status-classes.ts';
import type { Weight } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { type Pair, pairsOf, parameterData, segmentText } from '../../generate/parameters.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import { outsideValues } from '../../generate/spoilers.ts';
import { exercisedBy } from '../../generate/targets/exercised.ts';
import { inputsOf, isNoInput, isVariable } from '../../generate/targets/operation-inputs.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';
import { single } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { cookieText, planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

const TEXT = 'assay';
const NOT_TEXT = ['integer', 'number', 'boolean'];
/** The same where a parameter is JSON: its objects and lists are no text either. */
const NOT_JSON_TEXT = [...NOT_TEXT, 'object', 'array'];
/** A header value as a client may send it. Source: RFC 9110, 5.5. */
const FIELD_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** Longer texts are refused by servers in front of the target, with statuses of their own. */
const LONGEST_TEXT = 2_100;

interface Spoiled {
  readonly clause: string;
  /** The kind's part of a code. */
  readonly name: string;
  readonly kind: string;
  readonly what: string;
  readonly accepted: Weight;
  readonly recipe: Recipe;
}

/** One experiment for each parameter and keyword. The clauses of the contract `commerce` speak of bodies: what it accepts is an advisory there. */
export function spoiledParameterExperiments(world: World, reached: Reached): readonly Experiment[] {
  if (reached.proof === null) return [];
  const { operation } = reached;
  const isCommerce = world.contract === 'commerce';
  const seen = new Set<string>();
  return operation.parameters
    .filter((parameter) => !isJudgedElsewhere(world.terms, operation, parameter))
    .flatMap((parameter) => [
      ...leftOut(reached, parameter),
      ...ofOtherType(reached, parameter),
      ...outside(world, reached, parameter),
    ])
    .map(({ clause, name, kind, what, accepted, recipe }) => {
      const isLean = !isCommerce && !seen.has(clause);
      seen.add(clause);
      const probe = `request/parameter/${what}`;
      const weight = isCommerce ? 'advisory' : accepted;
      const about = { code: { clause, name }, kind, what, field: '', accepted: weight, control: true };
      const plan = (): RequestPlan =>
        planOf(recipe, probe, drawFor(world, 'parameter'), { intent: 'invalid', makes: 'nothing' });
      return single(reached, { probe, stage: isLean ? 'lean' : 'depth', rank: isLean ? 48 : 35 }, plan, {
        [clause]: (exchange) => judgeSpoiledRefused(exchange, about),
      });
    });
}

/** PAG-12 speaks of bad sizes and page numbers. */
function isJudgedElsewhere(terms: Terms, operation: Operation, { in: place, name }: Parameter): boolean {
  const { size = null, turn = null } = statedPaging(operation, terms)?.parameters ?? {};
  return place === 'query' && (name === size || name === turn);
}

/** The request without the parameter; none for one with a default, which may be left out whatever the description demands. */
function leftOut({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { name, in: place, required, schema } = parameter;
  const hasDefault = schema !== null && 'default' in shapeOf(description, schema.value);
  if (!required || hasDefault || (place !== 'query' && place !== 'header')) return [];
  if (place === 'header' && isNoInput(name)) return [];
  const changed = place === 'query' ? { query: withoutQuery(recipe, name) } : { headers: withoutHeader(recipe, name) };
  const same = changed.query?.length === recipe.query.length || changed.headers?.length === recipe.headers.length;
  if (same) return [];
  const kind = { clause: 'REQ-03', name: 'missing-parameter', kind: 'a missing required parameter' };
  return [{ ...kind, what: `${name} left out`, accepted: 'breach', recipe: { ...recipe, ...changed } }];
}

function ofOtherType({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { name, schema, contentType } = parameter;
  const shape = schema === null ? {} : shapeOf(description, schema.value);
  const others = contentType !== undefined && isJson(contentType) ? NOT_JSON_TEXT : NOT_TEXT;
  const types = typesOf(shape).filter((type) => type !== 'null');
  const isTyped = types.length > 0 && types.every((type) => others.includes(type));
  if (schema === null || !isTyped || description.fits(schema, TEXT) !== false) return [];
  const changed = withValue(recipe, parameter, TEXT);
  const kind = { clause: 'REQ-04', name: 'parameter-type', kind: 'a parameter of another type' };
  return changed === null ? [] : [{ ...kind, what: `${name} is ${TEXT}`, accepted: 'advisory', recipe: changed }];
}

/** Each keyword of the parameter broken once; in a path those of numbers and lists of values. Ids that name nothing are REQ-02's. */
function outside(world: World, { recipe, description, operation }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { schema, in: place, name } = parameter;
  if (schema === null || (place !== 'path' && !isVariable(parameter))) return [];
  const inputs = inputsOf(description, operation);
  const draw = drawFor(world, 'parameter');
  const found = outsideValues(description, schema, parameterData(description, parameter, draw)).filter(
    ({ value, keywords }) => place !== 'path' || typeof value === 'number' || keywords?.includes('enum') === true,
  );
  return found.flatMap(({ keywords, what, value }): readonly Spoiled[] => {
    const changed = withValue(recipe, parameter, value);
    if (changed === null) return [];
    // An empty list is no parameter at all, and a number may read as another one.
    const plan = planOf(changed, '', draw, { intent: 'invalid' });
    if (exercisedBy(inputs, plan).sort !== 'invalid' || exercisedBy(inputs, plan).targets.length === 0) return [];
    const [code, kind] =
      keywords?.includes('enum') === true
        ? ['parameter-enum', 'a parameter outside its enumeration']
        : ['parameter-constraint', 'a parameter outside its constraints'];
    return [{ clause: 'REQ-08', name: code, kind, what: `${name} ${what}`, accepted: 'advisory', recipe: changed }];
  });
}

/** The recipe with another value of the parameter; null where none can be sent there. */
function withValue(recipe: Recipe, parameter: Parameter, value: unknown): Recipe | null {
  const { name, in: place } = parameter;
  if (place === 'query') {
    const pairs = pairsOf(parameter, value);
    const isShort = pairs.reduce((sum, pair) => sum + pair.join('').length, 0) <= LONGEST_TEXT;
    return isShort ? { ...recipe, query: [...withoutQuery(recipe, name), ...pairs] } : null;
  }
  const text = segmentText(parameter, value);
  if (place === 'path') return { ...recipe, pathValues: { ...recipe.pathValues, [name]: text } };
  if (place === 'cookie') return withCookie(recipe, pairsOf(parameter, value));
  if (place !== 'header' || isNoInput(name) || !FIELD_VALUE.test(text) || text.length > LONGEST_TEXT) return null;
  return { ...recipe, headers: [...withoutHeader(recipe, name), [name, text]] };
}

function withCookie(recipe: Recipe, pairs: readonly Pair[]): Recipe | null {
  const names = new Set(pairs.map(([name]) => encodeURIComponent(name)));
  const sent = recipe.headers.find(([name]) => name === 'Cookie')?.[1].split('; ') ?? [];
  const others = sent.filter((pair) => !names.has(pair.split('=', 1)[0] as string));
  const text = [...others, cookieText(pairs)].join('; ');
  if (text.length > LONGEST_TEXT) return null;
  return { ...recipe, headers: [...withoutHeader(recipe, 'Cookie'), ['Cookie', text]] };
}

function withoutQuery({ query }: Recipe, name: string): readonly Pair[] {
  return query.filter(([given]) => given !== name && !given.startsWith(`${name}[`));
}

function withoutHeader({ headers }: Recipe, name: string): Recipe['headers'] {
  return headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
}
