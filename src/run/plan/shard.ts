// A shard: the part of the operations that one of several runs answers for. Every shard reaches what yields ids, so that
// its own operations are asked just what the whole run asks them. It answers for its own experiments, whatever they call:
// each exchange of the whole run is judged by one shard.
import { hash } from 'node:crypto';
import type { Shard } from '../../config/config.ts';
import { collectionTemplate, endsWithParameter, parameterNames, trimmed } from '../../facts/paths.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Scope } from '../books/ledger.ts';
import { laneOf } from '../reach/order.ts';
import { readable } from '../smoke/smoke.ts';
import { type Spot, spotKey } from './clause-target.ts';

/** The spot of questions to the target as a whole, or to no operation: the first shard asks them. */
export const NOWHERE: Spot = { service: null, operation: null };

/** Number of plain calls of each service that every shard makes: its own part does not tell whether the service takes a key. */
const PLAIN_CALLS = 3;

/** The operations and findings that belong to a run: all of them, or one shard's part. */
export interface Share extends Omit<Scope, 'judges'> {
  /** Operations that this run answers for. */
  readonly own: readonly Described[];
  /** Operations that it calls at all: its own, what creates or lists for them, what works on items that its own create, and a few that anybody may read. */
  readonly called: readonly Described[];
  /** Tells whether an experiment is performed, and judged, here. Those on no operation are the first shard's. */
  performs(spot: Spot): boolean;
}

/** The share of a shard; null: everything. Shares differ by at most one operation, and operations of one resource stay together where that allows. */
export function shareOf(selected: readonly Described[], shard: Shard | null): Share {
  if (shard === null)
    return { own: selected, called: selected, books: () => true, notes: () => true, performs: () => true };
  const part = new Set(slice([...Map.groupBy(selected, laneOf).values()].flat(), shard));
  const own = selected.filter((described) => part.has(described));
  const ownKeys = new Set(own.map(keyOf));
  const keys = new Set(selected.map(keyOf));
  // Operations that filters left out belong to the first shard alone: they are told once, as in a whole run.
  const owns = (spot: Spot): boolean => ownKeys.has(spotKey(spot)) || (shard.index === 1 && !keys.has(spotKey(spot)));
  const collections = collectionsOf(selected);
  const plain = plainCalls(selected);
  const made = new Set(
    own.flatMap(({ operation }) => (operation.method === 'POST' ? placeOf(operation, operation.path) : [])),
  );
  const yields = ({ operation }: Described): boolean =>
    plain.has(operation) ||
    made.has(placeOf(operation, itemsAt(operation))) ||
    (/^(GET|POST)$/.test(operation.method) && collections.has(`${operation.service} ${operation.path}`));
  return {
    own,
    called: selected.filter((described) => part.has(described) || yields(described)),
    books: () => true,
    notes: () => true,
    performs: (spot) => (spot.operation === null ? shard.index === 1 : owns(spot)),
  };
}

function placeOf({ service }: Operation, path: string): string {
  return `${service} ${trimmed(path)}`;
}

/** The collection of which the operation's path names one item; empty where it names none. */
function itemsAt({ path }: Operation): string {
  const last = parameterNames(path).at(-1);
  return last !== undefined && endsWithParameter(path, last) ? collectionTemplate(path, last) : '';
}

function keyOf({ operation: { service, key } }: Described): string {
  return spotKey({ service, operation: key });
}

function slice(operations: readonly Described[], { index, count }: Shard): readonly Described[] {
  const edge = (part: number): number => Math.floor((operations.length * part) / count);
  return operations.slice(edge(index - 1), edge(index));
}

/** The first plain calls, of each service in turn. */
function plainCalls(selected: readonly Described[]): ReadonlySet<Operation> {
  const services = [...Map.groupBy(selected, ({ operation }) => operation.service).values()];
  const plain = readable(services.map((own) => ({ operations: own.map(({ operation }) => operation) })));
  return new Set(plain.slice(0, PLAIN_CALLS * services.length));
}

/** Paths that path parameters pick from: what lists or creates there yields ids. */
function collectionsOf(selected: readonly Described[]): ReadonlySet<string> {
  const paths = selected.flatMap(({ operation: { service, path } }) =>
    parameterNames(path).map((name) => `${service} ${collectionTemplate(path, name)}`),
  );
  return new Set(paths);
}

/** Digest of what the shards of one run have in common: all operations of the run, and the clauses asked for. */
export function scopeOf(selected: readonly Described[], clauses: readonly string[]): string {
  const operations = selected.map(({ operation }) => `${operation.service} ${operation.key}`);
  return hash('sha256', JSON.stringify([operations, clauses.toSorted()])).slice(0, 16);
}
