// Globs over operation keys, as `--operation` takes them.
import picomatch from 'picomatch';

/**
 * Makes a function that tells whether an operation key ("GET /v1/stores/{storeId}") matches one of the globs; every key
 * does when there are none. `*` stands for any characters, slashes included; braces are literal, as path templates hold
 * them; case is ignored; an empty glob matches none; a glob that starts with "/" matches the path with any method.
 */
export function operationMatcher(globs: readonly string[]): (key: string) => boolean {
  if (globs.length === 0) return () => true;
  const matchers = globs.filter((glob) => glob !== '').map(matcherOf);
  return (key) => matchers.some((matches) => matches(key));
}

/** Globs stand in contracts, configurations and command lines: there are few, and some are asked about at each turn of a run. */
const known = new Map<string, (key: string) => boolean>();

function matcherOf(glob: string): (key: string) => boolean {
  const before = known.get(glob);
  if (before !== undefined) return before;
  const anyMethod = glob.startsWith('/') ? `* ${glob}` : glob;
  const matches = picomatch(anyMethod, { bash: true, nobrace: true, noext: true, nocase: true, dot: true });
  known.set(glob, matches);
  return matches;
}
