// Field paths as errors write them, and whether one of them means the member that a request got wrong. Grammar, freely combined:
//   path     "a" | "a.b" | "a[0]" | "a[0].b" | 'a["b"]' | "/a/b" or "#/a/b" (JSON pointer, ~0 and ~1 escaped)

const SEGMENT = /\[(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\]]*))\]|([^.[\]/]+)/g;

/** A longer path is taken as one segment: reading the paths of hostile answers takes time with the square of their length. */
const LONGEST_PATH = 1000;

/** The segments of a field path, from the top level down; none for an empty path. */
export function fieldSegments(path: string): readonly string[] {
  if (path.length > LONGEST_PATH) return [path];
  if (/^#?\//.test(path)) {
    return path
      .slice(path.indexOf('/') + 1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return [...path.matchAll(SEGMENT)].map(
    ([, quoted, single, bracketed, plain]) => quoted ?? single ?? bracketed ?? plain ?? '',
  );
}

/** The field that a request got wrong. */
export interface SpoiledField {
  /** At the top of the body. */
  readonly field: string;
  /** The way to it, where it lies deeper. */
  readonly path?: readonly string[];
}

/**
 * Tells whether the name means the spoiled field: itself, what it lies in, or what lies in it; and of the way to it the
 * last part, or all of it behind the name of the body. What is missing is told at the place where it lacks. Source:
 * JSON:API 1.1, Error Objects.
 */
export function namesField(name: string, { field, path = [field] }: SpoiledField, form: string | null): boolean {
  // Frameworks that list offences by members write these as their models do: "UnitPrice" is unit_price.
  const written = (segment: string): string =>
    form === 'keys' ? segment.replaceAll(/[_-]/g, '').toLowerCase() : segment;
  const named = fieldSegments(name).filter(isName).map(written);
  const spoiled = path.filter(isName).map(written);
  if (name === field) return true;
  if (named.length === 0) return form === 'pointer' || form === 'keys';
  return isPartOf(named, spoiled) || isPartOf(named.toReversed(), spoiled.toReversed());
}

/** Tells whether it is the name of a member, rather than an index or the root. */
function isName(segment: string): boolean {
  return segment !== '$' && segment !== '*' && !/^\d*$/.test(segment);
}

/** Tells whether the longer of the two begins with the other one. */
function isPartOf(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((segment, index) => segment === other[index]);
}
