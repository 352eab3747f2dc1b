// Finds the targets of a form. The narrower forms whose values are worth a request each: bounds, listed values, null,
// empty and long. And the keywords that a value can break, as spoilers break them: one at a time, and told by the
// validator.
import { isOfFormat } from '../../openapi/schema/formats.ts';
import { type Form, JSON_TYPES, type JsonType, memberSchemas, namedMembers } from '../schema/form.ts';
import { gridOf } from '../schema/numbers.ts';
import type { Schemas } from '../schema/schemas.ts';

interface Narrowed {
  readonly kind: string;
  /** A value exercises the target exactly when it takes this form. */
  readonly form: Form;
}

/** A text without an upper bound is tried with so many characters, a list with so many items. */
const LONG_TEXT_CHARS = 1_000;
const MANY_ITEMS = 20;
/** Items of a list that shows more than one: a server may be right for one item and wrong for several. */
const FEW_ITEMS = 2;
/** Members of a map at an upper bound beyond this are not made. */
const MAX_MADE_MEMBERS = 20;
/** A time as it is told where clocks are late or early. */
const OTHER_ZONE = '[+-](0[1-9]|1[0-2]):[0-5][0-9]$';
/** Texts and lists at an upper bound beyond these are not made. */
const [LONGEST_MADE_TEXT, LONGEST_MADE_LIST] = [10_000, 200];
/** Values of an enumeration that are told apart. */
export const MAX_LISTED = 100;
const MAX_SHOWN_CHARS = 60;

/** The narrower forms of a form; empty where it admits one value alone, or says nothing of its type. */
export function narrowedForms(form: Form): readonly Narrowed[] {
  if (form.values !== null) return form.values.length < 2 ? [] : listed(form, form.values);
  if (!form.typed) return [];
  const others = form.types.filter((type) => type !== 'null');
  return form.types.flatMap((type) => {
    const one = { ...form, types: [type] };
    if (type === 'null') return others.length === 0 ? [] : [{ kind: 'null', form: one }];
    const apart = others.length > 1 ? [{ kind: `type ${type}`, form: one }] : [];
    return [...apart, ...narrowedByType(one, type)];
  });
}

function listed(form: Form, values: readonly unknown[]): readonly Narrowed[] {
  return values.slice(0, MAX_LISTED).map((value) => ({
    kind: value === null ? 'null' : `enum value ${shown(value)}`,
    form: { ...form, values: [value] },
  }));
}

/** The value as a kind names it; long ones are cut. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

function narrowedByType(form: Form, type: JsonType): readonly Narrowed[] {
  switch (type) {
    case 'boolean':
      return [true, false].map((value) => ({ kind: String(value), form: { ...form, values: [value] } }));
    case 'number':
      return narrowedNumbers(form);
    case 'string':
      return narrowedTexts(form);
    case 'array':
      return narrowedLists(form);
    case 'object':
      return narrowedMaps(form);
    default:
      return [];
  }
}

function narrowedNumbers(form: Form): readonly Narrowed[] {
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
    ...(form.whole ? [] : [{ kind: 'whole number', form: { ...form, whole: true } }]),
  ];
}

function narrowedTexts(form: Form): readonly Narrowed[] {
  const { minLength: min, maxLength: max } = form;
  const exactly = (kind: string, length: number): Narrowed => ({
    kind,
    form: { ...form, minLength: length, maxLength: length },
  });
  const isFree = form.formats.every((format) => isOfFormat(format, '')) && form.patterns.length === 0;
  const isBounded = max <= LONGEST_MADE_TEXT;
  const isTime = form.formats.includes('date-time');
  return [
    ...(isTime ? [{ kind: 'in another zone', form: { ...form, patterns: [...form.patterns, OTHER_ZONE] } }] : []),
    ...(min > 0 ? [exactly('minimum length', min)] : isFree ? [exactly('empty', 0)] : []),
    ...(min > 0 && min + 1 < max ? [exactly('just above minimum length', min + 1)] : []),
    ...(isBounded && max - 1 > min + (min > 0 ? 1 : 0) ? [exactly('just below maximum length', max - 1)] : []),
    ...(isBounded && max > min ? [exactly('maximum length', max)] : []),
    ...(!isBounded && isFree ? [{ kind: 'long', form: { ...form, minLength: Math.max(min, LONG_TEXT_CHARS) } }] : []),
  ];
}

/** Two targets for members without a name: as many as there may be, and none. */
function narrowedMaps(form: Form): readonly Narrowed[] {
  const { minProperties: min, maxProperties: max } = form;
  if (namedMembers(form).length > 0 || memberSchemas(form, 'assayUnknown').includes(false)) return [];
  return [
    ...(min === 0 ? [{ kind: 'empty', form: { ...form, maxProperties: 0 } }] : []),
    ...(max <= MAX_MADE_MEMBERS && max > min
      ? [{ kind: 'maximum members', form: { ...form, minProperties: max } }]
      : []),
  ];
}

