// AUTH-01 to -04 and -06 on one operation: no token, invalid ones, an expired one, a locked account's.

import { judgeLockedRefused, judgePublic, type SentInstead } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import { OTHER_TOKENS } from '../../contract/other-tokens.ts';
import { envelopeOf } from '../../exchange/envelope.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome, single } from '../experiment.ts';
import type { Answered, Course, Experiment, Outcome, Untested } from '../probe.ts';
import { inOtherLanguage, planOf } from '../reach/recipe.ts';
import { harmlessValues } from '../requests/harmless.ts';
import { judgeUnauthorised } from '../requests/judges.ts';
import { placePlan } from '../requests/platform-places.ts';
import { drawFor, keysFor, maybeAbsent, mutates, type Reached, requiresToken, type World } from '../world.ts';
import { type InvalidToken, invalidCredentials, invalidTokens, type ValidToken } from './invalid-tokens.ts';
import { oneOfEachScheme, placementsOf } from './security.ts';

/** A request without any token. */
export const NO_TOKEN: SentInstead = { clause: 'auth-01', name: 'no-token', inWords: 'no token' };
const EXPIRED_TOKEN: SentInstead = { clause: 'auth-03', name: 'expired-token', inWords: 'an expired token' };

function instead({ name, sent }: InvalidToken): SentInstead {
  return { clause: 'auth-02', name, inWords: sent };
}

/** Experiments on how the operation treats credentials. `turn` rotates the variant that the lean pass takes. */
export function authExperiments(world: World, reached: Reached, turn: number): readonly Experiment[] {
  if (!requiresToken(reached.operation)) return [publicExperiment(world, reached)];
  const plan = (credential: Credential, probe: string, query = ''): RequestPlan => {
    const base = planOf(
      { ...reached.recipe, pathValues: harmlessValues(world, reached) },
      probe,
      drawFor(world, 'auth'),
      { credential, intent: 'unauthenticated', makes: 'nothing' },
    );
    return query === '' ? base : { ...base, query: base.query === '' ? query : `${base.query}&${query}` };
  };
  const variants = variantsOf(world, reached);
  const asked = (place: Place, clause: string, sent: () => RequestPlan, judge: JudgeReached): Experiment => ({
    ...single(reached, place, sent, { [clause]: (exchange) => judge(exchange, reached) }),
    run: () => unlessAbsent(world, reached, sent(), { clause, judge }),
  });
  const without: JudgeReached = (exchange, as) => judgeUnauthorised(world, exchange, NO_TOKEN, as);
  const probe = 'auth/no-token';
  const experiments = [
    asked({ probe, stage: 'lean', rank: 10 }, 'AUTH-01', () => plan({ kind: 'none' }, probe), without),
  ];
  if (jsonBodyType(reached.operation) !== null) {
    // Whoever validates before asking for the token tells a stranger what the operation wants.
    const empty = `${probe}/empty-body`;
    const body = { kind: 'json', value: {} } as const;
    const sent = (): RequestPlan => ({ ...plan({ kind: 'none' }, empty), body });
    experiments.push(asked({ probe: empty, stage: 'depth', rank: 12 }, 'AUTH-01', sent, without));
  }
  for (const [index, variant] of variants.entries()) {
    const first = index === turn % variants.length;
    const name = `auth/invalid/${variant.name}`;
    const place = { probe: name, stage: first ? 'lean' : 'depth', rank: first ? 20 : 10 } as const;
    const sent = (): RequestPlan => {
      const own = plan(variant.credential, name, variant.query);
      return index % 2 === 0 ? own : inOtherLanguage(own, reached.operation);
    };
    const judge: JudgeReached = (exchange, as) => judgeUnauthorised(world, exchange, instead(variant), as);
    const one = asked(place, 'AUTH-02', sent, judge);
    const bare = (): RequestPlan => plan({ kind: 'none' }, probe);
    const guarding: Guarding = { clause: 'AUTH-02', judge: (exchange) => judge(exchange, reached) };
    experiments.push(variant.isNearlyNone ? { ...one, run: () => besideNone(world, sent(), guarding, bare()) } : one);
  }
  if (world.hasToken.expired) {
    const sent = (): RequestPlan => plan({ kind: 'expired' }, 'auth/expired');
    const judge: JudgeReached = (exchange, as) => judgeUnauthorised(world, exchange, EXPIRED_TOKEN, as);
    experiments.push(asked({ probe: 'auth/expired', stage: 'lean', rank: 70 }, 'AUTH-03', sent, judge));
  }
  if (world.hasToken.locked) {
    const judge: JudgeReached = (exchange, as) => judgeLockedRefused(exchange, world, maybeAbsent(as));
    const sent = (): RequestPlan => plan({ kind: 'locked' }, 'auth/locked');
    experiments.push(asked({ probe: 'auth/locked', stage: 'lean', rank: 75 }, 'AUTH-04', sent, judge));
  }
  return experiments;
}

