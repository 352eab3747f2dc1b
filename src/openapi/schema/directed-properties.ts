// readOnly and writeOnly: which properties a direction forbids, and which `required` entries that excuses.
import { asArray, asObject, isObject } from '../json.ts';
import { compositionOf, type References } from '../read/references.ts';

export type Direction = 'request' | 'response';

export class DirectedProperties {
  /** The keyword that forbids a value in this direction: writeOnly in responses, readOnly in requests. */
  readonly forbidden: 'readOnly' | 'writeOnly';
  private readonly references: References;
  private readonly excused = new WeakMap<object, ReadonlySet<string>>();
  private readonly demanded = new WeakMap<object, readonly string[]>();

  constructor(references: References, direction: Direction) {
    this.references = references;
    this.forbidden = direction === 'response' ? 'writeOnly' : 'readOnly';
  }

  /** Properties that the schema, or what it is composed of, forbids in this direction: they need not be there. */
  excusedBy(schema: unknown): ReadonlySet<string> {
    return remembered(this.excused, schema, new Set<string>(), () => {
      const names = compositionOf(schema, this.references).flatMap((part) =>
        Object.entries(asObject(asObject(part).properties)).filter(([, property]) => this.isForbidden(property)),
      );
      return new Set(names.map(([name]) => name));
    });
  }

  /** Properties that the schema, or what it is composed of, requires. */
  demandedBy(schema: unknown): readonly string[] {
    return remembered(this.demanded, schema, [], () => [
      ...new Set(
        compositionOf(schema, this.references).flatMap((part) => asArray(asObject(part).required).map(String)),
      ),
    ]);
  }

  private isForbidden(property: unknown): boolean {
    return compositionOf(property, this.references).some((part) => asObject(part)[this.forbidden] === true);
  }
}

function remembered<T>(memory: WeakMap<object, T>, schema: unknown, none: T, make: () => T): T {
  if (!isObject(schema)) return none;
  const known = memory.get(schema);
  if (known !== undefined) return known;
  const made = make();
  memory.set(schema, made);
  return made;
}
