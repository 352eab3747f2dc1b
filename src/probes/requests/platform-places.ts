// Probes on the target as a whole: liveness, unknown paths, internal endpoints, a second version.
//
// VER-03 (discover): Whether anything answers under `/api/v2`.
// HEALTH-01 (must): `GET /api/health/live` answers without a token, 200. Tolerance: Rate-limit headers absent or
//   non-numeric: fine.
// INT-01 (must): Nothing under `/api/internal/` answers a public key with a success. Tolerance: 401, 403, 404 all fine.
//   Probed: AI usage logs per store (ai/usage, stores/{storeId}/ai/usage), policy hs-codes, tax rates sync-history,
//   with and without v1, and a nonsense path.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import { judgeUnknownPath } from '../../checks/req/req-01-to-08-answers.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { HEALTH_PATH } from '../../contract/platform.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { encodeSegment } from '../../facts/paths.ts';
import { knownCall, oneCall, outcome } from '../experiment.ts';
import type { Course, Experiment, Stage } from '../probe.ts';
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

/** HEALTH-01: liveness answers 200 without a token. */
export function judgeLive(exchange: Exchange): Judgement {
  const status = exchange.response?.status;
  if (status === 200) return holds();
  if (status === 429) return cannotTell('precondition', 'answered 429, which says nothing of liveness');
  const actual = status === undefined ? (exchange.failure?.message ?? 'no answer') : String(status);
  return breached([
    {
      weight: 'breach',
      code: 'health-01.not-200',
      cause: 'liveness does not answer 200 without a token',
      message: `${HEALTH_PATH} answered ${actual}, expected 200`,
      expected: '200',
      actual,
    },
  ]);
}

/** HEALTH-01. One connection may be lost on its way: what was not answered is asked for once more. */
function* liveness(plan: RequestPlan): Course {
  const first = (yield plan).last;
  const last = first.response === null ? (yield plan).last : first;
  return [outcome('HEALTH-01', plan, judgeLive(last), [last])];
}

/** INT-01: nothing under /api/internal/ answers a public key with a success. */
export function judgeInternal(exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  if (seen.answer.status >= 300) return holds();
  const actual = String(seen.answer.status);
  const cause = 'an internal endpoint answers a public key';
  return breached([
    {
      weight: 'breach',
      code: 'int-01.public-key-served',
      cause,
      message: `${exchange.request.path} answered ${actual}`,
      expected: '401, 403 or 404',
      actual,
    },
  ]);
}

/** VER-03: whether anything answers under /api/v2. Always an observation. */
export function judgeSecondVersion(exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return cannotTell('precondition', 'no answer under /api/v2');
  const actual = spoken(seen.answer);
  const isNothing = seen.answer.status === 404;
  const [code, cause] = isNothing
    ? ['ver-03.nothing', 'nothing answers under /api/v2']
    : ['ver-03.something', 'something answers under /api/v2'];
  const value = `${isNothing ? 'nothing' : 'an answer'}: ${actual}`;
  const row = seenOnce('what is under /api/v2', value, 'GET /api/v2 and GET /api/v2/stores with a key');
  return observation(code, cause, actual, row, `GET ${exchange.request.path} answered ${actual}`);
}

/** Whether the same was asked for, with the same key. */
function isAnswerTo(plan: RequestPlan, { plan: asked, response }: Exchange): boolean {
  const keyOf = ({ credential }: RequestPlan): string =>
    credential.kind === 'key' ? credential.name : credential.kind;
  return response !== null && asked.path === plan.path && asked.query === plan.query && keyOf(asked) === keyOf(plan);
}

/** One each of usage, codes and rates comes first: a budget may end before all are asked for. */
const INTERNAL_PATHS = [
  'ai/usage',
  'policy/hs-codes',
  'tax/rates/sync-history',
  'stores/{storeId}/ai/usage',
  'hs-codes',
  'taxes/rates/sync-history',
  'ai/usage/logs',
  'taxes/hs-codes',
];

/**
 * All whole-target experiments. `unknownPaths` are paths that no description matches. `answered`: what the run was answered for such places
 * before; where a budget bounds it, that is judged and not asked for again.
 */
export function placeExperiments(
  world: World,
  unknownPaths: readonly string[],
  storeId: string,
  answered: readonly Exchange[] = [],
): readonly Experiment[] {
  const key: Credential = world.mainKey === null ? { kind: 'none' } : { kind: 'key', name: world.mainKey.name };
  const make = (
    plan: RequestPlan,
    stage: Stage,
    rank: number,
    clause: string,
    judge: (exchange: Exchange) => Judgement,
  ): Experiment => {
    const known = world.isBrief === true ? answered.find((exchange) => isAnswerTo(plan, exchange)) : undefined;
    return {
      probe: plan.probe,
      stage,
      rank,
      clauses: [clause],
      service: null,
      operation: null,
      cost: 1,
      repeatable: true,
      run: () => oneCall(plan, { [clause]: judge }),
      ...(known === undefined ? {} : knownCall(plan, known, { [clause]: judge })),
    };
  };
  const health = placePlan('place/health', HEALTH_PATH, { kind: 'none' });
  const live = make(health, 'lean', 1, 'HEALTH-01', judgeLive);
  const under = (prefix: string): readonly string[] =>
    INTERNAL_PATHS.map((path) => `${prefix}${path.replace('{storeId}', encodeSegment(storeId))}`);
  const internal = [
    ...[...under('/api/internal/'), ...under('/api/internal/v1/')],
    `/api/internal/assay-${world.nonce}`,
  ];
  const otherKeys = world.keys
    .slice(1)
    .flatMap(({ name }) => internal.map((path) => ({ path, key: { kind: 'key', name } as const })));
  return [
    { ...live, ...(live.cost === 0 ? {} : { run: () => liveness(health) }) },
    make(undescribed('place/v2', '/api/v2', key), 'lean', 3, 'VER-03', judgeSecondVersion),
    make(undescribed('place/v2', '/api/v2/stores', key), 'depth', 3, 'VER-03', judgeSecondVersion),
    ...(world.mainKey === null
      ? []
      : [
          ...unknownPaths.map((path, index) =>
            make(
              inTurn(undescribed(UNKNOWN_PATH, path, key), index),
              index === 0 ? 'lean' : 'depth',
              2,
              'REQ-01',
              (exchange) => judgeUnknownPath(exchange, world),
            ),
          ),
          ...[...internal.map((path) => ({ path, key })), ...otherKeys].map((one, index) =>
            make(
              inTurn(
                undescribed('place/internal', one.path, one.key, index % 2 === 0 ? queryText([['limit', '1']]) : ''),
                index,
              ),
              index === 0 ? 'lean' : 'depth',
              4,
              'INT-01',
              judgeInternal,
            ),
          ),
        ]),
  ];
}
