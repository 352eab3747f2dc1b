// Which operations are lists that page, told by their parameters and never by their paths, and how a page is asked for.
import type { Ask } from '../../checks/pag/sequence.ts';
import { ACTIVITY_LOG_OPERATION } from '../../contract/platform.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { parameterNames } from '../reach/path-values.ts';
import type { Reached, World } from '../world.ts';

/** offset: limit and offset. page: limit and page number. limit: a limit alone. */
export type Pattern = 'offset' | 'page' | 'limit';

export interface ListOperation {
  readonly reached: Reached;
  readonly pattern: Pattern;
  /** Whether it is the activity log, to which PAG-01 to PAG-03 apply. */
  readonly isLog: boolean;
  /** Where the configuration says that the items stand; null where it says nothing. */
  readonly place: string | null;
  /** Asked for with every page; absent: nothing. */
  readonly filter?: Pairs;
  /** Set: a budget bounds the run, and another list that pages like this one is looked at more closely. */
  readonly isFurther?: true;
}

/** How the operation pages; null when it is no list that pages. */
export function patternOf({ method, parameters }: Operation): Pattern | null {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  if (method !== 'GET' || !names.includes('limit')) return null;
  return names.includes('offset') ? 'offset' : names.includes('page') ? 'page' : 'limit';
}

/** The operation as a list that pages; null for any other, and for one that never answered with success. */
export function listOperation(world: World, reached: Reached): ListOperation | null {
  const { operation, proof } = reached;
  const pattern = proof === null ? null : patternOf(operation);
  if (pattern === null) return null;
  return { reached, pattern, isLog: operation.key === ACTIVITY_LOG_OPERATION, place: world.listPlace(operation.key) };
}

/** The parameter that turns pages; null where none does. */
export function turnerOf({ pattern }: ListOperation): 'offset' | 'page' | null {
  return pattern === 'limit' ? null : pattern;
}

/** The value that asks for the first page. */
export function firstTurn({ pattern }: ListOperation): number | null {
  return pattern === 'limit' ? null : pattern === 'page' ? 1 : 0;
}

export type Pairs = readonly (readonly [string, string])[];

/** The query pairs of a page. */
export function pairsOf(list: ListOperation, ask: Ask): Pairs {
  const turner = turnerOf(list);
  return [
    ...(ask.limit === null ? [] : [['limit', String(ask.limit)] as const]),
    ...(ask.turn === null || turner === null ? [] : [[turner, String(ask.turn)] as const]),
    ...(list.filter ?? []),
  ];
}

/** Asks for the page that holds the item at index `at`; `applied` is the limit that counts. */
export function askFor({ pattern }: ListOperation, limit: number, applied: number, at: number): Ask {
  if (pattern === 'limit') return { limit, turn: null };
  return { limit, turn: pattern === 'offset' ? at : Math.floor(at / applied) + 1 };
}

/** Index of the first item of the page. */
export function offsetOf({ pattern }: ListOperation, ask: Ask, applied: number): number {
  if (pattern === 'limit' || ask.turn === null) return 0;
  return pattern === 'offset' ? ask.turn : (ask.turn - 1) * applied;
}

/** What the list holds, by its path: "currencies". */
export function nounOf({ reached }: ListOperation): string {
  const last = reached.operation.path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'));
  return parameterNames(last ?? '').length > 0 ? '' : (last ?? '');
}
