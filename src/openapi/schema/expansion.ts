// How many schemas judge one value: what is composed of itself twice over, level upon level, comes to more of them than any
// machine can ask.
import { asArray, asObject, isObject } from '../json.ts';
import type { References } from '../read/references.ts';
import { IN_PLACE, LIST, MAP, ONE } from './schema-keywords.ts';

export class Expansion {
  private readonly references: References;
  private readonly known = new WeakMap<object, number>();

  constructor(references: References) {
    this.references = references;
  }

  /** The schema itself and all that judge the same value for it, each as often as it is referred to. Linear in what is reachable. */
  of(schema: unknown): number {
    if (!isObject(schema)) return 1;
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    // What leads back to itself is counted once here, and told elsewhere.
    this.known.set(schema, 1);
    const { $ref } = schema;
    const target = typeof $ref === 'string' ? this.references.target($ref) : null;
    const parts = IN_PLACE.flatMap((keyword): readonly unknown[] => {
      const value = schema[keyword];
      if (LIST.includes(keyword)) return asArray(value);
      if (MAP.includes(keyword)) return Object.values(asObject(value));
      return ONE.includes(keyword) && value !== undefined ? [value] : [];
    });
    const total = [...parts, ...(target === null ? [] : [target.value])].reduce<number>(
      (sum, part) => sum + this.of(part),
      1,
    );
    this.known.set(schema, total);
    return total;
  }
}
