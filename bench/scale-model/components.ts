// The shared schemas of one document while it is made.
import type { JsonObject } from '../../src/platform/json.ts';
import type { Draw } from './draw.ts';
import type { Form } from './form.ts';

/** Makes a schema of the document's dialect. */
export type Describe = (components: Components) => JsonObject;

export class Components {
  readonly form: Form;
  readonly draw: Draw;
  private readonly catalogue: Readonly<Record<string, Describe>>;
  private readonly schemas = new Map<string, JsonObject>();

  /** `catalogue` holds the schemas that `shared` knows by name. */
  constructor(form: Form, draw: Draw, catalogue: Readonly<Record<string, Describe>>) {
    this.form = form;
    this.draw = draw;
    this.catalogue = catalogue;
  }

  /** The reference to a schema of the catalogue. */
  shared(name: string): JsonObject {
    const describe = this.catalogue[name];
    if (describe === undefined) throw new Error(`the scale model has no shared schema "${name}"`);
    return this.reference(name, () => describe(this));
  }

  /** The reference to a schema of this name, which is described on first use. */
  reference(name: string, describe: () => JsonObject): JsonObject {
    if (!this.schemas.has(name)) {
      // Entered before it is described: it may refer to itself.
      this.schemas.set(name, {});
      this.schemas.set(name, describe());
    }
    return this.mention(name);
  }

  /** The reference to a schema that is described elsewhere. */
  mention(name: string): JsonObject {
    return { $ref: `#/components/schemas/${name}` };
  }

  /** By name, in alphabetical order. */
  all(): JsonObject {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
