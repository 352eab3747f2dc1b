// Fills in what a conditional write must know of the thing that it is sent to: the tag, the time or the version of its present state, as
// the target showed it last, or as it is read for the purpose.

import { header } from '../../exchange/body.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { createdId } from '../../facts/created.ts';
import { trimmed } from '../../facts/paths.ts';
import { resourceOf } from '../../facts/resource.ts';
import { isObject, isScalar, type JsonObject, membersOf, normal } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { ANY_STATE, isVersionName } from '../../probes/reach/preconditions.ts';
import { operationAt, pathIn } from '../../probes/reach/undoing.ts';

/** The state of one thing, as an answer shows it. */
interface State {
  readonly tag: string | null;
  readonly modified: string | null;
  readonly resource: JsonObject;
}

const UNKNOWN: State = { tag: null, modified: null, resource: {} };
/** A write that names an old state is refused so, or as a conflict. */
const STALE: readonly (number | undefined)[] = [409, 412, 428];

export class PresentState {
  readonly #catalogue: Catalogue;
  /** The states of things, by path. */
  readonly #known = new Map<string, State>();
  readonly #read: (plan: RequestPlan) => Promise<Exchange>;

  /** `read` sends a reading, whose answer is observed as any other is. */
  constructor(catalogue: Catalogue, read: (plan: RequestPlan) => Promise<Exchange>) {
    this.#catalogue = catalogue;
    this.#read = read;
  }

  /** Takes in what an answer shows of a state, and forgets what a write may have changed. */
  observe(exchange: Exchange): void {
    const { plan, response } = exchange;
    const path = trimmed(plan.path);
    if (plan.method === 'GET') {
      if (response?.status === 200) this.#known.set(path, stateIn(exchange));
      return;
    }
    if (response !== null && response.status >= 400 && response.status < 500 && !STALE.includes(response.status))
      return;
    for (const known of this.#known.keys()) if (isNear(known, path)) this.#known.delete(known);
    if (response === null || !isSuccess(response.status) || header(response.headers, 'etag') === null) return;
    if (plan.method === 'PUT' || plan.method === 'PATCH') this.#known.set(path, stateIn(exchange));
    const made = plan.method === 'POST' && response.status === 201 ? createdId(exchange, '', path) : null;
    if (made !== null) this.#known.set(pathIn(path, made), stateIn(exchange));
  }

  /** Tells whether a write was refused for a state that was filled in: it has changed since. */
  isStale(sent: RequestPlan, { response }: Exchange): boolean {
    return (sent.asRead?.length ?? 0) > 0 && response?.status === 412 && isSound(sent);
  }

  /** The plan with the state filled in; a reading is sent where it is not known and the plan's sender may read. */
  async filled(plan: RequestPlan): Promise<RequestPlan> {
    const { asRead = [] } = plan;
    if (asRead.length === 0) return plan;
    const state = await this.#stateAt(plan);
    return asRead.reduce((whole, place) => this.#filledAt(whole, place, state), plan);
  }

  async #stateAt(plan: RequestPlan): Promise<State> {
    const path = trimmed(plan.path);
    // An action on a thing depends on the state of the thing.
    for (const at of [path, path.slice(0, path.lastIndexOf('/'))]) {
      const known = this.#known.get(at);
      if (known !== undefined) return known;
      const reader = operationAt(this.#catalogue, 'GET', at);
      if (reader === null) continue;
      if (plan.intent === 'unauthenticated') return UNKNOWN;
      const { service, key } = reader.operation;
      const { credential, elsewhere } = plan;
      const reading = {
        service,
        operation: key,
        probe: 'reach/state',
        method: 'GET',
        path: at,
        query: '',
        headers: [],
      };
      const by = elsewhere === undefined ? {} : { elsewhere };
      const answer = await this.#read({ ...reading, body: { kind: 'none' }, credential, retry: 'contract', ...by });
      return answer.response?.status === 200 ? stateIn(answer) : UNKNOWN;
    }
    return UNKNOWN;
  }

  #filledAt(plan: RequestPlan, place: NonNullable<RequestPlan['asRead']>[number], state: State): RequestPlan {
    const { name, drawn } = place;
    if (place.in === 'header') {
      const value = /match/i.test(name) ? (tagOf(state) ?? ANY_STATE) : (state.modified ?? ANY_STATE);
      const headers = plan.headers.map(([one, text]) => [one, one === name && text === drawn ? value : text] as const);
      return { ...plan, headers };
    }
    const version = versionOf(name, state);
    if (version === undefined && place.optional !== true) return plan;
    if (place.in === 'query') return { ...plan, query: withQuery(plan.query, name, drawn, version) };
    const { body } = plan;
    if (body.kind !== 'json' || !isObject(body.value)) return plan;
    const { [name]: stands, ...others } = body.value;
    const isOpen = isSound(plan) || (stands !== undefined && stands === drawn);
    const value = version === undefined ? others : { ...body.value, [name]: version };
    return isOpen ? { ...plan, body: { ...body, value } } : plan;
  }
}

export function isSound({ intent = 'sound' }: RequestPlan): boolean {
  return intent === 'sound';
}

function stateIn(exchange: Exchange): State {
  const headers: HeaderList = exchange.response?.headers ?? [];
  return {
    tag: header(headers, 'etag'),
    modified: header(headers, 'last-modified'),
    resource: resourceOf(exchange) ?? {},
  };
}

/** The tag; where none was sent, the version that the thing shows of itself, as a tag. */
function tagOf({ tag, resource }: State): string | null {
  if (tag !== null) return tag;
  const shown = membersOf(resource).find(([name, value]) => isVersionName(name) && isScalar(value));
  if (shown === undefined) return null;
  const text = String(shown[1]);
  return /^(W\/)?".*"$/.test(text) ? text : `"${text}"`;
}

/** The value of the version that the name asks for: a member of that name, else the tag without its quotes; undefined: none. */
function versionOf(name: string, { tag, resource }: State): string | number | undefined {
  const shown = membersOf(resource).find(([one, value]) => normal(one) === normal(name) && isScalar(value));
  if (shown !== undefined) return shown[1] as string | number;
  return tag?.replace(/^(W\/)?"(.*)"$/, '$2');
}

/** The query with another value where the drawn one stands; without it where there is none. */
function withQuery(query: string, name: string, drawn: unknown, value: string | number | undefined): string {
  return query
    .split('&')
    .flatMap((pair) => {
      const [[one, text] = ['', '']] = [...new URLSearchParams(pair)];
      if (one !== name || text !== drawn) return [pair];
      return value === undefined ? [] : [`${uriEncoded(name)}=${uriEncoded(String(value))}`];
    })
    .join('&');
}

/** Tells whether one of the paths lies at or below the other. */
function isNear(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
