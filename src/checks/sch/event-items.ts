// Server-sent events as their description means them. By the letter of OpenAPI 3.2, 4.14.3, an item is an object of the fields of an
// event, whose data are a text; many descriptions tell by `itemSchema` what the data hold, and no event could ever be such an item.
import { parsedJson } from '../../exchange/decoded.ts';
import type { SequenceItem } from '../../exchange/sequences.ts';
import { type SchemaObject, shapeOf, typesOf } from '../../generate/schema-shape.ts';
import { asArray, asObject } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';

/** Source: HTML, 9.2.6. */
const FIELDS: readonly unknown[] = ['data', 'event', 'id', 'retry'];
/** The data by which some services end a stream of JSON texts. */
const END = '[DONE]';
const MAX_UNION_DEPTH = 4;

/** The events, or what their data hold, whichever the schema speaks of. */
export function eventItems(
  items: readonly SequenceItem[],
  schema: unknown,
  description: Description,
): readonly SequenceItem[] {
  const shape = shapeOf(description, schema);
  if (!isOfEvents(description, shape)) return items.flatMap((item) => dataOf(item, shape));
  const types = typesOf(shapeOf(description, asObject(shape.properties).data));
  if (types.length === 0 || types.includes('string')) return items;
  return items.map((item) => {
    const event = item.ok ? asObject(item.value) : {};
    return item.ok ? { ok: true, value: { ...event, data: parsedJson(String(event.data)) ?? event.data } } : item;
  });
}

/** Tells whether an event may be an item of the schema: it names fields of events, and must have no others. */
function isOfEvents(description: Description, shape: SchemaObject, depth = 0): boolean {
  const alternatives = [...asArray(shape.oneOf), ...asArray(shape.anyOf)];
  if (alternatives.length > 0 && depth < MAX_UNION_DEPTH)
    return alternatives.some((one) => isOfEvents(description, shapeOf(description, one), depth + 1));
  const types = typesOf(shape);
  if (types.length > 0 && !types.includes('object')) return false;
  const names = Object.keys(asObject(shape.properties));
  const isNamed = names.length === 0 || names.some((name) => FIELDS.includes(name));
  return isNamed && asArray(shape.required).every((name) => FIELDS.includes(name));
}

function dataOf(item: SequenceItem, shape: SchemaObject): readonly SequenceItem[] {
  const text = item.ok ? String(asObject(item.value).data) : END;
  if (text === END) return [];
  if (typesOf(shape).includes('string')) return [{ ok: true, value: text }];
  const value = parsedJson(text);
  return [value === undefined ? { ok: false } : { ok: true, value }];
}
