// Spoilers: from a valid body, bodies that break exactly one thing at one known place. Each is checked against the schema:
// a spoiled body that still validates, or breaks anything else, is not offered.
import { asArray, changedBelow, isObject, textOf, valueBelow } from '../openapi/json.ts';
import type { Change, Description, SchemaHandle } from '../openapi/model/operation.ts';
import { TooCostly } from '../openapi/patterns/too-costly.ts';
import { isValid } from './bodies.ts';
import { CannotGenerate } from './cannot-generate.ts';
import { drawnBy } from './chance.ts';
import { type Outside, outside } from './outside.ts';
import { draw } from './sampling.ts';
import { conforms } from './schema/conforms.ts';
import { type Form, itemSchemas } from './schema/form.ts';
import { type Conjunction, Schemas } from './schema/schemas.ts';
import { isIndex, SpoiledPlace, type Spoiler, type SpoilerKind } from './spoiled-place.ts';
import { Drawing } from './value/drawing.ts';

interface Place {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Those that a value may take here; empty: nothing is said. */
  readonly forms: readonly Form[];
  /** The one that the value takes. */
  readonly form: Form | null;
  readonly required: boolean;
}

/** A spoiler and the keywords at its place that it may break; null: any. */
interface Attempt {
  readonly spoiler: Spoiler;
  readonly keywords: readonly string[] | null;
}

const MAX_DEPTH = 4;
const MAX_PLACES = 60;

/** Which item of a list is spoiled: the first one, or one that has others before it. */
type WhichItem = 'first' | 'last';

/** All spoilers of a valid body, by place in the body's own order, the clearest first at each place. Found one by one. */
export function* spoilersOf(description: Description, schema: SchemaHandle, body: unknown): Generator<Spoiler> {
  for (const candidate of spoilerCandidates(description, schema, body)) if (candidate.isClean) yield candidate.spoiler;
}

/** The candidates that `spoilersOf` yields or passes over, in the same order; `within`: only at this place and below it. */
export function spoilerCandidates(
  description: Description,
  schema: SchemaHandle,
  body: unknown,
  within: readonly string[] = [],
  which: WhichItem = 'first',
): readonly Candidate[] {
  if (description.fits(schema, body) !== true) return [];
  const schemas = Schemas.of(description);
  const looking = { schemas, which };
  const [whole, ...places] = placesOf(looking, schemas.all([schema.value]), body, [], true);
  const wanted = places.filter(({ path }) => within.every((token, index) => path[index] === token));
  return [
    ...wanted.slice(0, MAX_PLACES).flatMap((place) => spoil(schemas, body, place)),
    ...(whole === undefined || within.length > 0 ? [] : constraints(schemas, 'the body', whole, makeAt(body, whole))),
  ].map((attempt) => new Candidate(attempt, (change) => description.isBrokenAt(schema, change)));
}

/**
 * Values that break one keyword of the schema each, and no other, of each form that its values take; `value`: one that the schema admits, which
 * is changed where it has the form.
 */
export function outsideValues(description: Description, schema: SchemaHandle, value: unknown): readonly Outside[] {
  if (description.fits(schema, value) !== true) return [];
  const schemas = Schemas.of(description);
  const found = schemas.forms(schemas.all([schema.value])).forms.flatMap((form) => {
    const own = conforms(schemas, form, value) ? value : valueIn(schemas, form);
    return own === undefined ? [] : drawnOutside(schemas, form, own, '');
  });
  const broken = found.filter((one) =>
    description.isBrokenAt(schema, { value: one.value, path: [], keywords: one.keywords }),
  );
  return [...new Map(broken.map((one) => [textOf(one.value), one])).values()];
}

/** A value of the form; undefined where none is found. */
function valueIn(schemas: Schemas, form: Form): unknown {
  try {
    return draw(
      drawnBy((chance) => new Drawing(schemas, chance, { optional: false }).rootOf(form, '')),
      0,
      '',
    );
  } catch (error) {
    if (error instanceof CannotGenerate || error instanceof TooCostly) return undefined;
    throw error;
  }
}

/** A change that may be a spoiler. */
export class Candidate {
  readonly #attempt: Attempt;
  readonly #isBrokenAt: (change: Change) => boolean;
  #clean: boolean | null = null;

  constructor(attempt: Attempt, isBrokenAt: (change: Change) => boolean) {
    this.#attempt = attempt;
    this.#isBrokenAt = isBrokenAt;
  }

  get spoiler(): Spoiler {
    return this.#attempt.spoiler;
  }

  /**
   * Tells whether it breaks what it is to break and nothing else. Looked at when first asked for: candidates are many,
   * and few are sent.
   */
  get isClean(): boolean {
    const { spoiler, keywords } = this.#attempt;
    this.#clean ??= this.#isBrokenAt({ value: spoiler.body, path: spoiler.path, keywords });
    return this.#clean;
  }
}

interface Looking {
  readonly schemas: Schemas;
  readonly which: WhichItem;
}

/** The value's own place first, then those inside it. */
function placesOf(
  looking: Looking,
  conjunction: Conjunction,
  value: unknown,
  path: readonly string[],
  required: boolean,
): readonly Place[] {
  const { schemas } = looking;
  const forms = conjunction.schemas.length === 0 ? [] : schemas.forms(conjunction).forms;
  const form = forms.find((one) => conforms(schemas, one, value)) ?? null;
  const own = { path, value, forms, form, required };
  return form === null || path.length > MAX_DEPTH ? [own] : [own, ...innerPlaces(looking, form, value, path)];
}

