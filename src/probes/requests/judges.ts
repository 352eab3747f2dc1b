// Who judges what bad requests get: what the contract states of such answers, and where it states nothing the classes of statuses.
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
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { maybeAbsent, type Reached, type World } from '../world.ts';

/** AUTH-01, -02, -03. */
export function judgeUnauthorised(world: World, exchange: Exchange, sent: SentInstead, reached: Reached): Judgement {
  if (world.terms.authentication.refused === null) return judgeSecured(exchange, sent);
  const judgement = judgeTokenRefused(exchange, sent, world, maybeAbsent(reached));
  const { status = 0 } = exchange.response ?? {};
  // A request that was never served may be refused for what is wrong with the rest of it.
  const isElsewhere =
    world.contract !== 'commerce' && reached.proof === null && status >= 400 && status !== 401 && status !== 403;
  return isElsewhere && judgement.kind === 'breached'
    ? cannotTell('precondition', `answered ${status}, and no call of the operation succeeded`)
    : judgement;
}

/** REQ-02. */
export function judgeUnknown(world: World, exchange: Exchange, about: UnknownIdCase): Judgement {
  const isServed = (exchange.response?.status ?? 0) < 400;
  // A description may leave it open what is served below an id that names nothing.
  const isOpen = world.contract !== 'commerce' && isServed && !about.declares404;
  if (world.terms.requests.unknownPath === null || isOpen) return judgeUnknownIdClass(exchange, about);
  return judgeUnknownId(exchange, about, world);
}

/** REQ-03, -04, -08. */
export function judgeBadInput(world: World, exchange: Exchange, about: SpoiledCase): Judgement {
  return world.terms.requests.invalid === null
    ? judgeSpoiledRefused(exchange, about)
    : judgeSpoiled(exchange, about, world);
}

/** REQ-05, -06. */
export function judgeUnderstood(world: World, exchange: Exchange, what: NotUnderstood, reached: Reached): Judgement {
  const judge = world.contract === 'commerce' ? judgeRefused : judgeNotUnderstood;
  return judge(exchange, what, { control: reached.proof !== null });
}

/** REQ-06: a method that no description has on the path. */
export function judgeMethod(world: World, exchange: Exchange, method: string, reached: Reached): Judgement {
  const control = { control: reached.proof !== null };
  return world.contract === 'commerce'
    ? judgeRefused(exchange, undescribedMethod(method), control)
    : judgeMethodUnknown(exchange, method, control);
}
