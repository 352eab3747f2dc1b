// How long answers are awaited: as `operations` says of an operation, else as the target's own limit says.

import { operationMatcher } from '../contract/operation-glob.ts';
import type { Config, OperationConfig } from './config.ts';

/** The part of the configuration that says how long answers are awaited. */
export interface TimeLimited {
  readonly target: Pick<Config['target'], 'timeoutSeconds'>;
  /** Absent: none has a limit of its own. */
  readonly operations?: readonly Pick<OperationConfig, 'operations' | 'timeoutSeconds'>[];
}

/** The longest wait for one answer of an operation, by its key (null: no operation's); undefined where nothing is stated. Seconds. */
export function timeoutSecondsOf({ target, operations = [] }: TimeLimited): (key: string | null) => number | undefined {
  const stated = operations.flatMap(({ operations: glob, timeoutSeconds }) =>
    timeoutSeconds === undefined ? [] : [{ matches: operationMatcher([glob]), timeoutSeconds }],
  );
  const known = new Map<string, number | undefined>();
  return (key) => {
    if (key === null || stated.length === 0) return target.timeoutSeconds;
    if (!known.has(key))
      known.set(key, stated.findLast(({ matches }) => matches(key))?.timeoutSeconds ?? target.timeoutSeconds);
    return known.get(key);
  };
}
