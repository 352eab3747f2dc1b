// Who judges what bad requests get: this platform's contract by code and envelope, any other by status classes.
import { judgeSecured, judgeTokenRefused, type SentInstead } from '../../checks/auth/auth-01-to-06-refusals.ts';
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

const COMMERCE: Judges = {
  unauthorised: (exchange, sent, reached) => judgeTokenRefused(exchange, sent, maybeAbsent(reached)),
  unknownId: judgeUnknownId,
  spoiled: judgeSpoiled,
  notUnderstood: (exchange, what, { proof }) => judgeRefused(exchange, what, { control: proof !== null }),
  methodUnknown: (exchange, method, { proof }) =>
    judgeRefused(exchange, undescribedMethod(method), { control: proof !== null }),
};

const BY_DESCRIPTION: Judges = {
  unauthorised: judgeSecured,
  unknownId: judgeUnknownIdClass,
  spoiled: judgeSpoiledRefused,
  notUnderstood: (exchange, what, { proof }) => judgeNotUnderstood(exchange, what, { control: proof !== null }),
  methodUnknown: (exchange, method, { proof }) => judgeMethodUnknown(exchange, method, { control: proof !== null }),
};

/** The judges of the run's contract. */
export function judgesOf({ contract }: World): Judges {
  return contract === 'openapi' ? BY_DESCRIPTION : COMMERCE;
}
