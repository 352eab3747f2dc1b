// Defines a check. Checks are pure: no clock, no network, no file; they never throw, never send, never read the level.

import type { ContractName } from '../contract/contract.ts';
import type { Breach, Judgement, OwnBreach } from '../contract/judgement.ts';
import type { Terms } from '../contract/terms.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';
import type { AcceptedInput } from './sch/accepted-input.ts';

/** One exchange and what it is compared against. */
export interface Subject {
  readonly exchange: Exchange;
  /** The described operation that the request's method and path belong to; null for a path or method no description has. */
  readonly operation: Operation | null;
  /** The description of that operation; null exactly when `operation` is. */
  readonly description: Description | null;
  /** {docs_url} of the configuration; null when not configured. */
  readonly docsUrl: string | null;
  /** Under `openapi` no clause speaks of the error envelope: an error's body is what its description says. */
  readonly contract: ContractName;
  /** The facts that the contract states beyond that. */
  readonly terms: Terms;
  /** Wrong values that this run sent and the target accepted; absent where nothing was sent by a run. */
  readonly accepted?: AcceptedInput;
}

/** Judges every exchange, whoever caused it. */
export interface ExchangeCheck {
  readonly clause: string;
  /** One sentence: what must hold. Constant; shown as the finding's title. */
  readonly title: string;
  /** Tells whether the clause speaks about this exchange at all. */
  applies(subject: Subject): boolean;
  judge(subject: Subject): Judgement;
}

/** The contract by which a description is judged. */
export type Under = Pick<Subject, 'contract' | 'terms'>;

/** Judges a description, before anything is sent. Breach pointers are into the description. */
export interface DescriptionCheck {
  readonly clause: string;
  readonly title: string;
  /** Per operation judgements name the operation's key, others null. */
  judge(description: Description, under: Under): readonly DescriptionJudgement[];
}

export interface DescriptionJudgement<B extends OwnBreach = Breach> {
  readonly operation: string | null;
  readonly judgement: Judgement<B>;
}
