// Field paths as errors[].field writes them. Grammar, freely combined:
//   path     "a" | "a.b" | "a[0]" | "a[0].b" | 'a["b"]' | "/a/b" (JSON pointer, ~0 and ~1 escaped)
const SEGMENT = /\[(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\]]*))\]|([^.[\]/]+)/g;

/** The segments of a field path, from the top level down; none for an empty path. */
export function fieldSegments(path: string): readonly string[] {
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
