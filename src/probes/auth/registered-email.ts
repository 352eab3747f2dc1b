// AUTH-07 on accounts: whether a sign-in, or what sends a new password, answers a registered email otherwise than one that is not.
//
// AUTH-07 (discover): Whether a 401 or 404 tells a stranger that an account or a resource exists (register's 409
//   aside).

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { Course, Experiment } from '../probe.ts';
import { planOf, recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, requiresToken, type World } from '../world.ts';
import { askBoth } from './accounts.ts';

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
    const emails = [registered as string, `assay-${world.nonce}-nobody@example.com`] as const;
    const about = {
      ...({ of: 'account-', names: ['registered', 'not registered'], sent: emails } as const),
      subject: "a registered email and one that is not, with a password that is neither's",
      basis: 'both were sent without a token',
    };
    return [yield* askBoth([plan(emails[0]), plan(emails[1])], about)];
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
