// A shard: the part of the operations that one of several runs answers for. Every shard reaches what yields ids, so that
// its own operations are asked just what the whole run asks them; it judges its own operations only.
import { hash } from 'node:crypto';
import type { Shard } from '../config/config.ts';
import type { Described } from '../openapi/catalogue.ts';
import { collectionTemplate, parameterNames } from '../probes/path-values.ts';
import type { Scope } from './ledger.ts';
import { laneOf } from './order.ts';
import { type Spot, spotKey } from './spot.ts';

/** What belongs to a run: all of it, or one shard's part. */
export interface Share extends Omit<Scope, 'judges'> {
  /** Operations that this run answers for. */
  readonly own: readonly Described[];
  /** Operations that it calls at all: its own, and what creates or lists for them. */
  readonly called: readonly Described[];
  /** Whether an experiment is performed here. What concerns no operation is the first shard's. */
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
  // What filters left out is said of as little by a whole run as it is here: once.
  const owns = (spot: Spot): boolean => ownKeys.has(spotKey(spot)) || (shard.index === 1 && !keys.has(spotKey(spot)));
  const collections = collectionsOf(selected);
  const produces = ({ operation: { service, method, path } }: Described): boolean =>
    (method === 'GET' || method === 'POST') && collections.has(`${service} ${path}`);
  return {
    own,
    called: selected.filter((described) => part.has(described) || produces(described)),
    // What concerns no operation is booked everywhere.
    books: (spot) => spot.operation === null || owns(spot),
    notes: () => true,
    performs: (spot) => (spot.operation === null ? shard.index === 1 : owns(spot)),
  };
}

function keyOf({ operation: { service, key } }: Described): string {
  return spotKey({ service, operation: key });
}

function slice(operations: readonly Described[], { index, count }: Shard): readonly Described[] {
  const edge = (part: number): number => Math.floor((operations.length * part) / count);
  return operations.slice(edge(index - 1), edge(index));
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
