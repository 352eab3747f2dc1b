// One value of a schema, drawn from the top down: examples of the description where they hold, then what a living target
// is likely to accept, then chance. Deep down only what is required is drawn, in as few levels as will do.
import { isObject } from '../../openapi/json.ts';
import { BeyondMeans, CannotGenerate } from '../cannot-generate.ts';
import type { Chance } from '../chance.ts';
import { conforms } from '../schema/conforms.ts';
import { type Form, type JsonType, jsonTypeOf } from '../schema/form.ts';
import { fitsType, heightOf, isNull, MAX_HEIGHT } from '../schema/heights.ts';
import type { Conjunction, Schemas } from '../schema/schemas.ts';
import { shapeOfForm } from '../schema-shape.ts';
import { arrayOf, objectOf } from './containers.ts';
import type { Appetite, Draws, Place } from './place.ts';
import { numberOf, stringOf } from './scalars.ts';

/** Below this depth optional members are left out. */
const MIN_DEEP_LEVEL = 3;
/** A value that has so many members gets no further optional ones. */
const MAX_MEMBERS = 400;
/** Values and characters of one whole: many times what the largest bodies take. Lists of lists of lists have no end. */
const MAX_VALUES = 50_000;
const CHARACTERS_A_VALUE = 100;
/** Forms tried at one place, and forms that may fail altogether: dead ends must not multiply. */
const [MAX_TURNS, MAX_FAILURES] = [8, 64];

export class Drawing implements Draws {
  readonly schemas: Schemas;
  readonly chance: Chance;
  readonly appetite: Appetite;
  members = 0;
  /** Forms of which no value was found, so far. */
  private failures = 0;

  /** Values that may yet be made for the whole, with those that are thrown away. */
  private readonly left: { values: number };

  constructor(schemas: Schemas, chance: Chance, appetite: Appetite, left = { values: MAX_VALUES }) {
    this.left = left;
    this.schemas = schemas;
    this.chance = chance;
    this.appetite = appetite;
  }

  /** Throws CannotGenerate. */
  root(conjunction: Conjunction, name: string): unknown {
    const place = { name, pointer: '', depth: 0, room: MAX_HEIGHT };
    return this.value(conjunction, place, this.appetite.example);
  }

  /** A value of this very form. Throws CannotGenerate. */
  rootOf(form: Form, name: string): unknown {
    return this.ofForm(form, { name, pointer: '', depth: 0, room: MAX_HEIGHT }, undefined, false);
  }

  value(conjunction: Conjunction, place: Place, hint: unknown): unknown {
    this.spend(1);
    const forms = this.forms(conjunction, place);
    // An example of an id is, for all that is known, the id of somebody else's thing, which a write would change.
    const isOwnId = this.appetite.preferred !== undefined && place.pointer === '/id';
    const trusted = !isOwnId && this.isTrusted(place.pointer);
    for (const form of trusted ? forms : []) {
      const given = [hint, ...form.given].find(
        (one) => one !== undefined && one !== null && conforms(this.schemas, form, one),
      );
      if (given !== undefined) return this.ofForm(form, place, given, true);
    }
    return this.ofSome(forms, place, trusted ? (hint ?? partOf(forms)) : undefined);
  }

  private spend(values: number): void {
    this.left.values -= values;
    if (this.left.values < 0)
      throw new BeyondMeans(`it must be larger than any value that is made: ${MAX_VALUES} values in all`);
  }

  /** The first of the forms of which a value is found; if any will do, from one by chance onwards. */
  private ofSome(forms: readonly Form[], place: Place, hint: unknown): unknown {
    const start = this.appetite.isVaried ? this.chance.between(0, forms.length - 1) : 0;
    for (let turn = 0; ; turn += 1) {
      try {
        return this.ofForm(forms[(start + turn) % forms.length] as Form, place, hint, false);
      } catch (error) {
        this.failures += 1;
        const isLast = turn + 1 === Math.min(forms.length, MAX_TURNS) || this.failures > MAX_FAILURES;
        if (isLast || !(error instanceof CannotGenerate) || error instanceof BeyondMeans) throw error;
      }
    }
  }

  withoutExamples(isOther: boolean): Drawing {
    const appetite = {
      ...this.appetite,
      optional: this.appetite.optional !== isOther,
      example: undefined,
      mistrusted: new Set(['']),
    };
    const free = new Drawing(this.schemas, this.chance, appetite, this.left);
    free.members = this.members;
    return free;
  }

  isGenerous({ depth }: Place): boolean {
    return this.appetite.optional && depth < MIN_DEEP_LEVEL && this.members < MAX_MEMBERS;
  }

  isRoomy({ depth }: Place): boolean {
    return depth < MIN_DEEP_LEVEL;
  }

  inner(place: Place, conjunction: Conjunction, token: string, name = place.name): Place {
    const room = this.roomBelow(place, conjunction);
    return { name, pointer: `${place.pointer}/${token}`, depth: place.depth + 1, room };
  }