type Place = Pick<Experiment, 'probe' | 'stage' | 'rank'>;

/** Judges an answer by what is known of the operation. */
type JudgeReached = (exchange: Exchange, as: Reached) => Judgement;

/**
 * Judges a refusal with 404 as on any other operation where the target is seen to serve it: there it refuses
 * credentials that it does not even look at beside it, at a path that nobody serves.
 */
function* unlessAbsent(
  world: World,
  reached: Reached,
  sent: RequestPlan,
  { clause, judge }: { readonly clause: string; readonly judge: JudgeReached },
): Course {
  const { last } = yield sent;
  if (!maybeAbsent(reached) || last.response?.status !== 404)
    return [outcome(clause, sent, judge(last, reached), [last])];
  if (!evidence.has(reached)) evidence.set(reached, yield* seenServed(world, reached, sent));
  const { refused = null } = evidence.get(reached) ?? {};
  if (refused === null) return [outcome(clause, sent, judge(last, reached), [last])];
  return [outcome(clause, sent, judge(last, { ...reached, firstStatus: 401 }), [refused, last])];
}

/** The refusals that show that the target serves an operation; `refused` null: nothing does. */
const evidence = new WeakMap<Reached, { readonly refused: Exchange | null }>();

function* seenServed(
  world: World,
  { recipe }: Reached,
  sent: RequestPlan,
): Generator<RequestPlan, { readonly refused: Exchange | null }, Answered> {
  if (world.contract !== 'commerce') return { refused: null };
  const known: readonly Credential[] = world.hasToken.locked ? [{ kind: 'locked' }] : [];
  const random = invalidTokens(null, world.seed).map(({ credential }) => credential);
  for (const credential of [...known, ...random.slice(0, 1)]) {
    const { last: refused } = yield { ...sent, probe: 'auth/served', credential };
    if (refused.response?.status !== 401 && refused.response?.status !== 403) continue;
    const nowhere = placePlan('auth/served/nowhere', `${sent.path}/assay-${world.nonce}`, credential);
    const { last: beside } = yield { ...nowhere, service: recipe.operation.service, intent: 'unauthenticated' };
    if (beside.response?.status === 404) return { refused };
  }
  return { refused: null };
}

/** The invalid tokens that are sent on the operation: all that are known, or those of them that the configuration names. */
function variantsOf(world: World, reached: Reached): readonly InvalidToken[] {
  const { invalidTokens: named } = world;
  const reads = reached.operation.method === 'GET';
  const known = knownVariants(world, reached).filter(
    ({ isForReads, isForOnce }) =>
      (reads || isForReads !== true) && (isForOnce !== true || isFirstToRead(world, reached)),
  );
  return named === null ? known : known.filter(({ name }) => named.includes(name));
}

/** Tells whether no operation before it reads with the same key. */
function isFirstToRead(world: World, { operation, description }: Reached): boolean {
  const keyOf = (one: Operation): string | undefined =>
    placementsOf(description, one, keysFor(world, one)).map(({ key }) => key)[0];
  return description.operations.find((one) => one.method === 'GET' && keyOf(one) === keyOf(operation)) === operation;
}

