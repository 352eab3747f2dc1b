// A refusal that may come of what the target holds (a conflict, a missing right) is laid beside the unspoiled request.
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Course, Outcome } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

const BLAMES_SOMETHING_ELSE: readonly number[] = [401, 403, 404, 409];

/** The outcomes as they are, or that nothing can be told where the unspoiled request is refused now as well. */
export function* besideControl(
  world: World,
  { recipe }: Reached,
  { plan, response }: Exchange,
  judged: readonly Outcome[],
): Course {
  const status = response?.status ?? 0;
  if (!BLAMES_SOMETHING_ELSE.includes(status) || !judged.some(({ judgement }) => judgement.kind === 'breached'))
    return judged;
  const control = yield planOf(recipe, 'request/control', drawFor(world, `control ${plan.probe}`));
  if ((control.last.response?.status ?? 599) < 400) return judged;
  const reason = `answered ${status}, as the unspoiled request is`;
  return judged.map((entry) => ({ ...entry, judgement: cannotTell('precondition', reason) }));
}
