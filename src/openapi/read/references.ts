// Following the references of a bundled document.
import { oncePer } from '../../exchange/once-per.ts';
import { appended, asArray, isObject, type JsonObject, pointerOfFragment, valueAt } from '../json.ts';

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
  private readonly merged = oncePer((schema: JsonObject) => this.followed(schema));

  constructor(document: JsonObject, dialect: '3.0' | '3.1') {
    this.document = document;
    this.dialect = dialect;
  }

  /** The place that a reference leads to in one step; null when it leads nowhere or, in the end, in a circle. */
  target(reference: string): Located | null {
    const known = this.targets.get(reference);
    if (known !== undefined) return known;
    const chain = new Map<string, Located>();
    const ends = this.follow(reference, chain);
    for (const [link, found] of chain) this.targets.set(link, ends ? found : null);
    return ends ? (chain.get(reference) ?? null) : null;
  }

  /** Collects the links of a chain of references; whether it ends anywhere. No recursion: chains may be of any length. */
  private follow(first: string, chain: Map<string, Located>): boolean {
    for (let link: string | null = first; link !== null; ) {
      const known = this.targets.get(link);
      if (known !== undefined) return known !== null;
      const pointer: string | null = link.startsWith('#') ? pointerOfFragment(link.slice(1)) : null;
      if (chain.has(link) || pointer === null || (pointer !== '' && pointer[0] !== '/')) return false;
      const value = valueAt(this.document, pointer);
      if (value === undefined) return false;
      chain.set(link, { value, pointer });
      link = isObject(value) && typeof value.$ref === 'string' ? value.$ref : null;
    }
    return true;
  }

  /** The value itself or what its $ref, followed to the end, leads to, with siblings dropped; null for one that leads nowhere or in a circle. */
  resolve(value: unknown, pointer: string): Located | null {
    let at: Located | null = { value, pointer };
    while (at !== null && isObject(at.value) && typeof at.value.$ref === 'string') at = this.target(at.value.$ref);
    return at;
  }

  /** Follows $ref until something else stands there; siblings of a 3.1 $ref are kept beside it as allOf. Undefined: unresolvable. */
  deref(schema: unknown): unknown {
    return isObject(schema) && typeof schema.$ref === 'string' ? this.merged(schema) : schema;
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
  const open = [schema];
  while (open.length > 0) {
    const part = open.pop();
    if (!isObject(part) || found.has(part)) continue;
    found.add(part);
    const target = typeof part.$ref === 'string' ? references.target(part.$ref) : null;
    const members = target !== null && references.dialect === '3.0' ? [] : asArray(part.allOf);
    open.push(...members.toReversed(), ...(target === null ? [] : [target.value]));
  }
  return [...found];
}

/** The schema and all that it refers to, directly or not. */
export function reachable(schema: Located, references: References): Located[] {
  const found = new Map<unknown, Located>([[schema.value, schema]]);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as JsonObject;
    const target = typeof $ref === 'string' ? references.target($ref) : null;
    if (target !== null && !found.has(target.value)) found.set(target.value, target);
    for (const member of Object.values(value)) visit(member);
  };
  // A Map yields what is added while it is walked.
  for (const { value } of found.values()) visit(value);
  return [...found.values()];
}
