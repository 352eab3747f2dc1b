// IDEM-01 to -06 and -08 on calls that somebody else made under an idempotency key. Two calls are the same only where all
// that could tell them apart was recorded and is equal, and one is a replay only where the other had been answered before; until then
// both were sent at once.

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import type { KeySaid } from '../../checks/idem/law.ts';
import { judgeNewest } from '../../checks/law.ts';
import type { Stated } from '../../checks/refusal.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import { answeredMs, type Exchange } from '../../exchange/exchange.ts';
import { lettersIn } from '../../facts/differences.ts';
import { KeyedHistory, type KeyHistory } from '../../facts/key-history.ts';
import { identityOf as idOf } from '../../facts/resource.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { carriesKeyOf, keyHeaderOf, takesKey } from '../../probes/idempotency/keys.ts';
import { mutates } from '../../probes/world.ts';
import type { Place } from './addresses.ts';
import type { Seen, SeenRequest } from './seen.ts';
import { isBlanked, type Shown, UNTOLD } from './tokens.ts';

/** Calls that are remembered; of more, the oldest are forgotten. */
const MOST_KEYS = 2000;
/** Longer bodies are not compared. Characters. */
const LONGEST_BODY = 64 * 1024;
/** How long a key lives is not stated: a later call need not be a replay. Source: IDEM-07. ms. */
const LIFETIME_MS = 10 * 60 * 1000;
/** Headers that may make another request of it. */
const TELLING_HEADERS = ['content-type', 'accept', 'accept-language', 'prefer'];
/** Refusals that have reasons of their own, whatever the key. */
const OTHER_REASONS: ReadonlySet<number> = new Set([401, 403, 404, 408, 410, 429]);

export type KeyedJudgement = KeySaid & { readonly clause: string };

export class KeyedCalls {
  /** The first request under each key, by all that makes a call the same but its body, and what came of it. */
  readonly #known = new Map<string, Known>();
  /** The keys of all that a user makes at one place. */
  readonly #made = new Map<string, KeyedHistory>();
  readonly #stated: Stated;
  /** Keys that came so far. */
  #begun = 0;

  constructor(stated: Stated) {
    this.#stated = stated;
  }

  /** Something was deleted: what was made before may be gone, and its id may be given again. */
  forgetMade(): void {
    this.#made.clear();
  }

  /** The judgements that a call under a key gives; none where it has no key, or where too little of it was recorded. */
  observe(seen: Seen, exchange: Exchange, operation: Operation, shown: Shown, place: Place): readonly KeyedJudgement[] {
    const key = keyOf(operation, seen.request);
    if (key === null || !mutates(operation)) return [];
    if (!takesKey(operation)) {
      if ((exchange.response?.status ?? 500) >= 400) return [];
      const judgement = judgeSilent([exchange], [], `with ${keyHeaderOf(operation)}`);
      return [{ clause: 'IDEM-06', judgement, evidence: [exchange] }];
    }
    const name = identityOf(seen, key, shown, place);
    if (name === null) return [];
    const body = digestOf(seen.request.body);
    const known = this.#known.get(name);
    if (known?.body === body) return judgeSend(known.history, exchange);
    if (known !== undefined && known.history.original !== null) return judgeReuse(known.history, exchange);
    const history = this.#begin(exchange, operation, place);
    this.#known.set(name, { history, body });
    return judgeSend(history, exchange);
  }

