// IDEM-01, -02, -05 and -06 on calls that somebody else made under an idempotency key. Two calls are the same only where all
// that could tell them apart was recorded and is equal, and one is a replay only where the other had been answered before.
import { hash } from 'node:crypto';
import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import { judgeNewest, type KeySaid } from '../../checks/idem/law.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { KeyedHistory, type KeyHistory } from '../../facts/key-history.ts';
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
  /** The first call under each key, by all that makes a call the same. */
  readonly #known = new Map<string, KeyHistory>();

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
    return same === null ? [] : this.#judge(same, exchange, operation);
  }

  #judge(same: string, exchange: Exchange, operation: Operation): readonly KeyedJudgement[] {
    const known = this.#known.get(same);
    // IDEM-05 tells of a payment that it was made twice.
    const history = known ?? new KeyedHistory(operation, { creates: operation.neverTwice !== true }).of(null);
    if (known === undefined) this.#remember(same, history);
    const [first] = history.answers;
    // Calls under way at the same time, or recorded in another order, are no original and its replay.
    const sinceMs = first === undefined ? 0 : exchange.sentAt - (first.sentAt + first.durationMs);
    const isOther = first !== undefined && OTHER_REASONS.has(exchange.response?.status ?? 0);
    if (sinceMs < 0 || sinceMs > LIFETIME_MS || isOther) return [];
    history.add('sent', [exchange]);
    if (first === undefined) return [];
    const said = judgeNewest(IDEM_LAWS, history);
    // Two ids are two effects; that one id is one, only a list would show.
    history.add('looked', []);
    return [...said, ...judgeNewest(IDEM_LAWS, history)].filter(({ clause }) => CLAUSES.includes(clause));
  }

  #remember(same: string, history: KeyHistory): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KEYS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(same, history);
  }
}

const CLAUSES = ['IDEM-01', 'IDEM-02', 'IDEM-05'];

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
    'IDEM-05': `no payment ${twice}`,
    'IDEM-06': `no call of another changing operation that succeeded carried an ${header}`,
  };
  return reasons[clause];
}
