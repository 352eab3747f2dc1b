// Where a schema leaves a choice: the alternatives of oneOf, anyOf, discriminators, conditions and dependent schemas, each
// as the further schemas that a value must obey.
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { asObject, isObject, type JsonObject } from '../../openapi/json.ts';
import type { Choice, Description } from '../../openapi/model/operation.ts';
import type { Scope } from './form.ts';
import type { Negation } from './negation.ts';

/** A schema to take in, and how it came into play. */
export interface Task {
  readonly schema: unknown;
  /** As part of another schema's allOf: its discriminator would lead back there. */
  readonly asBase: boolean;
  readonly scopes: readonly Scope[];
  /** Schemas that this one is part of. */
  readonly within: readonly Task[];
  /** Null, which 3.0's nullable adds, was set apart. */
  readonly isPlain: boolean;
}

/** Alternatives, each a list of further schemas. */
export type Alternatives = readonly (readonly Task[])[];

/** Beyond so many alternatives they are not held apart: the whole value is judged in the end. */
const MAX_EXCLUDED = 12;

/** The schema by itself, no part of another one. */
export function taskOf(schema: unknown): Task {
  return { schema, asBase: false, scopes: [], within: [], isPlain: false };
}

export class Choices {
  private readonly description: Description;
  private readonly negation: Negation;
  private readonly isStrict: boolean;

  constructor(description: Description, negation: Negation, isStrict: boolean) {
    this.description = description;
    this.negation = negation;
    this.isStrict = isStrict;
  }

  /** Empty: none. */
  of(schema: JsonObject, part: Task): Alternatives[] {
    const with_ = (...schemas: readonly unknown[]): readonly Task[] =>
      schemas.filter((one) => one !== undefined).map((one) => ({ ...part, schema: one, asBase: false }));
    // A schema under `not` evaluates none of the value's members.
    const apart = (schema: unknown): readonly Task[] => [{ ...part, schema, asBase: false, scopes: [] }];
    const choices: Alternatives[] = [];
    const { oneOf, anyOf } = this.alternatives(schema, part, choices, with_);
    if (Array.isArray(oneOf))
      choices.push(oneOf.map((one, index) => [...with_(one), ...this.others(oneOf, index).flatMap(apart)]));
    if (Array.isArray(anyOf)) choices.push(anyOf.map((one) => with_(one)));
    if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined))
      choices.push([with_(schema.if, schema.then), [...apart(this.negation.of(schema.if)), ...with_(schema.else)]]);
    for (const [name, dependent] of Object.entries(asObject(schema.dependentSchemas)))
      choices.push([with_(requiring(name), dependent), apart(without(name))]);
    return choices;
  }

  /** The keywords of alternatives, without the one that a discriminator decides. */
  private alternatives(
    schema: JsonObject,
    { asBase }: Task,
    choices: Alternatives[],
    with_: (...schemas: readonly unknown[]) => readonly Task[],
  ): JsonObject {
    const named = isObject(schema.discriminator) ? this.description.branches(schema) : null;
    if (named === null || (named.keyword === null && asBase)) return schema;
    choices.push(this.tagged(named).map((one) => with_(...one)));
    return named.keyword === null ? schema : { ...schema, [named.keyword]: undefined };
  }

  /** The branches of a discriminator, each with a tag that names it. */
  private readonly tagged = oncePer((choice: Choice): readonly (readonly unknown[])[] => {
    const { property, keyword } = choice;
    const branches = choice.branches.map(({ names, schema }) => [
      schema,
      { type: 'object', required: [property], properties: { [property]: { enum: names } } },
    ]);
    // A schema that builds on a base by allOf leaves the base a value of its own.
    return keyword === null ? [...branches, []] : branches;
  });

  private others(oneOf: readonly unknown[], chosen: number): readonly unknown[] {
    if (!this.isStrict || oneOf.length > MAX_EXCLUDED) return [];
    return oneOf.filter((_, index) => index !== chosen).map((one) => this.negation.of(one));
  }
}

const requiring = oncePerValue((name: string): unknown => ({ type: 'object', required: [name] }));

const without = oncePerValue((name: string): unknown => ({ properties: { [name]: false } }));