  /** The history of a key that comes for the first time; of the oldest ones there are no more than so many. */
  #begin(exchange: Exchange, operation: Operation, { base, path }: Place): KeyHistory {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KEYS && oldest !== undefined) this.#known.delete(oldest);
    // IDEM-05 tells of a payment that it was made twice.
    const about = { ...this.#stated, creates: operation.neverTwice !== true };
    const name = JSON.stringify([base, path, exchange.plan.credential]);
    const known = isCreate(exchange) ? this.#made.get(name) : undefined;
    const among = known ?? new KeyedHistory(operation, about);
    this.#begun += 1;
    if (this.#begun % MOST_KEYS === 0) this.#made.clear();
    if (isCreate(exchange)) this.#made.set(name, among);
    return among.of(null);
  }
}

interface Known {
  readonly history: KeyHistory;
  /** A digest of the body. */
  readonly body: string;
}

/** Notes the call and judges it: what it shows of effects beside one that came before, and alone where it says that it has made something. */
function judgeSend(history: KeyHistory, exchange: Exchange): readonly KeyedJudgement[] {
  const [first] = history.answers;
  if (first === undefined) {
    history.add('sent', [exchange]);
    return isCreate(exchange) ? judgeNewest(IDEM_LAWS, history).filter(({ clause }) => clause === 'IDEM-04') : [];
  }
  // Calls that are recorded in another order are no original and its replay.
  if (answeredMs(exchange) <= first.sentAt || !isComparable(first, exchange)) return [];
  if (exchange.sentAt < answeredMs(first)) history.join(exchange);
  else history.add('sent', [exchange]);
  const said = judgeNewest(IDEM_LAWS, history).filter(({ clause }) => clause !== 'IDEM-04');
  // Two ids are two effects; that one id is one, only a list would show.
  history.add('looked', []);
  return [...said, ...judgeNewest(IDEM_LAWS, history)];
}

/** Another body under a key that had a success before. Bodies that are no JSON, or differ in how they are written alone, tell nothing. */
function judgeReuse(history: KeyHistory, exchange: Exchange): readonly KeyedJudgement[] {
  const { original } = history;
  if (original === null || exchange.sentAt < answeredMs(original) || !isComparable(original, exchange)) return [];
  const [one, other] = [original.plan.body, exchange.plan.body];
  if (one.kind !== 'json' || other.kind !== 'json' || isDeepStrictEqual(one.value, other.value)) return [];
  history.add('reused', [exchange]);
  return judgeNewest(IDEM_LAWS, history);
}

/** Tells whether the key lives until the call, and the answer is about it. */
function isComparable(first: Exchange, { sentAt, response }: Exchange): boolean {
  return sentAt - answeredMs(first) <= LIFETIME_MS && !OTHER_REASONS.has(response?.status ?? 0);
}

/** Tells whether the call says that it has made something, under an id that the call did not name itself. */
function isCreate(exchange: Exchange): boolean {
  const { plan, response } = exchange;
  const id = idOf(exchange);
  const named = [...plan.path.split('/'), ...Object.values(sentMembers(exchange)).map(String)];
  return response?.status === 201 && (id === null || !named.some((one) => lettersIn(one) === lettersIn(id)));
}

/** The key of the call; null for none, for several, and for one that a recorder took out. */
function keyOf(operation: Operation, { headers: list }: SeenRequest): string | null {
  const [key, ...others] = list.flatMap(([name, value]) => (carriesKeyOf(operation, name) ? [value] : []));
  return key === undefined || others.length > 0 || isBlanked(key) ? null : key;
}

/** The parts but the body that two calls have in common which are the same, in a digest; null where not all were recorded. */
function identityOf(seen: Seen, key: string, { credential }: Shown, { base, path, query }: Place): string | null {
  const { request, times, answer } = seen;
  const { body } = request;
  const isSomebody = credential.kind === 'key' && credential.name !== UNTOLD;
  if (!isSomebody || times === null || body.kind === 'unrecorded' || typeof answer === 'string') return null;
  if (!answer.body.isWhole || answer.body.content.length > LONGEST_BODY) return null;
  const told = TELLING_HEADERS.map((name) => header(request.headers, name));
  const parts = [request.method, base, path, query, key, credential.name, ...told];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

function digestOf(body: SeenRequest['body']): string {
  return hash('sha256', body.kind === 'text' ? body.text : '', 'base64url');
}

/** Why nothing was judged of a clause on keys. */
export function whyNoKeyedCall(clause: string, { idempotency }: Terms): string | undefined {
  const header = idempotency?.header ?? USUAL_KEY_HEADER;
  const twice = `was made twice under one ${header}, with all that would show it to be the same`;
  const reasons: Readonly<Record<string, string>> = {
    'IDEM-01': `no call ${twice}`,
    'IDEM-02': `no call that makes something ${twice}`,
    'IDEM-03': `no call was sent twice at once under one ${header}`,
    'IDEM-04': `no two calls under two keys were answered 201 with an id`,
    'IDEM-05': `no payment ${twice}`,
    'IDEM-06': `no call of another changing operation that succeeded carried an ${header}`,
    'IDEM-08': `no ${header} of a call that succeeded came again with another body`,
  };
  return reasons[clause];
}
