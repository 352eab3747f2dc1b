// Tells how much processor time the programs took that this process started and that have ended, and what those started in turn.
import { readFileSync } from 'node:fs';

/** Linux counts processor time to user space in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;
/** `cutime` and `cstime`: the 16th and 17th field of /proc/self/stat, the second of which is the program's name in brackets. */
const FIRST_FIELD_BEHIND_NAME = 3;
const CHILDREN_USER = 16;
const CHILDREN_SYSTEM = 17;

/** In seconds, or null where the system does not tell it. Source: proc_pid_stat(5). */
export function childrenProcessorSeconds(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticksOf = (field: number): number => Number(fields[field - FIRST_FIELD_BEHIND_NAME]);
    return (ticksOf(CHILDREN_USER) + ticksOf(CHILDREN_SYSTEM)) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
