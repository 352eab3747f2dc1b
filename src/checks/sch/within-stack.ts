// A schema that refers to itself is judged by recursion: a body nested without end overflows the stack.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';

/** What `judge` answers; "cannot tell" when the body is nested too deeply for it. */
export function withinStack(judge: () => Judgement): Judgement {
  try {
    return judge();
  } catch (error) {
    if (error instanceof RangeError) return cannotTell('precondition', 'the body is nested too deeply to be judged');
    throw error;
  }
}
