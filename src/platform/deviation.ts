// A fault or a tolerance case: a named deviation from the conformant platform, and the places where it may act.

import { ToldError } from '../contract/told-error.ts';
import type { FieldFailure, Problem } from './envelope.ts';
import type { Answer, Call, Route } from './http/call.ts';
import type { JsonObject } from './json.ts';
import type { Grant, Limit } from './limits/limiter.ts';
import type { Collection } from './store/collections.ts';
import type { Key } from './tokens.ts';
import type { DeliveryRules } from './webhooks/rules.ts';

/** Whom the call's token belongs to (null without a valid one), and why it may not go on, if it may not. */
export interface Admission {
  readonly key: Key | null;
  readonly problem: Problem | null;
}

/** The platform as a deviation may know it. */
export interface Surroundings {
  readonly docsUrl: string;
  readonly seed: number;
  readonly routes: readonly Route[];
  /** The collection that the call's operation works on; null when it works on none. */
  collectionOf(call: Call): Collection | null;
}

/** Each hook sees the platform's own decision and returns what happens instead; undefined: the decision stands. */
export interface Hooks {
  authenticate?(call: Call, admission: Admission): Admission | undefined;
  /** Changes the decision of the key's limiter; the headers tell the grant that is returned. */
  limit?(call: Call, grant: Grant): Grant | undefined;
  validate?(call: Call, failures: readonly FieldFailure[]): readonly FieldFailure[] | undefined;
  /** Around the effect; `proceed` has it happen and gives its answer. */
  act?(call: Call, proceed: () => Answer): Answer | undefined;
  /** Last word on what is sent. The answer may be changed in place. */
  answer?(call: Call, answer: Answer): Answer | undefined;
}

export interface Deviation {
  readonly id: string;
  /** The clause it breaks, or whose tolerance it uses. */
  readonly clause: string;
  readonly description: string;
  /** Further clauses that it cannot help breaking. */
  readonly alsoBreaks?: readonly string[];
  /** Rate limits by plan name (or "export") in place of the platform's own. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** Base of doc_url in errors, which the configuration then does not state. */
  readonly docsUrl?: string;
  /** Changes the descriptions before they are written; what is served stays. Service → document. */
  describe?(documents: ReadonlyMap<string, JsonObject>): void;
  /** How webhooks are delivered, in place of the rules given. */
  webhooks?(rules: DeliveryRules): DeliveryRules;
  /** Its hooks, with fresh state. Throws `NoSubject` when nothing that is served can show it. */
  hooks?(around: Surroundings): Hooks;
}

/** The id, and the clause that it begins with: "err-04-one-status" is about ERR-04. */
export function namedBy(id: string): Pick<Deviation, 'id' | 'clause'> {
  return { id, clause: id.split('-', 2).join('-').toUpperCase() };
}

/** Thrown when a deviation has no subject among the served operations: the message says what it would need. */
export class NoSubject extends ToldError<'ASSAY_DEVIATION_WITHOUT_SUBJECT', null> {
  constructor(message: string) {
    super('ASSAY_DEVIATION_WITHOUT_SUBJECT', message, null);
  }
}
