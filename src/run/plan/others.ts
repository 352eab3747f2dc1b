// Keeps requests from what somebody else has made: an answer may name it as this run's, and whoever plans by that answer is misled.
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { NotSent } from '../../probes/probe.ts';
import { isActedOn } from '../../probes/reach/path-values.ts';
import type { World } from '../../probes/world.ts';
import type { Creations } from '../books/creations.ts';
import type { Consent } from './consent.ts';

interface Surroundings {
  readonly catalogue: Catalogue;
  readonly creations: Pick<Creations, 'isOthers'>;
  readonly world: Pick<World, 'environment' | 'fixtures'>;
}

/** The same consent, which forbids besides what would change or delete what is not this run's. */
export function sparing(consent: Consent, around: Surroundings): Pick<Consent, 'isPayment' | 'forbidding'> {
  return {
    isPayment: (operation) => consent.isPayment(operation),
    forbidding: (plan) => consent.forbidding(plan) ?? othersHarmedBy(plan, around),
  };
}

function othersHarmedBy(plan: RequestPlan, { catalogue, creations, world }: Surroundings): NotSent | null {
  const path = isSafe(plan.method) ? null : pathOfActedOn(plan, catalogue, world);
  if (path === null || !creations.isOthers(path)) return null;
  return new NotSent('precondition', `${path} was there before this run could make it, and is left alone`);
}

/**
 * The path of the thing that a success deletes, or changes where others live. null for none, and for a thing that the user has named
 * to be changed.
 */
function pathOfActedOn(
  { method, path, operation: key, service }: RequestPlan,
  catalogue: Catalogue,
  { environment, fixtures }: Surroundings['world'],
): string | null {
  const described = key === null ? catalogue.match(method, path) : catalogue.operation(key, service);
  const name = parameterNames(described?.operation.path ?? '').at(-1);
  if (described === null || name === undefined) return null;
  const { operation, description } = described;
  if (!isActedOn(description, operation, name)) return null;
  if (method !== 'DELETE') {
    const isChosen = Object.values(fixtures).includes(valuesOf(operation.path, path)[name] ?? '');
    if (environment === 'local' || isChosen || operation.fixed?.parameters[name] !== undefined) return null;
  }
  const depth = operation.path.split('/').findLastIndex((segment) => segment.includes(`{${name}}`));
  return trimmed(path)
    .split('/')
    .slice(0, depth + 1)
    .join('/');
}
