// AUTH-01 and AUTH-02 on what a description demands beside one credential: schemes that are needed together are needed each, each of
// several alternatives is guarded, and a key of a scheme that the operation does not name opens nothing. What an alternative promises
// is tried, too: its keys are accepted.

import { judgeAlternative, judgeSecured, type SentInstead } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { seenOnce } from '../../checks/observation.ts';
import { cannotTell, noting } from '../../contract/judgement.ts';
import type { Credential, Exchange, Placement, RequestPlan } from '../../exchange/exchange.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome, single } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { harmlessValues } from '../requests/harmless.ts';
import { drawFor, keysFor, type Reached, requiresToken, type World } from '../world.ts';
import { invalidCredentials } from './invalid-tokens.ts';
import { besideNone, type Guarding } from './refusals.ts';
import { alternativesOf, isKeyed, placementOf, type Required } from './security.ts';

/** Names of the keys that some operation accepted which asks for one. */
export function acceptedKeys(reached: readonly Reached[]): ReadonlySet<string> {
  const asking = reached.filter(({ operation }) => requiresToken(operation));
  const plans = asking.flatMap(({ proof }) => (proof === null ? [] : [proof.plan]));
  return new Set(
    plans
      .filter(({ credential }) => credential.kind === 'key')
      .flatMap(({ placements = [] }) => placements.map(({ key }) => key)),
  );
}

/** The experiments on an operation whose security says more than that one credential is needed. `accepted`: keys known to be good. */
export function requirementExperiments(
  world: World,
  reached: Reached,
  accepted: ReadonlySet<string>,
): readonly Experiment[] {
  if (world.contract === 'commerce') return [];
  const ground = new Ground(world, reached);
  return [
    ...(requiresToken(reached.operation) ? [...partial(ground), ...spoiled(ground), ...foreign(ground)] : []),
    ...promised(ground, accepted),
    ...lacking(ground),
  ];
}

/** The credentials that are sent in place of the demanded ones. */
interface Sent {
  readonly placements: readonly Placement[];
  readonly credential: Credential;
}

class Ground {
  readonly world: World;
  readonly reached: Reached;
  readonly alternatives: readonly (readonly Required[])[];
  /** The alternative that ordinary calls use; absent where there are keys for none. */
  readonly usual: readonly Required[] | undefined;

  constructor(world: World, reached: Reached) {
    this.world = world;
    this.reached = reached;
    const { description, operation } = reached;
    this.alternatives = alternativesOf(description, operation, keysFor(world, operation)).filter(
      ({ length }) => length > 0,
    );
    this.usual = this.alternatives.find(isKeyed);
  }

  /** Tells whether these schemes are all that some alternative asks for. */
  isEnough(schemes: readonly Required[]): boolean {
    const given = new Set(schemes.map(({ scheme }) => scheme));
    return this.alternatives.some((alternative) => alternative.every(({ scheme }) => given.has(scheme)));
  }

  /** Changes nothing that exists, should it be served after all. */
  plan(probe: string, { placements, credential }: Sent): RequestPlan {
    const { world, reached } = this;
    const recipe = { ...reached.recipe, pathValues: harmlessValues(world, reached) };
    const guarded = { credential, intent: 'unauthenticated', makes: 'nothing' } as const;
    return { ...planOf(recipe, probe, drawFor(world, 'auth'), guarded), placements };
  }

  /** The experiment that this is refused. A target that lets in whoever sends nothing is not blamed for it once more. */
  refusal(sent: SentInstead, how: Sent, place: Pick<Experiment, 'stage' | 'rank'> = FIRST): Experiment {
    const clause = sent.clause === 'auth-01' ? 'AUTH-01' : 'AUTH-02';
    const probe = `auth/requirement/${sent.name}`;
    const plan = (): RequestPlan => this.plan(probe, how);
    const guarding: Guarding = { clause, judge: (exchange) => judgeSecured(exchange, sent) };
    const bare = (): RequestPlan =>
      this.plan('auth/no-token', { placements: how.placements, credential: { kind: 'none' } });
    const one = single(this.reached, { probe, ...place }, plan, { [clause]: guarding.judge });
    return { ...one, run: () => besideNone(this.world, plan(), guarding, bare()) };
  }
}

const FIRST = { stage: 'lean', rank: 11 } as const;
/** Who refuses a stranger hardly ever lets in wrong credentials of a further scheme: all else is looked at before. */
const OF_OTHERS = { stage: 'lean', rank: 85 } as const;
const LATER = { stage: 'depth', rank: 11 } as const;

function key(name: string): Credential {
  return { kind: 'key', name };
}

function placementsIn(required: readonly Required[]): readonly Placement[] {
  return required.map(({ placement }) => placement);
}

/** Every scheme of an alternative but one. */
function partial(ground: Ground): readonly Experiment[] {
  const seen = new Set<string>();
  return ground.alternatives.flatMap((alternative) =>
    alternative.flatMap(({ scheme }): readonly Experiment[] => {
      const rest = alternative.filter((one) => one.scheme !== scheme);
      const names = rest.map((one) => one.scheme);
      const [first] = rest;
      if (first === undefined || !isKeyed(rest) || ground.isEnough(rest) || seen.has(names.join(' '))) return [];
      seen.add(names.join(' '));
      const inWords = `valid credentials for ${names.join(' and ')} and none for ${scheme}`;
      const sent = { clause: 'auth-01', name: `without-${scheme}`, inWords } as const;
      return [ground.refusal(sent, { placements: placementsIn(rest), credential: key(first.placement.key) })];
    }),
  );
}

