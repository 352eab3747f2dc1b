// Properties of a value that its schema allows without mentioning them: drift between description and service (SCH-09).
import { appended, asArray, asObject, isObject, type JsonObject } from './json.ts';
import type { SchemaHandle } from './operation.ts';
import { type Located, member, type References } from './references.ts';
import type { Validators } from './validators.ts';

/** JSON pointers, each once, in the order of the value. A schema that mentions no property describes nothing and yields none. */
export type Undescribed = (schema: SchemaHandle, value: unknown) => string[];

/** The search over the schemas of one document; what it reads off a schema it reads once. */
export function createUndescribed(references: References, validators: Validators): Undescribed {
  const search = new Search(references, validators);
  return (schema, value) => {
    const found: string[] = [];
    search.collect([schema], value, '', found);
    return found;
  };
}

/** What a schema says of the members of a value, whatever the value. */
interface Members {
  readonly named: ReadonlyMap<string, Located>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly schema: Located }[];
  /** Of every member that is neither named nor matched by a pattern, where the schema says anything of those. */
  readonly others: readonly Located[];
  readonly prefix: readonly Located[];
  readonly items: Located | null;
  /** Whether it admits no member that it does not mention: then validation speaks of those (SCH-01). */
  readonly isClosed: boolean;
}

/** A schema without any of these stands for itself alone. */
const CHOOSING = ['oneOf', 'anyOf', 'if', 'dependentSchemas'];
const COMPOSING = ['$ref', 'allOf', ...CHOOSING];

class Search {
  private readonly references: References;
  private readonly validators: Validators;
  private readonly known = new WeakMap<object, Members>();
  /** By schema: what applies to every value; null where that depends on the value. */
  private readonly fixed = new WeakMap<object, readonly Members[] | null>();

  constructor(references: References, validators: Validators) {
    this.references = references;
    this.validators = validators;
  }

  /** Appends to `found`. `schemas` all apply to the value. */
  collect(schemas: readonly Located[], value: unknown, pointer: string, found: string[]): void {
    if (!isContainer(value)) return;
    const members = this.membersAt(schemas, value);
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        if (isContainer(item)) this.collect(itemSchemas(members, index), item, appended(pointer, index), found);
      });
      return;
    }
    const described = members.some(({ named }) => named.size > 0) && !members.some(({ isClosed }) => isClosed);
    for (const [name, inner] of Object.entries(value)) {
      const mentioning = propertySchemas(members, name);
      if (mentioning.length === 0) {
        if (described) found.push(appended(pointer, name));
      } else if (isContainer(inner)) this.collect(mentioning, inner, appended(pointer, name), found);
    }
  }

  /** What applies to the value; the same for every value where no schema among these looks at it. */
  private membersAt(schemas: readonly Located[], value: object): readonly Members[] {
    const [only] = schemas;
    if (schemas.length !== 1 || only === undefined || !isObject(only.value)) return this.membersFor(schemas, value);
    let members = this.fixed.get(only.value);
    if (members === undefined) {
      members = this.looksAtValue(only) ? null : this.membersFor(schemas, value);
      this.fixed.set(only.value, members);
    }
    return members ?? this.membersFor(schemas, value);
  }

  private membersFor(schemas: readonly Located[], value: object): readonly Members[] {
    return schemas.flatMap((schema) => this.applicable(schema, value)).map((schema) => this.membersOf(schema));
  }

  /** Whether it depends on the value which parts of the schema apply. */
  private looksAtValue(schema: Located, passed: readonly unknown[] = []): boolean {
    const raw = schema.value;
    if (!isObject(raw) || passed.includes(raw)) return false;
    if (CHOOSING.some((keyword) => keyword in raw)) return true;
    const target = typeof raw.$ref === 'string' ? this.references.target(raw.$ref) : null;
    const parts = asArray(raw.allOf).map((_, index) => member(schema, 'allOf', index));
    return [...(target === null ? [] : [target]), ...parts].some((part) => this.looksAtValue(part, [...passed, raw]));
  }

  private membersOf(schema: Located): Members {
    const raw = asObject(schema.value);
    let members = this.known.get(raw);
    if (members === undefined) {
      members = readMembers(schema, raw);
      this.known.set(raw, members);
    }
    return members;
  }

  /** The schema, what it refers to, and those of its parts that the value meets. */
  private applicable(schema: Located, value: object, passed: readonly unknown[] = []): Located[] {
    const raw = schema.value;
    if (!isObject(raw) || passed.includes(raw)) return [];
    if (!COMPOSING.some((keyword) => keyword in raw)) return [schema];
    const parts = this.parts(schema, raw, value).flatMap((part) => this.applicable(part, value, [...passed, raw]));
    return typeof raw.$ref === 'string' && this.references.dialect === '3.0' ? parts : [schema, ...parts];
  }

  private parts(schema: Located, raw: JsonObject, value: object): Located[] {
    const target = typeof raw.$ref === 'string' ? this.references.target(raw.$ref) : null;
    if (target !== null && this.references.dialect === '3.0') return [target];
    const listed = (keyword: string) => asArray(raw[keyword]).map((_, index) => member(schema, keyword, index));
    const met = (part: Located) => this.meets(part, value);
    const branch = 'if' in raw ? [member(schema, met(member(schema, 'if')) ? 'then' : 'else')] : [];
    const dependent = Object.keys(asObject(raw.dependentSchemas)).filter((name) => Object.hasOwn(value, name));
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
    return this.validators.judge(schema, 'response')?.(value) === true;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readMembers(schema: Located, raw: JsonObject): Members {
  const below = (keyword: string): readonly [string, Located][] =>
    Object.keys(asObject(raw[keyword])).map((name) => [name, member(schema, keyword, name)]);
  return {
    named: new Map(below('properties')),
    patterns: below('patternProperties').flatMap(([source, at]) => {
      const pattern = compiled(source);
      return pattern === null ? [] : [{ pattern, schema: at }];
    }),
    others: ['additionalProperties', 'unevaluatedProperties']
      .filter((keyword) => Object.keys(asObject(raw[keyword])).length > 0)
      .map((keyword) => member(schema, keyword)),
    prefix: asArray(raw.prefixItems).map((_, index) => member(schema, 'prefixItems', index)),
    items: raw.items === undefined ? null : member(schema, 'items'),
    isClosed: raw.additionalProperties === false || raw.unevaluatedProperties === false,
  };
}

function itemSchemas(members: readonly Members[], index: number): readonly Located[] {
  return members.flatMap(({ prefix, items }) => prefix[index] ?? items ?? []);
}

/** The schemas that mention a property: by name, by pattern, or as values of a map. */
function propertySchemas(members: readonly Members[], name: string): readonly Located[] {
  const mentioning: Located[] = [];
  for (const { named, patterns } of members) {
    const own = named.get(name);
    if (own !== undefined) mentioning.push(own);
    for (const { pattern, schema } of patterns) if (pattern.test(name)) mentioning.push(schema);
  }
  return mentioning.length > 0 ? mentioning : members.flatMap(({ others }) => others);
}

function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}
