// Properties of a value that its schema allows without mentioning them: drift between description and service (SCH-09).
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { appended, asArray, asObject, isObject, type JsonObject } from '../json.ts';
import type { SchemaHandle } from '../model/operation.ts';
import { type Pattern, patternOrNull } from '../patterns/pattern.ts';
import { type Located, member, type References } from '../read/references.ts';
import type { Validators } from '../validate/validators.ts';
import type { Direction } from './directed-properties.ts';
import { Discriminators } from './discriminator.ts';

/** JSON pointers, each once, in the order of the value. A schema that mentions no property describes nothing and yields none. */
export type Undescribed = (schema: SchemaHandle, value: unknown) => string[];

/** The search over the schemas of one document, for values that are sent or answered; what it reads off a schema it reads once. */
export function createUndescribed(references: References, validators: Validators, direction: Direction): Undescribed {
  const members = new DescribedMembers(references, (schema, value) => {
    return validators.judge(schema, direction)?.(value) === true;
  });
  return (schema, value) => {
    const search = new Search(members);
    search.enter([schema], value);
    return search.found;
  };
}

/** One walk through one value. Most values hold nothing undescribed: a pointer is made where something is. */
class Search {
  readonly found: string[] = [];
  private readonly members: DescribedMembers;
  private readonly path: (string | number)[] = [];

  constructor(members: DescribedMembers) {
    this.members = members;
  }

  /** `schemas` all apply to the value. */
  enter(schemas: readonly Located[], value: unknown): void {
    if (schemas.length === 0 || typeof value !== 'object' || value === null) return;
    const view = this.members.viewOf(schemas, value);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) this.below(index, view.itemAt(index), value[index]);
      return;
    }
    for (const name of Object.keys(value)) {
      const mentioning = view.property(name);
      if (mentioning.length > 0) this.below(name, mentioning, (value as Record<string, unknown>)[name]);
      else if (view.isDescribing && !view.demanded.has(name)) this.found.push(appended('', ...this.path, name));
    }
  }

  private below(token: string | number, schemas: readonly Located[], value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    this.path.push(token);
    this.enter(schemas, value);
    this.path.pop();
  }
}

/** Demands of one schema by itself on the members of a value, whatever the value. */
interface Members {
  /** Number of these demands among all that were read. */
  readonly id: number;
  readonly named: ReadonlyMap<string, Located>;
  /** Names that have to be there: described as well, whatever else is said of them. */
  readonly demanded: readonly unknown[];
  readonly patterns: readonly { readonly pattern: Pattern; readonly schema: Located }[];
  /** Schemas of every member that is neither named nor matched by a pattern, where the schema speaks of those: "any" is a word, too. */
  readonly others: readonly Located[];
  readonly prefix: readonly Located[];
  readonly items: Located | null;
  /** True where it admits no member that it does not mention: then validation speaks of those (SCH-01). */
  readonly isClosed: boolean;
}

/** Demands of several schemas that apply together on the members of a value. */
class MembersView {
  /** True where they mention properties, and admit others. */
  readonly isDescribing: boolean;
  readonly demanded: ReadonlySet<unknown>;
  private readonly members: readonly Members[];
  private readonly named = new Map<string, readonly Located[]>();
  private readonly others: readonly Located[];
  private readonly items: readonly Located[];
  private readonly hasPatterns: boolean;
  private readonly hasPrefix: boolean;

  constructor(members: readonly Members[]) {
    this.members = members;
    this.isDescribing = members.some(({ named }) => named.size > 0) && !members.some(({ isClosed }) => isClosed);
    this.demanded = new Set(members.flatMap(({ demanded }) => demanded));
    this.hasPatterns = members.some(({ patterns }) => patterns.length > 0);
    this.hasPrefix = members.some(({ prefix }) => prefix.length > 0);
    this.others = members.flatMap(({ others }) => others);
    this.items = members.flatMap(({ items }) => items ?? []);
    for (const { named } of members) for (const name of named.keys()) this.named.set(name, this.mentioning(name));
  }

  /** The schemas that mention a property: by name, by pattern, or as values of a map. */
  property(name: string): readonly Located[] {
    const named = this.named.get(name);
    if (named !== undefined) return named;
    const mentioning = this.hasPatterns ? this.mentioning(name) : [];
    return mentioning.length > 0 ? mentioning : this.others;
  }

  /** The schemas of the item at an index. */
  itemAt(index: number): readonly Located[] {
    return this.hasPrefix ? this.members.flatMap(({ prefix, items }) => prefix[index] ?? items ?? []) : this.items;
  }

  private mentioning(name: string): readonly Located[] {
    return this.members.flatMap(({ named, patterns }) => [
      ...(named.has(name) ? [named.get(name) as Located] : []),
      ...patterns.filter(({ pattern }) => pattern.test(name)).map(({ schema }) => schema),
    ]);
  }
}

/** Parts that compose a schema. */
interface Parts {
  /** True where it says something itself: in OpenAPI 3.0 nothing counts beside a $ref. */
  readonly counts: boolean;
  readonly always: readonly Located[];
  readonly choices: readonly Located[];
  readonly condition: { readonly test: Located; readonly met: Located; readonly unmet: Located } | null;
  /** Schemas by the property whose presence makes them apply. */
  readonly dependent: readonly (readonly [string, Located])[];
}

