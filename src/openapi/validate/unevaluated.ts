// unevaluatedProperties and unevaluatedItems as keywords of ajv, in place of its own, which loses what conditional parts of a
// schema have evaluated. The parts of the schema that judge the same value are read when the code is made: each marks members
// or items, some of them only where the value fits a schema, which the code then asks.
// Source: JSON Schema 2020-12, core, 11.2 and 11.3.
import { _, type Code, type CodeKeywordDefinition, type KeywordCxt, Name, nil, stringify } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { not, or } from 'ajv/dist/compile/codegen/index.js';
import { resetErrorsCount } from 'ajv/dist/compile/errors.js';
import { Type } from 'ajv/dist/compile/util.js';
import { propertyInData, usePattern } from 'ajv/dist/vocabularies/code.js';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { GIVEN } from './given.ts';

/** Which members or items a schema has evaluated once a value fits it. */
interface Marks {
  all: boolean;
  readonly names: Set<string>;
  readonly patterns: Set<string>;
  /** The items before this index. */
  prefix: number;
  /** Items that fit one of these. */
  readonly contains: unknown[];
  readonly groups: Group[];
}

/** Further marks, each made only where its condition holds. */
interface Group {
  readonly parts: readonly Part[];
  /**
   * True where a value that fits its schema meets one of the conditions: one that meets none is told for that, not for
   * its members.
   */
  readonly isChoice: boolean;
}

interface Part {
  /** A schema that the value must fit, or a member that it must have. */
  readonly condition: { readonly fits: unknown } | { readonly has: string };
  readonly isMet: boolean;
  readonly marks: Marks;
}

/** A place of the code at which the marks of one part count. */
interface Counted {
  readonly marks: Marks;
  /** True where they count; nil: always. */
  readonly guard: Code;
}

/** Puts both keywords in place of ajv's own, and spares schemas without them what those need. */
export function judgeUnevaluated(ajv: Ajv2020): void {
  (ajv.opts as { unevaluated?: boolean }).unevaluated = false;
  const conditions = new Conditions(ajv);
  for (const keyword of [properties(conditions), items(conditions)]) {
    ajv.removeKeyword(keyword.keyword as string);
    ajv.addKeyword(keyword);
  }
}

function properties(conditions: Conditions): CodeKeywordDefinition {
  return {
    keyword: 'unevaluatedProperties',
    type: 'object',
    schemaType: ['boolean', 'object'],
    trackErrors: true,
    error: {
      message: 'must NOT have unevaluated properties',
      params: ({ params }) => _`{unevaluatedProperty: ${params.unevaluatedProperty}}`,
    },
    code(context) {
      const { gen, data } = context;
      const counted = countedBy(context, conditions);
      if (counted === null) return;
      gen.forIn('key', data, (key) => {
        const evaluated = counted.flatMap(({ marks, guard }) => guarded(namedBy(context, marks, key), guard));
        gen.if(not(any(evaluated)), () => judgeMember(context, key, Type.Str));
      });
      context.ok(_`${context.errsCount} === ${new Name('errors')}`);
    },
  };
}

function items(conditions: Conditions): CodeKeywordDefinition {
  return {
    keyword: 'unevaluatedItems',
    type: 'array',
    schemaType: ['boolean', 'object'],
    trackErrors: true,
    error: {
      message: 'must NOT have unevaluated items',
      params: ({ params }) => _`{unevaluatedItem: ${params.unevaluatedItem}}`,
    },
    code(context) {
      const { gen, data } = context;
      const counted = countedBy(context, conditions);
      if (counted === null) return;
      gen.forRange('index', 0, _`${data}.length`, (index) => {
        const before = counted.flatMap(({ marks, guard }) => guarded(indexedBy(marks, index), guard));
        const open = gen.let('open', not(any(before)));
        for (const { marks, guard } of counted) {
          for (const schema of marks.contains) {
            gen.if(guard === nil ? open : _`${open} && ${guard}`, () => {
              const fits = conditions.ask(context, schema, { dataProp: index, dataPropType: Type.Num });
              gen.if(fits, () => gen.assign(open, false));
            });
          }
        }
        gen.if(open, () => judgeMember(context, index, Type.Num));
      });
      context.ok(_`${context.errsCount} === ${new Name('errors')}`);
    },
  };
}