/** Wrong credentials for one scheme of an alternative, beside right ones for the others. Those of ordinary calls are spoiled elsewhere. */
function spoiled(ground: Ground): readonly Experiment[] {
  return ground.alternatives.flatMap((alternative) =>
    alternative.flatMap((one, index): readonly Experiment[] => {
      const rest = alternative.filter((other) => other !== one);
      const isUsual = alternative === (ground.usual ?? ground.alternatives[0]) && index === 0;
      if (isUsual || (rest.length > 0 && (!isKeyed(rest) || ground.isEnough(rest)))) return [];
      const token = one.placement.key === '' ? null : ground.world.token(one.placement.key);
      const valid = token === null ? null : { key: one.placement.key, token };
      const placements = placementsIn([one, ...rest]);
      const usual = invalidCredentials(one.placement.form, valid, ground.world.seed).filter(
        ({ isForReads, isForOnce }) => isForReads !== true && isForOnce !== true,
      );
      return usual.map(({ name, sent, credential }, turn) =>
        ground.refusal(
          { clause: 'auth-02', name: `${name}-${one.scheme}`, inWords: `${sent} for ${one.scheme}` },
          { placements, credential },
          turn === 0 ? OF_OTHERS : LATER,
        ),
      );
    }),
  );
}

/** A valid key of a scheme that no alternative names. Source: OpenAPI 3.1, Security Requirement Object; an operation's own overrides the description's. */
function foreign(ground: Ground): readonly Experiment[] {
  const { world, reached, alternatives } = ground;
  const named = new Set(reached.operation.security.flat());
  const good = new Set(alternatives.flat().map(({ placement }) => world.token(placement.key)));
  const others = world.keys.filter(
    ({ name, scheme }) => scheme !== null && !named.has(scheme) && !good.has(world.token(name)),
  );
  return [...Map.groupBy(others, ({ scheme }) => scheme).values()].flatMap(([one]) => {
    const scheme = reached.description.securitySchemes.find(({ name }) => name === one?.scheme);
    if (one === undefined || scheme === undefined) return [];
    const inWords = `a valid key for ${scheme.name}, which the operation does not name`;
    const sent = { clause: 'auth-02', name: `foreign-${scheme.name}`, inWords } as const;
    return [ground.refusal(sent, { placements: [placementOf(scheme, one.name)], credential: key(one.name) })];
  });
}

/** Beginning of the names of probes that send valid credentials. */
export const BY_ALTERNATIVE = 'auth/alternative/';

/** Valid credentials for each alternative that ordinary calls do not use, or that they used in vain. */
function promised(ground: Ground, accepted: ReadonlySet<string>): readonly Experiment[] {
  const { world, reached, usual } = ground;
  const { operation, proof, firstStatus } = reached;
  const creates = operation.method === 'POST';
  if (creates && (world.lasts(operation) || world.isPayment(operation))) return [];
  const isOpen = !requiresToken(operation);
  return ground.alternatives.flatMap((alternative): readonly Experiment[] => {
    const [first] = alternative;
    if (first === undefined || !isKeyed(alternative)) return [];
    if (alternative === usual && !isOpen && (proof !== null || firstStatus !== 401)) return [];
    const names = alternative.map(({ scheme }) => scheme).join(' and ');
    const probe = `${BY_ALTERNATIVE}${names.replaceAll(' ', '-')}`;
    const plan = (): RequestPlan => {
      const recipe = creates ? reached.recipe : { ...reached.recipe, pathValues: harmlessValues(world, reached) };
      const credential = key(first.placement.key);
      return { ...planOf(recipe, probe, drawFor(world, probe), { credential }), placements: placementsIn(alternative) };
    };
    const areGood = alternative.every(({ placement }) => accepted.has(placement.key));
    const judge = (exchange: Exchange) => judgeAlternative(exchange, { names, areGood });
    return [single(reached, { probe, stage: 'lean', rank: 13 }, plan, { 'AUTH-01': judge })];
  });
}

/** Tells by name what no key is configured for. */
function lacking({ world, reached, alternatives }: Ground): readonly Experiment[] {
  const { operation } = reached;
  const without = world.keys.length === 0 ? [] : alternatives.filter((alternative) => !isKeyed(alternative));
  if (without.length === 0) return [];
  const on = spotOf(operation);
  const told = without.map((alternative) => {
    const names = alternative.filter(({ placement }) => placement.key === '').map(({ scheme }) => scheme);
    const isUnspoken = names.some((name) => operation.unspoken?.includes(name));
    const why = isUnspoken ? 'a key alone does not satisfy it' : 'no key is configured for it';
    return seenOnce(`the security scheme ${names.join(' and ')}`, `not tried: ${why}`, 'the description and the keys');
  });
  const judgement = noting(
    cannotTell('no-credential', told.map(({ subject, value }) => `${subject} ${value}`).join('; ')),
    told,
  );
  return [
    {
      ...{ probe: 'auth/untried', stage: 'lean', rank: 14, clauses: ['AUTH-01'], ...on, cost: 0 },
      // biome-ignore lint/correctness/useYield: nothing is sent.
      *run() {
        return [outcome('AUTH-01', on, judgement, [])];
      },
    },
  ];
}