/** The schemas of one document. */
class DescribedMembers {
  private readonly references: References;
  private readonly discriminators: Discriminators;
  private readonly meets: (schema: Located, value: unknown) => boolean;
  private readonly membersOf = oncePer((raw: JsonObject, schema: Located): Members => {
    this.read += 1;
    return readMembers(schema, raw, this.read);
  });
  /** Demands that apply to every value, by schema or by list of schemas; null where that depends on the value. */
  private readonly fixedView = oncePer((_: object, schemas: readonly Located[], value: object) =>
    schemas.some((schema) => this.looksAtValue(schema, [])) ? null : this.viewFor(schemas, value),
  );
  /** Views by the ids of the demands that apply together. */
  private readonly viewOfIds = oncePerValue((_: string, members: readonly Members[]) => new MembersView(members));
  private read = 0;

  constructor(references: References, meets: (schema: Located, value: unknown) => boolean) {
    this.references = references;
    this.discriminators = new Discriminators(references);
    this.meets = meets;
  }

  /** `schemas` all apply to the value. */
  viewOf(schemas: readonly Located[], value: object): MembersView {
    const [only] = schemas;
    const key = schemas.length === 1 && isObject(only?.value) ? only.value : schemas;
    return this.fixedView(key, schemas, value) ?? this.viewFor(schemas, value);
  }

  private viewFor(schemas: readonly Located[], value: object): MembersView {
    const members: Members[] = [];
    for (const schema of schemas) this.gather(schema, value, [], members);
    let key = '';
    for (const { id } of members) key += `${id} `;
    return this.viewOfIds(key, members);
  }

  /** Appends what the schema says, what it refers to, and those of its parts that the value meets. */
  private gather(schema: Located, value: object, passed: readonly unknown[], into: Members[]): void {
    const raw = schema.value;
    if (!isObject(raw) || passed.includes(raw)) return;
    const parts = this.partsOf(raw, schema);
    if (parts.counts) into.push(this.membersOf(raw, schema));
    const beyond = [...passed, raw];
    for (const part of parts.always) this.gather(part, value, beyond, into);
    for (const part of parts.choices) if (this.meets(part, value)) this.gather(part, value, beyond, into);
    if (parts.condition !== null) {
      const { test, met, unmet } = parts.condition;
      const isMet = this.meets(test, value);
      if (isMet) this.gather(test, value, beyond, into);
      this.gather(isMet ? met : unmet, value, beyond, into);
    }
    for (const [name, part] of parts.dependent) if (Object.hasOwn(value, name)) this.gather(part, value, beyond, into);
  }

  /** Tells whether it depends on the value which parts of the schema apply. */
  private looksAtValue(schema: Located, passed: readonly unknown[]): boolean {
    const raw = schema.value;
    if (!isObject(raw) || passed.includes(raw)) return false;
    const { always, choices, condition, dependent } = this.partsOf(raw, schema);
    if (choices.length > 0 || condition !== null || dependent.length > 0) return true;
    return always.some((part) => this.looksAtValue(part, [...passed, raw]));
  }

  private readonly partsOf = oncePer((raw: JsonObject, schema: Located): Parts => {
    const target = typeof raw.$ref === 'string' ? this.references.target(raw.$ref) : null;
    const isReplaced = typeof raw.$ref === 'string' && this.references.dialect === '3.0';
    if (isReplaced && target !== null)
      return { counts: false, always: [target], choices: [], condition: null, dependent: [] };
    const listed = (keyword: string) => asArray(raw[keyword]).map((_, index) => member(schema, keyword, index));
    const condition = {
      test: member(schema, 'if'),
      met: member(schema, 'then'),
      unmet: member(schema, 'else'),
    };
    return {
      counts: !isReplaced,
      always: [...(target === null ? [] : [target]), ...listed('allOf')],
      choices: [...listed('oneOf'), ...listed('anyOf'), ...this.heirsOf(raw)],
      condition: 'if' in raw ? condition : null,
      dependent: below(schema, raw, 'dependentSchemas'),
    };
  });

  /** Schemas that build on a base, by its discriminator. */
  private heirsOf(raw: JsonObject): readonly Located[] {
    const choice = isObject(raw.discriminator) ? this.discriminators.choiceOf(raw) : null;
    if (choice?.keyword !== null) return [];
    return choice.branches.flatMap(({ schema }) => this.references.target(String(asObject(schema).$ref)) ?? []);
  }
}

function below(schema: Located, raw: JsonObject, keyword: string): readonly (readonly [string, Located])[] {
  return Object.keys(asObject(raw[keyword])).map((name) => [name, member(schema, keyword, name)]);
}

function readMembers(schema: Located, raw: JsonObject, id: number): Members {
  return {
    id,
    named: new Map(below(schema, raw, 'properties')),
    demanded: asArray(raw.required),
    patterns: below(schema, raw, 'patternProperties').flatMap(([source, at]) => {
      const pattern = patternOrNull(source);
      return pattern === null ? [] : [{ pattern, schema: at }];
    }),
    others: ['additionalProperties', 'unevaluatedProperties']
      .filter((keyword) => raw[keyword] === true || isObject(raw[keyword]))
      .map((keyword) => member(schema, keyword)),
    prefix: asArray(raw.prefixItems).map((_, index) => member(schema, 'prefixItems', index)),
    items: raw.items === undefined ? null : member(schema, 'items'),
    isClosed: raw.additionalProperties === false || raw.unevaluatedProperties === false,
  };
}
