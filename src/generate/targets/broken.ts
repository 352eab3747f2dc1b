// Which keywords a value at a place can break, as spoilers break them: one at a time, and told by the validator.
import { isOfFormat } from '../../openapi/schema/formats.ts';
import { type Form, JSON_TYPES, memberSchemas } from '../schema/form.ts';
import type { Schemas } from '../schema/schemas.ts';

/** Longer texts and lists and larger objects are not sent to break an upper bound. */
const [LONGEST_TEXT, LONGEST_LIST, LONGEST_OBJECT] = [10_000, 1_000, 100];
const SAME: Readonly<Record<string, string>> = {
  const: 'enum',
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
  unevaluatedProperties: 'additionalProperties',
};

/** The keyword under the name that stands for all that say the same: "minimum" for "exclusiveMinimum". */
export function breakKind(keyword: string): string {
  return `breaks ${SAME[keyword] ?? keyword}`;
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
        if (type === 'string') return ofText(form);
        if (type === 'number') return ofNumber(form);
        if (type === 'object') return ofObject(schemas, form);
        return type === 'array' ? ofList(form) : [];
      });
}

function isScalar({ types }: Form): boolean {
  return types.includes('string') || types.includes('number');
}

function ofText(form: Form): readonly string[] {
  return [
    ...(form.minLength > 0 ? ['minLength'] : []),
    ...(form.maxLength < LONGEST_TEXT ? ['maxLength'] : []),
    ...(form.patterns.length > 0 ? ['pattern'] : []),
    ...(form.formats.some((format) => !isOfFormat(format, 'assay not formatted')) ? ['format'] : []),
  ];
}

function ofNumber({ low, high, multiples }: Form): readonly string[] {
  return [
    ...(Number.isFinite(low.value) ? ['minimum'] : []),
    ...(Number.isFinite(high.value) ? ['maximum'] : []),
    ...(multiples.length > 0 ? ['multipleOf'] : []),
  ];
}

function ofList(form: Form): readonly string[] {
  return [
    ...(form.minItems > 0 ? ['minItems'] : []),
    ...(form.maxItems <= LONGEST_LIST && !form.unique ? ['maxItems'] : []),
    ...(form.unique ? ['uniqueItems'] : []),
  ];
}

function ofObject(schemas: Schemas, form: Form): readonly string[] {
  const required = schemas.required(form);
  return [
    ...(form.minProperties > required.length ? ['minProperties'] : []),
    ...(form.maxProperties <= LONGEST_OBJECT ? ['maxProperties'] : []),
    ...(memberSchemas(form, 'assayUnknown').includes(false) ? ['additionalProperties'] : []),
    ...(form.dependents.some(([, needed]) => needed.some((name) => !required.includes(name)))
      ? ['dependentRequired']
      : []),
  ];
}
