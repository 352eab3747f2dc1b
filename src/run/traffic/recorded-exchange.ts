// A foreign exchange as checks see it. What is not known of it (why it was sent, what else its client did) is left open, so
// that no check takes it for a request of ours.

import { headerReadings } from '../../checks/sch/header-value.ts';
import { createRecorder, type Recorder } from '../../client/record.ts';
import { header } from '../../exchange/body.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import type { EchoedSecret, Exchange, HeaderList, Intent, PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Parameter } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { requiresToken } from '../../probes/world.ts';
import type { Place } from './addresses.ts';
import { maskBody, maskHeaders, maskQuery, type Tell, tellSecrets } from './secrets.ts';
import type { Seen, SeenAnswer, SeenRequest, SeenRequestBody } from './seen.ts';
import type { Shown } from './tokens.ts';

/** Longer bodies are cut, and so not judged. */
export const MOST_BODY_BYTES = 16 * 1024 * 1024;

export interface Recording {
  readonly seen: Seen;
  readonly answer: SeenAnswer;
  readonly place: Place;
  readonly described: Described | null;
  readonly shown: Shown;
  readonly intent: Intent;
  /** Where the recording tells no time. Epoch ms. */
  readonly nowMs: number;
}

export class ForeignRecorder {
  readonly #redactor: Redactor;
  readonly #tell: Tell;
  readonly #recorders = new Map<string, Recorder>();
  #count = 0;

  /** `tell` learns every secret that shows by the name of its place. */
  constructor(redactor: Redactor, tell: Tell) {
    this.#redactor = redactor;
    this.#tell = tell;
  }

  record({ seen, answer, place, described, shown, intent, nowMs }: Recording): Exchange {
    const { request, times } = seen;
    this.#count += 1;
    const body = request.body.kind === 'text' ? request.body.text : null;
    const sent = { method: request.method, path: place.path, query: place.query, headers: request.headers, body };
    const plan: RequestPlan = {
      service: described?.operation.service ?? null,
      operation: described?.operation.key ?? null,
      probe: seen.place,
      intent,
      method: request.method,
      path: place.path,
      query: place.query,
      headers: [],
      body: plannedBody(request.body, request.headers),
      credential: shown.credential,
      retry: 'once',
    };
    const exchange = this.#recorder(place.base).record({
      id: `ex-${this.#count}`,
      plan,
      attempt: 1,
      previous: null,
      sentAt: times?.sentAt ?? nowMs,
      durationMs: times?.durationMs ?? 0,
      // Where no time is told, how long the answer took says nothing.
      ...(times === null ? { halted: true as const } : {}),
      request: sent,
      shown: this.#shownRequest(sent, shown),
      outcome: {
        received: {
          status: answer.status,
          headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
          body: answer.body.content,
          truncated: !answer.body.isWhole,
        },
      },
    });
    this.#tellOfAnswer(answer.headers, exchange);
    const echoed = echoesOf(shown, sent, exchange);
    return echoed.length === 0 ? exchange : { ...exchange, echoed: [...exchange.echoed, ...echoed] };
  }

  #recorder(base: string): Recorder {
    const known = this.#recorders.get(base);
    if (known !== undefined) return known;
    const made = createRecorder({ baseUrl: base, redactor: this.#redactor, byteLimit: MOST_BODY_BYTES });
    this.#recorders.set(base, made);
    return made;
  }

  #shownRequest<T extends { readonly query: string; readonly headers: HeaderList; readonly body: string | null }>(
    sent: T,
    { authorization }: Shown,
  ): T {
    const headers = maskHeaders(sent.headers, this.#tell).map((entry): readonly [string, string] =>
      authorization !== null && /^authorization$/i.test(entry[0]) ? [entry[0], authorization] : entry,
    );
    const type = header(sent.headers, 'content-type') ?? '';
    const body = sent.body === null ? null : maskBody(sent.body, type, this.#tell);
    return { ...sent, query: maskQuery(sent.query, this.#tell), headers, body };
  }

  /** The answer is judged as it came, so its secrets are taken out when the report is written. */
  #tellOfAnswer(headers: HeaderList, { response }: Exchange): void {
    maskHeaders(headers, this.#tell);
    if (response !== null) tellSecrets(response.body, this.#tell);
  }
}

/** Where the answer echoes a token that the configuration does not know, unless the request quotes it elsewhere, too. */
function echoesOf(
  { sought }: Shown,
  { path, query, body }: { readonly path: string; readonly query: string; readonly body: string | null },
  { response }: Exchange,
): readonly EchoedSecret[] {
  if (sought === null || response === null) return [];
  const quotes = [path, query, body ?? ''].some((text) => text.includes(sought));
  if (quotes) return [];
  const headers = response.headers.filter(([, value]) => value.includes(sought));
  const where = [...(response.body.includes(sought) ? ['body'] : []), ...headers.map(([name]) => name)];
  return where.map((place) => ({ secret: 'sent token', where: place }));
}

/** A body that was not recorded may have been anything: it is taken for text in which no check finds a field. */
function plannedBody(body: SeenRequestBody, headers: HeaderList): PlannedBody {
  if (body.kind === 'none') return { kind: 'none' };
  const text = body.kind === 'text' ? body.text : '';
  const contentType = header(headers, 'content-type') ?? '';
  const value = isJson(contentType) ? parsedJson(text) : undefined;
  return value === undefined ? { kind: 'raw', text, contentType } : { kind: 'json', value, contentType };
}

// The intent of a foreign request is told by its looks: whether the description allows it, and whether it shows a token
// where one is required. Nobody says why it was sent, so what cannot be told counts as sound.

/** Why the request may have been refused, by its looks alone. */
export function intentOf(
  request: SeenRequest,
  { query }: Place,
  described: Described | null,
  { isAnonymous }: { readonly isAnonymous: boolean },
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
    // A body that is no JSON fits no schema.
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
