// Field paths as errors[].field writes them. Grammar, freely combined:
//   path     "a" | "a.b" | "a[0]" | "a[0].b" | 'a["b"]' | "/a/b" (JSON pointer, ~0 and ~1 escaped)
const SEGMENT = /\[(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\]]*))\]|([^.[\]/]+)/g;

/** A longer path is taken as one segment: reading the paths of hostile answers takes time with the square of their length. */
const LONGEST_PATH = 1000;

/** The segments of a field path, from the top level down; none for an empty path. */
export function fieldSegments(path: string): readonly string[] {
  if (path.length > LONGEST_PATH) return [path];
  if (path.startsWith('/')) {
    return path
      .slice(1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return [...path.matchAll(SEGMENT)].map(
    ([, quoted, single, bracketed, plain]) => quoted ?? single ?? bracketed ?? plain ?? '',
  );
}
