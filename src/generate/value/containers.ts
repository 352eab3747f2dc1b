// Objects and arrays of a form: which members they have, how many items, and what each of them holds. Some items are there
// for `contains`, and they differ where they must.
import { plural } from '../../contract/numbers.ts';
import { escapeToken, textOf } from '../../openapi/json.ts';
import { CannotGenerate } from '../cannot-generate.ts';
import { isNameOf } from '../schema/conforms.ts';
import { type Containing, type Form, itemSchemas, namedMembers } from '../schema/form.ts';
import { fits } from '../schema/heights.ts';
import type { Conjunction } from '../schema/schemas.ts';
import { inventedName, mapNames } from './invented-names.ts';
import type { Draws, Place } from './place.ts';

type Members = Readonly<Record<string, unknown>>;

const MAX_NAMES = 20;

/** `hint`: members of an example. Throws CannotGenerate. */
export function objectOf(drawing: Draws, form: Form, place: Place, hint: Members): Record<string, unknown> {
  const names = namesOf(drawing, form, place, hint);
  drawing.members += names.length;
  const entries = names.map((name) => {
    const member = drawing.schemas.member(form, name);
    const inner = drawing.inner(place, member, escapeToken(name), name);
    return [name, drawing.value(member, inner, Object.hasOwn(hint, name) ? hint[name] : undefined)] as const;
  });
  return Object.fromEntries(entries);
}

/** The members to draw, in the order described. */
function namesOf(drawing: Draws, form: Form, place: Place, hint: Members): readonly string[] {
  const { schemas } = drawing;
  const named = namedMembers(form);
  const chosen = new Set(schemas.required(form));
  const isPossible = (name: string): boolean => canHold(drawing, form, place, name);
  const add = (name: string): void => {
    const more = [name, ...neededBy(form, name)].filter((one) => !chosen.has(one));
    if (chosen.size + more.length <= form.maxProperties && more.every(isPossible))
      for (const one of more) chosen.add(one);
  };
  for (const needed of [...chosen].flatMap((name) => neededBy(form, name))) chosen.add(needed);
  if (drawing.isGenerous(place)) for (const name of [...Object.keys(hint), ...named]) add(name);
  for (const name of named) if (chosen.size < form.minProperties) add(name);
  const isMap =
    named.length === 0 && chosen.size === 0 && drawing.isGenerous(place) && mapNames(schemas, form).length > 0;
  const wanted = Math.max(form.minProperties, isMap ? 1 : 0);
  for (let attempt = 0; attempt < wanted + MAX_NAMES && chosen.size < wanted; attempt += 1) {
    const name = inventedName(schemas, form, drawing.chance, attempt);
    if (name !== null) add(name);
  }
  if (chosen.size < form.minProperties)
    throw new CannotGenerate(
      `${place.pointer || 'the value'}: no ${plural(form.minProperties, 'member')} can be found for it`,
    );
  const isNamed = new Set(named);
  return [...named.filter((name) => chosen.has(name)), ...[...chosen].filter((name) => !isNamed.has(name))];
}

/** Names that dependentRequired asks for beside the member, at any remove. */
function neededBy({ dependents }: Form, name: string): readonly string[] {
  const needed = new Set([name]);
  for (const one of needed) {
    for (const [trigger, names] of dependents) if (trigger === one) for (const more of names) needed.add(more);
  }
  needed.delete(name);
  return [...needed];
}

/** Tells whether an optional member may be there and some value for it is shallow enough. */
function canHold(drawing: Draws, form: Form, place: Place, name: string): boolean {
  const { schemas } = drawing;
  if (schemas.isForbidden(form, name) || !isNameOf(schemas, form, name)) return false;
  const member = schemas.member(form, name);
  return fits(schemas, member, drawing.roomBelow(place, member));
}

const MAX_DRAWS = 24;
const NONE = Symbol('none');
const MAX_ITEMS = 20;

