// From schemas to forms. In-place applicators are followed; where there is a choice, every alternative is a form of its
// own, up to a limit.
import { asArray, asObject, isObject, type JsonObject } from '../../openapi/json.ts';
import type { Choice, Description } from '../../openapi/operation.ts';
import { narrow, open, settle } from './draft.ts';
import type { Form, Scope } from './form.ts';
import { Negation } from './negation.ts';

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
type Alternatives = readonly (readonly Task[])[];

interface Draft {
  form: ReturnType<typeof open>;
  choices: Alternatives[];
  reason: string | null;
  /** The schema objects taken in. */
  readonly parts: JsonObject[];
  /** Whether nullable is to count for nothing. */
  readonly isPlain: boolean;
}

export interface Core {
  readonly form: Form;
  /** The schema objects that it is made of, references followed. */
  readonly parts: readonly JsonObject[];
}

const NULL = { type: 'null' };
const MOST_FORMS = 64;
const MOST_TRIES = 600;
/** Beyond so many alternatives they are not held apart: the whole value is judged in the end. */
const MOST_EXCLUDED = 12;

export class Reading {
  private readonly description: Description;
  private readonly forbidden: 'readOnly' | 'writeOnly';
  private readonly negation: Negation;
  private readonly bare = new Map<string, unknown>();
  private readonly tags = new WeakMap<Choice, readonly (readonly unknown[])[]>();
  private isStrict = false;

  constructor(description: Description, direction: 'request' | 'response') {
    this.description = description;
    this.forbidden = direction === 'request' ? 'readOnly' : 'writeOnly';
    this.negation = new Negation(
      (schema) => (referenceIn(schema) === null ? schema : description.deref(schema)),
      (schema) => this.isNullable(schema),
    );
  }

  /** What the schemas say before any alternative is chosen, null (as nullable allows it) aside. */
  core(tasks: readonly Task[]): Core {
    return this.draft(tasks, true);
  }

  /** Every form that contradicts itself is left out; `reason` is why, where none is left. */
  forms(tasks: readonly Task[], strict: boolean): { readonly forms: readonly Form[]; readonly reason: string } {
    this.isStrict = strict;
    const found = { forms: [] as Form[], reason: 'it has no alternative', tries: 0 };
    this.resolve(this.draft(tasks), found);
    return found;
  }

  negated(schema: unknown): unknown {
    return this.negation.of(schema);
  }

  private draft(tasks: readonly Task[], isPlain = false): Draft {
    const draft: Draft = { form: open(), choices: [], reason: null, parts: [], isPlain };
    for (const task of tasks) this.take(draft, task);
    return draft;
  }

  private resolve(draft: Draft, found: { forms: Form[]; reason: string; tries: number }): void {
    found.tries += 1;
    if (found.tries > MOST_TRIES || found.forms.length >= MOST_FORMS) return;
    const reason = draft.reason ?? settle(draft.form);
    if (reason !== null) {
      if (found.forms.length === 0) found.reason = reason;
      return;
    }
    const [choice, ...choices] = draft.choices;
    if (choice === undefined) {
      found.forms.push(draft.form);
      return;
    }
    for (const alternative of choice) {
      const next: Draft = { ...draft, form: { ...draft.form }, choices: [...choices] };
      for (const task of alternative) this.take(next, task);
      this.resolve(next, found);
    }
  }

  private take(draft: Draft, task: Task): void {
    const { schema } = task;
    if (schema === true) return;
    if (!isObject(schema)) {
      draft.reason ??= 'no value is allowed';
      return;
    }
    if (task.within.some((one) => one.schema === schema && one.asBase === task.asBase)) {
      draft.reason ??= 'it is a part of itself';
      return;
    }
    const inner = { ...task, within: [...task.within, task], isPlain: false };
    const reference = referenceIn(schema);
    if (reference !== null) {
      this.takeTarget(draft, reference, inner);
      if (this.description.dialect === '3.0') return;
    }
    if (this.isNullable(schema) && !task.isPlain && !draft.isPlain) {
      draft.choices.push([[{ ...task, isPlain: true }], [{ ...inner, schema: NULL }]]);
      return;
    }
    this.takeKeywords(draft, schema, inner);
  }

  private takeTarget(draft: Draft, reference: string, inner: Task): void {
    const holder = this.bare.get(reference) ?? { $ref: reference };
    this.bare.set(reference, holder);
    const target = this.description.deref(holder);
    if (target === undefined) draft.reason ??= `it refers to "${reference}", which does not resolve`;
    else this.take(draft, { ...inner, schema: target });
  }

