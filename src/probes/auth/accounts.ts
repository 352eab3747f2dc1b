// Other keys and other accounts: AUTH-05 (every key is accepted by every service), AUTH-07 and AUTH-08.
//
// AUTH-07 (discover): Whether a 401 or 404 tells a stranger that an account or a resource exists (register's 409
//   aside).
// AUTH-08 (discover): Whether what one account created can be read or changed by another (needs keys of two accounts;
//   `expect.isolation: true` makes it a `must`).

import {
  isUnserved,
  judgeIsolated,
  judgeKeyAccepted,
  judgeKeyBesideMain,
  judgeNotListed,
  judgeOpenDelete,
} from '../../checks/auth/auth-01-to-06-refusals.ts';
import { observeToldApart, type Pair } from '../../checks/auth/auth-07-told-apart.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { fillPath, parameterNames } from '../../facts/paths.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { contentTypeFor } from '../../openapi/model/media-types.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome, single } from '../experiment.ts';
import type { Answered, Course, Experiment, Outcome } from '../probe.ts';
import { makeVictim } from '../reach/destroy.ts';
import { planOf, queryText, type Recipe } from '../reach/recipe.ts';
import { harmlessValues, unknownValue } from '../requests/harmless.ts';
import { judgeUnauthorised } from '../requests/judges.ts';
import { drawFor, mutates, type Reached, requiresToken, type World } from '../world.ts';
import { isAccepted } from './borrowed-requests.ts';
import { NO_TOKEN } from './refusals.ts';
import type { KnownKey } from './security.ts';

/**
 * AUTH-05: the operation under every other key. What changes something is asked for in vain: an id that names nothing, or a body that
 * is no JSON; what neither makes harmless is left out.
 */
export function otherKeyExperiments(
  world: World,
  reached: Reached,
  { first }: { readonly first: boolean },
): readonly Experiment[] {
  const { operation, recipe } = reached;
  if (!requiresToken(operation)) return [];
  if (mutates(operation)) {
    const controls: Controls = new Map();
    return world.keys.slice(1).flatMap((key) => vainCall(world, reached, key, controls) ?? []);
  }
  if (reached.proof === null) return [];
  return world.keys.slice(1).map((key) => {
    const probe = `auth/key/${key.name}`;
    const credential = { kind: 'key', name: key.name } as const;
    const one = single(
      reached,
      { probe, stage: first ? 'lean' : 'depth', rank: first ? 5 : 65 },
      () => planOf(recipe, probe, drawFor(world, 'key'), { credential }),
      { 'AUTH-05': (exchange) => judgeKeyAccepted(exchange, key.name, world) },
    );
    return { ...one, stands: () => !isAccepted(world, reached, key) };
  });
}

/**
 * AUTH-05 on what changes something: a refusal counts where the main key gets as far as to be told what is wrong, and an answer to a broken body
 * tells of the key only where nobody gets that far without one.
 */
function vainCall(world: World, reached: Reached, key: KnownKey, controls: Controls): Experiment | null {
  const { operation } = reached;
  const media = jsonBodyType(operation);
  const isNamed = parameterNames(operation.path).length > 0 && (operation.method !== 'POST' || media === null);
  if (media === null && !isNamed) return null;
  const probe = `auth/key-in-vain/${key.name}`;
  const call = (body: VainBody, credential: RequestPlan['credential']): RequestPlan =>
    vainPlan(world, reached, probe, { body, credential });
  function* run(): Course {
    for (const body of bodiesFor(operation, media?.mediaType ?? null, isNamed)) {
      const { last } = yield call(body, { kind: 'key', name: key.name });
      const judgement = judgeKeyAccepted(last, key.name, world);
      if (judgement.kind === 'breached') {
        const control = (yield call(body, { kind: 'key', name: world.keys[0]?.name ?? key.name })).last;
        return [outcome('AUTH-05', last.plan, judgeKeyBesideMain(last, control, key.name, world), [last, control])];
      }
      if (judgement.kind !== 'holds' || body === 'none') return [outcome('AUTH-05', last.plan, judgement, [last])];
      const control = controls.get(body) ?? (yield call(body, NONE)).last;
      controls.set(body, control);
      if (isUnserved(control)) return [outcome('AUTH-05', last.plan, judgement, [last, control])];
    }
    const reason = 'what is wrong with a body is told before a token is asked for';
    return [outcome('AUTH-05', call('broken', NONE), cannotTell('precondition', reason), [])];
  }
  return {
    ...{ probe, stage: 'depth', rank: 65, clauses: ['AUTH-05'], cost: 1, leaves: 0, repeatable: true, run },
    stands: () => !isAccepted(world, reached, key),
    ...spotOf(operation),
  };
}

const NONE = { kind: 'none' } as const;

/** The answers of the operation without a token: asked once for all keys. */
type Controls = Map<VainBody, Exchange>;

