// What one look at a value may cost. Judges that try alternatives, or follow references, ask here each time: a few schemas
// with a value that fits come to more alternatives than anybody can wait for.
import { TooCostly } from '../patterns/too-costly.ts';

/** About a second. */
const MOST_TRIES = 10_000_000;
let left = MOST_TRIES;

/** Begins a look at a value: what is spent from here on counts for it. */
export function beginLook(): void {
  left = MOST_TRIES;
}

/** true. Throws TooCostly where the look has taken too much already. */
export function spend(): boolean {
  left -= 1;
  if (left < 0) throw new TooCostly('its schema has too many alternatives for such a value');
  return true;
}
