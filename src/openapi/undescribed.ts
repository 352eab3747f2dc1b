// Properties of a value that its schema allows without mentioning them: drift between description and service (SCH-09).
import { appended, asArray, asObject, isObject, type JsonObject } from './json.ts';
import type { SchemaHandle } from './operation.ts';
import { type Located, member, type References } from './references.ts';
import type { Validators } from './validators.ts';

/** JSON pointers, each once, in the order of the value. A schema that mentions no property describes nothing and yields none. */
export function undescribedIn(
  schema: SchemaHandle,
  value: unknown,
  references: References,
  validators: Validators,
): string[] {
  return new Search(references, validators).in([schema], value, '');
}

class Search {
  private readonly references: References;
  private readonly validators: Validators;

  constructor(references: References, validators: Validators) {
    this.references = references;
    this.validators = validators;
  }

  /** `schemas` all apply to the value. */
  in(schemas: readonly Located[], value: unknown, pointer: string): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const applicable = schemas.flatMap((schema) => this.applicable(schema, value));
    if (Array.isArray(value)) {
      return value.flatMap((item, index) => this.in(itemSchemas(applicable, index), item, appended(pointer, index)));
    }
    const described = applicable.some(
      ({ value: schema }) => Object.keys(asObject(asObject(schema).properties)).length > 0,
    );
    return Object.entries(value).flatMap(([name, inner]) => {
      const place = appended(pointer, name);
      const mentioning = propertySchemas(applicable, name);
      if (mentioning.length > 0) return this.in(mentioning, inner, place);
      return described ? [place] : [];
    });
  }

  /** The schema, what it refers to, and those of its parts that the value meets. */
  private applicable(schema: Located, value: unknown, passed: readonly unknown[] = []): Located[] {
    const raw = schema.value;
    if (!isObject(raw) || passed.includes(raw)) return [];
    const parts = this.parts(schema, raw, value).flatMap((part) => this.applicable(part, value, [...passed, raw]));
    return typeof raw.$ref === 'string' && this.references.dialect === '3.0' ? parts : [schema, ...parts];
  }

  private parts(schema: Located, raw: JsonObject, value: unknown): Located[] {
    const target = typeof raw.$ref === 'string' ? this.references.target(raw.$ref) : null;
    if (target !== null && this.references.dialect === '3.0') return [target];
    const listed = (keyword: string) => asArray(raw[keyword]).map((_, index) => member(schema, keyword, index));
    const met = (part: Located) => this.meets(part, value);
    const branch = 'if' in raw ? [member(schema, met(member(schema, 'if')) ? 'then' : 'else')] : [];
    const dependent = Object.keys(asObject(raw.dependentSchemas)).filter((name) =>
      Object.hasOwn(value as object, name),
    );
    return [
      ...(target === null ? [] : [target]),
      ...listed('allOf'),
      ...[...listed('oneOf'), ...listed('anyOf')].filter(met),
      ...('if' in raw && met(member(schema, 'if')) ? [member(schema, 'if')] : []),
      ...branch,
      ...dependent.map((name) => member(schema, 'dependentSchemas', name)),
    ];
  }

  private meets(schema: Located, value: unknown): boolean {
    return this.validators.validator(schema, 'response')?.(value).length === 0;
  }
}

function itemSchemas(applicable: readonly Located[], index: number): Located[] {
  return applicable.flatMap((schema) => {
    const raw = asObject(schema.value);
    const prefix = asArray(raw.prefixItems).length;
    if (index < prefix) return [member(schema, 'prefixItems', index)];
    return raw.items === undefined ? [] : [member(schema, 'items')];
  });
}

/** The schemas that mention a property: by name, by pattern, or as values of a map. */
function propertySchemas(applicable: readonly Located[], name: string): Located[] {
  const named = applicable.flatMap((schema) => {
    const raw = asObject(schema.value);
    const own = Object.hasOwn(asObject(raw.properties), name) ? [member(schema, 'properties', name)] : [];
    const patterns = Object.keys(asObject(raw.patternProperties)).filter((pattern) => matches(pattern, name));
    return [...own, ...patterns.map((pattern) => member(schema, 'patternProperties', pattern))];
  });
  if (named.length > 0) return named;
  return applicable.flatMap((schema) => {
    const raw = asObject(schema.value);
    return ['additionalProperties', 'unevaluatedProperties']
      .filter((keyword) => Object.keys(asObject(raw[keyword])).length > 0)
      .map((keyword) => member(schema, keyword));
  });
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
