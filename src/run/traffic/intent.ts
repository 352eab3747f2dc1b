// What a foreign request was, as far as it shows: whether the description allows it, and whether it shows a token where one
// is required. Nobody says why it was sent, so what cannot be told counts as sound.
import { headerReadings } from '../../checks/sch/header-value.ts';
import { header } from '../../exchange/body.ts';
import type { Intent } from '../../exchange/exchange.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Parameter } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { requiresToken } from '../../probes/world.ts';
import type { Place } from './addresses.ts';
import type { SeenRequest } from './seen.ts';

/** Why the request may have been refused, by its looks alone. */
export function intentOf(
  request: SeenRequest,
  { query }: Place,
  described: Described | null,
  isAnonymous: boolean,
): Intent {
  if (described === null) return 'invalid';
  if (isAnonymous && request.isComplete && requiresToken(described.operation)) return 'unauthenticated';
  const values = new URLSearchParams(query);
  const isSound =
    bodyFits(request, described) &&
    described.operation.parameters.every((parameter) => parameterFits(parameter, values, request, described));
  return isSound ? 'sound' : 'invalid';
}

function bodyFits({ body, headers }: SeenRequest, { operation, description }: Described): boolean {
  const { requestBody } = operation;
  if (body.kind === 'unrecorded' || requestBody === null) return true;
  if (body.kind === 'none') return !requestBody.required;
  const media = requestBody.content.find(({ mediaType }) => isJson(mediaType));
  if (media?.schema == null || !isJson(header(headers, 'content-type') ?? 'application/json')) return true;
  try {
    return description.fits(media.schema, JSON.parse(body.text)) !== false;
  } catch {
    return false;
  }
}

/** Lists and objects have many spellings, so only single values are judged. */
function parameterFits(
  parameter: Parameter,
  query: URLSearchParams,
  { headers }: SeenRequest,
  { description }: Described,
): boolean {
  const { name, required, schema } = parameter;
  if (parameter.in === 'path' || parameter.in === 'cookie') return true;
  const values = parameter.in === 'query' ? query.getAll(name) : [header(headers, name)].filter((one) => one !== null);
  const [value] = values;
  if (value === undefined) return !required;
  if (schema === null || values.length > 1) return true;
  return headerReadings(value).some((reading) => description.fits(schema, reading) !== false);
}
