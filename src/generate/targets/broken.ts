// Which keywords a value at a place can break, as spoilers break them: one at a time, and told by the validator.
import { isOfFormat } from '../../openapi/schema/formats.ts';
import { type Form, JSON_TYPES } from '../schema/form.ts';

/** Longer texts and lists are not sent to break an upper bound. */
const [LONGEST_TEXT, LONGEST_LIST] = [10_000, 1_000];
const SAME: Readonly<Record<string, string>> = {
  const: 'enum',
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
};

/** The keyword under the name that stands for all that say the same: "minimum" for "exclusiveMinimum". */
export function breakKind(keyword: string): string {
  return `breaks ${SAME[keyword] ?? keyword}`;
}

/** The kinds of breaks that a place with these forms has; "required" is told by its parent. */
export function breaksOf(forms: readonly Form[]): readonly string[] {
  const isTyped = forms.length > 0 && forms.every(({ typed }) => typed);
  const types = new Set(forms.flatMap((form) => form.types));
  const isTag = forms.every(({ values }) => values?.length === 1);
  const type = isTyped && !isTag && types.size < JSON_TYPES.length ? ['type'] : [];
  return [...new Set([...type, ...forms.flatMap((form) => keywordsOf(form, forms.length === 1))])].map(breakKind);
}

function keywordsOf(form: Form, isOnly: boolean): readonly string[] {
  // A tag picks the branch of a union: another value is another branch's business.
  if (form.values !== null) return (isOnly || form.values.length > 1) && isScalar(form) ? ['enum'] : [];
  return form.types.length > 1 && !form.typed
    ? []
    : form.types.flatMap((type) => {
        if (type === 'string') return ofText(form);
        if (type === 'number') return ofNumber(form);
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
