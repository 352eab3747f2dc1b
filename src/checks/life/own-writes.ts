// Remembers what the run itself has written, so that no judge of LIFE holds against the target what the run did beside: it deleted the
// thing or what it refers to, gave it the name by which it is addressed anew, wrote others of its kind that stand in one order with it,
// or called another operation that names it.

import { type Breach, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isGone, isUnsure, succeeded } from '../../facts/answered.ts';
import { snakeCase } from '../../facts/differences.ts';
import { addressesOf, isIdValue } from '../../facts/items.ts';
import { nounAt, nounOf, nounsOf } from '../../facts/nouns.ts';
import { partedPath, trimmed } from '../../facts/paths.ts';
import { resourceIn, resourceOf } from '../../facts/resource.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { NOT_LISTED } from './life-01-created.ts';

interface Write {
  readonly at: number;
  readonly method: string;
  /** Without a slash at its end. */
  readonly path: string;
  readonly sent: JsonObject;
  /** True where it was answered a success: others may have had their effect. */
  readonly isSure: boolean;
}

/** Members by which things of one kind stand in an order: what is written beside one moves it. */
const ORDER = /(^|_)(priority|position|rank|order|index|sort|sequence|ordinal)(_|$)/;

export class OwnWrites {
  readonly #writes: Write[] = [];

  /** When what stands at a path was first read. Epoch ms. */
  readonly #firstRead = new Map<string, number>();

