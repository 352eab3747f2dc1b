// What a run may create on its target, told before it sends anything: from the descriptions and the configuration alone.
import type { Config } from '../../config/config.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { fillPath } from '../../probes/reach/recipe.ts';
import { isUndoable, pathIn } from '../../probes/reach/undoing.ts';
import { Consent } from './consent.ts';

export interface Forecast {
  /** limits.created. */
  readonly perOperation: number;
  readonly total: number;
  /** Keys of operations whose successes make something that can be deleted, by what is described. */
  readonly deletable: readonly string[];
  /** Of those whose effects stay. */
  readonly staying: readonly string[];
  /** Most objects that stay. */
  readonly mostStaying: number;
}

/** What operations that may be sent make, as far as the descriptions tell: whether a POST makes anything is not always said. */
export function forecastOf(config: Config, catalogue: Catalogue, selected: readonly Described[]): Forecast {
  const consent = new Consent(config, catalogue);
  const making = selected.filter(
    (described) => consent.refusal(described.operation) === null && isMaking(described, catalogue, consent),
  );
  const [deletable, staying] = [true, false].map((wanted) =>
    making.filter(({ operation }) => isUndoable(catalogue, operation) === wanted).map(({ operation }) => operation.key),
  ) as [string[], string[]];
  const { perOperation, total } = config.limits.created;
  return { perOperation, total, deletable, staying, mostStaying: Math.min(total, perOperation * staying.length) };
}

function isMaking({ operation }: Described, catalogue: Catalogue, consent: Consent): boolean {
  const declares201 = operation.responses.some(({ status }) => status === '201');
  if (operation.method === 'PUT') return declares201;
  if (operation.method !== 'POST') return false;
  const item = pathIn(fillPath(operation.path, {}), 'x');
  const hasItems = ['GET', 'DELETE'].some((method) => catalogue.match(method, item) !== null);
  return declares201 || hasItems || consent.isPayment(operation);
}

const SHOWN = 8;

/** The forecast in a sentence or two. */
export function forecastInWords({ perOperation, total, deletable, staying, mostStaying }: Forecast): string {
  const all = deletable.length + staying.length;
  if (all === 0) return 'nothing: no operation that creates may be sent';
  const bound = `at most ${perOperation} objects at once by each of ${all} operations, ${total} in all`;
  if (staying.length === 0) return `${bound}; all of it can be deleted again`;
  const more = staying.length > SHOWN ? ` and ${staying.length - SHOWN} more` : '';
  return `${bound}; up to ${mostStaying} stay, for no DELETE is described: ${staying.slice(0, SHOWN).join(', ')}${more}`;
}