/** Judges a member or item that nothing has evaluated. */
function judgeMember(context: KeywordCxt, at: Name, kind: Type): void {
  const { gen, schema, it, keyword } = context;
  if (schema === false) {
    context.setParams(kind === Type.Str ? { unevaluatedProperty: at } : { unevaluatedItem: at });
    context.error();
    if (!it.allErrors) gen.break();
    return;
  }
  const valid = gen.name('valid');
  context.subschema({ keyword, dataProp: at, dataPropType: kind }, valid);
  if (!it.allErrors) gen.if(not(valid), () => gen.break());
}

/** The code that asks the conditions, and what counts where; null where the schema evaluates everything, or admits it. */
function countedBy(context: KeywordCxt, conditions: Conditions): readonly Counted[] | null {
  const { parentSchema, schema, keyword } = context;
  if (schema === true) return null;
  const marks = marksOf({ ...parentSchema, [keyword]: undefined }, conditions, keyword === 'unevaluatedProperties');
  if (marks.all) return null;
  return [{ marks, guard: nil }, ...conditions.askAll(context, marks.groups)];
}

function any(codes: readonly Code[]): Code {
  return codes.length === 0 ? _`false` : _`(${or(...codes)})`;
}

function guarded(evaluated: Code | null, guard: Code): readonly Code[] {
  if (evaluated === null) return [];
  return [guard === nil ? evaluated : _`(${guard} && ${evaluated})`];
}

/** More names than these are looked up, not compared one by one. */
const MAX_COMPARED = 8;

function namedBy(context: KeywordCxt, { all, names, patterns }: Marks, key: Name): Code | null {
  if (all) return _`true`;
  const matches = [...patterns].map((pattern) => _`${usePattern(context, pattern)}.test(${key})`);
  const compared = names.size > MAX_COMPARED ? [_`${lookup(context, [...names])}(${key})`] : equals(key, names);
  return matches.length + compared.length === 0 ? null : _`(${or(...compared, ...matches)})`;
}

function equals(key: Name, names: ReadonlySet<string>): readonly Code[] {
  return [...names].map((name) => _`${key} === ${name}`);
}

function lookup({ gen }: KeywordCxt, names: readonly string[]): Name {
  return gen.scopeValue('func', { key: names, ref: GIVEN.isOneOf(names) });
}

function indexedBy({ all, prefix }: Marks, index: Name): Code | null {
  if (all) return _`true`;
  return prefix === 0 ? null : _`${index} < ${prefix}`;
}

/** The schemas that parts of other schemas depend on, each compiled once. */
class Conditions {
  private readonly ajv: Ajv2020;
  private readonly ids = new Map<unknown, string>();

  constructor(ajv: Ajv2020) {
    this.ajv = ajv;
  }

  /** Schema that a reference leads to; every reference is the id of a schema that ajv was given. */
  target(reference: string): unknown {
    return this.ajv.schemas[reference]?.schema;
  }

  /** Tells whether the value, or a part of it, fits the schema: a name in the code. Errors that this finds are dropped. */
  ask(context: KeywordCxt, schema: unknown, part: { dataProp?: Name; dataPropType?: Type } = {}): Name {
    const { gen, it } = context;
    const fits = gen.name('fits');
    const before = gen.const('before', new Name('errors'));
    const asked = isObject(schema) ? { $ref: this.idOf(schema) } : schema === true;
    const topSchemaRef = gen.scopeValue('schema', { ref: asked, code: stringify(asked) });
    const silent = { compositeRule: true, createErrors: false, allErrors: false } as const;
    const place = { schemaPath: nil, errSchemaPath: it.errSchemaPath, topSchemaRef };
    context.subschema({ schema: asked, ...place, ...silent, ...part }, fits);
    resetErrorsCount(gen, before);
    return fits;
  }

