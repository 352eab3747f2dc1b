// Which JSON types a schema admits, as far as its keywords say: through $ref, allOf, anyOf, oneOf, enum and const.
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import type { Description } from '../../openapi/model/operation.ts';

const DEPTH = 8;

/** The types that the schema admits, null aside; null when it leaves the type open. */
export function describedTypes(description: Description, schema: unknown, depth = 0): ReadonlySet<string> | null {
  const shape = shapeOf(description, schema);
  const own = typesOf(shape);
  if (own.length > 0) return withoutNull(own);
  if (Array.isArray(shape.enum)) return withoutNull(shape.enum.map(typeOf));
  if (Object.hasOwn(shape, 'const')) return withoutNull([typeOf(shape.const)]);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (!Array.isArray(alternatives) || depth > DEPTH) return null;
  const types = alternatives.map((alternative) => describedTypes(description, alternative, depth + 1));
  return types.includes(null) ? null : new Set(types.flatMap((set) => [...(set ?? [])]));
}

function withoutNull(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.filter((type) => type !== 'null'));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