  /** Levels that an inner value may have: from a certain depth on no more than it must. */
  roomBelow({ depth, room }: Place, conjunction: Conjunction): number {
    if (depth + 1 < MIN_DEEP_LEVEL) return MAX_HEIGHT;
    return room === MAX_HEIGHT ? heightOf(this.schemas, conjunction) : room - 1;
  }

  private forms(conjunction: Conjunction, { pointer, room }: Place): readonly Form[] {
    const { forms, reason } = this.schemas.forms(conjunction);
    const where = pointer === '' ? '' : `at ${pointer}: `;
    if (forms.length === 0) throw new CannotGenerate(`${where}${reason}`);
    const usable = forms.filter((form) => (!form.forbidden || pointer === '') && this.types(form, room).length > 0);
    // null only where nothing else will do.
    const others = usable.filter((form) => !isNull(form));
    if (usable.length > 0) return others.length > 0 ? others : usable;
    if (forms.every(({ forbidden }) => forbidden)) throw new CannotGenerate(`${where}it may not be sent (readOnly)`);
    throw new CannotGenerate(`${where}${whyTooDeep(this.schemas, forms)}`);
  }

  private types(form: Form, room: number): readonly JsonType[] {
    return form.types.filter((type) => fitsType(this.schemas, form, type, room));
  }

  private ofForm(form: Form, place: Place, hint: unknown, holds: boolean): unknown {
    const { values } = form;
    const isOpen = holds && !isObject(hint) && !Array.isArray(hint);
    if (values !== null) {
      if (holds) return hint;
      const offered = values.filter((value) => value !== null);
      return this.chance.pick(offered.length > 0 ? offered : values);
    }
    const preferred = this.preferred(form, place, hint);
    if (preferred !== undefined && conforms(this.schemas, form, preferred)) return preferred;
    return isOpen ? hint : this.ofType(this.typeOf(form, place, hint), form, place, hint);
  }

  private preferred(form: Form, place: Place, hint: unknown): unknown {
    const { preferred } = this.appetite;
    if (preferred === undefined || !this.isTrusted(place.pointer)) return undefined;
    const shape = shapeOfForm(form);
    return preferred(place.name, hint === undefined ? shape : { ...shape, examples: [hint] });
  }

  private ofType(type: JsonType, form: Form, place: Place, hint: unknown): unknown {
    switch (type) {
      case 'object':
        return objectOf(this, form, place, isObject(hint) ? hint : {});
      case 'array':
        return arrayOf(this, form, place, Array.isArray(hint) ? hint : null);
      case 'string':
        this.spend(Math.floor(form.minLength / CHARACTERS_A_VALUE));
        return stringOf(form, this.chance);
      case 'number':
        return numberOf(form, this.chance, place.name);
      case 'boolean':
        return this.chance.pick(BOOLEANS.filter((value) => !form.excluded.includes(value)));
      case 'null':
        return null;
    }
  }

  /** null only where nothing else will do; where no type is stated, the one that the keywords speak of. */
  private typeOf(form: Form, place: Place, hint: unknown): JsonType {
    const possible = this.types(form, place.room);
    const others: readonly JsonType[] = possible.filter((type) => type !== 'null');
    if (hint !== undefined && others.includes(jsonTypeOf(hint))) return jsonTypeOf(hint);
    if (form.typed && this.appetite.isVaried && others.length > 0) return this.chance.pick(others);
    const likely = form.typed ? others[0] : likelyType(form, place);
    return likely !== undefined && others.includes(likely) ? likely : (others[0] ?? 'null');
  }

  private isTrusted(pointer: string): boolean {
    const { mistrusted } = this.appetite;
    if (mistrusted === undefined) return true;
    return ![...mistrusted].some((one) => one === '' || pointer === one || pointer.startsWith(`${one}/`));
  }
}

/** An example that does not hold as a whole: some of its members may. */
function partOf(forms: readonly Form[]): unknown {
  return forms.flatMap(({ given }) => given).find((one) => isObject(one) || Array.isArray(one));
}

const BOOLEANS: readonly boolean[] = [true, false];

function likelyType(form: Form, { depth, name }: Place): JsonType {
  if (form.members.length > 0 || form.required.length > 0 || form.minProperties > 0) return 'object';
  if (form.items.length > 0 || form.contains.length > 0 || form.minItems > 0) return 'array';
  if (form.patterns.length > 0 || form.formats.length > 0 || form.minLength > 0) return 'string';
  if (form.multiples.length > 0 || Number.isFinite(form.low.value) || Number.isFinite(form.high.value)) return 'number';
  // A schema that says nothing: a body becomes an empty object, a member a short string.
  return depth === 0 && name === '' ? 'object' : 'string';
}

function whyTooDeep(schemas: Schemas, forms: readonly Form[]): string {
  for (const form of forms) {
    for (const name of schemas.required(form)) {
      const { forms: inner, reason } = schemas.forms(schemas.member(form, name));
      if (inner.length === 0) return `no value is possible for the required member "${name}": ${reason}`;
    }
  }
  return `within ${MAX_HEIGHT} levels there is none: every value of it contains another one without end, or what it requires contradicts itself`;
}
