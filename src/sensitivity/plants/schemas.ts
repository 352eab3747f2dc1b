// Plants of SCH: successes that differ from their description, in one place each.

import type { Subject } from '../../checks/check.ts';
import { declaredJson } from '../../checks/sch/declared.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { type AnswerPlant, type Pick, withBody } from '../plant.ts';
import { type Place, placesOf, replaced, schemasIn } from '../schema-places.ts';

/** Stands where a schema allows other texts only. */
const OUTSIDE = 'assay-outside';
const OTHER_TYPE: Readonly<Record<string, unknown>> = { string: { assay: true }, boolean: 'assay', object: 'assay' };
const FORMATS: readonly unknown[] = ['date-time', 'date', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'];

/** One way to break a schema: where it can be, and the value that breaks it there. */
interface Breaking {
  readonly kind: string;
  readonly text: string;
  readonly lacks: string;
  /** Tells whether the schema can be broken like that. */
  speaks(schema: JsonObject, description: Description): boolean;
  /** The broken value; undefined where this value cannot be broken so. */
  broken(place: Place, pick: Pick, description: Description): unknown;
}

const BREAKINGS: readonly Breaking[] = [
  {
    kind: 'type',
    text: 'One member of a success has another JSON type than described.',
    lacks: 'no success held a member whose type is described',
    speaks: ({ type }) => typeof type === 'string',
    broken: ({ schema: { type } }) => (typeof type === 'string' ? (OTHER_TYPE[type] ?? 'assay') : undefined),
  },
  {
    kind: 'null',
    text: 'One member of a success is null where null is not described.',
    lacks: 'no success held a member that must not be null',
    speaks: isNeverNull,
    broken: ({ schema, value }) => (isNeverNull(schema) && value !== null ? null : undefined),
  },
  {
    kind: 'missing',
    text: 'A success lacks one member that the description requires.',
    lacks: 'no success held a required member',
    speaks: ({ required }) => Array.isArray(required) && required.length > 0,
    broken({ schema, value }, pick, description) {
      const names = requiredIn(schema, value, description);
      const name = names[pick(names.length)];
      return name === undefined || !isObject(value) ? undefined : without(value, name);
    },
  },
  {
    kind: 'last-item',
    text: 'The last item of a list lacks a member that the description requires.',
    lacks: 'no success held a list of two items',
    speaks: ({ type, items }, description) => {
      const item = description.deref(items);
      return type === 'array' && isObject(item) && Array.isArray(item.required) && item.required.length > 0;
    },
    broken({ schema, value }, pick, description) {
      const item = description.deref(schema.items);
      if (!Array.isArray(value) || value.length < 2 || !isObject(item)) return undefined;
      const last: unknown = value.at(-1);
      const names = requiredIn(item, last, description);
      const name = names[pick(names.length)];
      return name === undefined || !isObject(last) ? undefined : [...value.slice(0, -1), without(last, name)];
    },
  },
  {
    kind: 'enum',
    text: 'One member of a success has a value outside its enumeration.',
    lacks: 'no success held a member with an enumeration',
    speaks: ({ enum: values }) => Array.isArray(values) && !values.includes(OUTSIDE),
    broken: ({ schema: { enum: values } }) =>
      Array.isArray(values) && !values.includes(OUTSIDE) ? OUTSIDE : undefined,
  },
  {
    kind: 'format',
    text: 'One member of a success is a text that its format does not allow.',
    lacks: 'no success held a member with a format',
    speaks: ({ format, type }) => FORMATS.includes(format) && type === 'string',
    broken: ({ schema: { format, type }, value }) =>
      FORMATS.includes(format) && type === 'string' && typeof value === 'string' ? 'no \u0000 such form' : undefined,
  },
  {
    kind: 'minimum',
    text: 'One number of a success is below its minimum.',
    lacks: 'no success held a number with a minimum',
    speaks: ({ minimum }) => typeof minimum === 'number',
    broken: ({ schema: { minimum }, value }) =>
      typeof minimum === 'number' && typeof value === 'number' ? minimum - 1 : undefined,
  },
  {
    kind: 'maximum',
    text: 'One number of a success is above its maximum.',
    lacks: 'no success held a number with a maximum',
    speaks: ({ maximum }) => typeof maximum === 'number',
    broken: ({ schema: { maximum }, value }) =>
      typeof maximum === 'number' && typeof value === 'number' ? maximum + 1 : undefined,
  },
  {
    kind: 'too-short',
    text: 'One text of a success is shorter than its minimum.',
    lacks: 'no success held a text with a minimum length',
    speaks: ({ minLength }) => Number(minLength) > 0,
    broken: ({ schema: { minLength }, value }) =>
      Number(minLength) > 0 && typeof value === 'string' ? value.slice(0, Number(minLength) - 1) : undefined,
  },
  {
    kind: 'undeclared',
    text: 'A success holds a member where the description allows no others.',
    lacks: 'no success held an object that allows no further members',
    speaks: isClosed,
    broken: ({ schema, value }) => (isClosed(schema) && isObject(value) ? { ...value, assay_extra: 1 } : undefined),
  },
];

function isNeverNull({ type, nullable, enum: values }: JsonObject): boolean {
  return (
    typeof type === 'string' &&
    type !== 'null' &&
    nullable !== true &&
    !(Array.isArray(values) && values.includes(null))
  );
}

function isClosed({ additionalProperties, patternProperties, properties }: JsonObject): boolean {
  return additionalProperties === false && patternProperties === undefined && isObject(properties);
}

/** The required members that the value holds, but those that answers may leave out. */
function requiredIn({ required, properties }: JsonObject, value: unknown, description: Description): readonly string[] {
  if (!Array.isArray(required) || !isObject(value)) return [];
  return required.filter((name): name is string => {
    const own = isObject(properties) ? description.deref(properties[name]) : undefined;
    return typeof name === 'string' && Object.hasOwn(value, name) && !(isObject(own) && own.writeOnly === true);
  });
}

function without(value: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...others } = value;
  return others;
}

