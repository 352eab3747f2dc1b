// Adds the values that the configuration fixes for requests (`operations`) to the described operations, so that
// whatever makes a request of one finds them there.

import type { Config, OperationConfig } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import { plural } from '../../contract/numbers.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { Description, FixedInput, Operation } from '../../openapi/model/operation.ts';

/**
 * The descriptions with what is fixed for their operations; a later entry that matches wins. Throws UsageError for an entry that
 * matches no operation, names a key or a parameter that there is not, or fixes members of a body that none of its operations takes.
 */
export function withFixedInput(
  { operations, keys }: Pick<Config, 'operations' | 'keys'>,
  descriptions: readonly Description[],
): readonly Description[] {
  if (operations.length === 0) return descriptions;
  const described = descriptions.flatMap((description) => description.operations);
  const entries = operations.map((entry, at) => {
    const matches = operationMatcher([entry.operations]);
    const own = described.filter(({ key }) => matches(key));
    const problem = problemOf(entry, own, described, keys);
    if (problem !== null)
      throw new UsageError(
        'ASSAY_CONFIG_VALUE_INVALID',
        `operations[${at}] (/operations/${at}): ${problem.what}`,
        problem.hint,
      );
    return { ...entry, matches };
  });
  return descriptions.map((description) => ({
    ...description,
    operations: description.operations.map((operation) => {
      const own = entries.filter((entry) => entry.matches(operation.key) && fixesSomething(entry));
      return own.length === 0 ? operation : { ...operation, fixed: own.reduce(joined, NOTHING) };
    }),
  }));
}

/** An entry may state a time limit alone. */
function fixesSomething({ body, parameters, key }: OperationConfig): boolean {
  return key !== null || Object.keys(body).length > 0 || Object.keys(parameters).length > 0;
}

const NOTHING: FixedInput = { body: {}, parameters: {}, key: null };

function joined(earlier: FixedInput, later: FixedInput): FixedInput {
  return {
    body: { ...earlier.body, ...later.body },
    parameters: { ...earlier.parameters, ...later.parameters },
    key: later.key ?? earlier.key,
  };
}

interface EntryProblem {
  readonly what: string;
  readonly hint: string;
}

/** The problem of the entry, which matches `own` of the operations; null for none. */
function problemOf(
  { operations, body, parameters, key }: OperationConfig,
  own: readonly Operation[],
  described: readonly Operation[],
  keys: Config['keys'],
): EntryProblem | null {
  const operationKeys = described.map((operation) => operation.key);
  if (own.length === 0)
    return {
      what: `"${operations}"${suggestion(operations, operationKeys)} matches none of the ${plural(operationKeys.length, 'operation')} described`,
      hint: 'name an operation or a glob, such as "POST /v1/stores"; `assay specs` names the descriptions',
    };
  const names = keys.map(({ name }) => name);
  if (key !== null && !names.includes(key))
    return {
      what: `key "${key}" is not configured${suggestion(key, names)}`,
      hint: names.length === 0 ? 'name the key under keys' : `the keys are ${names.join(', ')}`,
    };
  const parameterNames = [...new Set(own.flatMap((operation) => operation.parameters.map(({ name }) => name)))];
  const unknown = Object.keys(parameters).find((name) => !parameterNames.includes(name));
  if (unknown !== undefined)
    return {
      what: `parameter "${unknown}" is described for none of the operations that match${suggestion(unknown, parameterNames)}`,
      hint: parameterNames.length === 0 ? 'they take no parameters' : `they take ${parameterNames.join(', ')}`,
    };
  const takesBody = own.some(({ requestBody }) => requestBody !== null);
  if (Object.keys(body).length > 0 && !takesBody)
    return { what: 'none of the operations that match takes a body', hint: 'leave body out, or name other operations' };
  return null;
}
