// Reads schemas as forms: references followed, compositions folded, alternatives told apart. What is read is kept, so
// that the same schema is read once per description. Nothing here is drawn, and no validator is compiled.
import type { Description } from '../../openapi/model/operation.ts';
import { taskOf } from './choices.ts';
import { type Form, memberSchemas } from './form.ts';
import { type Core, Reading } from './reading.ts';

/** Schemas that a value must all obey; the same object for the same schemas. */
export interface Conjunction {
  readonly schemas: readonly unknown[];
  forms: Forms | null;
  /** Tells whether some value fits, by depth that may be used (heights.ts). */
  readonly fits: (boolean | undefined)[];
}

export interface Forms {
  readonly forms: readonly Form[];
  /** Why there is none. */
  readonly reason: string;
}

const [loose, strict] = [new WeakMap<Description, Schemas>(), new WeakMap<Description, Schemas>()];

export class Schemas {
  readonly description: Description;
  private readonly reading: Reading;
  private readonly numbers = new WeakMap<object, number>();
  private count = 0;
  private readonly members = new WeakMap<Form, Map<string, Conjunction>>();
  private readonly demanded = new WeakMap<Form, readonly string[]>();
  private readonly forbidden = new WeakMap<Conjunction, boolean>();
  private readonly conjunctions = new Map<string, Conjunction>();

  private constructor(description: Description, isStrict: boolean) {
    this.description = description;
    this.reading = new Reading(description, isStrict);
  }

  /** Those of a description as requests have them; read strictly, the alternatives of a oneOf exclude each other. */
  static of(description: Description, isStrict = false): Schemas {
    const kept = isStrict ? strict : loose;
    const schemas = kept.get(description) ?? new Schemas(description, isStrict);
    kept.set(description, schemas);
    return schemas;
  }

  /** All of the schemas at once. */
  all(schemas: readonly unknown[]): Conjunction {
    const distinct = [...new Set(schemas)].filter((schema) => schema !== true && schema !== undefined);
    const key = distinct.map((schema) => this.numberOf(schema)).join(' ');
    const known = this.conjunctions.get(key);
    if (known !== undefined) return known;
    const made: Conjunction = { schemas: distinct, forms: null, fits: [] };
    this.conjunctions.set(key, made);
    return made;
  }

  /** Demands of the schemas before any alternative is chosen. */
  core({ schemas }: Conjunction): Core {
    return this.reading.core(schemas.map(taskOf));
  }

  /** The forms that a value may take, at least one of them admitting it. */
  forms(conjunction: Conjunction): Forms {
    conjunction.forms ??= this.reading.forms(conjunction.schemas.map(taskOf));
    return conjunction.forms;
  }

  /** Schemas that an object's member must obey. */
  member(form: Form, name: string): Conjunction {
    const members = this.members.get(form) ?? new Map<string, Conjunction>();
    this.members.set(form, members);
    const member = members.get(name) ?? this.all(memberSchemas(form, name));
    members.set(name, member);
    return member;
  }

  /** A schema of values that this one does not admit. */
  negated(schema: unknown): unknown {
    return this.reading.negated(schema);
  }

  /** Tells whether the direction rules the member out, so that it need not be there even if required. */
  isForbidden(form: Form, name: string): boolean {
    const member = this.member(form, name);
    let isForbidden = this.forbidden.get(member);
    if (isForbidden === undefined) {
      const { forms } = this.forms(member);
      isForbidden = forms.length > 0 && forms.every(({ forbidden }) => forbidden);
      this.forbidden.set(member, isForbidden);
    }
    return isForbidden;
  }

  /** The members that a value of the form must have. */
  required(form: Form): readonly string[] {
    const required = this.demanded.get(form) ?? form.required.filter((name) => !this.isForbidden(form, name));
    this.demanded.set(form, required);
    return required;
  }

  private numberOf(schema: unknown): number {
    if (typeof schema !== 'object' || schema === null) return 0;
    const known = this.numbers.get(schema);
    if (known !== undefined) return known;
    this.count += 1;
    this.numbers.set(schema, this.count);
    return this.count;
  }
}
