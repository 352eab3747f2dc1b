// readOnly and writeOnly: which properties a direction forbids, and which `required` entries that excuses.
import { oncePerValue } from '../../exchange/once-per.ts';
import { asArray, asObject } from '../json.ts';
import { compositionOf, type References } from '../read/references.ts';

export type Direction = 'request' | 'response';

export class DirectedProperties {
  /** The keyword that forbids a value in this direction: writeOnly in responses, readOnly in requests. */
  readonly forbidden: 'readOnly' | 'writeOnly';
  private readonly references: References;

  constructor(references: References, direction: Direction) {
    this.references = references;
    this.forbidden = direction === 'response' ? 'writeOnly' : 'readOnly';
  }

  /** Properties that the schema, or what it is composed of, forbids in this direction: they need not be there. */
  readonly excusedBy = oncePerValue((schema: unknown): ReadonlySet<string> => {
    const names = compositionOf(schema, this.references).flatMap((part) =>
      Object.entries(asObject(asObject(part).properties)).filter(([, property]) => this.isForbidden(property)),
    );
    return new Set(names.map(([name]) => name));
  });

  /** Properties that the schema, or what it is composed of, requires. */
  readonly demandedBy = oncePerValue((schema: unknown): readonly string[] => [
    ...new Set(compositionOf(schema, this.references).flatMap((part) => asArray(asObject(part).required).map(String))),
  ]);

  private isForbidden(property: unknown): boolean {
    return compositionOf(property, this.references).some((part) => asObject(part)[this.forbidden] === true);
  }
}
