// Learns from refusals what a member refers to: "no flavor with name 'x' exists" names the kind of thing that is wanted, and repeats
// what was sent for it. The next request names one that is known of this kind, by its id or by what else it is called.

import type { Exchange } from '../../exchange/exchange.ts';
import { memberShape } from '../../facts/members.ts';
import { nounOf, singular } from '../../facts/nouns.ts';
import { refusalSentence } from '../../facts/refusal-sentence.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { admits } from '../../generate/identifiers.ts';
import { markIn } from '../../generate/preferred.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { changedBelow, isObject, normal, textsBelow } from '../../openapi/json.ts';
import type { Parameter } from '../../openapi/model/operation.ts';
import type { World } from '../world.ts';
import { memberIn, shownCalled } from './as-shown.ts';
import type { Recipe } from './recipe.ts';
import { referenceOf } from './references.ts';

/** Answers that may speak of what is not there. */
const OF_ABSENCE = [400, 404, 409, 422];
/** Shorter texts and words may stand in a refusal by chance. */
const [MIN_TEXT, MIN_NOUN] = [3, 3];
/** Levels below a member of the body that are looked into. */
const MAX_NESTED_LEVELS = 3;

/** A text of the request that may name a thing, and the recipe with another text there; null: the description rules it out. */
interface Place {
  readonly name: string;
  readonly value: string;
  readonly put: (other: string) => Recipe | null;
}

/** The recipe with another thing in the place that the refusal names; null where it names none, or all that is known was tried. */
export function otherReference(world: World, recipe: Recipe, rejection: Exchange): Recipe | null {
  const { response, plan } = rejection;
  const sentence = refusalSentence(rejection);
  if (!OF_ABSENCE.includes(response?.status ?? 0) || sentence === null) return null;
  const whole = plan.body.kind === 'json' ? plan.body.value : null;
  const first = Array.isArray(whole) ? whole[0] : whole;
  const body = isObject(first) ? first : {};
  const places = [...placesInBody(recipe, body, Array.isArray(whole)), ...placesInQuery(recipe)].filter(
    ({ name, value }) => sentence.includes(value) && isReference(world, recipe, name, value),
  );
  // The first that is spoken of is the one that is missed: "snapshot x was not found in project y".
  places.sort((one, other) => sentence.indexOf(one.value) - sentence.indexOf(other.value));
  for (const place of places) {
    const next = withOther(world, recipe, place, sentence);
    if (next !== null) return withMembersOf(next.recipe, shownCalled(world, next.other), body, sentence, place.name);
  }
  return withMissed(world, recipe, sentence);
}

/** The recipe with the first thing in the place that was not refused there; null for none. */
function withOther(
  world: World,
  recipe: Recipe,
  { value, put }: Place,
  sentence: string,
): { readonly recipe: Recipe; readonly other: string } | null {
  const refused = [...(recipe.refused ?? []), value];
  for (const other of addressesNamed(world, sentence, value)) {
    const next = refused.includes(other) ? null : put(other);
    if (next !== null) return { recipe: { ...next, refused }, other };
  }
  return null;
}

/** The recipe with the other members that the refusal repeats as the thing shows them: some things are found by several together. */
function withMembersOf(
  recipe: Recipe,
  thing: Readonly<Record<string, unknown>> | null,
  body: Record<string, unknown>,
  sentence: string,
  replaced: string,
): Recipe {
  if (thing === null) return recipe;
  const isSpoken = (value: unknown): boolean =>
    typeof value === 'string' && value.length >= MIN_TEXT && sentence.includes(value);
  const shown = Object.entries(body)
    .filter(([name, value]) => name !== replaced && isSpoken(value))
    .map(([name]) => [name, memberIn(thing, name)] as const)
    .filter(([, value]) => typeof value === 'string');
  return { ...recipe, additions: { ...recipe.additions, ...Object.fromEntries(shown) } };
}

/** The recipe with a parameter of the query that need not be there, where the refusal speaks of what it refers to; null for none. */
function withMissed(world: World, recipe: Recipe, sentence: string): Recipe | null {
  const { description, operation, query } = recipe;
  const spoken = new Set(nounsIn(sentence));
  const isOpen = ({ in: place, name }: Parameter): boolean =>
    place === 'query' && query.every(([sent]) => sent !== name) && spoken.has(nounOf(name));
  for (const parameter of operation.parameters.filter(isOpen)) {
    const known = referenceOf(world, description, operation, parameter);
    if (known !== null) return { ...recipe, query: [...query, [parameter.name, known]] };
  }
  return null;
}

/** Those of the body, or of the first object in the list that it is, on whatever level, but for members whose values the description lists: these name a kind, and no thing. */
function placesInBody(recipe: Recipe, body: Record<string, unknown>, isListed: boolean): readonly Place[] {
  const { description, operation, additions } = recipe;
  const schema = bodyType(operation)?.schema ?? null;
  return Object.entries(body).flatMap(([name, value]) => {
    if ('enum' in (memberShape(description, schema?.value, name) ?? {})) return [];
    return textsBelow(value, MAX_NESTED_LEVELS, { inLists: true }).map(({ text, path }) => {
      const put = (other: string): Recipe | null => {
        const changed = changedBelow(value, path, () => other);
        const one = { ...body, [name]: changed };
        return isValid(description, schema, isListed ? [one] : one)
          ? { ...recipe, additions: { ...additions, [name]: changed } }
          : null;
      };
      return { name, value: text, put };
    });
  });
}

function placesInQuery(recipe: Recipe): readonly Place[] {
  const { description, operation, query } = recipe;
  return query.flatMap(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    if (parameter === undefined || 'enum' in shapeOf(description, parameter.schema?.value)) return [];
    const put = (other: string): Recipe | null =>
      admits(description, parameter, other)
        ? { ...recipe, query: query.map((pair) => (pair[0] === name ? [name, other] : pair)) }
        : null;
    return [{ name, value, put }];
  });
}

/** Tells whether the sentence repeats what refers to a thing: a name that this run made up refers to nothing, unless it stands for a known one. */
function isReference({ nonce }: World, { additions }: Recipe, name: string, value: string): boolean {
  return value.length >= MIN_TEXT && (markIn(value, nonce) === null || Object.hasOwn(additions, name));
}

/**
 * Everything by which the known things may be addressed of which the sentence speaks: by the noun that is nearest to the value; two words
 * may be one noun. That by which it says that they are called comes first.
 */
function addressesNamed({ knowledge }: World, sentence: string, value: string): readonly string[] {
  const [before = '', after = ''] = sentence.split(value);
  // Words after a conjunction speak of something else: "a flavor named 'x' and type 'y'".
  const [clause = ''] = after.split(/[.:;,()]|\b(?:and|or)\b/i);
  const [nearBefore, nearAfter] = [nounsIn(before).toReversed(), nounsIn(clause)];
  const nouns = nearBefore.flatMap((noun, index) => [noun, nearAfter[index] ?? '']);
  const addresses = nouns.map((noun) => knowledge.addressesOfNoun(noun)).find((found) => found.length > 0);
  const byName = /\bnamed?\b/i.test(before);
  const first = (addresses ?? []).filter(({ member }) => (member === 'name') === byName);
  return [...new Set([...first, ...(addresses ?? [])].map((address) => address.value))];
}

/** The words of the text as nouns, each followed by the one of it and the word before it. */
function nounsIn(text: string): readonly string[] {
  const words = text.split(/[^\w-]+/).filter((word) => word.length >= MIN_NOUN);
  return words
    .flatMap((word, index) => [word, `${words[index - 1] ?? ''}${word}`])
    .map((word) => singular(normal(word)));
}