/** `hint`: items of an example; null: none. Throws CannotGenerate. */
export function arrayOf(drawing: Draws, form: Form, place: Place, hint: readonly unknown[] | null): unknown[] {
  const witnesses = witnessesOf(drawing, form, place);
  const count = countOf(drawing, form, place, hint, witnesses.length);
  const items: unknown[] = [];
  const texts = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const conjunction = placeOf(drawing, form, index, witnesses);
    const inner = drawing.inner(place, conjunction, '*');
    const item = form.unique
      ? newItem(drawing, conjunction, inner, hint?.[index], texts)
      : drawing.value(conjunction, inner, hint?.[index]);
    if (item === NONE && index >= form.minItems) break;
    if (item === NONE) throw new CannotGenerate(`at ${place.pointer}/${index}: no item unlike those before was found`);
    texts.add(textOf(item));
    items.push(item);
  }
  return items;
}

/** An item unlike those before; NONE where none was found. */
function newItem(
  drawing: Draws,
  conjunction: Conjunction,
  place: Place,
  hint: unknown,
  texts: ReadonlySet<string>,
): unknown {
  const { forms } = drawing.schemas.forms(conjunction);
  const listed = forms.length === 1 ? forms[0]?.values?.find((value) => !texts.has(textOf(value))) : undefined;
  const first = drawing.value(conjunction, place, hint);
  if (!texts.has(textOf(first))) return first;
  if (listed !== undefined) return listed;
  for (let attempt = 0; attempt < MAX_DRAWS; attempt += 1) {
    const item = drawing.withoutExamples(attempt % 4 === 3).value(conjunction, place, undefined);
    if (!texts.has(textOf(item))) return item;
  }
  return NONE;
}

/** For every item that is there for the sake of `contains`, which of them it satisfies, by index. */
function witnessesOf(drawing: Draws, form: Form, place: Place): readonly (readonly Containing[])[] {
  const witnesses: Containing[][] = [];
  for (const one of form.contains) {
    let found = 0;
    const last = Math.min(form.maxItems, Math.max(form.minItems, witnesses.length) + one.min + longestPrefix(form));
    for (let index = 0; found < one.min && index < last; index += 1) {
      const both = [...(witnesses[index] ?? []), one];
      const conjunction = drawing.schemas.all(itemSchemas(form, index, both));
      if (!fits(drawing.schemas, conjunction, drawing.roomBelow(place, conjunction))) continue;
      witnesses[index] = both;
      found += 1;
    }
  }
  return Array.from(witnesses, (one) => one ?? []);
}

function longestPrefix({ items }: Form): number {
  return Math.max(0, ...items.map(({ prefix }) => prefix.length));
}

/** As many items as the example has, else one; more where they are asked for, fewer where they cannot be drawn. */
function countOf(drawing: Draws, form: Form, place: Place, hint: readonly unknown[] | null, least: number): number {
  const wanted = hint === null ? (drawing.isRoomy(place) ? 1 : 0) : Math.min(hint.length, MAX_ITEMS);
  const prefix = drawing.isRoomy(place) && hint === null ? longestPrefix(form) : 0;
  const count = Math.min(Math.max(form.minItems, wanted, prefix, least), form.maxItems);
  for (let index = form.minItems; index < count; index += 1) {
    const conjunction = drawing.schemas.all(itemSchemas(form, index));
    if (index >= least && !fits(drawing.schemas, conjunction, drawing.roomBelow(place, conjunction))) return index;
  }
  return count;
}

/** Place of an item: one that is no witness of a `contains` with an upper bound must not satisfy it by chance. */
function placeOf(
  { schemas }: Draws,
  form: Form,
  index: number,
  witnesses: readonly (readonly Containing[])[],
): Conjunction {
  const witness = witnesses[index] ?? [];
  const limited = form.contains.filter((one) => !witness.includes(one) && Number.isFinite(one.max));
  const plain = itemSchemas(form, index, witness);
  const apart = schemas.all([...plain, ...limited.map(({ schema }) => schemas.negated(schema))]);
  return schemas.forms(apart).forms.length > 0 ? apart : schemas.all(plain);
}
