// Some values cannot be judged within the means of a run: a schema that refers to itself is judged by recursion, and a body
// nested without end overflows the stack; some patterns take for ever with some texts.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';

/** The answer of `judge`; "cannot tell" when the value is nested too deeply, or takes too long to judge. */
export function withinBounds(judge: () => Judgement): Judgement {
  try {
    return judge();
  } catch (error) {
    if (error instanceof RangeError) return cannotTell('precondition', 'the body is nested too deeply to be judged');
    if (error instanceof TooCostly) return cannotTell('precondition', `a value cannot be judged: ${error.message}`);
    throw error;
  }
}
