// Whether the target takes the key, asked once everything was called: under the contract `openapi` nothing else tells of a
// key that all refuse, and a run would pass on refusals.
//
// AUTH-05 (must): The same token is accepted by Admin, Store and AI. Tolerance: Services not testable are left out and
//   named.
import { judgeKeyAccepted, judgeServiceAccepts } from '../../checks/auth/auth-01-to-06-refusals.ts';
import type { StageState } from '../perform/state.ts';
import { judgeKeyTaken } from '../smoke/smoke-any.ts';

/**
 * AUTH-05: a key that one operation accepts is accepted by every operation. Throws RunEnded (no-credential) where, by a
 * description alone, every operation refuses it.
 */
export function judgeKey({ world, ledger, inRun, reaching, replayed, session }: StageState): void {
  const answers = [...reaching.firstAnswers.values()].filter(({ plan }) => plan.credential.kind === 'key');
  if (world.contract === 'openapi' && replayed === null) judgeKeyTaken(world, answers);
  const acceptedSomewhere = answers.some((exchange) => (exchange.response?.status ?? 599) < 300);
  if (world.mainKey === null || !acceptedSomewhere || !inRun('AUTH-05')) return;
  for (const [service, own] of Map.groupBy(answers, ({ plan }) => plan.service)) {
    const judgement = judgeServiceAccepts(own, world.mainKey.name);
    if (judgement !== null) ledger.book('AUTH-05', { service, operation: null }, judgement, own.slice(-1));
  }
  for (const exchange of answers.filter(({ plan }) => session.answersFor(plan)))
    ledger.book('AUTH-05', exchange.plan, judgeKeyAccepted(exchange, world.mainKey.name), [exchange]);
}
