// Globs over operation keys, as `--operation` takes them.

/**
 * Makes a function that tells whether an operation key ("GET /v1/stores/{storeId}") matches one of the globs; every key
 * does when there are none. `*` stands for any characters, slashes included, and `?` for one; all others stand for themselves, for path
 * templates hold braces; case is ignored; an empty glob matches none; a glob that starts with "/" matches the path with any method.
 */
export function operationMatcher(globs: readonly string[]): (key: string) => boolean {
  if (globs.length === 0) return () => true;
  const matchers = globs.filter((glob) => glob !== '').map(matcherOf);
  return (key) => matchers.some((matches) => matches(key));
}

/** Globs stand in contracts, configurations and command lines: there are few, and some are asked about at each turn of a run. */
const known = new Map<string, (key: string) => boolean>();

function matcherOf(glob: string): (key: string) => boolean {
  const matches = known.get(glob) ?? compiled(glob);
  known.set(glob, matches);
  return matches;
}

/**
 * Globs are short of what makes libraries for them large: folders, classes, negation. A regular expression for one with many stars takes
 * minutes for a key that does not match; a walk takes the first place of each part between two stars, which is never worse than a later one.
 */
function compiled(glob: string): (key: string) => boolean {
  const anyMethod = glob.startsWith('/') ? `* ${glob}` : glob;
  const [first = '', ...others] = anyMethod.toLowerCase().split(/\*+/);
  const last = others.pop();
  return (key) => {
    const text = key.toLowerCase();
    if (!standsAt(text, first, 0)) return false;
    if (last === undefined) return text.length === first.length;
    let from = first.length;
    for (const part of others) {
      const at = placeFrom(text, part, from);
      if (at === undefined) return false;
      from = at + part.length;
    }
    return text.length - last.length >= from && standsAt(text, last, text.length - last.length);
  };
}

/** The first place at which the part stands; undefined where there is none. */
function placeFrom(text: string, part: string, from: number): number | undefined {
  for (let at = from; at + part.length <= text.length; at += 1) if (standsAt(text, part, at)) return at;
  return undefined;
}

function standsAt(text: string, part: string, at: number): boolean {
  if (!part.includes('?')) return text.startsWith(part, at);
  const isAt = (letter: string, place: number): boolean => letter === '?' || letter === text[at + place];
  return part.split('').every(isAt);
}
