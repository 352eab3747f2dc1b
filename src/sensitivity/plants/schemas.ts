// Plants of SCH-01: the catalogue's defects of schemas, each in one place that the seed picks.

import type { Subject } from '../../checks/check.ts';
import { declaredJson } from '../../checks/sch/declared.ts';
import { placesOf, replaced, schemasIn } from '../../defects/schema-places.ts';
import { SCHEMA_DEFECTS } from '../../defects/schemas.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { type AnswerPlant, withBody } from '../plant.ts';

export const schemaPlants: readonly AnswerPlant[] = SCHEMA_DEFECTS.map(
  ({ id, clause, says, lacks, speaks, broken }) => ({
    ...{ id, clause, text: says, lacks, at: 'operation' },
    concerns: (operation, { deref }) =>
      successSchemas(operation).some((schema) => schemasIn(deref, schema).some((one) => speaks(one, deref))),
    change(subject, pick) {
      const answer = declaredJson(subject);
      const body = jsonBody(subject.exchange);
      if (answer?.media.schema == null || !isSuccess(answer.response.status) || !body.ok) return null;
      const places = placesOf(answer.description.deref, answer.media.schema.value, body.value);
      const candidates = places.flatMap((place) => {
        const other = broken(place);
        return other === null ? [] : [{ path: place.path, ...other }];
      });
      const chosen = candidates[pick(candidates.length)];
      if (chosen === undefined) return null;
      return { response: withBody(answer.response, replaced(body.value, chosen.path, chosen.value)) };
    },
  }),
);

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
