// The places inside a value as a tree, each with the valid values to try there. Bounded: a schema that contains itself is
// followed once, and what is cut is told.
import type { Pieces } from '../../clock/pieces.ts';
import { appended } from '../../openapi/json.ts';
import { type Form, itemSchemas, memberSchemas, namedMembers } from '../schema/form.ts';
import { isNull } from '../schema/heights.ts';
import { gridOf } from '../schema/numbers.ts';
import type { Conjunction, Schemas } from '../schema/schemas.ts';
import { mapNames } from '../value/invented-names.ts';
import { breakKind, breaksOf, MAX_LISTED, narrowedForms } from './form-targets.ts';
import type { CutTarget, Target } from './target.ts';

export interface Branch {
  readonly conjunction: Conjunction;
  readonly form: Form;
}

/** A valid value at a place: one of a form, one that takes a branch before any other, or none at all. */
export interface ValidTarget extends Target {
  readonly test: 'present' | 'absent' | { readonly form: Form } | { readonly branch: Branch };
}

export interface InputPlace {
  readonly at: string;
  /** Name of the nearest member or parameter, by which values are preferred. */
  readonly name: string;
  readonly forms: readonly Form[];
  readonly targets: readonly ValidTarget[];
  /** "breaks type". */
  readonly breaks: readonly string[];
  readonly members: ReadonlyMap<string, InputPlace>;
  /** Places of members that are described without a name, by a name made for each. */
  readonly unnamed: ReadonlyMap<string, InputPlace>;
  /** Place of the items of a list there; null: nothing is said. */
  readonly item: InputPlace | null;
}

/** Levels below the whole value, places of one operation, and branches at one place that are told apart. */
const [MAX_DEPTH, MAX_PLACES, MAX_BRANCHES] = [5, 150, 24];

interface Grown {
  readonly at: string;
  readonly name: string;
  readonly optional: boolean;
  readonly required: boolean;
  readonly within: readonly Conjunction[];
}

interface Growing extends InputPlace {
  readonly members: Map<string, InputPlace>;
  readonly unnamed: Map<string, InputPlace>;
  item: InputPlace | null;
}

/** A place with what is to grow inside of it. */
interface Bud {
  readonly place: Growing;
  readonly inner: Grown;
}

