// One line for each request that a run sends, for people who ask with --verbose what is going on.
import type { Exchange } from '../../exchange/exchange.ts';
import { cut, terminalText } from '../text.ts';

const MAX_TARGET_CHARS = 120;

/** `ex-12 GET /api/v1/stores?limit=5 → 200 in 12 ms (std-1, pagination/walk)`: what was sent, as it is recorded. */
export function sentLine({ id, plan, request, attempt, response, failure, durationMs }: Exchange): string {
  const target = cut(`${request.path}${request.query === '' ? '' : `?${request.query}`}`, MAX_TARGET_CHARS);
  const answer = response === null ? `no answer: ${failure?.message ?? 'unknown'}` : String(response.status);
  const { kind } = plan.credential;
  const credential = kind === 'key' ? plan.credential.name : kind === 'none' ? 'no token' : `${kind} token`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return terminalText(
    `${id} ${request.method} ${target} → ${answer} in ${Math.round(durationMs)} ms (${credential}, ${plan.probe}${again})`,
  );
}