/** sound: as the operation takes it. broken: as a client sends it that is cut off. */
type VainBody = 'none' | 'sound' | 'broken';

/** The bodies that show whether a key is accepted: a sound one where an id that names nothing keeps it from having an effect. */
function bodiesFor({ responses }: Operation, mediaType: string | null, isNamed: boolean): readonly VainBody[] {
  if (mediaType === null) return ['none'];
  const mayCreate = responses.some(({ status }) => status === '201');
  return isNamed && !mayCreate ? ['broken', 'sound'] : ['broken'];
}

function vainPlan(
  world: World,
  reached: Reached,
  probe: string,
  { body, credential }: { readonly body: VainBody; readonly credential: RequestPlan['credential'] },
): RequestPlan {
  const { operation, recipe } = reached;
  const last = parameterNames(operation.path).at(-1);
  const isAction = operation.method === 'POST' && body === 'none' && last !== undefined;
  const values = isAction
    ? { ...recipe.pathValues, [last]: unknownValue(world, reached, last) }
    : harmlessValues(world, reached);
  const media = jsonBodyType(operation);
  const contentType = media === null ? '' : contentTypeFor(media);
  const change = body === 'broken' ? { body: { kind: 'raw', text: NO_JSON, contentType } as const } : {};
  const vain = { credential, intent: 'invalid', makes: 'nothing' } as const;
  return planOf({ ...recipe, pathValues: values }, probe, drawFor(world, 'key'), { ...change, ...vain });
}

/** As a client sends it that is cut off. */
const NO_JSON = '{"assay": ';

/** AUTH-07: whether a stranger can tell an existing resource from a missing one. */
export function strangerExperiment(
  world: World,
  reached: Reached,
  { first }: { readonly first: boolean },
): Experiment | null {
  const { operation, recipe } = reached;
  const last = parameterNames(operation.path).at(-1);
  if (operation.method !== 'GET' || last === undefined || reached.proof === null || !requiresToken(operation))
    return null;
  const missing = missingBeside(world, reached, last);
  function* run(): Course {
    const plan = (of: Recipe): RequestPlan =>
      planOf(of, 'auth/stranger', drawFor(world, 'stranger'), { credential: NONE, intent: 'unauthenticated' });
    const told = yield* askBoth([plan(recipe), plan(missing)], {
      ...{ of: '', sent: idsOf(recipe, missing) },
      subject: 'an existing resource and a missing one, without a token',
      basis: 'both were asked for without a token',
    });
    const [, absent] = told.evidence;
    const judged = absent === undefined ? [] : [judgeUnauthorised(world, absent, NO_TOKEN, reached)];
    return [told, ...judged.map((judgement) => outcome('AUTH-01', told, judgement, told.evidence.slice(1)))];
  }
  return {
    probe: 'auth/stranger',
    stage: first ? 'lean' : 'depth',
    rank: first ? 7 : 66,
    clauses: ['AUTH-07', 'AUTH-01'],
    ...spotOf(operation),
    cost: 2,
    run,
  };
}

/** AUTH-07: asks about what exists and about what does not, and tells whether the answers differ. `asked`: the first was asked about already. */
export function* askBoth(
  [existing, missing]: readonly [RequestPlan, RequestPlan],
  about: Omit<Pair, 'answers'>,
  asked: Exchange | null = null,
): Generator<RequestPlan, Outcome, Answered> {
  const answers = [asked ?? (yield existing).last, (yield missing).last] as const;
  return outcome('AUTH-07', existing, observeToldApart({ ...about, answers }), answers);
}

/** The recipe for something that is not there. */
function missingBeside(world: World, reached: Reached, last: string): Recipe {
  const { recipe } = reached;
  return { ...recipe, pathValues: { ...recipe.pathValues, [last]: unknownValue(world, reached, last) } };
}

/** AUTH-08: a list, asked for with a key of another account, shows nothing that this run created. */
export function isolatedListExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const other = otherAccount(world);
  if (operation.method !== 'GET' || other === null || reached.proof === null || operation.path.endsWith('}')) return [];
  const created = world.knowledge.idsAt(fillPath(operation.path, recipe.pathValues), '').filter((id) => id.created);
  if (created.length === 0) return [];
  const probe = 'auth/isolated-list';
  const ids = new Set(created.map(({ value }) => value));
  const takesLimit = operation.parameters.some(({ in: place, name }) => place === 'query' && name === 'limit');
  const query = queryText(
    takesLimit ? [...recipe.query.filter(([name]) => name !== 'limit'), ['limit', '100']] : recipe.query,
  );
  return [
    single(
      reached,
      { probe, companions: 'siblings', stage: 'lean', rank: 9 },
      () => planOf(recipe, probe, drawFor(world, 'isolation'), { ...asOther(other), query }),
      { 'AUTH-08': (exchange) => judgeNotListed(exchange, ids) },
    ),
  ];
}

