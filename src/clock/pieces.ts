// Long computations in pieces. While one piece lasts no signal is heard, no time limit ends anything, and answers wait: between two
// pieces whoever can wait lets the event loop turn.
import type { Clock } from './clock.ts';

/** A computation that yields after each of its pieces. */
export type Pieces<T> = Generator<void, T, void>;

/** The outcome, with a turn of the event loop after each piece. */
export async function computeInTurns<T>(pieces: Pieces<T>, turn: Clock['turn']): Promise<T> {
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done === true) return next.value;
    await turn();
  }
}

/** The outcome at once, for those who cannot wait. */
export function computeAtOnce<T>(pieces: Pieces<T>): T {
  for (let next = pieces.next(); ; next = pieces.next()) if (next.done === true) return next.value;
}
