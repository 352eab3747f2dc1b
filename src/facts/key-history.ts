// Keeps the history of each idempotency key of an operation: what was sent under it and answered, and what lists showed of it, whoever sent it.
// Laws judge the newest fact in the light of those before it.

import type { ContractName } from '../contract/contract.ts';
import { NO_TERMS, type Terms } from '../contract/terms.ts';
import { jsonText } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { keyOf } from '../exchange/idempotency-key.ts';
import type { Operation } from '../openapi/model/operation.ts';
import { succeeded } from './answered.ts';
import { type Effects, effectsOf, fewer } from './effects.ts';
import { identityOf } from './resource.ts';

/**
 * `sent`: a request that waited for those before it, `together`: several, none of which waited for the others, `reused`: another body was sent,
 * `looked`: a list was read, `watched`: a thing was read before and after the sends since it was read last,
 * `removed`: what the key made was deleted, `served`: another call with the same token was a success, `lost`: what it made can neither be read nor is it listed, though others are.
 */
export type KeyFactKind = 'sent' | 'together' | 'reused' | 'looked' | 'watched' | 'removed' | 'served' | 'lost';

export interface KeyFact {
  readonly kind: KeyFactKind;
  /** The answers; of a look the pages or readings. */
  readonly exchanges: readonly Exchange[];
  /** Calls on the operation, and beside it, before this one. */
  readonly place: number;
  /** Effects of the key that a list or a thing shows, of `reused` those of the other body; null: nothing shows effects. */
  readonly shown: Shown | null;
}

/** Ids of all effects that a list shows, or those that a thing shows since it was read last. */
type Shown = readonly string[] | Effects;

/** One key, or one request without a key. */
export class KeyHistory {
  readonly among: KeyedHistory;
  readonly facts: KeyFact[] = [];
  /** True once a request was sent, though it may not be answered yet. */
  isSent = false;
  /** The first success. */
  original: Exchange | null = null;
  /** The id of its effect, or the mark of what was sent, as the original shows it; null for neither. */
  identity: string | null = null;
  /** The answer of another key that showed the same identity before. */
  owner: Exchange | null = null;
  /** True where a request of another key had an equal body before. */
  hasKnownBody = false;
  /** True where it was sent first while that of another key was under way. */
  isBeside = false;

  constructor(among: KeyedHistory) {
    this.among = among;
  }

  /** The answers to all that was sent, in order. */
  get answers(): readonly Exchange[] {
    return this.facts.flatMap(({ kind, exchanges }) => (isSend(kind) ? exchanges : []));
  }

  /** Facts of the kind, in order. */
  all(kind: KeyFactKind): readonly KeyFact[] {
    return this.facts.filter((fact) => fact.kind === kind);
  }

  /** Requests that were sent since effects were looked at last before the fact. */
  sentBefore(now: KeyFact): readonly KeyFact[] {
    const before = this.facts.slice(0, this.facts.indexOf(now));
    return before.slice(before.findLastIndex(({ kind }) => isLook(kind)) + 1).filter(({ kind }) => isSend(kind));
  }

  /**
   * The effect that the key had when they were looked at last, and those that came since; null where nothing shows them. Equal bodies
   * leave equal marks under other keys.
   */
  effectsAt(now: KeyFact): Effects | null {
    const { shown } = now;
    if (shown === null) return null;
    if ('least' in shown) return this.isNewAt(now) || this.original === null ? shown : fewer(shown, -1);
    const before = this.facts.findLast(({ kind, place }) => kind === 'looked' && place < now.place)?.shown ?? null;
    const own = shown.filter((id) => !this.among.isOfAnother(id, this.original));
    if (before === null || 'least' in before) return effectsOf(own);
    return effectsOf([...before.slice(0, 1), ...own.filter((id) => !before.includes(id))]);
  }

  /** Tells whether the first success of the key came since effects were looked at last. */
  isNewAt(now: KeyFact): boolean {
    const { original } = this;
    return original !== null && this.sentBefore(now).some(({ exchanges }) => exchanges.includes(original));
  }

  /** Calls on the operation under other keys, and beside it, since the original and before the fact. */
  othersBefore(now: KeyFact): number {
    const [first] = this.facts.filter(({ exchanges }) => exchanges.some((one) => one === this.original));
    if (first === undefined) return 0;
    const own = this.facts.filter(({ kind, place }) => isSend(kind) && place >= first.place && place < now.place);
    return now.place - first.place - own.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  }

