// VER-01: sends calls with headers that carry a version beside the same calls without them.
import { IDEM_LAWS } from '../../checks/idem/family.ts';
import { judgeNewest } from '../../checks/idem/law.ts';
import { judgeVersionIgnored } from '../../checks/ver/ver-01-ignored-version.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { identityOf } from '../../facts/identity.ts';
import { KeyedHistory } from '../../facts/key-history.ts';
import type { Operation } from '../../openapi/model/operation.ts';
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
    const shares = world.lasts(operation) || world.isBrief === true;
    return {
      probe: `version/${headers.length > 1 ? 'all' : headers[0]?.[0]}`,
      stage: isLean ? 'lean' : 'depth',
      rank: isLean ? 68 : 50,
      clauses: ['VER-01'],
      service: operation.service,
      operation: operation.key,
      cost: shares ? 1 : 2,
      repeatable: false,
      run: () => (shares ? sharingCourse(world, reached, proof, headers) : versionCourse(world, reached, headers)),
    };
  });
}

type Pair = readonly [plain: Exchange, versioned: Exchange];

function* versionCourse(world: World, reached: Reached, headers: HeaderList): Course {
  const plan = (label: string): RequestPlan =>
    planOf(reached.recipe, 'version/none', drawFor(world, `version ${label}`));
  const pairs: Pair[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const plain = plan(`plain ${pair}`);
    const other = plan(`header ${pair}`);
    const versioned = { ...other, probe: 'version/header', headers: [...other.headers, ...headers] };
    pairs.push(yield* sendPair(plain, versioned, pair % 2 === 1));
    if (judgeVersionIgnored(pairs).kind !== 'breached') break;
  }
  return [outcome('VER-01', plan('plain 0'), judgeVersionIgnored(pairs), pairs.flat())];
}

/**
 * One call with the headers beside the first call of the run, which had none: where little may be made or sent. Under its key it
 * repeats that call, and makes nothing. Where the two differ another plain call tells whether plain calls do, too.
 */
function* sharingCourse(world: World, reached: Reached, proof: Exchange, headers: HeaderList): Course {
  const repeats = takesKey(reached.operation);
  const plain = (label: string): RequestPlan =>
    repeats ? repeatOf(proof) : planOf(reached.recipe, 'version/none', drawFor(world, `version ${label}`));
  const versioned = (label: string): RequestPlan => {
    const plan = plain(label);
    return { ...plan, probe: 'version/header', headers: [...plan.headers, ...headers] };
  };
  const varied = repeats || !mutates(reached.operation) ? null : variedPlan(world, reached, ROUND, 'version/header');
  let { last } = yield varied === null ? versioned('header') : { ...varied, headers: [...varied.headers, ...headers] };
  // Another input may have another answer.
  if (varied !== null && judgeVersionIgnored([[proof, last]]).kind !== 'holds') ({ last } = yield versioned('header'));
  let pairs: readonly Pair[] = [[proof, last]];
  try {
    if (judgeVersionIgnored(pairs).kind === 'breached') {
      const again = (yield plain('plain')).last;
      pairs = [...pairs, [again, last]];
      if (judgeVersionIgnored(pairs).kind === 'breached')
        pairs = [...pairs, [again, (yield versioned('header again')).last]];
    }
  } catch (error) {
    // Where no more may be made, two plain calls and one with the header show enough.
    if (!(error instanceof NotSent) || pairs.length < 2) throw error;
  }
  const replays = repeats ? pairs.flat().filter((one) => one !== proof) : [];
  return [
    outcome('VER-01', plain('plain'), judgeVersionIgnored(pairs), pairs.flat()),
    ...replays.flatMap((replay) => executedAgain(reached.operation, proof, replay)),
  ];
}

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

/** Every other pair the other way round: what alternates from call to call is not the header's doing. */
function* sendPair(
  plain: RequestPlan,
  versioned: RequestPlan,
  swapped: boolean,
): Generator<RequestPlan, [Exchange, Exchange], Answered> {
  const first = (yield swapped ? versioned : plain).last;
  const second = (yield swapped ? plain : versioned).last;
  return swapped ? [second, first] : [first, second];
}
