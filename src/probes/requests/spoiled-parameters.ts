// REQ-03, REQ-04 and REQ-08 on the parameters of one operation, by its description alone: a required one left out, text in
// place of a number or boolean, a value outside an enumeration.
import type { Weight } from '../../contract/judgement.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import type { Parameter } from '../../openapi/model/operation.ts';
import { single } from '../experiment.ts';
import { isKeyHeader } from '../idempotency/keys.ts';
import type { Experiment } from '../probe.ts';
import { planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { judgesOf } from './judges.ts';

const TEXT = 'assay';
const NOT_TEXT = ['integer', 'number', 'boolean'];
const NAMED_BY_CONTENT = /^(cookie|accept|content-type|authorization)$/i;

interface Spoiled {
  readonly clause: string;
  /** The kind's part of a code. */
  readonly name: string;
  readonly kind: string;
  readonly what: string;
  readonly accepted: Weight;
  readonly recipe: Recipe;
}

/** One experiment a spoiled parameter; none under the contract `commerce`, whose clauses speak of bodies. */
export function spoiledParameterExperiments(world: World, reached: Reached): readonly Experiment[] {
  if (world.contract === 'commerce' || reached.proof === null) return [];
  const seen = new Set<string>();
  return reached.operation.parameters
    .flatMap((parameter) => [...leftOut(reached, parameter), ...outOfPlace(reached, parameter)])
    .map(({ clause, name, kind, what, accepted, recipe }) => {
      const first = !seen.has(clause);
      seen.add(clause);
      const probe = `request/parameter/${what}`;
      const about = { code: { clause, name }, kind, what, field: '', accepted, control: true };
      const plan = (): RequestPlan =>
        planOf(recipe, probe, drawFor(world, 'parameter'), { intent: 'invalid', makes: 'nothing' });
      return single(reached, { probe, stage: first ? 'lean' : 'depth', rank: first ? 48 : 35 }, plan, {
        [clause]: (exchange) => judgesOf(world).spoiled(exchange, about),
      });
    });
}

/** What has a default may be left out, whatever the description demands. */
function leftOut({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { name, in: place, required, schema } = parameter;
  const hasDefault = schema !== null && 'default' in shapeOf(description, schema.value);
  if (!required || hasDefault || (place !== 'query' && place !== 'header')) return [];
  if (place === 'header' && (isKeyHeader(name) || NAMED_BY_CONTENT.test(name))) return [];
  const others = (pairs: Recipe['query']): Recipe['query'] =>
    pairs.filter(([given]) => given !== name && !given.startsWith(`${name}[`));
  const changed = place === 'query' ? { query: others(recipe.query) } : { headers: others(recipe.headers) };
  const same = changed.query?.length === recipe.query.length || changed.headers?.length === recipe.headers.length;
  if (same) return [];
  const kind = { clause: 'REQ-03', name: 'missing-parameter', kind: 'a missing required parameter' };
  return [{ ...kind, what: `${name} left out`, accepted: 'breach', recipe: { ...recipe, ...changed } }];
}

function outOfPlace({ recipe, description }: Reached, parameter: Parameter): readonly Spoiled[] {
  const { name, in: place, schema } = parameter;
  const shape = schema === null ? {} : shapeOf(description, schema.value);
  const types = typesOf(shape).filter((type) => type !== 'null');
  const typed = types.length > 0 && types.every((type) => NOT_TEXT.includes(type));
  const listed = Array.isArray(shape.enum) && !shape.enum.includes(TEXT);
  if (schema === null || (!typed && !listed) || description.fits(schema, TEXT) !== false) return [];
  const changed = withText(recipe, name, place);
  if (changed === null) return [];
  const what = `${name} is ${TEXT}`;
  const kind = typed
    ? { clause: 'REQ-04', name: 'parameter-type', kind: 'a parameter of another type' }
    : { clause: 'REQ-08', name: 'parameter-enum', kind: 'a parameter outside its enumeration' };
  return [{ ...kind, what, accepted: 'advisory', recipe: changed }];
}

function withText(recipe: Recipe, name: string, place: Parameter['in']): Recipe | null {
  if (place === 'path') return { ...recipe, pathValues: { ...recipe.pathValues, [name]: TEXT } };
  if (place !== 'query') return null;
  return { ...recipe, query: [...recipe.query.filter(([given]) => given !== name), [name, TEXT]] };
}
