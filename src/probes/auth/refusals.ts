// AUTH-01 to -04 and -06 on one operation: no token, invalid ones, an expired one, a locked account's.
import { judgeLockedRefused, judgePublic, type SentInstead } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { outcome, single } from '../experiment.ts';
import type { Course, Experiment, Outcome, Untested } from '../probe.ts';
import { inOtherLanguage, planOf } from '../reach/recipe.ts';
import { harmlessValues } from '../requests/harmless.ts';
import { judgesOf } from '../requests/judges.ts';
import { drawFor, maybeAbsent, mutates, type Reached, requiresToken, type World } from '../world.ts';
import { type InvalidToken, invalidCredentials, invalidTokens, type ValidToken } from './invalid-tokens.ts';
import { placementsOf } from './security.ts';

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
  const { unauthorised } = judgesOf(world);
  const variants = variantsOf(world, reached);
  const experiments: Experiment[] = [
    single(
      reached,
      { probe: 'auth/no-token', stage: 'lean', rank: 10 },
      () => plan({ kind: 'none' }, 'auth/no-token'),
      {
        'AUTH-01': (exchange) => unauthorised(exchange, NO_TOKEN, reached),
      },
    ),
  ];
  if (jsonBodyType(reached.operation) !== null) {
    // Whoever validates before asking for the token tells a stranger what the operation wants.
    const probe = 'auth/no-token/empty-body';
    const body = { kind: 'json', value: {} } as const;
    experiments.push(
      single(reached, { probe, stage: 'depth', rank: 12 }, () => ({ ...plan({ kind: 'none' }, probe), body }), {
        'AUTH-01': (exchange) => unauthorised(exchange, NO_TOKEN, reached),
      }),
    );
  }
  for (const [index, variant] of variants.entries()) {
    const first = index === turn % variants.length;
    const probe = `auth/invalid/${variant.name}`;
    const place = { probe, stage: first ? 'lean' : 'depth', rank: first ? 20 : 10 } as const;
    const sent = (): RequestPlan => {
      const own = plan(variant.credential, probe, variant.query);
      return index % 2 === 0 ? own : inOtherLanguage(own, reached.operation);
    };
    const judge = (exchange: Exchange): Judgement => unauthorised(exchange, instead(variant), reached);
    const one = single(reached, place, sent, { 'AUTH-02': judge });
    const bare = (): RequestPlan => plan({ kind: 'none' }, 'auth/no-token');
    experiments.push(variant.isNearlyNone ? { ...one, run: () => besideNone(sent(), judge, bare()) } : one);
  }
  if (world.hasExpired) {
    experiments.push(
      single(
        reached,
        { probe: 'auth/expired', stage: 'lean', rank: 70 },
        () => plan({ kind: 'expired' }, 'auth/expired'),
        {
          'AUTH-03': (exchange) => unauthorised(exchange, EXPIRED_TOKEN, reached),
        },
      ),
    );
  }
  if (world.hasLocked) {
    experiments.push(
      single(
        reached,
        { probe: 'auth/locked', stage: 'lean', rank: 75 },
        () => plan({ kind: 'locked' }, 'auth/locked'),
        {
          'AUTH-04': (exchange) => judgeLockedRefused(exchange, maybeAbsent(reached)),
        },
      ),
    );
  }
  return experiments;
}

/** The invalid tokens that are sent on the operation: all that are known, or those of them that the configuration names. */
function variantsOf(world: World, reached: Reached): readonly InvalidToken[] {
  const { invalidTokens: named } = world;
  const reads = reached.operation.method === 'GET';
  const known = knownVariants(world, reached).filter(({ isForReads }) => reads || isForReads !== true);
  return named === null ? known : known.filter(({ name }) => named.includes(name));
}

/** What is sent instead of valid credentials: in the form that the description has them. */
function knownVariants(world: World, { operation, description }: Reached): readonly InvalidToken[] {
  const validToken = (key: string): ValidToken | null => {
    const token = world.token(key);
    return token === null ? null : { key, token };
  };
  if (world.contract === 'commerce')
    return invalidTokens(world.mainKey === null ? null : validToken(world.mainKey.name), world.seed);
  const [first] = placementsOf(description, operation, world.keys);
  return first === undefined ? [] : invalidCredentials(first.form, validToken(first.key), world.seed);
}

/** Where nothing at all is answered the same, that is AUTH-01's breach and not this token's. */
function* besideNone(sent: RequestPlan, judge: (exchange: Exchange) => Judgement, bare: RequestPlan): Course {
  const { last } = yield sent;
  const judgement = judge(last);
  if (judgement.kind !== 'breached') return [outcome('AUTH-02', sent, judgement, [last])];
  const none = (yield bare).last;
  const same = none.response?.status === last.response?.status;
  const reason = 'answered as a request without a token is';
  return [outcome('AUTH-02', sent, same ? cannotTell('precondition', reason) : judgement, [none, last])];
}

/** What AUTH clauses lack on this operation. */
export function authUntested(world: World, reached: Reached): readonly Untested[] {
  if (!requiresToken(reached.operation)) return [];
  const on = {
    service: reached.operation.service,
    operation: reached.operation.key,
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
    ...(world.hasExpired
      ? []
      : [{ ...on, clause: 'AUTH-03', reason: 'no expired token is configured (credentials.expired)' }]),
    ...(world.hasLocked
      ? []
      : [{ ...on, clause: 'AUTH-04', reason: "no locked account's token is configured (credentials.locked)" }]),
  ];
}

function publicExperiment(world: World, reached: Reached): Experiment {
  const { operation } = reached;
  const on = { service: operation.service, operation: operation.key };
  // A description that calls an operation public which is not breaks SPEC-04 as well.
  const judged = (bare: Exchange, keyed: Exchange | null): readonly Outcome[] => {
    const evidence = keyed === null ? [bare] : [bare, keyed];
    const judgement = judgePublic(bare, keyed);
    const own = outcome('AUTH-06', on, judgement, evidence);
    if (judgement.kind !== 'breached') return [own];
    return [own, outcome('SPEC-04', on, judgePublic(bare, keyed, 'spec-04'), evidence)];
  };
  const { proof } = reached;
  // The first call of the run went without a token, too.
  const isSpared = world.lasts(operation) || (world.isBrief === true && !mutates(operation));
  const shared = isSpared && proof?.plan.credential.kind === 'none' ? proof : null;
  function* run(): Course {
    if (shared !== null) return judged(shared, null);
    const plan = planOf(reached.recipe, 'auth/public', drawFor(world, 'public'), { credential: { kind: 'none' } });
    const bare = yield plan;
    if (![401, 403].includes(bare.last.response?.status ?? 0) || world.mainKey === null) {
      return judged(bare.last, null);
    }
    const keyed = yield { ...plan, credential: { kind: 'key', name: world.mainKey.name } };
    return judged(bare.last, keyed.last);
  }
  return {
    probe: 'auth/public',
    stage: 'lean',
    rank: 10,
    clauses: ['AUTH-06'],
    service: operation.service,
    operation: operation.key,
    cost: shared === null ? 1 : 0,
    repeatable: shared === null,
    run,
  };
}
