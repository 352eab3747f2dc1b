// Reads schemas as forms: references followed, compositions folded, alternatives told apart. What is read is kept, so
// that the same schema is read once per description. Nothing here is drawn, and no validator is compiled.
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { isContainer } from '../../openapi/json.ts';
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

export class Schemas {
  private static readonly loose = oncePer((description: Description) => new Schemas(description, false));
  private static readonly strict = oncePer((description: Description) => new Schemas(description, true));
  readonly description: Description;
  private readonly reading: Reading;
  private readonly numberOf = oncePer((_: object) => ++this.count);
  private count = 0;
  private readonly members = oncePer((form: Form) =>
    oncePerValue((name: string) => this.all(memberSchemas(form, name))),
  );
  private readonly conjunction = oncePerValue(
    (_: string, schemas: readonly unknown[]): Conjunction => ({ schemas, forms: null, fits: [] }),
  );

  private constructor(description: Description, isStrict: boolean) {
    this.description = description;
    this.reading = new Reading(description, isStrict);
  }

  /** Those of a description as requests have them; read strictly, the alternatives of a oneOf exclude each other. */
  static of(description: Description, isStrict = false): Schemas {
    return isStrict ? Schemas.strict(description) : Schemas.loose(description);
  }

  /** All of the schemas at once. */
  all(schemas: readonly unknown[]): Conjunction {
    const distinct = [...new Set(schemas)].filter((schema) => schema !== true && schema !== undefined);
    return this.conjunction(distinct.map((one) => (isContainer(one) ? this.numberOf(one) : 0)).join(' '), distinct);
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
    return this.members(form)(name);
  }

  /** A schema of values that this one does not admit. */
  negated(schema: unknown): unknown {
    return this.reading.negated(schema);
  }

  /** Tells whether the direction rules the member out, so that it need not be there even if required. */
  isForbidden(form: Form, name: string): boolean {
    return this.isRuledOut(this.member(form, name));
  }

  private readonly isRuledOut = oncePer((member: Conjunction): boolean => {
    const { forms } = this.forms(member);
    return forms.length > 0 && forms.every(({ forbidden }) => forbidden);
  });

  /** The members that a value of the form must have. */
  readonly required = oncePer((form: Form): readonly string[] =>
    form.required.filter((name) => !this.isForbidden(form, name)),
  );
}
