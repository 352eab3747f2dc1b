// Before anything else: is this the right target, is it up, and does the key work? At most a dozen requests; a no ends the
// run with one sentence instead of hundreds of findings.
import { plural } from '../../contract/numbers.ts';
import type { Terms } from '../../contract/terms.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import { bodyPlaces, envelopeOf, isEnveloped, placedAt } from '../../exchange/envelope.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { needsNoValue, requiresToken, type World } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';

const OPERATIONS_TRIED = 3;
const ENVELOPE_LIKENESS = 5;

type Send = (plan: RequestPlan) => Promise<Exchange>;

/**
 * Resolves when the target looks like the platform; throws RunEnded (target-lost, no-credential) when it does not. Resolves with what was
 * answered for places of no operation. One operation that is served is enough.
 */
export async function smoke(
  world: World,
  descriptions: readonly Description[],
  send: Send,
): Promise<readonly Exchange[]> {
  const key: Credential = world.mainKey === null ? { kind: 'none' } : { kind: 'key', name: world.mainKey.name };
  const live = await askTwice(send, smokePlan('health', livePath(world.terms), { kind: 'none' }));
  if (!isAnswered(live)) throw nothingAnswers([live]);
  const unknown = await askTwice(
    send,
    smokePlan('unknown-path', `${world.terms.versions.prefix ?? ''}/assay-${world.nonce}`, key),
  );
  const nonsense: Credential = {
    kind: 'invalid',
    how: 'nonsense',
    authorization: `Bearer assay-${world.nonce}-nonsense-token`,
  };
  const candidates = readable(descriptions).slice(0, OPERATIONS_TRIED);
  const served: Exchange[] = [];
  for (const operation of candidates) {
    const answer = await askTwice(send, operationPlan(operation, key));
    served.push(answer);
    if (looksLikeOperation(answer, operation)) break;
  }
  const tried = candidates.slice(0, served.length);
  const [first] = tried;
  const refused = first === undefined ? null : await askTwice(send, operationPlan(first, nonsense));
  conclude(live, unknown, served, refused, tried, world);
  return [live, unknown];
}

/** The end of a run that met no answer at all. */
export function nothingAnswers([first]: readonly Exchange[]): RunEnded {
  const why = first?.failure?.message ?? 'no answer';
  return new RunEnded(
    'target-lost',
    `nothing answers at the target: ${why}; check target.baseUrl and that it is running`,
  );
}

/** Where liveness is asked for. */
function livePath({ health }: Terms): string {
  return health?.operation.split(' ')[1] ?? '/';
}

/** The first answer; once more where there was none: one connection that is lost on the way is no target that is down. */
export async function askTwice(send: Send, plan: RequestPlan): Promise<Exchange> {
  const first = await send(plan);
  return first.failure?.kind === 'reset' && !isAnswered(first) ? send(plan) : first;
}

/** One that breaks off is an answer, too. */
function isAnswered({ response, failure }: Exchange): boolean {
  return response !== null || failure?.status !== undefined;
}

/** One attempt each, on a connection of its own: whether a target is the right one is not worth waiting for, and many a server ends a connection unannounced. */
function smokePlan(what: string, path: string, credential: Credential): RequestPlan {
  return { ...placePlan(`smoke/${what}`, path, credential), retry: 'once', fresh: true };
}

function operationPlan(operation: Operation, credential: Credential): RequestPlan {
  const plan = smokePlan('operation', operation.path, credential);
  return { ...plan, service: operation.service, operation: operation.key };
}

/** Reading operations that need a token and no value that is not known yet, spread over the services. */
export function readable(descriptions: readonly Pick<Description, 'operations'>[]): readonly Operation[] {
  const perService = descriptions.map(({ operations }) =>
    operations.filter(
      (operation) =>
        operation.method === 'GET' &&
        operation.unsupported === null &&
        requiresToken(operation) &&
        needsNoValue(operation),
    ),
  );
  const longest = Math.max(0, ...perService.map((operations) => operations.length));
  return Array.from({ length: longest }, (_, index) =>
    perService.flatMap((operations) => operations[index] ?? []),
  ).flat();
}

