// Forecasts the objects that a run may create on its target, before it sends anything: from the descriptions and the
// configuration alone.

import type { Config } from '../../config/config.ts';
import { plural } from '../../contract/numbers.ts';
import { collectionOfMaking } from '../../facts/path-words.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { hasItems, isUndoable } from '../../probes/reach/undoing.ts';
import { locksOut, neverCalled } from '../reach/order.ts';
import { reachesOthers } from '../reach/sweeps.ts';
import { Consent } from './consent.ts';

export interface Forecast {
  /** limits.created. */
  readonly perOperation: number;
  readonly total: number;
  /** Keys of operations whose successes make something that can be deleted, by what is described. */
  readonly deletable: readonly string[];
  /** Keys of operations that make something that stays. */
  readonly staying: readonly string[];
  /** Most objects that stay. */
  readonly mostStaying: number;
  /** Keys of operations that the configuration names, and that take away or change what others made on this machine. */
  readonly takingOthers: readonly string[];
}

/** The forecast for operations that may be sent, as far as descriptions tell: not each says whether its POST makes anything. */
export function forecastOf(config: Config, catalogue: Catalogue, selected: readonly Described[]): Forecast {
  const [deletable, staying] = [true, false].map((wanted) =>
    makersOf(config, catalogue, selected)
      .filter(({ operation }) => isUndoable(catalogue, operation) === wanted)
      .map(({ operation }) => operation.key),
  ) as [string[], string[]];
  const { perOperation, total } = config.limits.created;
  const mostStaying = Math.min(total, perOperation * staying.length);
  return {
    perOperation,
    total,
    deletable,
    staying,
    mostStaying,
    takingOthers: takingOthers(config, catalogue, selected),
  };
}

function takingOthers(config: Config, catalogue: Catalogue, selected: readonly Described[]): readonly string[] {
  if (config.target.environment !== 'local' || config.contract !== 'openapi') return [];
  const consent = new Consent(config, catalogue);
  return selected
    .filter(
      (one) =>
        consent.isNamedOrdinary(one.operation) &&
        reachesOthers(one) &&
        neverCalled(one) === null &&
        locksOut(one) === null,
    )
    .filter(({ operation }) => consent.refusal(operation) === null)
    .map(({ operation }) => operation.key);
}

/** Those of the operations that may be sent, and whose successes make something. */
export function makersOf(config: Config, catalogue: Catalogue, selected: readonly Described[]): readonly Described[] {
  const consent = new Consent(config, catalogue);
  return selected.filter(
    (described) => consent.refusal(described.operation) === null && isMaking(described, catalogue, consent),
  );
}

function isMaking({ operation }: Described, catalogue: Catalogue, consent: Consent): boolean {
  const declares201 = operation.responses.some(({ status }) => status === '201');
  if (operation.method === 'PUT') return declares201;
  if (operation.method !== 'POST') return false;
  // A request that is sent once for a key makes what sending it twice would make twice.
  const isNamedSo = collectionOfMaking(operation.path) !== null;
  const isKept = hasItems(catalogue, operation) || isNamedSo;
  return declares201 || isKept || operation.keyed === true || consent.isPayment(operation);
}

const SHOWN = 8;
export const CREATES_NOTHING = 'nothing, as far as the description tells';

/** The forecast in a sentence or two. */
export function forecastInWords(forecast: Forecast): string {
  const { takingOthers } = forecast;
  const harm = `takes away or changes what others made there: ${listed(takingOthers)}`;
  return createsInWords(forecast) + (takingOthers.length === 0 ? '' : `; ${harm}`);
}

function createsInWords({ perOperation, total, deletable, staying, mostStaying }: Forecast): string {
  const all = deletable.length + staying.length;
  if (all === 0) return CREATES_NOTHING;
  const makers = all === 1 ? 'one operation' : `each of ${plural(all, 'operation')}`;
  const bound = `at most ${plural(perOperation, 'object')} at once by ${makers}, ${total} in all`;
  if (staying.length === 0) return `${bound}; a DELETE is described for all of it`;
  return `${bound}; up to ${mostStaying} ${mostStaying === 1 ? 'stays' : 'stay'}, for no DELETE is described: ${listed(staying)}`;
}

/** The first of the operations, and how many more there are. */
export function listed(operations: readonly string[]): string {
  const more = operations.length > SHOWN ? ` and ${operations.length - SHOWN} more` : '';
  return `${operations.slice(0, SHOWN).join(', ')}${more}`;
}