  add(kind: KeyFactKind, exchanges: readonly Exchange[], shown: KeyFact['shown'] = null): void {
    if (isSend(kind) && this.facts.length === 0) this.hasKnownBody = this.among.knowsBodyOf(exchanges);
    this.facts.push({ kind, exchanges, place: this.among.calls, shown });
    if (isSend(kind)) this.#noteSent(exchanges);
  }

  /** Adds a request that did not wait for the last ones that were sent: all of them are together. */
  join(exchange: Exchange): void {
    const [last] = this.facts.splice(
      this.facts.findLastIndex(({ kind }) => isSend(kind)),
      1,
    );
    if (last === undefined) return;
    this.facts.push({ ...last, kind: 'together', exchanges: [...last.exchanges, exchange] });
    this.#noteSent([exchange]);
  }

  #noteSent(exchanges: readonly Exchange[]): void {
    this.isSent = true;
    this.among.calls += exchanges.length;
    const [first] = exchanges.filter(succeeded);
    if (this.original !== null || first === undefined) return;
    this.original = first;
    this.identity = identityOf(first) ?? (this.hasKnownBody ? null : this.among.markShownBy(first));
    this.owner = this.identity === null ? null : this.among.claim(this.identity, first);
  }
}

/** The histories of all keys of one operation. */
export class KeyedHistory {
  readonly operation: Operation;
  readonly contract: ContractName;
  /** True where each send without a key, or with a new one, makes something of its own. */
  readonly creates: boolean;
  /** Terms of the contract on keys and on errors. */
  readonly terms: Pick<Terms, 'idempotency' | 'errors'>;
  /** The mark of a body that the text holds; null for none. */
  readonly markIn: (text: string) => string | null;
  /** Calls on the operation, and between them, so far. */
  calls = 0;
  readonly #keys = new Map<string, KeyHistory>();
  readonly #owners = new Map<string, Exchange>();
  readonly #bodies = new Set<string>();
  readonly #marks = new Set<string>();

  constructor(
    operation: Operation,
    {
      contract = 'openapi',
      creates = true,
      markIn = () => null,
      terms = NO_TERMS,
    }: Partial<Pick<KeyedHistory, 'contract' | 'creates' | 'markIn' | 'terms'>> = {},
  ) {
    this.operation = operation;
    this.contract = contract;
    this.terms = terms;
    this.creates = creates;
    this.markIn = markIn;
  }

  /** The history of the key; of what has none, one of its own. */
  of(key: string | null): KeyHistory {
    const known = key === null ? undefined : this.#keys.get(key);
    const history = known ?? new KeyHistory(this);
    if (key !== null) this.#keys.set(key, history);
    return history;
  }

  /** All keys so far. */
  get keys(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The key that a request carries. */
  keyIn(exchange: Parameters<typeof keyOf>[0]): string | null {
    return keyOf(exchange, this.operation.keyHeader);
  }

  /** Tells whether a request before had an equal body. */
  knowsBodyOf([first]: readonly Exchange[]): boolean {
    const text = bodyText(first);
    const isKnown = this.#bodies.has(text);
    this.#bodies.add(text);
    const mark = this.markIn(text);
    if (mark !== null) this.#marks.add(mark);
    return isKnown;
  }

  /** The mark of a body sent before that the answer repeats; null for none. */
  markShownBy({ response }: Exchange): string | null {
    const text = response?.body.toLowerCase() ?? '';
    return [...this.#marks].find((mark) => text.includes(mark)) ?? null;
  }

  /** Tells whether an answer under another key, or under none, showed the identity first. */
  isOfAnother(identity: string, original: Exchange | null): boolean {
    const owner = this.#owners.get(identity);
    return owner !== undefined && original !== null && this.keyIn(owner) !== this.keyIn(original);
  }

  /** True where effects of several keys are known. */
  get isCompared(): boolean {
    return this.#owners.size > 1;
  }

  /** The answer that showed the identity first; null where it is this one. */
  claim(identity: string, answer: Exchange): Exchange | null {
    const owner = this.#owners.get(identity) ?? null;
    if (owner === null) this.#owners.set(identity, answer);
    return owner;
  }
}

export function isSend(kind: KeyFactKind): boolean {
  return kind === 'sent' || kind === 'together';
}

function isLook(kind: KeyFactKind): boolean {
  return kind === 'looked' || kind === 'watched';
}

function bodyText(exchange: Exchange | undefined): string {
  return jsonText(exchange?.plan.body ?? null);
}
