// Opaque ids: drawn from a text, in the form that the id's schema asks for.
import { matching, numberOf } from '../schema/example.ts';
import { flatten, typesOf } from '../schema/flatten.ts';
import { digest, uuidFrom } from './hash.ts';
import { singular } from './paths.ts';
import type { Resource } from './resource.ts';

/** The id that the text gives for an item of the resource, as it stands in a path. */
export function idFrom(resource: Resource, text: string): string {
  const flat = flatten(resource.document.root, resource.idSchema);
  const type = typesOf(flat)[0];
  if (type === 'integer' || type === 'number') {
    const least = Number(flat.minimum ?? 100_000);
    return String(
      numberOf(
        { ...flat, type: 'integer', minimum: least, maximum: Number(flat.maximum ?? least + 899_999_999) },
        text,
        { whole: true },
      ),
    );
  }
  if (flat.format === 'uuid') return uuidFrom(text);
  if (typeof flat.pattern === 'string') return matching(flat.pattern, flat, text);
  const longest = Number(flat.maxLength ?? 64);
  const id = `${singular(resource.template)}_${digest(text).slice(0, 16)}`;
  return id.length <= longest ? id : digest(text).slice(0, longest);
}

/** The id as it stands in a body: a number where the schema says so. */
export function idInBody(resource: Resource, id: string): string | number {
  const type = typesOf(flatten(resource.document.root, resource.idSchema))[0];
  return type === 'integer' || type === 'number' ? Number(id) : id;
}

/** The one id of a resource whose ids nothing but a fixture tells. It depends on the parameter's name alone. */
export function fixtureId(resource: Resource, seed: number): string {
  return idFrom(resource, `${seed} fixture ${resource.param ?? resource.template}`);
}
