// A net under work that judges a long answer: what takes time with the square of its length would hang the run, for nothing
// else has a turn meanwhile, the time limit included. What is known to do so is mended; this is for what is not known.
import { createContext, Script } from 'node:vm';
import type { Exchange } from '../../exchange/exchange.ts';

/** Bodies from this length on are judged under the limit. Characters. */
const LONG = 64 * 1024;
/** Far more than any judgement takes. ms. */
const LIMIT_MS = 20_000;

const context: { work: () => unknown } = { work: () => undefined };
createContext(context);
const script = new Script('work()');

/** Thrown where the work was stopped; caught where exchanges are judged, and told as an error of the harness. */
export class WorkTooLong extends Error {
  constructor() {
    super(`it took more than ${LIMIT_MS / 1000} s`);
    this.name = 'WorkTooLong';
  }
}

/** The result of synchronous work on the exchange. Throws `WorkTooLong` where a long answer keeps it too long. */
export function withinTime<T>({ response }: Pick<Exchange, 'response'>, work: () => T, limitMs = LIMIT_MS): T {
  if ((response?.body.length ?? 0) < LONG) return work();
  const { work: outer } = context;
  context.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new WorkTooLong() : error;
  } finally {
    context.work = outer;
  }
}
