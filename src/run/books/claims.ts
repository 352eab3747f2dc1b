// Judges whose a thing is that a run made by the word of its create alone, and keeps how far such words are to be believed: an answer
// may name what somebody else made, and a reading shows it.

import { stringsIn } from '../../checks/err/json-strings.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { normal } from '../../openapi/json.ts';
import type { Spot } from '../plan/clause-target.ts';

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

/**
 * Tells whose thing is read: one that shows a mark, whatever becomes of its letters and signs, is this run's; one that has something else
 * in each member that is to hold one is not. A member that is not shown, or shows nothing or only the beginning of what was sent, tells
 * nothing.
 */
export function whoseIs(reading: Exchange, { marks, members }: Claim): 'own' | 'others' | 'unknown' {
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

/** Facts about an operation, by what it answered and what readings showed then. */
type Fact = 'makes' | 'made-nothing' | 'told-where-it-is' | 'named-its-own' | 'named-others';

/** A call that answered an id. */
export interface NamingCall extends Spot {
  readonly operation: string;
  readonly collection: string;
  readonly credential: Credential;
  readonly ours: boolean;
  /** The text that no other request held; null for none. */
  readonly mark: string | null;
}

export class MakerFacts {
  readonly #facts = new Map<string, Set<Fact>>();
  /** Calls by the ids that they answered, of nothing that is known: what a list shows under one may have come of that call. */
  readonly named = new Map<string, readonly NamingCall[]>();

  /** `maker`: the key of the operation's spot. */
  learn(maker: string, fact: Fact): void {
    this.#facts.set(maker, (this.#facts.get(maker) ?? new Set()).add(fact));
  }

  has(maker: string, fact: Fact): boolean {
    return this.#facts.get(maker)?.has(fact) === true;
  }

  /** Tells whether the operation was seen to name what somebody else made, and never what it made itself. */
  isDistrusted(maker: string): boolean {
    return this.has(maker, 'named-others') && !this.has(maker, 'named-its-own');
  }
}
