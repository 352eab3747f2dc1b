// Keeps what a run made by the word of its create alone, until a reading shows whose it is: an answer may name what somebody else made.

import { stringsIn } from '../../checks/err/json-strings.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { normal } from '../../openapi/json.ts';

/** A thing that is this run's as far as the answer to its create says. */
export interface Claim {
  /** The operation that made the thing, by its spot. */
  readonly maker: string;
  /** The texts that only these requests held: several creates may name one thing. */
  readonly marks: readonly string[];
  /** The texts of the members that held it, without case and signs, by name. */
  readonly members: ReadonlyMap<string, string>;
}

/** The claim of a create; null where no member that it sent held the mark. */
export function claimOf(plan: RequestPlan, maker: string, mark: string | null): Claim | null {
  if (mark === null) return null;
  const own = [...stringsIn(sentMembers({ plan }))].filter(({ text }) => holds(text, mark));
  return own.length === 0
    ? null
    : { maker, marks: [mark], members: new Map(own.map(({ pointer, text }) => [memberAt(pointer), normal(text)])) };
}

/** Things that are this run's as far as the answers to their creates say, by path. */
export class Claims {
  readonly #open = new Map<string, Claim>();
  /** Operations that were seen to name what they made. */
  readonly #proven = new Set<string>();
  /** Operations that were seen to name what somebody else made. */
  readonly #distrusted = new Set<string>();

  note(path: string, claim: Claim): void {
    if (this.#proven.has(claim.maker)) return;
    const marks = [...(this.#open.get(path)?.marks ?? []), ...claim.marks];
    this.#open.set(path, { ...claim, marks: [...new Set(marks)] });
  }

  /** Tells whether the operation was seen to name what somebody else made, and never what it made itself. */
  isDistrusted(maker: string): boolean {
    return this.#distrusted.has(maker) && !this.#proven.has(maker);
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The word of the create is believed. */
  end(path: string): void {
    this.#open.delete(path);
  }

  /**
   * The texts of the creates that named the thing, where the reading shows that somebody else made it; else none. A reading that shows that
   * this run made it stands for all of its operation.
   */
  refutedBy(path: string, reading: Exchange): readonly string[] {
    const claim = this.#open.get(path);
    if (claim === undefined) return [];
    this.end(path);
    const whose = whoseIs(reading, claim);
    if (whose === 'others') this.#distrusted.add(claim.maker);
    if (whose !== 'own') return this.isDistrusted(claim.maker) ? claim.marks : [];
    this.#proven.add(claim.maker);
    for (const [other, { maker }] of this.#open) if (maker === claim.maker) this.end(other);
    return [];
  }
}

/**
 * Tells whose thing is read: one that shows a mark, whatever becomes of its letters and signs, is this run's; one that has something else
 * in each member that is to hold one is not. A member that is not shown, or shows nothing or only the beginning of what was sent, tells
 * nothing.
 */
function whoseIs(reading: Exchange, { marks, members }: Claim): 'own' | 'others' | 'unknown' {
  const body = exactBody(reading);
  const texts = body.ok ? [...stringsIn(body.value)] : [];
  if (texts.some(({ text }) => marks.some((mark) => holds(text, mark)))) return 'own';
  const isOther = texts.some(({ pointer, text }) => members.get(memberAt(pointer))?.startsWith(normal(text)) === false);
  return isOther ? 'others' : 'unknown';
}

function holds(text: string, mark: string): boolean {
  return normal(text).includes(normal(mark));
}

function memberAt(pointer: string): string {
  return normal(pointer.slice(pointer.lastIndexOf('/') + 1));
}
