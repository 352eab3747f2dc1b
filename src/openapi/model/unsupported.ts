// Why an operation cannot be called, though it is described.
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import type { References } from '../read/references.ts';
import { makeable } from './media-types.ts';
import type { Parameter, RequestBody, SchemaHandle } from './operation.ts';

export interface Callable {
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | 'dangling' | null;
}

/** One sentence, or null when nothing stands in the way. `references`: null when every reference of the description resolves. */
export function obstacle(callable: Callable, references: References | null): string | null {
  const { parameters, requestBody } = callable;
  if (requestBody === 'dangling') return "the request body's reference does not resolve";
  const body = requestBody?.required ? requestBody : null;
  const made = body === null ? null : makeable(body.content);
  if (body !== null && made === null) {
    const types = body.content.map(({ mediaType }) => mediaType).join(', ');
    return `its request body must be ${types || 'of an undeclared media type'}; only JSON, form, text and binary bodies can be made`;
  }
  if (references === null) return null;
  const needed = [...parameters.filter(({ required }) => required).map(({ schema }) => schema), made?.schema ?? null];
  const broken = needed.map((schema) => brokenReference(schema, references)).find((reference) => reference !== null);
  return broken === undefined ? null : `a required input's schema refers to "${broken}", which does not resolve`;
}

/** Names between braces, in order. */
export function placeholders(path: string): string[] {
  return [...path.matchAll(/\{([^{}/]*)\}/g)].map((match) => match[1] as string);
}

/** A reference that leads nowhere in what a schema demands: itself, and what every value of it must hold. No recursion: chains may be of any length. */
function brokenReference(handle: SchemaHandle | null, references: References): string | null {
  const passed = new Set<unknown>();
  const open: unknown[] = [handle?.value];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isObject(schema) || passed.has(schema)) continue;
    passed.add(schema);
    if (typeof schema.$ref === 'string') {
      const target = references.target(schema.$ref);
      if (target === null) return schema.$ref;
      open.push(target.value);
    } else open.push(...demandedBy(schema));
  }
  return null;
}

function demandedBy(schema: JsonObject): unknown[] {
  const properties = asObject(schema.properties);
  return [
    ...asArray(schema.allOf),
    ...asArray(schema.required).map((name) => properties[String(name)]),
    Number(schema.minItems) > 0 ? schema.items : null,
  ];
}
