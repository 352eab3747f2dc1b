// Hooks of the user's own around each request: they give it headers, a signature for instance, and look at its answer.

import { type Call, type CallHooks, HookFailed, headersOf } from '../../client/call-hooks.ts';
import type { Clock } from '../../clock/clock.ts';
import type { ConstantHeader } from '../../config/constant-header.ts';
import { UsageError } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import { plural } from '../../contract/numbers.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { type BroughtHook, failureOf, type OwnHook, type RunAhead } from './hooks.ts';

/** Longest time of a hook around one request. ms. */
const MAX_CALL_MS = 30_000;

/** Tells whether the hook stands around requests, not only around the run. */
export function isAroundCalls({ beforeCall, afterCall }: OwnHook): boolean {
  return beforeCall !== undefined || afterCall !== undefined;
}

/**
 * The hooks around the requests of a run: before each request in their order, after its answer in the opposite one. null where
 * there are none. The first that fails ends the run: from then on requests would not be as the user wants them.
 */
export function callHooks(brought: readonly BroughtHook[], run: RunAhead): CallHooks | null {
  const hooks = brought
    .filter(({ hook }) => isAroundCalls(hook))
    .map((one) => ({ ...one, matches: matcherOf(one.hook.operation) }));
  if (hooks.length === 0) return null;
  const perform = async (clock: Clock, { hook, file }: BroughtHook, call: Call, work: () => unknown): Promise<void> => {
    const failure = await failureOf(work, clock, MAX_CALL_MS);
    if (failure === null) return;
    const on = call.operation ?? `${call.request.method} ${call.request.path}`;
    throw new HookFailed(`the hook ${hook.name} of ${file} failed on ${on}: ${failure}`);
  };
  return {
    async before(call, clock) {
      const headers: ConstantHeader[] = [];
      for (const one of hooks.filter(({ matches }) => matches(call.operation)))
        await perform(clock, one, call, async () => headers.push(...headersOf(await one.hook.beforeCall?.(call, run))));
      return headers;
    },
    async after(call, clock) {
      for (const one of hooks.filter(({ matches }) => matches(call.operation)).toReversed())
        await perform(clock, one, call, () => one.hook.afterCall?.(call, run));
    },
  };
}

/** Throws UsageError where a hook is for operations that no description has. */
export function checkHooks(brought: readonly BroughtHook[], descriptions: readonly Description[]): void {
  const keys = descriptions.flatMap(({ operations }) => operations.map(({ key }) => key));
  for (const { hook, file } of brought) {
    const { name, operation } = hook;
    if (operation === undefined || keys.some(operationMatcher([operation]))) continue;
    throw new UsageError(
      'ASSAY_OPERATION_UNKNOWN',
      `the hook ${name} of ${file}: "${operation}"${suggestion(operation, keys)} matches none of the ${plural(keys.length, 'operation')}`,
      'operation is a glob over method and path, such as "POST /v1/stores*"; leave it out for every request',
    );
  }
}

/** A hook for some operations is not asked about paths that no description has. */
function matcherOf(glob: string | undefined): (operation: string | null) => boolean {
  if (glob === undefined) return () => true;
  const matches = operationMatcher([glob]);
  return (operation) => operation !== null && matches(operation);
}
