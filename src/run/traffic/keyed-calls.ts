// IDEM-01 to -06 on calls that somebody else made under an idempotency key. Two calls are the same only where all
// that could tell them apart was recorded and is equal, and one is a replay only where the other had been answered before; until then
// both were sent at once.

import { hash } from 'node:crypto';
import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import type { KeySaid } from '../../checks/idem/law.ts';
import { judgeNewest } from '../../checks/law.ts';
import type { ContractName } from '../../contract/contract.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
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
  /** The calls under each key, by all that makes a call the same. */
  readonly #known = new Map<string, KeyHistory>();
  /** The keys of all that a user makes at one place. */
  readonly #made = new Map<string, KeyedHistory>();
  readonly #contract: ContractName;
  /** Keys that came so far. */
  #begun = 0;

  constructor(contract: ContractName) {
    this.#contract = contract;
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
    const same = identityOf(seen, key, shown, place);
    if (same === null) return [];
    const history = this.#known.get(same) ?? this.#begin(same, exchange, operation, place);
    return judgeSend(history, exchange);
  }

  /** The history of a key that comes for the first time; of the oldest ones there are no more than so many. */
  #begin(same: string, exchange: Exchange, operation: Operation, { base, path }: Place): KeyHistory {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KEYS && oldest !== undefined) this.#known.delete(oldest);
    // IDEM-05 tells of a payment that it was made twice.
    const about = { contract: this.#contract, creates: operation.neverTwice !== true };
    const name = JSON.stringify([base, path, exchange.plan.credential]);
    const known = isCreate(exchange) ? this.#made.get(name) : undefined;
    const among = known ?? new KeyedHistory(operation, about);
    this.#begun += 1;
    if (this.#begun % MOST_KEYS === 0) this.#made.clear();
    if (isCreate(exchange)) this.#made.set(name, among);
    const history = among.of(null);
    this.#known.set(same, history);
    return history;
  }
}

/** Notes the call and judges it: what it shows of effects beside one that came before, and alone where it says that it has made something. */
function judgeSend(history: KeyHistory, exchange: Exchange): readonly KeyedJudgement[] {
  const [first] = history.answers;
  if (first === undefined) {
    history.add('sent', [exchange]);
    return isCreate(exchange) ? judgeNewest(IDEM_LAWS, history).filter(({ clause }) => clause === 'IDEM-04') : [];
  }
  const sinceMs = exchange.sentAt - endOf(first);
  // Calls that are recorded in another order are no original and its replay.
  const isEarlier = endOf(exchange) <= first.sentAt;
  if (isEarlier || sinceMs > LIFETIME_MS || OTHER_REASONS.has(exchange.response?.status ?? 0)) return [];
  if (sinceMs < 0) history.join(exchange);
  else history.add('sent', [exchange]);
  const said = judgeNewest(IDEM_LAWS, history).filter(({ clause }) => clause !== 'IDEM-04');
  // Two ids are two effects; that one id is one, only a list would show.
  history.add('looked', []);
  return [...said, ...judgeNewest(IDEM_LAWS, history)];
}

export function endOf({ sentAt, durationMs }: Exchange): number {
  return sentAt + durationMs;
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

/** The parts that two calls have in common which are the same, in a digest; null where not all were recorded. */
function identityOf(seen: Seen, key: string, { credential }: Shown, { base, path, query }: Place): string | null {
  const { request, times, answer } = seen;
  const { body } = request;
  const isSomebody = credential.kind === 'key' && credential.name !== UNTOLD;
  if (!isSomebody || times === null || body.kind === 'unrecorded' || typeof answer === 'string') return null;
  if (!answer.body.isWhole || answer.body.content.length > LONGEST_BODY) return null;
  const sent = body.kind === 'text' ? body.text : '';
  const told = TELLING_HEADERS.map((name) => header(request.headers, name));
  const parts = [request.method, base, path, query, key, credential.name, sent, ...told];
  return hash('sha256', JSON.stringify(parts), 'base64url');
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
  };
  return reasons[clause];
}
