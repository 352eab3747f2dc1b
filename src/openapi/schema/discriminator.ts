// Which schema a value names by its discriminator property.

import { uriEncoded } from '../../exchange/decoded.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { appended, asArray, asObject, asString, isObject, type JsonObject, tokensOf } from '../json.ts';
import type { Choice } from '../model/operation.ts';
import { compositionOf, type References } from '../read/references.ts';

export class Discriminators {
  private readonly references: References;
  private heirs: Map<string, string[]> | null = null;

  constructor(references: References) {
    this.references = references;
  }

  /** Null when a branch cannot be told by name: then the alternatives are judged as they stand. */
  readonly choiceOf = oncePer((schema: JsonObject): Choice | null => this.makeChoice(schema));

  private makeChoice(schema: JsonObject): Choice | null {
    const discriminator = asObject(schema.discriminator);
    const property = asString(discriminator.propertyName);
    if (property === null) return null;
    const mapping = Object.entries(asObject(discriminator.mapping)).map(([name, target]) => ({
      name,
      pointer: this.pointerOf(asString(target) ?? ''),
    }));
    const keyword = Array.isArray(schema.oneOf) ? 'oneOf' : Array.isArray(schema.anyOf) ? 'anyOf' : null;
    const alternatives = keyword === null ? this.heirsOf(schema, new Set([schema])) : asArray(schema[keyword]);
    const allowed = alternatives.map((alternative) => this.allowedBy(alternative, property));
    const branches = alternatives.map((alternative, index) => ({
      names: this.namesOf(alternative, mapping, allowed, index),
      schema: alternative,
    }));
    const told = branches.length > 0 && branches.every(({ names }) => names.length > 0);
    if (!told) return null;
    // A mapping tells every name that there is, but for those of schemas: a base may be a value of its own.
    const isClosed = keyword === null && mapping.length > 0;
    const others = isClosed ? [...mapping.map(({ name }) => name), this.nameOf(schema) ?? ''] : null;
    return { property, keyword, branches, others };
  }

  /** Names of the mapping, else values that this branch alone allows, else the schema's own name. */
  private namesOf(
    alternative: unknown,
    mapping: readonly { name: string; pointer: string | null }[],
    allowed: readonly (readonly unknown[] | null)[],
    index: number,
  ): string[] {
    const reference = asString(asObject(alternative).$ref);
    const target = reference === null ? null : this.references.target(reference);
    const mapped = mapping
      .filter(({ pointer }) => pointer !== null && pointer === target?.pointer)
      .map(({ name }) => name);
    if (mapped.length > 0) return mapped;
    const own = allowed[index] ?? null;
    const others = allowed.filter((_, other) => other !== index);
    const distinct = (own ?? []).filter((value) => !others.some((values) => values?.includes(value)));
    if (distinct.length > 0) return distinct.map(String);
    const name = target === null ? undefined : tokensOf(target.pointer).at(-1);
    return name === undefined || (own !== null && !own.includes(name)) ? [] : [name];
  }

  /** Values that a schema allows for a property, where it or a part of it lists them. */
  private allowedBy(schema: unknown, property: string): readonly unknown[] | null {
    for (const part of compositionOf(schema, this.references)) {
      const own = asObject(this.references.resolve(asObject(asObject(part).properties)[property], '')?.value);
      if ('const' in own) return [own.const];
      if (Array.isArray(own.enum)) return own.enum;
    }
    return null;
  }

  private pointerOf(target: string): string | null {
    const named = appended('', 'components', 'schemas', target);
    return this.references.target(target.includes('#') ? target : `#${named}`)?.pointer ?? null;
  }

  private nameOf(schema: JsonObject): string | undefined {
    const schemas = Object.entries(asObject(asObject(this.references.document.components).schemas));
    return schemas.find(([, value]) => value === schema)?.[0];
  }

  /** References to the schemas of components that build on this one by allOf, at any remove. */
  private heirsOf(schema: JsonObject, passed: Set<unknown>): unknown[] {
    this.heirs ??= this.findHeirs();
    const own = this.nameOf(schema);
    const names = own === undefined ? [] : (this.heirs.get(appended('', 'components', 'schemas', own)) ?? []);
    return names.flatMap((name) => {
      const heir = asObject(asObject(asObject(this.references.document.components).schemas)[name]);
      if (passed.has(heir)) return [];
      passed.add(heir);
      const reference = { $ref: `#${appended('', 'components', 'schemas', uriEncoded(name))}` };
      return [reference, ...this.heirsOf(heir, passed)];
    });
  }

  private findHeirs(): Map<string, string[]> {
    const heirs = new Map<string, string[]>();
    for (const [name, value] of Object.entries(asObject(asObject(this.references.document.components).schemas))) {
      for (const part of asArray(asObject(value).allOf)) {
        const reference = isObject(part) ? asString(part.$ref) : null;
        const base = reference === null ? null : this.references.target(reference);
        if (base !== null) heirs.set(base.pointer, [...(heirs.get(base.pointer) ?? []), name]);
      }
    }
    return heirs;
  }
}
