// The operation of a description that a contract shows.
import type { Description, Operation } from '../../openapi/model/operation.ts';

/** The described operation of this key, whatever its path parameters are called; undefined when it is lacking. */
export function describedAs(shown: string, description: Description): Operation | undefined {
  const wanted = unnamed(shown);
  return description.operations.find(({ key }) => unnamed(key) === wanted);
}

function unnamed(key: string): string {
  return key.replaceAll(/\{[^}]*\}/g, '{}');
}
