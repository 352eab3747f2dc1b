// Values that break one keyword of a form and obey all others: what lies just outside its bounds.
import { plural } from '../contract/numbers.ts';
import { isObject } from '../openapi/json.ts';
import { isOfFormat } from '../openapi/schema/formats.ts';
import { CannotGenerate } from './cannot-generate.ts';
import type { Chance } from './chance.ts';
import { isNumberOf, isStringOf } from './schema/conforms.ts';
import { type Bound, type Form, memberSchemas } from './schema/form.ts';
import { gridOf } from './schema/numbers.ts';
import type { Schemas } from './schema/schemas.ts';
import { numberOf, stringOf } from './value/scalars.ts';

export interface Outside {
  /** The keywords that say the same: "minimum", "exclusiveMinimum"; null: whatever says that the member is needed. */
  readonly keywords: readonly string[] | null;
  /** After the name of what is spoiled: "is longer than 3". */
  readonly what: string;
  readonly value: unknown;
  /** The one member that `value` is of; undefined as its value: it is left out. Absent: `value` stands for the whole. */
  readonly member?: string;
}

/** Longer texts and lists are not sent. */
const [MAX_TEXT_CHARS, MAX_LIST_ITEMS, MAX_OBJECT_MEMBERS] = [10_000, 1_000, 100];
const UNKNOWN_MEMBER = 'assayUnknown';
const UNKNOWN = {
  keywords: ['additionalProperties', 'unevaluatedProperties'],
  what: `has the member ${UNKNOWN_MEMBER}, which is not described`,
};
const [UNBOUND_LOW, UNBOUND_HIGH]: readonly [Bound, Bound] = [
  { value: Number.NEGATIVE_INFINITY, open: false },
  { value: Number.POSITIVE_INFINITY, open: false },
];
const NOT_LISTED = ['enum', 'const'];
/** Numbers looked at for one that is no multiple. */
const MAX_TRIES = 20;

/** In the order: listed values, lengths and bounds, form. `value` takes the form. */
export function outside(schemas: Schemas, form: Form, value: unknown, chance: Chance): readonly Outside[] {
  if (form.values !== null) return unlisted(form, value, chance);
  if (typeof value === 'string') return outsideText(form, chance);
  if (typeof value === 'number') return outsideNumber(form);
  if (Array.isArray(value)) return outsideList(form, value);
  return isObject(value) ? outsideObject(schemas, form, value) : [];
}

function unlisted(form: Form, value: unknown, chance: Chance): readonly Outside[] {
  const free = { ...form, values: null, excluded: [...form.excluded, ...(form.values ?? [])] };
  const what = 'is not one of the enumerated values';
  if (typeof value === 'string') return some(NOT_LISTED, what, text(free, chance, 'assay-not-listed'));
  if (typeof value !== 'number') return [];
  return some(
    NOT_LISTED,
    what,
    orNull(() => numberOf(free, chance)),
  );
}

function outsideText(form: Form, chance: Chance): readonly Outside[] {
  const { minLength: min, maxLength: max } = form;
  const short = { ...form, minLength: 0, maxLength: min - 1 };
  const long = { ...form, minLength: max + 1, maxLength: max + 1 };
  return [
    ...(min > 0 ? some(['minLength'], `is shorter than ${min}`, text(short, chance, 'a'.repeat(min - 1))) : []),
    ...(max < MAX_TEXT_CHARS
      ? some(['maxLength'], `is longer than ${max}`, text(long, chance, 'a'.repeat(max + 1)))
      : []),
    ...form.patterns.flatMap((pattern) => {
      const patterns = form.patterns.filter((one) => one !== pattern);
      const other = { ...form, patterns, antipatterns: [...form.antipatterns, pattern] };
      return some(['pattern'], 'does not match its pattern', text(other, chance, '\u00a7 assay \u00a7'));
    }),
    ...form.formats.flatMap((format) => {
      const other = { ...form, formats: form.formats.filter((one) => one !== format) };
      const found = text(other, chance, 'assay not formatted');
      return found === null || isOfFormat(format, found) ? [] : some(['format'], `is not of format ${format}`, found);
    }),
  ];
}

