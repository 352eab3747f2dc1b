// Which operation a request belongs to, over all descriptions of a run.
import { uriDecoded } from '../../exchange/decoded.ts';
import type { Description, Operation } from './operation.ts';

export interface Described {
  readonly description: Description;
  readonly operation: Operation;
}

export interface Catalogue {
  readonly descriptions: readonly Description[];
  /** Operations by service, in the order of the descriptions. */
  readonly operations: readonly Described[];
  /** The operation with this key ("GET /v1/stores/{storeId}"); `service` decides where two services have the same key. null has none. */
  operation(key: string | null, service?: string | null): Described | null;
  /**
   * The operation that a concrete, percent-encoded request path falls under: literal text beats a parameter, from left to
   * right. A trailing slash, letter case and the query count (the query must be cut off before). Linear in the path's length.
   */
  match(method: string, path: string): Described | null;
  /** Methods described for the template that a concrete path falls under; empty for a path no description has. */
  pathKnown(path: string): readonly string[];
}

/** The operations of a template by method; of two services that describe the same one, the first wins. */
type Route = Map<string, Described>;

/** Literal text, or text around parameters ("{id}.json"): the more literal characters, the more specific. */
type Segment = { readonly literal: string } | Pattern;

interface Pattern {
  readonly pattern: RegExp;
  readonly literals: number;
  readonly source: string;
}

interface Branch {
  readonly literal: Map<string, Branch>;
  /** Most specific first. */
  patterns: { readonly segment: Pattern; readonly branch: Branch }[];
  route: Route | null;
}

export function createCatalogue(descriptions: readonly Description[]): Catalogue {
  const operations = descriptions.flatMap((description) =>
    description.operations.map((operation) => ({ description, operation })),
  );
  const byKey = Map.groupBy(operations, ({ operation }) => operation.key);
  const root = newBranch();
  for (const described of operations) insert(root, described);
  return {
    descriptions,
    operations,
    operation(key, service = null) {
      const found = byKey.get(key ?? '') ?? [];
      return (service === null ? found[0] : found.find(({ operation }) => operation.service === service)) ?? null;
    },
    match(method, path) {
      const wanted = method.toUpperCase();
      return (
        candidates(root, path)
          .find((route) => route.has(wanted))
          ?.get(wanted) ?? null
      );
    },
    pathKnown(path) {
      return [...new Set(candidates(root, path).flatMap((route) => [...route.keys()]))];
    },
  };
}

function newBranch(): Branch {
  return { literal: new Map(), patterns: [], route: null };
}

function insert(root: Branch, described: Described): void {
  const { method, path } = described.operation;
  let branch = root;
  for (const text of path.split('/')) branch = descend(branch, toSegment(text));
  branch.route ??= new Map();
  if (!branch.route.has(method)) branch.route.set(method, described);
}

function descend(branch: Branch, segment: Segment): Branch {
  if ('literal' in segment) {
    const next = branch.literal.get(segment.literal) ?? newBranch();
    branch.literal.set(segment.literal, next);
    return next;
  }
  const known = branch.patterns.find((one) => one.segment.source === segment.source);
  if (known !== undefined) return known.branch;
  const added = { segment, branch: newBranch() };
  branch.patterns = [...branch.patterns, added].sort((a, b) => b.segment.literals - a.segment.literals);
  return added.branch;
}

function toSegment(text: string): Segment {
  if (!/\{[^{}]*\}/.test(text)) return { literal: uriDecoded(text) };
  const literals = text.split(/\{[^{}]*\}/).map(uriDecoded);
  const source = literals.map(escaped).join('(.+?)');
  return { pattern: new RegExp(`^${source}$`, 's'), literals: literals.join('').length, source };
}

/** Routes that a path falls under, most specific first. */
function candidates(root: Branch, path: string): Route[] {
  const segments = path.split('/').map(uriDecoded);
  const walk = (branch: Branch, index: number): Route[] => {
    const segment = segments[index];
    if (segment === undefined) return branch.route === null ? [] : [branch.route];
    const literal = branch.literal.get(segment);
    const exact = literal === undefined ? [] : walk(literal, index + 1);
    const templated = branch.patterns
      .filter((one) => one.segment.pattern.test(segment))
      .flatMap((one) => walk(one.branch, index + 1));
    return [...exact, ...templated];
  };
  return walk(root, 0);
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