/** The values that are sent instead of valid credentials: in the form that the description has them. */
function knownVariants(world: World, { operation, description }: Reached): readonly InvalidToken[] {
  const validToken = (key: string): ValidToken | null => {
    const token = world.token(key);
    return token === null ? null : { key, token };
  };
  if (world.contract === 'commerce')
    return invalidTokens(world.mainKey === null ? null : validToken(world.mainKey.name), world.seed);
  const [first] = placementsOf(description, operation, keysFor(world, operation));
  return first === undefined ? [] : invalidCredentials(first.form, validToken(first.key), world.seed);
}

/** Who judges what is sent in place of valid credentials, and for which clause. */
export interface Guarding {
  readonly clause: 'AUTH-01' | 'AUTH-02';
  readonly judge: (exchange: Exchange) => Judgement;
}

/** Where nothing at all is answered the same, that is a breach of its own and not these credentials'. */
export function* besideNone(
  { terms }: World,
  sent: RequestPlan,
  { clause, judge }: Guarding,
  bare: RequestPlan,
): Course {
  const { last } = yield sent;
  const judgement = judge(last);
  if (judgement.kind !== 'breached') return [outcome(clause, sent, judgement, [last])];
  const none = (yield bare).last;
  const [bareTold, told] = [none, last].map((one) => `${one.response?.status} ${envelopeOf(one, terms.errors)?.code}`);
  const reason = 'answered as a request without a token is';
  return [outcome(clause, sent, told === bareTold ? cannotTell('precondition', reason) : judgement, [none, last])];
}

/** The reasons why AUTH clauses are not tested on this operation. */
export function authUntested(world: World, reached: Reached): readonly Untested[] {
  if (!requiresToken(reached.operation)) return [];
  const on = {
    ...spotOf(reached.operation),
    reasonCode: 'no-credential',
  } as const;
  const sendsNone = world.invalidTokens !== null && variantsOf(world, reached).length === 0;
  return [
    ...(sendsNone
      ? [
          {
            ...on,
            clause: 'AUTH-02',
            reason: 'none of the invalid tokens that are configured (invalidTokens) fits here',
          },
        ]
      : []),
    ...OTHER_TOKENS.flatMap(({ token, clause, lack }) =>
      world.hasToken[token] ? [] : [{ ...on, clause, reason: lack }],
    ),
  ];
}

function publicExperiment(world: World, reached: Reached): Experiment {
  const { operation } = reached;
  const on = spotOf(operation);
  // A description that calls an operation public which is not breaks SPEC-04 as well.
  const judged = (bare: Exchange, keyed: Exchange | null): readonly Outcome[] => {
    const evidence = keyed === null ? [bare] : [bare, keyed];
    const judgement = judgePublic(bare, keyed, world);
    const own = outcome('AUTH-06', on, judgement, evidence);
    if (judgement.kind !== 'breached') return [own];
    return [own, outcome('SPEC-04', on, judgePublic(bare, keyed, world, 'spec-04'), evidence)];
  };
  const { proof } = reached;
  // The first call of the run went without a token, too.
  const isSpared = world.lasts(operation) || !mutates(operation);
  const shared = isSpared && proof?.plan.credential.kind === 'none' ? proof : null;
  function* run(): Course {
    if (shared !== null) return judged(shared, null);
    const plan = planOf(reached.recipe, 'auth/public', drawFor(world, 'public'), { credential: { kind: 'none' } });
    const bare = yield plan;
    if (![401, 403].includes(bare.last.response?.status ?? 0) || world.mainKey === null) {
      return judged(bare.last, null);
    }
    let keyed: Exchange | null = null;
    for (const { name } of oneOfEachScheme([world.mainKey, ...world.keys])) {
      keyed = (yield { ...plan, credential: { kind: 'key', name } }).last;
      if (judgePublic(bare.last, keyed, world).kind === 'breached') break;
    }
    return judged(bare.last, keyed);
  }
  return {
    probe: 'auth/public',
    stage: 'lean',
    rank: 10,
    clauses: ['AUTH-06'],
    ...spotOf(operation),
    cost: shared === null ? 1 : 0,
    repeatable: shared === null,
    run,
  };
}
