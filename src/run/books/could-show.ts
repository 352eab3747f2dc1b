// Counts, for one clause at one place, the answers that could show a finding which depends on what was sent: those to requests of the
// same kind. A request that shows it each time that it is sent does not waver, however many others do not show it.
import { hash } from 'node:crypto';
import type { Exchange, Intent } from '../../exchange/exchange.ts';

/** Maximum number of different requests with a finding that are remembered; the first ones tell as much as the later ones. */
const MOST_REQUESTS = 64;
const FEWEST_SENDS = 2;

/** Whoever sends no credentials that entitle sends something wrong. */
type Kind = Exclude<Intent, 'unauthenticated'>;

/** The answers to one request since it first showed a finding, and how many of them showed it. */
interface Told {
  readonly finding: string;
  shown: number;
  answers: number;
}

export class CouldShow {
  readonly #answers = new Map<Kind, number>();
  /** The kinds of requests that showed a finding, by its fingerprint. */
  readonly #kinds = new Map<string, Set<Kind>>();
  readonly #requests = new Map<string, Told>();

  /** An answer on which the clause was judged; `shown`: fingerprints of the findings that depend on what was sent. */
  note(exchange: Exchange, shown: readonly string[]): void {
    const kind = kindOf(exchange);
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
    if (shown.length === 0 && this.#requests.size === 0) return;
    const { method, path, query, body } = exchange.request;
    const request = hash('sha1', JSON.stringify([method, path, query, body, kind]));
    for (const finding of shown) {
      this.#kinds.set(finding, (this.#kinds.get(finding) ?? new Set()).add(kind));
      const isNew = !this.#requests.has(request) && this.#requests.size < MOST_REQUESTS;
      if (isNew) this.#requests.set(request, { finding, shown: 0, answers: 0 });
    }
    const told = this.#requests.get(request);
    if (told === undefined) return;
    told.answers += 1;
    if (shown.includes(told.finding)) told.shown += 1;
  }

  /** How many answers could show the finding. */
  answersFor(finding: string): number {
    return [...(this.#kinds.get(finding) ?? [])].reduce((sum, kind) => sum + (this.#answers.get(kind) ?? 0), 0);
  }

  /** Tells whether a request that was sent several times showed the finding each time. */
  isSteady(finding: string): boolean {
    return [...this.#requests.values()].some(
      (one) => one.finding === finding && one.answers >= FEWEST_SENDS && one.shown === one.answers,
    );
  }
}

function kindOf({ plan: { intent = 'sound' } }: Exchange): Kind {
  return intent === 'unauthenticated' ? 'invalid' : intent;
}