  observe(exchange: Exchange): void {
    const { plan, sentAt } = exchange;
    const { method } = plan;
    const path = trimmed(plan.path);
    if (method === 'GET' && succeeded(exchange) && !this.#firstRead.has(path)) this.#firstRead.set(path, sentAt);
    if (isSafe(method) || !(succeeded(exchange) || isUnsure(exchange))) return;
    const whole = sentMembers({ plan });
    const sent = { ...whole, ...resourceIn(whole) };
    this.#writes.push({ at: sentAt, method, path, sent, isSure: !isUnsure(exchange) });
  }

  /** Tells whether the run deleted what the path names, or what that lies below. */
  hasRemoved(path: string): boolean {
    return this.#writes.some((one) => one.isSure && isRemovalOf(one, trimmed(path)));
  }

  /** The judgement; where what the run wrote since the first of the evidence explains the breaches, that it cannot be told. */
  excused(judgement: Judgement, evidence: readonly Exchange[]): Judgement {
    const [first, last] = [evidence[0], evidence.at(-1)];
    if (judgement.kind !== 'breached' || first === undefined || last === undefined) return judgement;
    const { breaches } = judgement;
    const since = this.#writes.filter(({ at }) => at >= first.sentAt && at <= last.sentAt);
    const unlisted = breaches.some(({ code }) => code === NOT_LISTED) ? evidence.at(-2) : undefined;
    const missed = isGone(last) ? last : unlisted;
    const reason =
      missed === undefined
        ? (this.#whyFound(first, last) ?? whyMoved(breaches, last, since) ?? whyTouched(breaches, evidence, since))
        : this.#whyGone(missed, evidence, since);
    return reason === null ? judgement : cannotTell('precondition', reason);
  }

  /** `missed`: the call on the item that is gone, or that no list shows; `since`: what was written while the evidence came. */
  #whyGone(missed: Exchange, evidence: readonly Exchange[], since: readonly Write[]): string | null {
    const path = trimmed(missed.plan.path);
    if (since.some((one) => isRemovalOf(one, path))) return 'this run deleted the item itself before it was read';
    const [collection, id] = partedPath(path);
    const made = this.#writes.filter((one) => one.path === collection).map(({ sent }) => sent);
    const own = evidence.flatMap((one) => [sentMembers(one), resourceOf(one) ?? {}]);
    const names = new Set(
      [...made, ...own].flatMap((one) => membersOf(one).flatMap(([name, value]) => (value === id ? [name] : []))),
    );
    const isRenaming = ({ sent }: Write): boolean => [...names].some((name) => name in sent && sent[name] !== id);
    if (since.some((one) => one.path === path && isRenaming(one)))
      return 'this run gave the item another name, and it is addressed by that';
    const removals = since.filter(({ method }) => method === 'DELETE').map((one) => partedPath(one.path));
    const isTakenAlong = ([name, value]: readonly [string, unknown]): boolean =>
      /.id$/i.test(name) &&
      isIdValue(value) &&
      removals.some(
        ([kind, gone]) => this.#isDangling(name, value) || (nounOf(name) === nounAt(kind) && `${value}` === gone),
      );
    return own.flatMap(membersOf).some(isTakenAlong)
      ? 'this run deleted what the item refers to, or another thing while it referred to none that is there'
      : null;
  }

  /** Tells whether things are known that the member names, and this one is not. Some servers delete with anything whatever refers to nothing. */
  #isDangling(name: string, value: string | number): boolean {
    const kinds = [...this.#firstRead.keys()].map((path) => partedPath(path)[0]);
    const known = kinds.filter((kind) => nounAt(kind) === nounOf(name));
    return known.length > 0 && !known.some((kind) => this.#firstRead.has(`${kind}/${uriEncoded(`${value}`)}`));
  }

  /** A create that does not say that it has made anything (201) answers with what was there. */
  #whyFound({ plan: { method }, response, sentAt }: Exchange, last: Exchange): string | null {
    const firstRead = this.#firstRead.get(trimmed(last.plan.path)) ?? sentAt;
    const isFound = method === 'POST' && response?.status === 200 && last.plan.method === 'GET' && firstRead < sentAt;
    return isFound ? 'the create is answered 200 with an item that was there before' : null;
  }
}

function whyMoved(breaches: readonly Breach[], last: Exchange, since: readonly Write[]): string | null {
  const item = trimmed(last.plan.path);
  const [collection] = partedPath(item);
  const others = since.filter(
    ({ path }) => path !== item && (path === collection || partedPath(path)[0] === collection),
  );
  const isMoved = ({ expected, actual, pointer = '' }: Breach): boolean =>
    ORDER.test(snakeCase(pointer.slice(pointer.lastIndexOf('/') + 1))) &&
    Math.abs(Number(expected) - Number(actual)) <= others.length;
  return others.length > 0 && breaches.every(isMoved)
    ? 'this run wrote other items since, which stand in one order with this one'
    : null;
}

/** A call below an item, or below its collection with its id or name in the body, may change its members. */
function whyTouched(
  breaches: readonly Breach[],
  evidence: readonly Exchange[],
  since: readonly Write[],
): string | null {
  const last = evidence.at(-1);
  if (last === undefined || breaches.some(({ pointer = '' }) => pointer === '')) return null;
  const item = trimmed(last.plan.path);
  const [collection, id] = partedPath(item);
  const isOfItem = ({ plan: { method, path } }: Exchange): boolean =>
    method !== 'GET' && trimmed(path) === (method === 'POST' ? collection : item);
  if (!evidence.some(isOfItem)) return null;
  const [noun = ''] = nounsOf(collection);
  const shown = addressesOf(resourceOf(last) ?? {}, '', noun).map(({ value }) => value);
  const names = new Set([id, ...shown]);
  const judged = new Set(evidence.map(({ sentAt }) => sentAt));
  const isTouching = ({ at, path, sent }: Write): boolean =>
    !judged.has(at) &&
    (path.startsWith(`${item}/`) || (path !== item && path.startsWith(`${collection}/`) && isNamedIn(sent, names)));
  return since.some(isTouching)
    ? 'this run called another operation on the item since, which may have changed it'
    : null;
}

/** Maximum number of levels of a body that are looked through for names. */
const MOST_LEVELS = 4;
/** A number alone may be anything. */
const DIGITS = /^\d+$/;

function isNamedIn(value: unknown, names: ReadonlySet<string>, level = 0): boolean {
  if (typeof value === 'string') return !DIGITS.test(value) && names.has(value);
  if (level >= MOST_LEVELS) return false;
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.some((one) => isNamedIn(one, names, level + 1));
}

/** Tells whether it deleted what stands at the path, or what that lies below. */
function isRemovalOf({ method, path: removed }: Write, path: string): boolean {
  return method === 'DELETE' && `${path}/`.startsWith(`${removed}/`);
}