/** Grows the trees of one operation, whose places are counted together: of each the outer places before the inner. */
export class Places {
  readonly #schemas: Schemas;
  #left = MAX_PLACES;
  readonly cut: CutTarget[] = [];

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** The tree of a value that obeys the schemas; `optional`: it may be left out, `required`: it may not, in one branch at least. */
  *of(conjunctions: readonly Conjunction[], outer: Omit<Grown, 'within'>): Pieces<InputPlace> {
    const root = this.#bud(conjunctions, { ...outer, within: [] });
    const level = [root];
    // A member goes to the end with all that it contains, so that it does not keep its neighbours out.
    for (const bud of level) {
      yield;
      level.push(...(yield* this.#grow(bud)));
    }
    return root.place;
  }

  #bud(conjunctions: readonly Conjunction[], grown: Grown): Bud {
    const distinct = [...new Set(conjunctions)];
    const perSchema = distinct.map((one) => usable(this.#schemas, one));
    const forms = [...new Set(perSchema.flat())];
    const { at, name, optional, required } = grown;
    const targets: ValidTarget[] = [
      { at, kind: 'present', test: 'present' },
      ...(optional ? [{ at, kind: 'absent', test: 'absent' } as const] : []),
      ...this.#branchesOf(at, distinct, perSchema),
      ...this.#valuesOf(at, forms),
    ];
    const breaks = [...(required ? [breakKind('required')] : []), ...breaksOf(this.#schemas, forms)];
    return {
      place: { at, name, forms, targets, breaks, members: new Map(), unnamed: new Map(), item: null },
      inner: { ...grown, within: [...grown.within, ...distinct] },
    };
  }

  *#grow({ place, inner }: Bud): Pieces<readonly Bud[]> {
    const members = yield* this.#membersOf(place.forms, inner);
    const unnamed = yield* this.#unnamedOf(place.forms, inner);
    const item = yield* this.#itemOf(place.forms, inner);
    for (const [name, member] of members) place.members.set(name, member.place);
    for (const [name, member] of unnamed) place.unnamed.set(name, member.place);
    place.item = item?.place ?? null;
    return [...members.values(), ...unnamed.values(), ...(item === null ? [] : [item])];
  }

  #branchesOf(at: string, conjunctions: readonly Conjunction[], perSchema: readonly (readonly Form[])[]) {
    const branches = conjunctions.flatMap((conjunction, index) => {
      const forms = (perSchema[index] ?? []).filter((form) => !isNull(form));
      return forms.length < 2 ? [] : forms.map((form) => ({ conjunction, form }));
    });
    if (branches.length > MAX_BRANCHES)
      this.cut.push({ at, kind: 'further branches', note: `${MAX_BRANCHES} branches at one place are told apart` });
    return branches
      .slice(0, MAX_BRANCHES)
      .map((branch, index): ValidTarget => ({ at, kind: `branch ${index + 1}`, test: { branch } }));
  }

  /** Targets that several forms name alike are told apart by the branch. */
  #valuesOf(at: string, forms: readonly Form[]): readonly ValidTarget[] {
    const targets = new Map<string, ValidTarget>();
    const texts = new Map<string, string>();
    for (const [index, form] of forms.slice(0, MAX_BRANCHES).entries()) {
      const note = `${MAX_LISTED} values of an enumeration are told apart`;
      if ((form.values?.length ?? 0) > MAX_LISTED) this.cut.push({ at, kind: 'further enum values', note });
      for (const { kind, form: narrowed } of narrowedAmong(forms, form)) {
        const text = sizeOf(narrowed);
        const isSame = !targets.has(kind) || texts.get(kind) === text;
        const named = isSame ? kind : `${kind} of branch ${index + 1}`;
        if (targets.has(named)) continue;
        targets.set(named, { at, kind: named, test: { form: narrowed } });
        texts.set(named, text);
      }
    }
    return [...targets.values()];
  }

  *#membersOf(forms: readonly Form[], place: Grown): Pieces<ReadonlyMap<string, Bud>> {
    const schemas = this.#schemas;
    const objects = forms.filter(({ types }) => types.includes('object'));
    const named = new Map(objects.map((form) => [form, new Set(namedMembers(form))]));
    const names = new Set([...named.values()].flatMap((own) => [...own]));
    const members = new Map<string, Bud>();
    for (const name of names) {
      // Nothing more is told apart, and that is told.
      if (this.#left < 0) break;
      yield;
      const speaking = objects.filter((form) => named.get(form)?.has(name) && isMember(schemas, form, name));
      if (speaking.length === 0) continue;
      const required = speaking.some((form) => schemas.required(form).includes(name));
      const optional = speaking.some((form) => !schemas.required(form).includes(name));
      const conjunctions = speaking.map((form) => schemas.member(form, name));
      const member = { ...place, at: appended(place.at, name), name, optional, required };
      const spot = this.#inside(conjunctions, member);
      if (spot !== null) members.set(name, spot);
    }
    return members;
  }

  /** Members of maps: one for each way in which they are described. */
  *#unnamedOf(forms: readonly Form[], place: Grown): Pieces<ReadonlyMap<string, Bud>> {
    const schemas = this.#schemas;
    const objects = forms.filter(({ types }) => types.includes('object'));
    const rules = new Map(objects.flatMap((form) => mapNames(schemas, form).map(({ name, rule }) => [name, rule])));
    const unnamed = new Map<string, Bud>();
    const known = new Set<Conjunction>();
    for (const [name, rule] of rules) {
      if (this.#left < 0) break;
      yield;
      const speaking = objects.filter((form) => speaksOfUnnamed(form, name) && isMember(schemas, form, name));
      const conjunctions = speaking.map((form) => schemas.member(form, name));
      if (conjunctions.every((one) => known.has(one))) continue;
      for (const one of conjunctions) known.add(one);
      const member = { ...place, at: appended(place.at, `{${rule}}`), name, optional: false, required: false };
      const spot = this.#inside(conjunctions, member);
      if (spot !== null) unnamed.set(name, spot);
    }
    return unnamed;
  }

  *#itemOf(forms: readonly Form[], place: Grown): Pieces<Bud | null> {
    if (this.#left < 0) return null;
    const lists = forms.filter(({ types, maxItems }) => types.includes('array') && maxItems > 0);
    const items = lists.map((form) => this.#schemas.all(itemSchemas(form, 0)));
    const conjunctions = items.filter(({ schemas }) => schemas.length > 0);
    if (conjunctions.length === 0) return null;
    return this.#inside(conjunctions, { ...place, at: `${place.at}/*`, optional: false, required: false });
  }

  /** The inner place, or null and the reason where the tree ends. */
  #inside(conjunctions: readonly Conjunction[], place: Grown): Bud | null {
    const { at, within } = place;
    const refuse = (note: string): null => {
      this.cut.push({ at, kind: 'this place and what is below', note });
      return null;
    };
    const recursive = conjunctions.some((one) => one.schemas.length > 0 && within.includes(one));
    if (recursive) return refuse('a schema that contains itself is followed once');
    if (at.split('/').length - 2 > MAX_DEPTH) return refuse(`places are told apart down to level ${MAX_DEPTH}`);
    this.#left -= 1;
    if (this.#left === -1)
      return refuse(`of one operation ${MAX_PLACES} places are told apart; this one and others are not`);
    return this.#left < 0 ? null : this.#bud(conjunctions, place);
  }
}

/** The forms of what requests may carry. */
function usable(schemas: Schemas, conjunction: Conjunction): readonly Form[] {
  if (conjunction.schemas.length === 0) return [];
  return schemas
    .forms(conjunction)
    .forms.filter(({ forbidden }) => !forbidden)
    .map((form) => bounded(schemas, form));
}

/** A list without repeated items holds no more of them than there are values. */
function bounded(schemas: Schemas, form: Form): Form {
  if (!form.unique || form.items.some(({ prefix }) => prefix.length > 0)) return form;
  const most = valuesIn(schemas, schemas.all(itemSchemas(form, 0)), MAX_WITHIN);
  return most > 0 && most < form.maxItems ? { ...form, maxItems: Math.max(most, form.minItems) } : form;
}

/** Levels within an item whose values are counted. */
const MAX_WITHIN = 3;

/** How many values there are, at most; Infinity where they are not counted. */
function valuesIn(schemas: Schemas, conjunction: Conjunction, levels: number): number {
  if (conjunction.schemas.length === 0) return Number.POSITIVE_INFINITY;
  return sum(schemas.forms(conjunction).forms.map((form) => valuesOfForm(schemas, form, levels)));
}

function valuesOfForm(schemas: Schemas, form: Form, levels: number): number {
  if (form.values !== null) return form.values.length;
  if (!form.typed) return Number.POSITIVE_INFINITY;
  return sum(
    form.types.map((type) => {
      if (type === 'null') return 1;
      if (type === 'boolean') return 2;
      if (type === 'number') return numbersIn(form);
      return type === 'object' && levels > 0 ? objectsIn(schemas, form, levels) : Number.POSITIVE_INFINITY;
    }),
  );
}

function numbersIn(form: Form): number {
  const grid = form.whole || form.multiples.length > 0 ? gridOf(form) : null;
  return grid === null ? Number.POSITIVE_INFINITY : grid.last - grid.first + 1;
}

/** Forms of objects without further members; a member that may be left out is a value more of it. */
function objectsIn(schemas: Schemas, form: Form, levels: number): number {
  if (!memberSchemas(form, 'assayUnknown').includes(false)) return Number.POSITIVE_INFINITY;
  const required = schemas.required(form);
  return namedMembers(form).reduce((product, name) => {
    const values = valuesIn(schemas, schemas.member(form, name), levels - 1);
    return product * (values + (required.includes(name) ? 0 : 1));
  }, 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The form's values by kind. What nullable or a branch of its own adds is a form that holds null alone. */
function narrowedAmong(forms: readonly Form[], form: Form): ReturnType<typeof narrowedForms> {
  return isNull(form) && forms.length > 1 ? [{ kind: 'null', form }] : narrowedForms(form);
}

/** Words that tell bounds of one kind apart. */
function sizeOf({ types, values, low, high, minLength, minItems }: Form): string {
  return JSON.stringify([types, values, low.value, high.value, minLength, minItems]);
}

/** Tells whether a request may have the member, which the form names. */
function isMember(schemas: Schemas, form: Form, name: string): boolean {
  return !memberSchemas(form, name).includes(false) && !schemas.isForbidden(form, name);
}

function speaksOfUnnamed(form: Form, name: string): boolean {
  return memberSchemas(form, name).length > 0 && !namedMembers(form).includes(name);
}

/** The place of an object's member: its own, or that of all members described as it is; null: nothing is said of it. */
export function memberPlace(schemas: Schemas, spot: InputPlace, name: string): InputPlace | null {
  const own = spot.members.get(name);
  if (own !== undefined) return own;
  const isAlike = (form: Form, other: string): boolean =>
    speaksOfUnnamed(form, name) && schemas.member(form, name) === schemas.member(form, other);
  for (const [other, place] of spot.unnamed) if (spot.forms.some((form) => isAlike(form, other))) return place;
  return null;
}

/** All places of the tree, the outer before the inner. */
export function spotsOf(spot: InputPlace): readonly InputPlace[] {
  const inner = [...spot.members.values(), ...spot.unnamed.values(), ...(spot.item === null ? [] : [spot.item])];
  return [spot, ...inner.flatMap(spotsOf)];
}
