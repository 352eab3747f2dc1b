// The name that a misspelt one was probably meant to be.

/** Levenshtein distance, in edits; O(a·b). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current[column] = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substituted);
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The candidate closest to the name, case aside; null when none is within a third of its length (at least 2 edits). */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(name.length / 3));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` (did you mean "x"?)`, or nothing. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates);
  return found === null ? '' : ` (did you mean "${found}"?)`;
}
