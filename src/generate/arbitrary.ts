// JSON Schema (OpenAPI 3.0 dialect and 2020-12) to fast-check arbitraries, for request bodies and parameters.
// readOnly properties are left out. What is drawn nearly always validates; whoever uses it sees to it that it does.
import type * as fc from 'fast-check';
import type { Description } from '../openapi/model/operation.ts';
import { drawnBy } from './chance.ts';
import { Schemas } from './schema/schemas.ts';
import { Drawing } from './value/drawing.ts';
import type { Appetite } from './value/place.ts';

/**
 * Values of the schema; drawing one throws CannotGenerate where none is found. `name` is the property or parameter that
 * will hold the value.
 */
export function arbitraryOf(
  description: Description,
  schema: unknown,
  appetite: Appetite,
  name = '',
): fc.Arbitrary<unknown> {
  const schemas = Schemas.of(description, appetite.isStrict);
  const conjunction = schemas.all([schema, ...(appetite.beside ?? [])]);
  return drawnBy((chance) => new Drawing(schemas, chance, appetite).root(conjunction, name));
}
