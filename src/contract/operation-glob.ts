// Globs over operation keys, as `--operation` takes them.
import picomatch from 'picomatch';

/**
 * Makes a function that tells whether an operation key ("GET /v1/stores/{storeId}") matches one of the globs; every key
 * does when there are none. `*` stands for any characters, slashes included; braces are literal, as path templates hold
 * them; case is ignored; an empty glob matches none; a glob that starts with "/" matches the path with any method.
 */
export function operationMatcher(globs: readonly string[]): (key: string) => boolean {
  if (globs.length === 0) return () => true;
  const matchers = globs
    .filter((glob) => glob !== '')
    .map((glob) =>
      picomatch(glob.startsWith('/') ? `* ${glob}` : glob, {
        bash: true,
        nobrace: true,
        noext: true,
        nocase: true,
        dot: true,
      }),
    );
  return (key) => matchers.some((matches) => matches(key));
}
