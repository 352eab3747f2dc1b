// The probes of limits: they come last, one after the other, when nothing else is sent.

import type { Timing } from '../../clock/clock.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import type { Conversation } from '../probe.ts';
import { declared, type World } from '../world.ts';
import type { Callable } from './asking.ts';
import { BRIEF, drainConversation, WHOLE } from './drain-probe.ts';
import { throttleConversations } from './export-probe.ts';
import { quietConversation } from './quiet-probe.ts';
import { walkConversation } from './walk.ts';

/**
 * Stage `last`, each with a rank of its own. `book` has seen every exchange of the run so far and goes on seeing them.
 * The costs of `own` operations are walked; the others concern keys and users, and use whatever was `reached`.
 */
export function rateExperiments(
  world: World,
  callable: Callable,
  book: LimitBook,
  timing: Timing,
): { readonly costs: readonly Conversation[]; readonly limits: readonly Conversation[] } {
  const { reached } = callable;
  const extent = declared(world, { whole: WHOLE, brief: BRIEF });
  return {
    costs: [walkConversation(world, callable, book, timing) ?? []].flat(),
    limits: [
      quietConversation(world, reached, book, timing) ?? [],
      drainConversation(world, reached, book, timing, extent) ?? [],
      ...throttleConversations(world, reached, book, timing),
    ].flat(),
  };
}
