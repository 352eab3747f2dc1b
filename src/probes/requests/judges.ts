// Who judges what bad requests get: this platform's contract by code and envelope, any other by status classes.

import { controlled } from '../../checks/answer.ts';
import { judgeTokenRefused, type SentInstead } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { judgeSecured } from '../../checks/auth/declared-security.ts';
import {
  judgeRefused,
  judgeSpoiled,
  judgeUnknownId,
  type NotUnderstood,
  type SpoiledCase,
  type UnknownIdCase,
  undescribedMethod,
} from '../../checks/req/req-01-to-08-answers.ts';
import {
  judgeMethodUnknown,
  judgeNotUnderstood,
  judgeSpoiledRefused,
  judgeUnknownIdClass,
} from '../../checks/req/status-classes.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { maybeAbsent, type Reached, type World } from '../world.ts';

export interface Judges {
  /** AUTH-01, -02, -03. */
  unauthorised(exchange: Exchange, sent: SentInstead, reached: Reached): Judgement;
  /** REQ-02. */
  unknownId(exchange: Exchange, about: UnknownIdCase): Judgement;
  /** REQ-03, -04, -08. */
  spoiled(exchange: Exchange, about: SpoiledCase): Judgement;
  /** REQ-05, -06. */
  notUnderstood(exchange: Exchange, what: NotUnderstood, reached: Reached): Judgement;
  /** REQ-06: a method that no description has on the path. */
  methodUnknown(exchange: Exchange, method: string, reached: Reached): Judgement;
}

/** Whether any request of the operation succeeded: what refuses all of them shows nothing by refusing one more. */
function hasSucceeded({ proof }: Reached): boolean {
  return proof !== null;
}

const COMMERCE: Judges = {
  unauthorised: (exchange, sent, reached) =>
    controlled(judgeTokenRefused(exchange, sent, maybeAbsent(reached)), hasSucceeded(reached)),
  unknownId: judgeUnknownId,
  spoiled: judgeSpoiled,
  notUnderstood: (exchange, what, reached) => controlled(judgeRefused(exchange, what), hasSucceeded(reached)),
  methodUnknown: (exchange, method, reached) =>
    controlled(judgeRefused(exchange, undescribedMethod(method)), hasSucceeded(reached)),
};

const BY_DESCRIPTION: Judges = {
  unauthorised: (exchange, sent, reached) => controlled(judgeSecured(exchange, sent), hasSucceeded(reached)),
  unknownId: judgeUnknownIdClass,
  spoiled: judgeSpoiledRefused,
  notUnderstood: (exchange, what, { proof }) => judgeNotUnderstood(exchange, what, proof !== null),
  methodUnknown: (exchange, method, { proof }) => judgeMethodUnknown(exchange, method, proof !== null),
};

/** The judges of the run's contract. */
export function judgesOf({ contract }: World): Judges {
  return contract === 'openapi' ? BY_DESCRIPTION : COMMERCE;
}