/** AUTH-08: an object made for the purpose, deleted with a key of another account. */
export function isolatedDeleteExperiment(world: World, reached: Reached, creator: Reached | null): Experiment | null {
  const { operation, recipe } = reached;
  const other = otherAccount(world);
  const parameter = parameterNames(operation.path).at(-1);
  if (operation.method !== 'DELETE' || other === null || creator === null || parameter === undefined) return null;
  const probe = 'auth/isolated-delete';
  function* run(): Course {
    const values = yield* makeVictim(world, operation, creator as Reached, 'isolation');
    if (values === null) return [];
    const change = asOther(other as KnownKey);
    const plan = planOf({ ...recipe, pathValues: values }, probe, drawFor(world, 'isolation'), change);
    const { last } = yield plan;
    return [outcome('AUTH-08', plan, judgeIsolated(last, 'delete'), [last])];
  }
  return {
    probe,
    companions: 'siblings',
    stage: 'depth',
    rank: 70,
    clauses: ['AUTH-08'],
    ...spotOf(operation),
    cost: 2,
    run,
  };
}

/**
 * AUTH-01 by a description alone: an object made for the purpose, deleted without a token. An id that names nothing is answered 404 by many,
 * whoever asks.
 */
export function openDeleteExperiment(world: World, reached: Reached, creator: Reached | null): Experiment | null {
  const { operation, recipe, proof } = reached;
  if (world.contract !== 'openapi' || operation.method !== 'DELETE' || !requiresToken(operation)) return null;
  const isKnown = proof?.plan.credential.kind === 'none';
  if (creator === null && !isKnown) return null;
  const on = spotOf(operation);
  const probe = 'auth/open-delete';
  function* run(): Course {
    if (isKnown && proof !== null) return [outcome('AUTH-01', on, judgeOpenDelete(proof, NO_TOKEN), [proof])];
    const values = creator === null ? null : yield* makeVictim(world, operation, creator, 'open');
    if (values === null) return [];
    const change = { credential: NONE, intent: 'unauthenticated' } as const;
    const { last } = yield planOf({ ...recipe, pathValues: values }, probe, drawFor(world, 'open'), change);
    return [outcome('AUTH-01', on, judgeOpenDelete(last, NO_TOKEN), [last])];
  }
  const place = { probe, companions: 'siblings', stage: 'lean', rank: 11, clauses: ['AUTH-01'], run } as const;
  return { ...place, ...on, cost: isKnown ? 0 : 2 };
}

/** A key of another account than the main key's; null where none is configured. */
function otherAccount({ keys, mainKey }: World): KnownKey | null {
  if (mainKey?.account == null) return null;
  return keys.find((key) => key.account !== null && key.account !== mainKey.account) ?? null;
}

/** Sent by another account: what it asks for is not its own. */
function asOther({ name }: KnownKey): Pick<RequestPlan, 'credential' | 'intent'> {
  return { credential: { kind: 'key', name }, intent: 'unauthenticated' };
}

/**
 * AUTH-08: what this run created under the main key, read (and where harmless, changed) with a key of another account. AUTH-07 where reading it is
 * refused: whether what does not exist is refused so, too.
 */
export function isolationExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const other = otherAccount(world);
  const last = parameterNames(operation.path).at(-1);
  if (other === null || last === undefined || !operation.path.endsWith('}') || reached.proof === null) return [];
  const value = recipe.pathValues[last];
  const own = value !== undefined && world.knowledge.isCreated(value);
  if (!own || !['GET', 'PATCH', 'PUT'].includes(operation.method)) return [];
  const probe = 'auth/isolation';
  const isRead = operation.method === 'GET';
  const plan = (of: Recipe): RequestPlan => planOf(of, probe, drawFor(world, 'isolation'), asOther(other));
  const missing = missingBeside(world, reached, last);
  function* run(): Course {
    const existing = (yield plan(recipe)).last;
    const isolated = outcome('AUTH-08', plan(recipe), judgeIsolated(existing, isRead ? 'read' : 'change'), [existing]);
    if (!isRead || (existing.response?.status ?? 0) < 400) return [isolated];
    const about = {
      ...({ of: 'other-account-', sent: idsOf(recipe, missing) } as const),
      subject: 'a resource of another account and a missing one',
      basis: 'both were asked for with a key of another account',
    };
    return [isolated, yield* askBoth([plan(recipe), plan(missing)], about, existing)];
  }
  return [
    {
      ...{
        probe,
        companions: 'siblings',
        stage: 'lean',
        rank: 8,
        clauses: isRead ? ['AUTH-08', 'AUTH-07'] : ['AUTH-08'],
      },
      ...{ ...spotOf(operation), cost: 1, repeatable: true, run },
    },
  ];
}

function idsOf(...recipes: readonly Recipe[]): readonly string[] {
  return recipes.flatMap(({ pathValues }) => Object.values(pathValues));
}