export const schemaPlants: readonly AnswerPlant[] = BREAKINGS.map((breaking) => ({
  id: `sch-01-${breaking.kind}`,
  clause: 'SCH-01',
  text: breaking.text,
  lacks: breaking.lacks,
  at: 'operation',
  concerns: (operation, description) =>
    successSchemas(operation).some((schema) =>
      schemasIn(description, schema).some((one) => breaking.speaks(one, description)),
    ),
  change(subject, pick) {
    const answer = declaredJson(subject);
    const body = jsonBody(subject.exchange);
    if (answer?.media.schema == null || !isSuccess(answer.response.status) || !body.ok) return null;
    const { description } = answer;
    const candidates = placesOf(description, answer.media.schema.value, body.value).filter(
      (place) => breaking.broken(place, pick, description) !== undefined,
    );
    const place = candidates[pick(candidates.length)];
    if (place === undefined) return null;
    const value = replaced(body.value, place.path, breaking.broken(place, pick, description));
    return { response: withBody(answer.response, value) };
  },
}));

/** The schemas of the JSON bodies that the operation declares for successes. */
function successSchemas({ responses, method }: Operation): readonly unknown[] {
  if (method === 'HEAD') return [];
  return responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content)
    .flatMap(({ mediaType, schema }) => (isJson(mediaType) && schema !== null ? [schema.value] : []));
}

/** Tells whether the answer is a success with a body that the description declares as JSON. */
export function isJsonSuccess(subject: Subject): boolean {
  const answer = declaredJson(subject);
  return answer !== null && isSuccess(answer.response.status) && jsonBody(subject.exchange).ok;
}

/** Tells whether the operation declares a success with a JSON body. */
export function declaresJsonSuccess(operation: Operation): boolean {
  return successSchemas(operation).length > 0;
}

/** Tells whether the answer is a success that arrived whole. */
export function isWholeSuccess({ exchange }: Subject): boolean {
  return isSuccess(wholeResponse(exchange)?.status ?? 0);
}