  /** The marks of all parts with the names that guard them. A part within another is asked where the other one holds. */
  askAll(context: KeywordCxt, groups: readonly Group[], outer: Code = nil): readonly Counted[] {
    return groups.flatMap(({ parts, isChoice }) => {
      // Where none holds the value is broken anyway; whoever tells why does not blame its members as well.
      const isLenient = isChoice && context.it.opts.allErrors === true;
      const telling = isLenient ? parts : parts.filter(({ marks }) => marksAnything(marks));
      const asked = telling.map((part) => ({ marks: part.marks, held: this.holds(context, part, outer) }));
      const inner = asked.flatMap(({ marks, held }) => this.askAll(context, marks.groups, held));
      const none = isLenient ? [not(any(asked.map(({ held }) => held)))] : [];
      return [...asked.map(({ marks, held }) => ({ marks, guard: _`(${or(held, ...none)})` })), ...inner];
    });
  }

  private holds(context: KeywordCxt, { condition, isMet }: Part, outer: Code): Name {
    const { gen, data, it } = context;
    const held = gen.let('held', false);
    const find = (): void => {
      const found =
        'has' in condition
          ? propertyInData(gen, data, condition.has, it.opts.ownProperties)
          : this.ask(context, condition.fits);
      gen.assign(held, isMet ? found : not(found));
    };
    if (outer === nil) find();
    else gen.if(outer, find);
    return held;
  }

  private idOf(schema: JsonObject): string {
    const known = this.ids.get(schema) ?? (Object.keys(schema).length === 1 ? schema.$ref : undefined);
    if (typeof known === 'string') return known;
    const id = `condition-${this.ids.size + 1}`;
    this.ids.set(schema, id);
    this.ajv.addSchema(schema, id);
    return id;
  }
}

function marksOf(schema: unknown, conditions: Conditions, ofProperties: boolean): Marks {
  const marks: Marks = { all: false, names: new Set(), patterns: new Set(), prefix: 0, contains: [], groups: [] };
  new Marker(conditions, ofProperties).read(schema, marks);
  return marks;
}

/** Reads what a schema, and all that judge the same value for it, evaluate. */
class Marker {
  private readonly conditions: Conditions;
  private readonly ofProperties: boolean;

  constructor(conditions: Conditions, ofProperties: boolean) {
    this.conditions = conditions;
    this.ofProperties = ofProperties;
  }

  read(schema: unknown, into: Marks): void {
    if (!isObject(schema) || into.all) return;
    if (this.ofProperties) markProperties(schema, into);
    else markItems(schema, into);
    if (typeof schema.$ref === 'string') this.read(this.conditions.target(schema.$ref), into);
    for (const part of asArray(schema.allOf)) this.read(part, into);
    for (const keyword of ['anyOf', 'oneOf'])
      this.add(into, { isChoice: true, parts: asArray(schema[keyword]).map((one) => this.part({ fits: one }, one)) });
    for (const [name, one] of Object.entries(asObject(schema.dependentSchemas)))
      this.add(into, { isChoice: false, parts: [this.part({ has: name }, one)] });
    if (schema.if !== undefined) this.add(into, { isChoice: false, parts: this.conditional(schema) });
  }

  private conditional(schema: JsonObject): readonly Part[] {
    const met = this.part({ fits: schema.if }, { allOf: [schema.if, schema.then] });
    return [met, { ...this.part({ fits: schema.if }, schema.else), isMet: false }];
  }

  private part(condition: Part['condition'], schema: unknown): Part {
    return { condition, isMet: true, marks: this.marksOf(schema) };
  }

  private marksOf(schema: unknown): Marks {
    return marksOf(schema, this.conditions, this.ofProperties);
  }

  /** A group of which no part marks anything is not asked for. */
  private add(into: Marks, group: Group): void {
    if (group.parts.some(({ marks }) => marksAnything(marks))) into.groups.push(group);
  }
}

function marksAnything({ all, names, patterns, prefix, contains, groups }: Marks): boolean {
  return all || names.size + patterns.size + prefix + contains.length + groups.length > 0;
}

function markProperties(schema: JsonObject, into: Marks): void {
  into.all ||= schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
  for (const name of Object.keys(asObject(schema.properties))) into.names.add(name);
  for (const pattern of Object.keys(asObject(schema.patternProperties))) into.patterns.add(pattern);
}

function markItems(schema: JsonObject, into: Marks): void {
  into.all ||= schema.items !== undefined || schema.unevaluatedItems !== undefined;
  into.prefix = Math.max(into.prefix, asArray(schema.prefixItems).length);
  if (schema.contains !== undefined) into.contains.push(schema.contains);
}
