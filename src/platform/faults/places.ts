// Places in a response body, each with the schema that describes it there.

import { asObject, isObject, type JsonObject } from '../json.ts';
import { flatten } from '../schema/flatten.ts';
import type { ServedDocument } from '../schema/served.ts';

export interface Place {
  /** Without $ref and allOf. */
  readonly schema: JsonObject;
  readonly value: unknown;
  /** Member names and array indexes from the top. */
  readonly path: readonly (string | number)[];
  /** True for a member that its object must have. */
  readonly required: boolean;
  set(value: unknown): void;
  /** Takes the member out of its object; does nothing for array items and the top. */
  drop(): void;
}

/** All places below and at the top of `holder.body`, outermost first; alternatives (oneOf, anyOf) are not entered. */
export function* placesIn(document: ServedDocument, schema: unknown, holder: { body: unknown }): Generator<Place> {
  const set = (value: unknown) => {
    holder.body = value;
  };
  yield* walk(document, schema, holder.body, { path: [], required: false, set, drop: () => undefined });
}

type Slot = Pick<Place, 'path' | 'required' | 'set' | 'drop'>;

function* walk(document: ServedDocument, schema: unknown, value: unknown, slot: Slot): Generator<Place> {
  const flat = flatten(document.root, schema);
  yield { ...slot, schema: flat, value };
  if ('oneOf' in flat || 'anyOf' in flat) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const set = (next: unknown) => {
        value[index] = next;
      };
      yield* walk(document, flat.items ?? true, item, {
        path: [...slot.path, index],
        required: false,
        set,
        drop: () => undefined,
      });
    }
  }
  if (!isObject(value)) return;
  const required = Array.isArray(flat.required) ? flat.required : [];
  for (const [name, inner] of Object.entries(asObject(flat.properties))) {
    if (!(name in value)) continue;
    const set = (next: unknown) => {
      value[name] = next;
    };
    const drop = () => {
      delete value[name];
    };
    yield* walk(document, inner, value[name], {
      path: [...slot.path, name],
      required: required.includes(name),
      set,
      drop,
    });
  }
}
