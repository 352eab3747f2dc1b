// Defines a law over a whole run: a reducer fed with every exchange in the order answered. Pure apart from its own
// memory, which is bounded. Checks see one exchange; these see what several of them say together.
import type { Judgement } from '../contract/judgement.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface LawJudgement {
  readonly judgement: Judgement;
  /** The evidence: ids of the exchanges compared, this one last. */
  readonly exchanges: readonly string[];
}

export interface RunLaw {
  readonly clause: string;
  readonly title: string;
  /** Judges this exchange against those before it; null when the law does not speak about it. */
  observe(exchange: Exchange): LawJudgement | null;
}
