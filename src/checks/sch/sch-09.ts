// SCH-09 (should): Properties that the schema does not mention (where it allows them) are listed as drift.

import { type Breach, breached } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isSuccess } from '../../facts/answered.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck } from '../check.ts';
import { declaredJson, isJsonText } from './declared.ts';
import { showsEnvelopeOnSuccess } from './envelope-clauses.ts';
import { type Place, placesOf } from './pointers.ts';
import { withinBounds } from './within-bounds.ts';

const MOST_BREACHES = 20;

export const sch09: ExchangeCheck = {
  clause: 'SCH-09',
  title: 'The schema mentions every property of the body',
  applies(subject) {
    const answer = declaredJson(subject);
    if (answer?.media.schema == null || !isSuccess(answer.response.status) || !isJsonText(subject)) return false;
    return !showsEnvelopeOnSuccess(subject) && describesProperties(answer.media.schema.value, answer.description);
  },
  judge(subject) {
    const answer = declaredJson(subject);
    const schema = answer?.media.schema ?? null;
    const body = jsonBody(subject.exchange);
    if (answer === null || schema === null || !body.ok) return breached([]);
    const { description } = answer;
    const places = placesOf(body.value, schema, description, subject.contract);
    return withinBounds(() => breached(driftIn(description.undescribed(schema, body.value, 'response'), places)));
  },
};

function driftIn(pointers: readonly string[], placeOf: Place): Breach[] {
  const byPlace = new Map<string, Breach>();
  for (const pointer of pointers) {
    const place = placeOf(pointer);
    if (!byPlace.has(place)) byPlace.set(place, driftAt(pointer, place));
    if (byPlace.size === MOST_BREACHES) break;
  }
  return [...byPlace.values()];
}

function driftAt(pointer: string, place: string): Breach {
  const actual = `the property ${place}`;
  const expected = 'only properties that the schema mentions';
  return { weight: 'breach', ...sch('sch-09.undescribed', { place, expected }, place), expected, actual, pointer };
}

const LOOKED_INTO = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

const describes = oncePer((schema: object, description: Description) => namesProperties(schema, description, 0));

/** Tells whether the schema names any property, at the top or in the items of a list: an open schema drifts from nothing. */
function describesProperties(schema: unknown, description: Description): boolean {
  return isObject(schema) && describes(schema, description);
}

function namesProperties(schema: unknown, description: Description, depth: number): boolean {
  const resolved = description.deref(schema);
  if (!isObject(resolved) || depth > 8) return false;
  if (isObject(resolved.properties) && Object.keys(resolved.properties).length > 0) return true;
  const parts = [
    resolved.items,
    resolved.additionalProperties,
    ...LOOKED_INTO.flatMap((keyword) => resolved[keyword] ?? []),
  ];
  return parts.some((part) => namesProperties(part, description, depth + 1));
}
