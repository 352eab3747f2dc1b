// Keeps requests from what somebody else has made: an answer may name it as this run's, and whoever plans by that answer is misled.
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { NotSent } from '../../probes/probe.ts';
import { isActedOn } from '../../probes/reach/path-values.ts';
import type { World } from '../../probes/world.ts';
import { describedBy } from '../books/answers.ts';
import type { Creations } from '../books/creations.ts';
import type { Consent } from './consent.ts';

interface Surroundings {
  readonly catalogue: Catalogue;
  readonly creations: Pick<Creations, 'isOthers' | 'removedBy'>;
  readonly world: Pick<World, 'environment' | 'fixtures'>;
  /** Reads what is this run's by the word of its create alone. */
  readonly prove: (path: string) => Promise<void>;
}

/** Consent that may have to be looked for. */
export interface SparingConsent extends Pick<Consent, 'isPayment'> {
  forbidding(plan: RequestPlan): NotSent | null | Promise<NotSent | null>;
}

/** The same consent, which forbids besides what would change or delete what is not this run's. */
export function sparing(consent: Consent, around: Surroundings): SparingConsent {
  return {
    isPayment: (operation) => consent.isPayment(operation),
    forbidding: async (plan) => consent.forbidding(plan) ?? (await othersHarmedBy(plan, around)),
  };
}

async function othersHarmedBy(plan: RequestPlan, around: Surroundings): Promise<NotSent | null> {
  if (isSafe(plan.method)) return null;
  const { catalogue, creations, world, prove } = around;
  const acted = actedOnBy(plan, catalogue);
  const paths = acted === null ? creations.removedBy(plan) : [acted.path];
  for (const path of paths) await prove(path);
  const path = paths.find((one) => creations.isOthers(one));
  if (path === undefined || (acted !== null && mayChange(plan, acted, world))) return null;
  return new NotSent('precondition', `${path} is not this run's, and is left alone`);
}

/** The thing that a success changes or deletes. */
interface ActedOn {
  readonly path: string;
  /** The parameter that names it. */
  readonly name: string;
  readonly operation: Operation;
}

function actedOnBy(plan: RequestPlan, catalogue: Catalogue): ActedOn | null {
  const described = describedBy(catalogue, plan);
  const name = parameterNames(described?.operation.path ?? '').at(-1);
  if (described === null || name === undefined) return null;
  const { operation, description } = described;
  if (!isActedOn(description, operation, name)) return null;
  const depth = operation.path.split('/').findLastIndex((segment) => segment.includes(`{${name}}`));
  const segments = trimmed(plan.path).split('/');
  return { path: segments.slice(0, depth + 1).join('/'), name, operation };
}

/** Tells whether it is changed only: back to what it was, where nobody else lives, or as the user has named it. */
function mayChange(
  { method, path, undoes }: RequestPlan,
  { name, operation }: ActedOn,
  { environment, fixtures }: Surroundings['world'],
): boolean {
  if (method === 'DELETE') return false;
  const isChosen = Object.values(fixtures).includes(valuesOf(operation.path, path)[name] ?? '');
  return (
    (undoes === true && method !== 'POST') ||
    environment === 'local' ||
    isChosen ||
    operation.fixed?.parameters[name] !== undefined
  );
}