function innerPlaces(looking: Looking, form: Form, value: unknown, path: readonly string[]): readonly Place[] {
  const { schemas, which } = looking;
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const index = which === 'first' ? 0 : value.length - 1;
    return placesOf(looking, schemas.all(itemSchemas(form, index)), value[index], [...path, String(index)], true);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    placesOf(looking, schemas.member(form, key), member, [...path, key], form.required.includes(key)),
  );
}

function spoil(schemas: Schemas, body: unknown, place: Place): readonly Attempt[] {
  const name = place.path.join('.');
  const make = makeAt(body, place);
  const isItem = isIndex(place.path.at(-1));
  const missing = place.required && !isItem ? [make('missing', `${name} left out`, undefined)] : [];
  return [...missing, ...wrongTypes(name, place, make), ...constraints(schemas, name, place, make)];
}

type Make = (
  kind: SpoilerKind,
  what: string,
  value: unknown,
  keywords?: readonly string[] | null,
  member?: string,
) => Attempt;

/** Makes spoilers at the place, or of one member there. */
function makeAt(body: unknown, { path }: Place): Make {
  return (kind, what, value, keywords = null, member) => {
    const isShared = member !== undefined && path.length === 0;
    const own = member === undefined ? path : [...path, member];
    return { spoiler: new SpoiledPlace(kind, what, own, { body, value, isShared }), keywords };
  };
}

function wrongTypes(name: string, place: Place, make: Make): readonly Attempt[] {
  const types = typesAt(place);
  // A tag picks the branch of a union: another value there is another branch's business.
  if (types.length === 0 || place.form?.values?.length === 1) return [];
  const say = (given: string): string =>
    `${name} is ${given} instead of ${types.filter((type) => type !== 'null').join(' or ')}`;
  const spoiled: Attempt[] = [];
  if (!types.includes('object')) spoiled.push(make('wrong-type', say('an object'), { assay: 'object' }));
  if (!types.includes('array')) spoiled.push(make('wrong-type', say('an array'), [place.value]));
  if (types.includes('object') || types.includes('array')) spoiled.push(make('wrong-type', say('a string'), 'assay'));
  else if (!types.includes('string')) spoiled.push(make('wrong-scalar', say('a string'), 'assay'));
  else spoiled.push(make('wrong-scalar', say('a number'), 12345), make('wrong-scalar', say('a boolean'), true));
  const isWhole = types.includes('integer') && !types.includes('number');
  if (isWhole && typeof place.value === 'number')
    spoiled.push(make('wrong-scalar', say('a fraction'), place.value + 0.5));
  if (!types.includes('null')) spoiled.push(make(place.required ? 'wrong-type' : 'null-optional', say('null'), null));
  return spoiled;
}

/** As schemas call them; empty where some value of any type is admitted. */
function typesAt({ forms }: Place): readonly string[] {
  if (!forms.every(({ typed }) => typed)) return [];
  const types = forms.flatMap((form) => form.types.map((type) => (type === 'number' && form.whole ? 'integer' : type)));
  return [...new Set<string>(types)];
}

function constraints(schemas: Schemas, name: string, { form, path, value }: Place, make: Make): readonly Attempt[] {
  if (form === null) return [];
  const found = drawnOutside(schemas, form, value, path.join('/'));
  return found.map((one) => make('constraint', `${name} ${one.what}`, one.value, one.keywords, one.member));
}

/** The same value is spoiled in the same way wherever in a run that happens. */
function drawnOutside(schemas: Schemas, form: Form, value: unknown, place: string): readonly Outside[] {
  return draw(
    drawnBy((chance) => outside(schemas, form, value, chance)),
    0,
    place,
  );
}

/** Lists of one body that are made longer. */
const MAX_LISTS = 20;
/** Levels of a body that are looked at for lists. */
const MAX_LIST_DEPTH = 5;

type Path = readonly string[];

/**
 * The body with a second item in each list of one, as far as the schema admits it: servers that look at the first item of a
 * list alone take whatever comes after it. The item comes from the same place of `other`, a body of the same sort with other
 * texts; where that has none it is the first item again.
 */
export function withSecondItems(
  description: Description,
  schema: SchemaHandle,
  body: unknown,
  other: unknown,
): unknown {
  let longer = body;
  const tried = new Set<string>();
  for (let count = 0; count < MAX_LISTS; count += 1) {
    const path = singlesIn(longer, []).find((one) => !tried.has(one.join('\n')));
    if (path === undefined) break;
    tried.add(path.join('\n'));
    const item = valueBelow(other, [...path.map(asFirst), '0']) ?? valueBelow(longer, [...path, '0']);
    const changed = changedBelow(longer, path, (list) => [...asArray(list), item]);
    if (isValid(description, schema, changed)) longer = changed;
  }
  return longer;
}

/** The places of the lists that have one item, the outer before the inner. */
function singlesIn(value: unknown, path: Path): readonly Path[] {
  if (path.length > MAX_LIST_DEPTH || typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([token, one]) => singlesIn(one, [...path, token]));
  return Array.isArray(value) && value.length === 1 ? [path, ...inner] : inner;
}

/** The first item of this body holds what a second item of the other body does. */
function asFirst(token: string): string {
  return /^\d+$/.test(token) ? '0' : token;
}