function conclude(
  live: Exchange,
  unknown: Exchange,
  served: readonly Exchange[],
  refused: Exchange | null,
  tried: readonly Operation[],
  world: World,
): void {
  const all = [live, unknown, ...served, ...(refused === null ? [] : [refused])];
  const statuses = all.map(({ response, failure }) => response?.status ?? failure?.status ?? 0);
  if (statuses.every((status) => status === 0 || status >= 500)) {
    throw new RunEnded(
      'target-lost',
      `the target is down: every answer is a failure (${[...new Set(statuses)].join(', ')})`,
    );
  }
  const serves = served.some((exchange, index) => looksLikeOperation(exchange, tried[index]));
  const right =
    all.some((exchange) => looksLikeEnvelope(exchange, world.terms)) ||
    (isRefusal(unknown) && (serves || (tried.length === 0 && isAlive(live))));
  if (!right) {
    throw new RunEnded('target-lost', `this is not the platform: ${summary(live, unknown)}; check target.baseUrl`);
  }
  const places = [live, unknown, ...served];
  if (served.length > 0 && places.every(({ response }) => response?.status === 404)) {
    const paths = [...new Set(places.map(({ request }) => request.path))].join(', ');
    throw new RunEnded('target-lost', `every answer is 404 (${paths}): check the path in target.baseUrl`);
  }
  const refusedAll =
    served.length > 0 &&
    served.every((exchange) => exchange.response?.status === 401) &&
    served.some(
      (exchange) => envelopeOf(exchange, world.terms.errors)?.code === world.terms.authentication.refused?.code,
    );
  if (refusedAll && world.mainKey !== null) {
    throw new RunEnded(
      'no-credential',
      `key ${world.mainKey.name} is not accepted: ${plural(tried.length, 'operation answers', 'operations answer')} it 401; renew the token in the configuration (keys)`,
    );
  }
  const lockedOut = served.length > 0 && served.every((exchange) => exchange.response?.status === 403);
  if (lockedOut && world.mainKey !== null) {
    throw new RunEnded(
      'no-credential',
      `key ${world.mainKey.name} is answered 403 by ${plural(tried.length, 'operation')}: its account may be locked`,
    );
  }
}

function summary(live: Exchange, unknown: Exchange): string {
  const spoken = (exchange: Exchange): string => {
    const type = header(exchange.response?.headers ?? [], 'content-type') ?? 'no content type';
    return `${exchange.request.path} answers ${exchange.response?.status ?? 'nothing'} (${type})`;
  };
  return `${spoken(live)}, ${spoken(unknown)}, neither with the error envelope`;
}

/** An error whose body holds most members of the envelope, in whatever state. */
function looksLikeEnvelope(exchange: Exchange, { errors }: Terms): boolean {
  const body = jsonBody(exchange);
  if ((exchange.response?.status ?? 0) < 400 || !body.ok || errors === null || !isEnveloped(body.value, errors))
    return false;
  return (
    bodyPlaces(errors).filter((at) => placedAt(body.value, at)[0]?.value !== undefined).length >= ENVELOPE_LIKENESS
  );
}

/** A success in JSON under a declared status. */
function looksLikeOperation(exchange: Exchange, operation: Operation | undefined): boolean {
  const { response } = exchange;
  if (response === null || operation === undefined || response.status >= 300) return false;
  return jsonBody(exchange).ok && declaredResponse(operation, response.status) !== null;
}

function isRefusal({ response, failure }: Exchange): boolean {
  return (response?.status ?? failure?.status ?? 0) >= 400;
}

function isAlive({ response }: Exchange): boolean {
  return response?.status === 200;
}
