// Probes on the target as a whole: liveness, unknown paths, internal endpoints, a second version.
//
// VER-03 (discover): Whether anything answers where the next version would stand.
// HEALTH-01 (must): The liveness check answers without a token, with a success. Tolerance: Rate-limit headers absent
//   or non-numeric: fine.
// INT-01 (must): Nothing internal answers a public key with a success. Tolerance: 401, 403, 404 all fine. Probed: the
//   paths that the contract names, and a nonsense path.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import { judgeUnknownPath } from '../../checks/req/req-01-to-08-answers.ts';
import { breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { type Judge, knownFirst, oneCall, outcome } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { inOtherLanguage, queryText } from '../reach/recipe.ts';
import type { World } from '../world.ts';

/** The experiment that asks for a path of no description. */
export const UNKNOWN_PATH = 'place/unknown';

/** GET of a path that belongs to no operation. */
export function placePlan(probe: string, path: string, credential: Credential, query = ''): RequestPlan {
  return {
    service: null,
    operation: null,
    probe,
    method: 'GET',
    path,
    query,
    headers: [],
    body: { kind: 'none' },
    credential,
    retry: 'never',
  };
}

/** The same, with a key: what no description has is not to be asked for. */
function undescribed(probe: string, path: string, credential: Credential, query = ''): RequestPlan {
  return { ...placePlan(probe, path, credential, query), intent: 'invalid' };
}

/** Every second one is asked in another language: what is not found is told by the envelope in any. */
function inTurn(plan: RequestPlan, index: number): RequestPlan {
  return index % 2 === 0 ? plan : inOtherLanguage(plan, { parameters: [] });
}

/** HEALTH-01: liveness answers without a token, 200; under other contracts with any success. */
export function judgeLive(exchange: Exchange, { contract, terms }: Pick<World, 'contract' | 'terms'>): Judgement {
  const status = exchange.response?.status;
  if (status === 200 || (contract !== 'commerce' && isSuccess(status ?? 0))) return holds();
  if (status === 429) return cannotTell('precondition', 'answered 429, which says nothing of liveness');
  const actual = status === undefined ? (exchange.failure?.message ?? 'no answer') : String(status);
  const expected = contract === 'commerce' ? '200' : 'a success';
  const isPublic = terms.health?.isPublic !== false;
  const cause = `liveness does not answer ${expected}${isPublic ? ' without a token' : ''}`;
  const message = `${exchange.request.path} answered ${actual}, expected ${expected}`;
  return breached([toldBreach(['health-01.not-200', cause], message, expected, actual)]);
}

/** A connection may be lost on its way: what was not answered is asked for so often at most. */
const MAX_ASKED_FOR_AN_ANSWER = 3;

/** HEALTH-01 */
function* liveness(world: World, plan: RequestPlan): Course {
  let { last } = yield plan;
  for (let asked = 1; asked < MAX_ASKED_FOR_AN_ANSWER && last.response === null; asked += 1) ({ last } = yield plan);
  return [outcome('HEALTH-01', plan, judgeLive(last, world), [last])];
}

/** INT-01: nothing internal answers a public key with a success. */
export function judgeInternal(exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if ((status === 401 || status === 403) && exchange.plan.credential.kind === 'none')
    return cannotTell('no-credential', 'refused for want of a token');
  if (status >= 300) return holds();
  const kind = ['int-01.public-key-served', 'an internal endpoint answers a public key'] as const;
  const message = `${exchange.request.path} answered ${status}`;
  return breached([toldBreach(kind, message, '401, 403 or 404', String(status))]);
}

/** VER-03: whether anything answers where the next version would stand, `asked` for there. Always an observation. */
export function judgeSecondVersion(exchange: Exchange, asked: readonly string[]): Judgement {
  const [below = exchange.request.path] = asked;
  const seen = answerOf(exchange);
  if (!seen.ok) return cannotTell('precondition', `no answer under ${below}`);
  const actual = spoken(seen.answer);
  const isNothing = seen.answer.status === 404;
  const [code, cause] = isNothing
    ? ['ver-03.nothing', `nothing answers under ${below}`]
    : ['ver-03.something', `something answers under ${below}`];
  const value = `${isNothing ? 'nothing' : 'an answer'}: ${actual}`;
  const row = seenOnce(
    `what is under ${below}`,
    value,
    `${asked.map((path) => `GET ${path}`).join(' and ')} with a key`,
  );
  return observation(code, cause, actual, row, `GET ${exchange.request.path} answered ${actual}`);
}

/** Tells whether the same was asked for, with the same key. */
function isAnswerTo(plan: RequestPlan, { plan: asked, response }: Exchange): boolean {
  const keyOf = ({ credential }: RequestPlan): string =>
    credential.kind === 'key' ? credential.name : credential.kind;
  return response !== null && asked.path === plan.path && asked.query === plan.query && keyOf(asked) === keyOf(plan);
}

/** Where a run looks beside the operations. */
export interface Places {
  /** Paths that no description matches. */
  readonly unknown: readonly string[];
  /** Paths that the contract calls internal. */
  readonly internal: readonly string[];
  /** Where the next version would stand; absent: nobody knows. */
  readonly next?: readonly string[];
  /** Where credentials go; absent: into the header Authorization. */
  readonly placements?: RequestPlan['placements'];
}

/**
 * All whole-target experiments. `answered`: what the run was answered for such places before; where a budget bounds it, that is judged and not
 * asked for again.
 */
export function placeExperiments(
  world: World,
  { unknown, internal, next = [], placements }: Places,
  answered: readonly Exchange[] = [],
): readonly Experiment[] {
  const key: Credential = world.mainKey === null ? { kind: 'none' } : { kind: 'key', name: world.mainKey.name };
  // On the platform nothing is told without a key.
  const isAsked = world.mainKey !== null || world.contract !== 'commerce';
  const otherKeys = world.keys.slice(1).map(({ name }) => ({ kind: 'key', name }) as const);
  const ofInternal = [key, ...otherKeys].flatMap((own) => internal.map((path) => ({ path, own })));
  const inQuery = (index: number): string => (index % 2 === 0 ? queryText([['limit', '1']]) : '');
  const asked: readonly Asked[] = [
    {
      ...{ clause: 'HEALTH-01', rank: 1, judge: (exchange) => judgeLive(exchange, world) },
      plans: live(world, key),
      course: (plan) => liveness(world, plan),
    },
    {
      ...{ clause: 'VER-03', rank: 3, judge: (exchange) => judgeSecondVersion(exchange, next) },
      plans: next.map((path) => undescribed('place/v2', path, key)),
    },
    {
      ...{ clause: 'REQ-01', rank: 2, judge: (exchange) => judgeUnknownPath(exchange, world) },
      plans: (isAsked ? unknown : []).map((path, index) => inTurn(undescribed(UNKNOWN_PATH, path, key), index)),
    },
    {
      ...{ clause: 'INT-01', rank: 4, judge: judgeInternal },
      plans: (isAsked ? ofInternal : []).map(({ path, own }, index) =>
        inTurn(undescribed('place/internal', path, own, inQuery(index)), index),
      ),
    },
  ];
  return asked.flatMap(({ clause, rank, plans, judge, course = (plan) => oneCall(plan, { [clause]: judge }) }) =>
    plans.map((sent, index): Experiment => {
      const plan = placements === undefined ? sent : { ...sent, placements };
      const known = answered.find((exchange) => isAnswerTo(plan, exchange));
      const ask = (): Course => course(plan);
      return {
        ...{ probe: plan.probe, stage: index === 0 ? 'lean' : 'depth', rank, clauses: [clause] },
        ...{ service: null, operation: null, cost: 1, repeatable: true, run: ask },
        ...(known === undefined ? {} : knownFirst(() => [outcome(clause, plan, judge(known), [known])], ask)),
      };
    }),
  );
}

/** Requests that one clause is judged by: the first of them in the lean pass. */
interface Asked {
  readonly clause: string;
  readonly rank: number;
  readonly plans: readonly RequestPlan[];
  readonly judge: Judge;
  /** Absent: each is sent once. */
  readonly course?: (plan: RequestPlan) => Course;
}

/** Asks for liveness as the contract says; nothing where it does not say. */
function live({ terms: { health } }: World, key: Credential): readonly RequestPlan[] {
  if (health === null) return [];
  const [method = 'GET', path = '/'] = health.operation.split(' ');
  return [{ ...placePlan('place/health', path, health.isPublic ? { kind: 'none' } : key), method }];
}
