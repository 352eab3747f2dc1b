// Following the references of a bundled document.
import { appended, isObject, type JsonObject, pointerOfFragment, valueAt } from './json.ts';

export interface Located {
  readonly value: unknown;
  /** Where the value stands in the bundled document. */
  readonly pointer: string;
}

/** Keywords beside a $ref that say nothing about the value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$ref', '$comment', 'description', 'summary', 'title', 'deprecated']);

export class References {
  readonly document: JsonObject;
  readonly dialect: '3.0' | '3.1';
  private readonly targets = new Map<string, Located | null>();
  private readonly merged = new WeakMap<object, unknown>();

  constructor(document: JsonObject, dialect: '3.0' | '3.1') {
    this.document = document;
    this.dialect = dialect;
  }

  /** What a reference leads to in one step; null when it leads nowhere or, in the end, in a circle. */
  target(reference: string): Located | null {
    const known = this.targets.get(reference);
    if (known !== undefined) return known;
    this.targets.set(reference, null); // What a chain that comes back here finds.
    const pointer = reference.startsWith('#') ? pointerOfFragment(reference.slice(1)) : null;
    const value =
      pointer === null || (pointer !== '' && pointer[0] !== '/') ? undefined : valueAt(this.document, pointer);
    const next = isObject(value) && typeof value.$ref === 'string' ? this.target(value.$ref) : undefined;
    const found = pointer === null || value === undefined || next === null ? null : { value, pointer };
    this.targets.set(reference, found);
    return found;
  }

  /** The value itself or what its $ref, followed to the end, leads to, with siblings dropped; null for one that leads nowhere or in a circle. */
  resolve(value: unknown, pointer: string): Located | null {
    let at: Located | null = { value, pointer };
    while (at !== null && isObject(at.value) && typeof at.value.$ref === 'string') at = this.target(at.value.$ref);
    return at;
  }

  /** Follows $ref until something else stands there; siblings of a 3.1 $ref are kept beside it as allOf. Undefined: unresolvable. */
  deref(schema: unknown): unknown {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
    if (!this.merged.has(schema)) this.merged.set(schema, this.followed(schema));
    return this.merged.get(schema);
  }

  private followed(schema: JsonObject): unknown {
    const target = this.deref(this.target(schema.$ref as string)?.value);
    const siblings = Object.entries(schema).filter(([name]) => !ANNOTATIONS.has(name));
    if (target === undefined || siblings.length === 0 || this.dialect === '3.0') return target;
    const { allOf, ...beside } = Object.fromEntries(siblings);
    return { ...beside, allOf: [target, ...(Array.isArray(allOf) ? allOf : [])] };
  }
}

/** A member and where it stands; its value is undefined when there is none. */
export function member(at: Located, ...tokens: readonly (string | number)[]): Located {
  const pointer = appended(at.pointer, ...tokens);
  return {
    pointer,
    value: tokens.reduce<unknown>((value, token) => (value as JsonObject | undefined)?.[token], at.value),
  };
}

/** The schema, what its $ref leads to, and all members of allOf, at any depth: what every value of it must obey. */
export function compositionOf(schema: unknown, references: References): unknown[] {
  const found = new Set<unknown>();
  const collect = (part: unknown): void => {
    if (!isObject(part) || found.has(part)) return;
    found.add(part);
    const target = typeof part.$ref === 'string' ? references.target(part.$ref) : null;
    if (target !== null) collect(target.value);
    if (target !== null && references.dialect === '3.0') return;
    if (Array.isArray(part.allOf)) for (const member of part.allOf) collect(member);
  };
  collect(schema);
  return [...found];
}
