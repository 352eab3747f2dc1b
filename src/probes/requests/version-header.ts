// VER-01: sends calls with headers that carry a version beside the same calls without them.

import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeNewest } from '../../checks/law.ts';
import { judgeVersionIgnored } from '../../checks/ver/ver-01-ignored-version.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { KeyedHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { takesKey } from '../idempotency/keys.ts';
import { type Answered, type Course, type Experiment, NotSent, type Outcome } from '../probe.ts';
import { planOf, repeatOf } from '../reach/recipe.ts';
import { variedPlan } from '../reach/valid-inputs.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';

const NEWER: HeaderList = [
  ['X-API-Version', '2'],
  ['API-Version', '2099-01-01'],
  ['Accept-Version', '2.0.0'],
  ['X-Version', 'v2'],
  ['Version', '2'],
  ['Stripe-Version', '2099-01-01'],
];
const OLDER: HeaderList = NEWER.map(([name, value]) => [name, value.includes('-') ? '2001-01-01' : '0.1'] as const);
const PAIRS = 6;
/** The round of the valid input that plain calls leave out. */
const ROUND = 2;

/** All headers at once in the lean pass, each alone and with older values in depth. */
export function versionExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, proof } = reached;
  if (proof === null || operation.method === 'DELETE' || (mutates(operation) && !world.mutations)) return [];
  const alone = NEWER.map((header) => [header]);
  const sets = mutates(operation) ? [NEWER] : [NEWER, OLDER, ...alone];
  return sets.map((headers, index) => {
    const isLean = index === 0 && !mutates(operation);
    return {
      probe: `version/${headers.length > 1 ? 'all' : headers[0]?.[0]}`,
      stage: isLean ? 'lean' : 'depth',
      rank: isLean ? 68 : 50,
      clauses: ['VER-01'],
      ...spotOf(operation),
      cost: 1,
      run: () => versionCourse(world, reached, proof, headers),
    };
  });
}

type Pair = readonly [plain: Exchange, versioned: Exchange];

/**
 * One call with the headers beside the first call of the run, which had none. Under its key it repeats that call, and makes nothing. Where
 * the two differ further calls tell whether plain calls do, too.
 */
function* versionCourse(world: World, reached: Reached, proof: Exchange, headers: HeaderList): Course {
  const repeats = takesKey(reached.operation);
  const plain = (label: string): RequestPlan =>
    repeats ? repeatOf(proof) : planOf(reached.recipe, 'version/none', drawFor(world, `version ${label}`));
  const withHeaders = (plan: RequestPlan): RequestPlan => {
    return { ...plan, probe: 'version/header', headers: [...plan.headers, ...headers] };
  };
  const varied = repeats || !mutates(reached.operation) ? null : variedPlan(world, reached, ROUND, 'version/header');
  let { last } = yield withHeaders(varied ?? plain('header'));
  // Another input may have another answer.
  if (varied !== null && judgeVersionIgnored([[proof, last]]).kind !== 'holds')
    ({ last } = yield withHeaders(plain('header')));
  const pairs: Pair[] = [[proof, last]];
  if (judgeVersionIgnored(pairs).kind === 'breached')
    yield* (world.lasts(reached.operation) ? compareFew : comparePairs)(pairs, plain, withHeaders);
  const replays = repeats ? [...new Set([last, ...pairs.flat()])].filter((one) => one !== proof) : [];
  return [
    outcome('VER-01', plain('plain'), judgeVersionIgnored(pairs), pairs.flat()),
    ...replays.flatMap((replay) => executedAgain(reached.operation, proof, replay)),
  ];
}

/** Sends what tells whether a difference from the first call is the header's doing, and changes the pairs to those that tell. */
type Comparing = (
  pairs: Pair[],
  plain: (label: string) => RequestPlan,
  withHeaders: (plan: RequestPlan) => RequestPlan,
) => Generator<RequestPlan, void, Answered>;

/**
 * Pairs of calls that are made now, as long as all differ: the first call may be answered otherwise by now. Every other pair is sent the
 * other way round: what alternates from call to call is not the header's doing.
 */
const comparePairs: Comparing = function* (pairs, plain, withHeaders) {
  pairs.length = 0;
  for (let pair = 0; pair < PAIRS && (pair === 0 || judgeVersionIgnored(pairs).kind === 'breached'); pair += 1) {
    const [one, other] = [plain(`plain ${pair}`), withHeaders(plain(`header ${pair}`))];
    const isSwapped = pair % 2 === 1;
    const first = (yield isSwapped ? other : one).last;
    const second = (yield isSwapped ? one : other).last;
    pairs.push(isSwapped ? [second, first] : [first, second]);
  }
};

/** Where little may be made, two plain calls and one with the header show enough, and where no more may be made, too. */
const compareFew: Comparing = function* (pairs, plain, withHeaders) {
  const [[, versioned] = []] = pairs;
  if (versioned === undefined) return;
  try {
    const again = (yield plain('plain')).last;
    pairs.push([again, versioned]);
    if (judgeVersionIgnored(pairs).kind === 'breached')
      pairs.push([again, (yield withHeaders(plain('header again'))).last]);
  } catch (error) {
    if (!(error instanceof NotSent) || pairs.length < 2) throw error;
  }
};

/**
 * IDEM-01 and -05: a call under the key of the first that was executed anew. Nobody may see that again, for it made the last that may be
 * made. Whether its answer differs otherwise is VER-01's.
 */
function executedAgain(operation: Operation, proof: Exchange, replay: Exchange): readonly Outcome[] {
  const [first, second] = [identityOf(proof), identityOf(replay)];
  if (first === null || second === null || first === second) return [];
  const history = new KeyedHistory(operation).of(null);
  history.add('sent', [proof]);
  history.add('sent', [replay]);
  return judgeNewest(IDEM_LAWS, history).map(({ clause, judgement, evidence }) =>
    outcome(clause, replay.plan, judgement, evidence),
  );
}
