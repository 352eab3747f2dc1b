// Splits a form into the narrower forms whose values are worth a request each: bounds, listed values, null, empty and long.
import { isOfFormat } from '../../openapi/schema/formats.ts';
import type { Form, JsonType } from '../schema/form.ts';
import { gridOf } from '../schema/numbers.ts';

export interface Narrowed {
  readonly kind: string;
  /** A value exercises the target exactly when it takes this form. */
  readonly form: Form;
}

/** A text without an upper bound is tried with so many characters, a list with so many items. */
export const LONG_TEXT = 1_000;
export const MANY_ITEMS = 20;
/** Texts and lists at an upper bound beyond these are not made. */
const [LONGEST_TEXT, LONGEST_LIST] = [10_000, 200];
/** Of an enumeration so many values are told apart. */
export const MOST_LISTED = 100;
const SHOWN = 60;

/** The narrower forms of a form; empty where it admits one value alone, or says nothing of its type. */
export function narrowedForms(form: Form): readonly Narrowed[] {
  if (form.values !== null) return form.values.length < 2 ? [] : listed(form, form.values);
  if (!form.typed) return [];
  const others = form.types.filter((type) => type !== 'null');
  return form.types.flatMap((type) => {
    const one = { ...form, types: [type] };
    if (type === 'null') return others.length === 0 ? [] : [{ kind: 'null', form: one }];
    const apart = others.length > 1 ? [{ kind: `type ${type}`, form: one }] : [];
    return [...apart, ...ofType(one, type)];
  });
}

function listed(form: Form, values: readonly unknown[]): readonly Narrowed[] {
  return values.slice(0, MOST_LISTED).map((value) => ({
    kind: value === null ? 'null' : `enum value ${shown(value)}`,
    form: { ...form, values: [value] },
  }));
}

/** The value as a kind names it; long ones are cut. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function ofType(form: Form, type: JsonType): readonly Narrowed[] {
  switch (type) {
    case 'boolean':
      return [true, false].map((value) => ({ kind: String(value), form: { ...form, values: [value] } }));
    case 'number':
      return ofNumber(form);
    case 'string':
      return ofText(form);
    case 'array':
      return ofList(form);
    default:
      return [];
  }
}

function ofNumber(form: Form): readonly Narrowed[] {
  const grid = gridOf(form);
  if (grid === null) return [];
  const at = (kind: string, k: number): Narrowed => {
    const bound = { value: grid.at(k), open: false };
    return { kind, form: { ...form, low: bound, high: bound } };
  };
  const [hasLow, hasHigh] = [Number.isFinite(form.low.value), Number.isFinite(form.high.value)];
  const { first, last } = grid;
  return [
    ...(hasLow ? [at('minimum', first)] : []),
    ...(hasLow && first + 1 < last ? [at('just above minimum', first + 1)] : []),
    ...(hasHigh && last - 1 > first && !(hasLow && last - 1 === first + 1) ? [at('just below maximum', last - 1)] : []),
    ...(hasHigh && !(hasLow && last === first) ? [at('maximum', last)] : []),
  ];
}

function ofText(form: Form): readonly Narrowed[] {
  const { minLength: min, maxLength: max } = form;
  const exactly = (kind: string, length: number): Narrowed => ({
    kind,
    form: { ...form, minLength: length, maxLength: length },
  });
  const isFree = form.formats.every((format) => isOfFormat(format, '')) && form.patterns.length === 0;
  const isBounded = max <= LONGEST_TEXT;
  return [
    ...(min > 0 ? [exactly('minimum length', min)] : isFree ? [exactly('empty', 0)] : []),
    ...(min > 0 && min + 1 < max ? [exactly('just above minimum length', min + 1)] : []),
    ...(isBounded && max - 1 > min + (min > 0 ? 1 : 0) ? [exactly('just below maximum length', max - 1)] : []),
    ...(isBounded && max > min ? [exactly('maximum length', max)] : []),
    ...(!isBounded && isFree ? [{ kind: 'long', form: { ...form, minLength: Math.max(min, LONG_TEXT) } }] : []),
  ];
}

function ofList(form: Form): readonly Narrowed[] {
  const { minItems: min, maxItems: max } = form;
  const exactly = (kind: string, items: number): Narrowed => ({
    kind,
    form: { ...form, minItems: items, maxItems: items },
  });
  return [
    exactly(min === 0 ? 'empty' : 'minimum items', min),
    ...(max >= MANY_ITEMS && min < MANY_ITEMS
      ? [{ kind: `${MANY_ITEMS} items`, form: { ...form, minItems: MANY_ITEMS } }]
      : []),
    ...(max <= LONGEST_LIST && max > min ? [exactly('maximum items', max)] : []),
  ];
}