function narrowedLists(form: Form): readonly Narrowed[] {
  const { minItems: min, maxItems: max } = form;
  const exactly = (kind: string, items: number): Narrowed => ({
    kind,
    form: { ...form, minItems: items, maxItems: items },
  });
  return [
    exactly(min === 0 ? 'empty' : 'minimum items', min),
    ...(min < FEW_ITEMS && max > FEW_ITEMS ? [exactly(`${FEW_ITEMS} items`, FEW_ITEMS)] : []),
    ...(max >= MANY_ITEMS && min < MANY_ITEMS
      ? [{ kind: `${MANY_ITEMS} items`, form: { ...form, minItems: MANY_ITEMS } }]
      : []),
    ...(max <= LONGEST_MADE_LIST && max > min ? [exactly('maximum items', max)] : []),
  ];
}

/** Longer texts and lists and larger objects are not sent to break an upper bound. */
const [LONGEST_BROKEN_TEXT, LONGEST_BROKEN_LIST, LARGEST_BROKEN_OBJECT] = [10_000, 1_000, 100];
const SAME_KEYWORD: Readonly<Record<string, string>> = {
  const: 'enum',
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
  unevaluatedProperties: 'additionalProperties',
};

/** The keyword under the name that stands for all that say the same: "minimum" for "exclusiveMinimum". */
export function breakKind(keyword: string): string {
  return `breaks ${SAME_KEYWORD[keyword] ?? keyword}`;
}

/** The kinds of breaks that a place with these forms has; "required" is told by its parent. */
export function breaksOf(schemas: Schemas, forms: readonly Form[]): readonly string[] {
  const isTyped = forms.length > 0 && forms.every(({ typed }) => typed);
  const types = new Set(forms.flatMap((form) => form.types));
  const isTag = forms.every(({ values }) => values?.length === 1);
  const type = isTyped && !isTag && types.size < JSON_TYPES.length ? ['type'] : [];
  return [
    ...new Set([...type, ...forms.flatMap((form) => keywordsOf(schemas, form, isTag || forms.length === 1))]),
  ].map(breakKind);
}

/** `isWhole`: no other form of the place admits what this one does not. */
function keywordsOf(schemas: Schemas, form: Form, isWhole: boolean): readonly string[] {
  if (form.values !== null) return (isWhole || form.values.length > 1) && isScalar(form) ? ['enum'] : [];
  return form.types.length > 1 && !form.typed
    ? []
    : form.types.flatMap((type) => {
        if (type === 'string') return textKeywords(form);
        if (type === 'number') return numberKeywords(form);
        if (type === 'object') return objectKeywords(schemas, form);
        return type === 'array' ? listKeywords(form) : [];
      });
}

function isScalar({ types }: Form): boolean {
  return types.includes('string') || types.includes('number');
}

function textKeywords(form: Form): readonly string[] {
  return [
    ...(form.minLength > 0 ? ['minLength'] : []),
    ...(form.maxLength < LONGEST_BROKEN_TEXT ? ['maxLength'] : []),
    ...(form.patterns.length > 0 ? ['pattern'] : []),
    ...(form.formats.some((format) => !isOfFormat(format, 'assay not formatted')) ? ['format'] : []),
  ];
}

function numberKeywords({ low, high, multiples }: Form): readonly string[] {
  return [
    ...(Number.isFinite(low.value) ? ['minimum'] : []),
    ...(Number.isFinite(high.value) ? ['maximum'] : []),
    ...(multiples.length > 0 ? ['multipleOf'] : []),
  ];
}

function listKeywords(form: Form): readonly string[] {
  return [
    ...(form.minItems > 0 ? ['minItems'] : []),
    ...(form.maxItems <= LONGEST_BROKEN_LIST && !form.unique ? ['maxItems'] : []),
    ...(form.unique ? ['uniqueItems'] : []),
  ];
}

function objectKeywords(schemas: Schemas, form: Form): readonly string[] {
  const required = schemas.required(form);
  return [
    ...(form.minProperties > required.length ? ['minProperties'] : []),
    ...(form.maxProperties <= LARGEST_BROKEN_OBJECT ? ['maxProperties'] : []),
    ...(memberSchemas(form, 'assayUnknown').includes(false) ? ['additionalProperties'] : []),
    ...(form.dependents.some(([, needed]) => needed.some((name) => !required.includes(name)))
      ? ['dependentRequired']
      : []),
  ];
}