  private takeKeywords(draft: Draft, schema: JsonObject, inner: Task): void {
    const { unevaluatedProperties, unevaluatedItems } = schema;
    const isScope = unevaluatedProperties !== undefined || unevaluatedItems !== undefined;
    const over: Scope = Symbol('scope');
    const part = isScope ? { ...inner, scopes: [...inner.scopes, over] } : inner;
    narrow(draft.form, schema, part.scopes);
    draft.parts.push(schema);
    draft.form.forbidden ||= schema[this.forbidden] === true;
    for (const one of asArray(schema.allOf)) this.take(draft, { ...part, schema: one, asBase: true });
    draft.choices.push(...this.choices(schema, { ...part, asBase: inner.asBase }));
    this.takeNegation(draft, schema.not, part);
    const { scopes } = inner;
    if (unevaluatedProperties !== undefined)
      draft.form.members = [
        ...draft.form.members,
        { properties: {}, patterns: [], rest: unevaluatedProperties, over, scopes },
      ];
    if (unevaluatedItems !== undefined)
      draft.form.items = [...draft.form.items, { prefix: [], rest: unevaluatedItems, over, scopes }];
  }

  private takeNegation(draft: Draft, not: unknown, part: Task): void {
    if (not === undefined) return;
    const excluded = excludedBy(not);
    if (excluded !== null) draft.form.excluded = [...draft.form.excluded, ...excluded];
    else this.take(draft, { ...part, schema: this.negation.of(not), scopes: [], asBase: false });
  }

  private choices(schema: JsonObject, part: Task): Alternatives[] {
    const with_ = (...schemas: readonly unknown[]): readonly Task[] =>
      schemas.filter((one) => one !== undefined).map((one) => ({ ...part, schema: one, asBase: false }));
    const choices: Alternatives[] = [];
    const { oneOf, anyOf } = this.alternatives(schema, part, choices, with_);
    if (Array.isArray(oneOf)) choices.push(oneOf.map((one) => with_(one, ...this.others(oneOf, one))));
    if (Array.isArray(anyOf)) choices.push(anyOf.map((one) => with_(one)));
    if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined))
      choices.push([with_(schema.if, schema.then), with_(this.negation.of(schema.if), schema.else)]);
    for (const [name, dependent] of Object.entries(asObject(schema.dependentSchemas)))
      choices.push([with_(requiring(name), dependent), with_(without(name))]);
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
  private tagged(choice: Choice): readonly (readonly unknown[])[] {
    const known = this.tags.get(choice);
    if (known !== undefined) return known;
    const { property, keyword } = choice;
    const branches = choice.branches.map(({ names, schema }) => [
      schema,
      { type: 'object', required: [property], properties: { [property]: { enum: names } } },
    ]);
    // What is built on a base by allOf leaves the base a value of its own.
    const tagged = keyword === null ? [...branches, []] : branches;
    this.tags.set(choice, tagged);
    return tagged;
  }

  private others(oneOf: readonly unknown[], chosen: unknown): readonly unknown[] {
    if (!this.isStrict || oneOf.length > MOST_EXCLUDED) return [];
    return oneOf.filter((one) => one !== chosen).map((one) => this.negation.of(one));
  }

  private isNullable(schema: JsonObject): boolean {
    return this.description.dialect === '3.0' && schema.nullable === true;
  }
}

function referenceIn({ $ref, $dynamicRef }: JsonObject): string | null {
  const reference = $ref ?? $dynamicRef;
  return typeof reference === 'string' ? reference : null;
}

/** The values that a `not` rules out, where that is all it does. */
function excludedBy(not: unknown): readonly unknown[] | null {
  if (!isObject(not) || Object.keys(not).length !== 1) return null;
  if (Object.hasOwn(not, 'const')) return [not.const];
  return Array.isArray(not.enum) ? not.enum : null;
}

const requirements = new Map<string, unknown>();
const absences = new Map<string, unknown>();

function requiring(name: string): unknown {
  return remembered(requirements, name, () => ({ type: 'object', required: [name] }));
}

function without(name: string): unknown {
  return remembered(absences, name, () => ({ properties: { [name]: false } }));
}

function remembered(memory: Map<string, unknown>, name: string, make: () => unknown): unknown {
  const known = memory.get(name) ?? make();
  memory.set(name, known);
  return known;
}
