// Objects from members of the catalogue, in a notation of one line.
import type { JsonObject } from '../platform/json.ts';
import type { Components } from './components.ts';
import { fieldSchema } from './fields.ts';

/**
 * A record of the members in the notation "email! password! note": "!" marks required ones.
 */
export function record(notation: string, components: Components): JsonObject {
  const names = notation.split(' ').filter((name) => name !== '');
  const required = names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const properties = names.map((name) => {
    const plainName = name.replace(/!$/, '');
    return [plainName, fieldSchema(plainName, components)] as const;
  });
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  };
}

/** A record of members of the catalogue and some of its own. */
export function extended(
  components: Components,
  notation: string,
  own: JsonObject = {},
  required: readonly string[] = [],
): JsonObject {
  const base = record(notation, components);
  const all = [...((base.required as string[] | undefined) ?? []), ...required];
  return {
    ...base,
    ...(all.length === 0 ? {} : { required: all }),
    properties: { ...(base.properties as JsonObject), ...own },
  };
}

/** An object of these members, all of them required unless told. */
export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}
