// AUTH-07 on accounts: whether a sign-in, or what sends a new password, answers a registered email otherwise than one that is not.
//
// AUTH-07 (discover): Whether a 401 or 404 tells a stranger that an account or a resource exists (register's 409
//   aside).

import { observeToldApart } from '../../checks/auth/auth-07-told-apart.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { planOf, recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, requiresToken, type World } from '../world.ts';

const ASKS_WHO = /(sign|log)-?_?in|session|password|forgot|reset|recover|(access|auth)-?_?token/i;

/** `registration`: the registering operation, called with success; null where it was not. */
export function registeredEmailExperiment(
  world: World,
  reached: Reached,
  registration: Reached | null,
): Experiment | null {
  const { operation, recipe } = reached;
  const stated = world.terms.registration;
  if (stated === null) return null;
  const { email: name, password: secret } = stated;
  const registered = emailOf(registration?.proof ?? null, name);
  const body = operation.requestBody === null ? null : recipeBody(recipe, drawFor(world, 'account'));
  const asksWho = operation.method === 'POST' && operation.key !== stated.operation && ASKS_WHO.test(operation.path);
  if (!asksWho || requiresToken(operation) || registered === null || !isObject(body) || !(name in body)) return null;
  const probe = 'auth/account';
  const plan = (email: string): RequestPlan => {
    const password = secret !== null && secret in body ? { [secret]: `Assay-0x-${world.nonce}` } : {};
    const value = { ...body, ...password, [name]: email };
    const sent = { body: { kind: 'json', value }, credential: { kind: 'none' } } as const;
    return planOf(recipe, probe, drawFor(world, 'account'), { ...sent, intent: 'unauthenticated', makes: 'nothing' });
  };
  function* run(): Course {
    const known = (yield plan(registered as string)).last;
    const nobody = `assay-${world.nonce}-nobody@example.com`;
    const unknown = (yield plan(nobody)).last;
    const told = judgeAccount(known, unknown, [registered as string, nobody]);
    return [outcome('AUTH-07', plan(registered as string), told, [known, unknown])];
  }
  return {
    probe,
    companions: 'siblings',
    stage: 'lean',
    rank: 72,
    clauses: ['AUTH-07'],
    ...spotOf(operation),
    cost: 2,
    run,
  };
}

function emailOf(proof: Exchange | null, name: string): string | null {
  const { body } = proof?.plan ?? {};
  const value = body?.kind === 'json' && isObject(body.value) ? body.value[name] : null;
  return typeof value === 'string' ? value : null;
}

/** Judges the answers to a registered email, and to one that nobody registered. Always an observation. */
export function judgeAccount(known: Exchange, unknown: Exchange, sent: readonly string[] = []): Judgement {
  return observeToldApart({
    answers: [known, unknown],
    names: ['registered', 'not registered'],
    sent,
    subject: "a registered email and one that is not, with a password that is neither's",
    basis: 'both were sent without a token',
    codes: ['auth-07.account-told-apart', 'auth-07.account-alike'],
  });
}
