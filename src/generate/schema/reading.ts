// From schemas to forms. In-place applicators are followed; where there is a choice, every alternative is a form of its
// own, up to a limit.
import { asArray, isObject, type JsonObject } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { type Alternatives, Choices, type Task, taskOf } from './choices.ts';
import { narrow, open, settle } from './draft.ts';
import { type Form, memberSchemas, type Scope } from './form.ts';
import { Negation } from './negation.ts';

interface Draft {
  form: ReturnType<typeof open>;
  choices: Alternatives[];
  reason: string | null;
  /** The schema objects taken in. */
  readonly parts: JsonObject[];
  /** True where nullable is to count for nothing. */
  readonly isPlain: boolean;
}

export interface Core {
  readonly form: Form;
  /** The schema objects that it is made of, references followed. */
  readonly parts: readonly JsonObject[];
}

const NULL = { type: 'null' };
const MAX_FORMS = 64;
const MAX_TRIES = 600;

export class Reading {
  private readonly description: Description;
  private readonly negation: Negation;
  private readonly bare = new Map<string, unknown>();
  private readonly choices: Choices;

  /** `isStrict`: the alternatives of a oneOf are to exclude each other. */
  constructor(description: Description, isStrict: boolean) {
    this.description = description;
    this.negation = new Negation(
      (schema) => (referenceIn(schema) === null ? schema : description.deref(schema)),
      (schema) => this.isNullable(schema),
    );
    this.choices = new Choices(description, this.negation, isStrict);
  }

  /** Demands of the schemas before any alternative is chosen, null (as nullable allows it) aside. */
  core(tasks: readonly Task[]): Core {
    return this.draft(tasks, true);
  }

  /** Every form that contradicts itself is left out; `reason` is why, where none is left. */
  forms(tasks: readonly Task[]): { readonly forms: readonly Form[]; readonly reason: string } {
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
    if (found.tries > MAX_TRIES || found.forms.length >= MAX_FORMS) return;
    const reason = draft.reason ?? settle(draft.form);
    if (reason !== null) {
      if (found.forms.length === 0) found.reason = reason;
      return;
    }
    const [choice, ...choices] = draft.choices;
    if (choice === undefined) {
      const clash = this.clash(draft.form);
      if (clash === null) found.forms.push(draft.form);
      else if (found.forms.length === 0) found.reason = clash;
      return;
    }
    for (const alternative of choice) {
      const next: Draft = { ...draft, form: { ...draft.form }, choices: [...choices] };
      for (const task of alternative) this.take(next, task);
      this.resolve(next, found);
    }
  }

  /** Why a member that must be there plainly cannot be; null: nothing is seen without looking at alternatives. */
  private clash(form: Form): string | null {
    for (const name of form.types.includes('object') && form.types.length === 1 ? form.required : []) {
      const schemas = memberSchemas(form, name);
      if (schemas.length < 2) continue;
      const draft = this.draft(schemas.map(taskOf));
      const reason = draft.reason ?? settle(draft.form);
      if (reason !== null && !draft.form.forbidden)
        return `no value is possible for the required member "${name}": ${reason}`;
    }
    return null;
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
    const reference = this.description.dialect === '3.0' ? referenceIn(schema) : null;
    if (reference !== null) {
      this.takeTarget(draft, reference, inner);
      return;
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
    const reference = referenceIn(schema);
    if (reference !== null) this.takeTarget(draft, reference, part);
    narrow(draft.form, schema, part.scopes);
    draft.parts.push(schema);
    draft.form.forbidden ||= schema.readOnly === true;
    for (const one of asArray(schema.allOf)) this.take(draft, { ...part, schema: one, asBase: true });
    draft.choices.push(...this.choices.of(schema, { ...part, asBase: inner.asBase }));
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
