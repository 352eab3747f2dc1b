// The few reads that a first contract is drafted from: some lists, a path and ids that nobody has, one call without a key, one value
// that is no number. All of them are GETs.
import { baseUrlOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { skipReason } from '../../config/skip.ts';
import type { Credential, Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import { fillPath, parameterNames } from '../../facts/paths.ts';
import { type Purpose, type Seen, seenIn, tagOf } from '../../facts/seen.ts';
import { isObject } from '../../openapi/json.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { BY_DESCRIPTION, pagingOf } from '../../openapi/model/paging.ts';
import { needsNoValue, requiresToken } from '../../probes/world.ts';
import { addressed } from '../../run/reach/addressing.ts';
import { asked } from '../init/way-to-target.ts';

const MOST_LISTS = 8;
const MOST_UNKNOWN_IDS = 3;
const MOST_BAD_VALUES = 3;
const UNKNOWN = 'assay-unknown';

/** A read to make. */
interface Read {
  readonly purpose: Purpose;
  readonly operation: Operation | null;
  readonly path: string;
  readonly query: string;
  readonly hasKey: boolean;
  readonly headers?: HeaderList;
}

/** The answers of the target; empty where nothing answers at all. */
export async function lookAround(config: Config, descriptions: readonly Description[]): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const read of readsOf(config, descriptions)) {
    const one = seenIn(await answerTo(read, config, descriptions), read.purpose, read.operation);
    if (one === null && seen.length === 0) return [];
    if (one !== null) seen.push(one);
  }
  const again = readAgain(seen);
  const known =
    again === null ? null : seenIn(await answerTo(again, config, descriptions), again.purpose, again.operation);
  return known === null ? seen : [...seen, known];
}

/** The first read that was answered with an entity tag, once more under that tag. */
function readAgain(seen: readonly Seen[]): Read | null {
  const tagged = seen.find((one) => one.purpose === 'plain' && one.status < 300 && tagOf(one) !== null);
  if (tagged?.operation == null) return null;
  return readOf('known state', tagged.operation, { headers: [['If-None-Match', tagOf(tagged) ?? '']] });
}

function answerTo(read: Read, config: Config, descriptions: readonly Description[]): Promise<Exchange> {
  const { operation, path, query, hasKey, headers = [] } = read;
  const [key] = config.keys;
  const isKeyed = hasKey && key !== undefined && (operation === null || requiresToken(operation));
  const credential: Credential = isKeyed ? { kind: 'key', name: key.name } : { kind: 'none' };
  const service = operation?.service ?? null;
  const plan: RequestPlan = {
    ...{ service, operation: operation?.key ?? null, probe: 'contract', method: 'GET', path, query, headers },
    ...{ body: { kind: 'none' }, credential, retry: 'once' },
  };
  const described =
    operation === null ? null : createCatalogue(descriptions).operation(operation.key, operation.service);
  return asked(config, baseUrlOf(config, service), addressed(plan, described, config.keys));
}

/** Lists first: they tell most. */
function readsOf(config: Config, descriptions: readonly Description[]): readonly Read[] {
  const reason = skipReason({ skipped: config.skip });
  const gets = descriptions.flatMap((description) =>
    description.operations
      .filter(({ method, unsupported, key }) => method === 'GET' && unsupported === null && reason(key) === null)
      .map((operation) => ({ operation, description, size: pagingOf({ operation, description }, BY_DESCRIPTION) })),
  );
  const plain = gets
    .filter(({ operation }) => needsNoValue(operation))
    .toSorted((left, right) => Number(right.size !== null) - Number(left.size !== null))
    .slice(0, MOST_LISTS);
  const sized = plain.flatMap(({ operation, size }) =>
    size?.size == null ? [] : [{ operation, name: size.size.name }],
  );
  const guarded = plain.find(({ operation }) => requiresToken(operation));
  const byId = gets.flatMap(({ operation, description }) => {
    const path = unknownIn(operation, description);
    return path === null ? [] : [{ operation, path }];
  });
  return [
    ...plain.map(({ operation }) => readOf('plain', operation)),
    ...sized.map(({ operation, name }) => readOf('one item', operation, { query: queryOf(name, '1') })),
    ...sized
      .slice(0, MOST_BAD_VALUES)
      .map(({ operation, name }) => readOf('bad value', operation, { query: queryOf(name, 'assay') })),
    ...byId.slice(0, MOST_UNKNOWN_IDS).map(({ operation, path }) => readOf('unknown id', operation, { path })),
    {
      ...{ purpose: 'unknown path' as const, operation: null, query: '', hasKey: true },
      path: unknownPath(descriptions.flatMap(({ operations }) => operations.map((one) => one.path))),
    },
    ...(guarded === undefined ? [] : [readOf('no key', guarded.operation, { hasKey: false })]),
  ];
}

function readOf(purpose: Purpose, operation: Operation, more: Partial<Read> = {}): Read {
  return { purpose, operation, path: operation.path, query: '', hasKey: true, ...more };
}

function queryOf(name: string, value: string): string {
  return new URLSearchParams([[name, value]]).toString();
}

/** Below the segments that all described paths begin with, so that the API itself answers, and that no template matches. */
function unknownPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(1, -1));
  const isShared = (segment: string, at: number) =>
    !segment.includes('{') && others.every((other) => other[at] === segment);
  const end = first.findIndex((segment, at) => !isShared(segment, at));
  const below = [...(end < 0 ? first : first.slice(0, end)), UNKNOWN];
  const isDescribed = paths.some((path) => matches(path.split('/').slice(1), below));
  return `/${(isDescribed ? [UNKNOWN, ...below, UNKNOWN] : below).join('/')}`;
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((segment, at) => segment.includes('{') || segment === segments[at])
  );
}

/** The path with an id that nothing has; null where it takes no id, or further values. */
function unknownIn(operation: Operation, description: Description): string | null {
  const [name, ...others] = parameterNames(operation.path);
  const isIdAlone = operation.parameters.every(({ required, in: place }) => !required || place === 'path');
  if (name === undefined || others.length > 0 || !isIdAlone || !operation.path.endsWith('}')) return null;
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  return fillPath(operation.path, { [name]: unknownId(description.deref(parameter?.schema?.value)) });
}

function unknownId(schema: unknown): string {
  const { type, format } = isObject(schema) ? schema : {};
  if (type === 'integer' || type === 'number') return '2147483646';
  return format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : UNKNOWN;
}