function outsideNumber(form: Form): readonly Outside[] {
  const { low, high, multiples } = form;
  const under = gridOf({ ...form, low: UNBOUND_LOW, high: { value: low.value, open: !low.open } });
  const over = gridOf({ ...form, high: UNBOUND_HIGH, low: { value: high.value, open: !high.open } });
  const isBound = ({ value }: Bound): boolean => Number.isFinite(value);
  return [
    ...(isBound(low) ? some(['minimum', 'exclusiveMinimum'], `is ${below(low)}`, under?.at(under.last) ?? null) : []),
    ...(isBound(high) ? some(['maximum', 'exclusiveMaximum'], `is ${above(high)}`, over?.at(over.first) ?? null) : []),
    ...multiples.flatMap((step) => {
      const others = multiples.filter((one) => one !== step);
      const halves = { ...form, multiples: form.whole ? others : [...others, step / 2] };
      return some(['multipleOf'], `is not a multiple of ${step}`, noMultiple(form, halves));
    }),
  ];
}

function below({ value, open }: Bound): string {
  return open ? `not above ${value}` : `below ${value}`;
}

function above({ value, open }: Bound): string {
  return open ? `not below ${value}` : `above ${value}`;
}

function noMultiple(form: Form, other: Form): number | null {
  const grid = gridOf(other);
  for (let k = grid?.first ?? 0; grid !== null && k <= Math.min(grid.last, grid.first + MAX_TRIES); k += 1) {
    if (isNumberOf(other, grid.at(k)) && !isNumberOf(form, grid.at(k))) return grid.at(k);
  }
  return null;
}

function outsideList(form: Form, value: readonly unknown[]): readonly Outside[] {
  const { minItems: min, maxItems: max, unique } = form;
  const more = Array.from({ length: Math.min(max, MAX_LIST_ITEMS) + 1 }, (_, index) => value[index % value.length]);
  const twice = [...value.slice(0, max - 1), value[0]];
  const isFull = value.length > 0 && max <= MAX_LIST_ITEMS && !unique;
  return [
    ...(min > 0 ? some(['minItems'], `has fewer than ${plural(min, 'item')}`, value.slice(0, min - 1)) : []),
    ...(isFull ? some(['maxItems'], `has more than ${plural(max, 'item')}`, more) : []),
    ...(unique && twice.length > 1 ? some(['uniqueItems'], 'has an item twice', twice) : []),
  ];
}

function outsideObject(schemas: Schemas, form: Form, value: Readonly<Record<string, unknown>>): readonly Outside[] {
  const { minProperties: min, maxProperties: max } = form;
  const required = schemas.required(form);
  const named = Object.entries(value).toSorted(
    ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
  );
  const isFull = max <= MAX_OBJECT_MEMBERS && named.length <= max;
  const more = Array.from(
    { length: isFull ? max + 1 - named.length : 0 },
    (_, index) => [`assay${index}`, named[0]?.[1] ?? 'assay'] as const,
  );
  const isClosed = memberSchemas(form, UNKNOWN_MEMBER).includes(false) && named.length < max;
  return [
    ...(min > required.length
      ? some(['minProperties'], `has fewer than ${plural(min, 'member')}`, Object.fromEntries(named.slice(0, min - 1)))
      : []),
    ...(isFull
      ? some(['maxProperties'], `has more than ${plural(max, 'member')}`, Object.fromEntries([...named, ...more]))
      : []),
    ...(isClosed ? [{ ...UNKNOWN, value: 'assay', member: UNKNOWN_MEMBER }] : []),
    ...form.dependents.flatMap(([name, needed]): readonly Outside[] => {
      const left = needed.find((one) => Object.hasOwn(value, one) && !required.includes(one));
      if (left === undefined || !Object.hasOwn(value, name)) return [];
      const what = `lacks ${left}, which is required beside ${name}`;
      return [{ keywords: null, what, value: undefined, member: left }];
    }),
  ];
}

/** The plain text where it obeys the form, else one drawn; null where none is found. */
function text(form: Form, chance: Chance, plain: string): string | null {
  return isStringOf(form, plain) && !form.excluded.includes(plain) ? plain : orNull(() => stringOf(form, chance));
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof CannotGenerate) return null;
    throw error;
  }
}

function some(keywords: readonly string[], what: string, value: unknown): readonly Outside[] {
  return value === null ? [] : [{ keywords, what, value }];
}
