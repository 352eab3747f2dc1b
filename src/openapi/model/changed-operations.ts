// Which operations two states of a description describe differently: in what is asked and answered, with all that their
// references reach. Neither prose, order of members, nor where something stands in the file counts.
import { hash } from 'node:crypto';
import { isObject, pointerOfFragment, valueAt } from '../json.ts';
import type { DeclaredResponse, Description, MediaType, Operation, SchemaHandle } from './operation.ts';

/** Says nothing about the value, wherever it stands beside a reference. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$comment', 'description', 'summary', 'title', 'deprecated']);

/**
 * Keys of the operations of `after` that `before` lacks or describes differently. References may lead in circles: what
 * they lead to is told apart round by round, until no round tells more.
 */
export function changedOperations(before: Description, after: Description): ReadonlySet<string> {
  const states = [new State(before), new State(after)] as const;
  const subjects = states.map((state) => state.subjects());
  for (const [at, state] of states.entries()) for (const subject of subjects[at]!.values()) state.collect(subject);
  for (let told = ''; ; ) {
    const moved = states.map((state) => state.refine());
    const kinds = new Set(states.flatMap((state) => [...state.colors.values()])).size;
    const now = `${moved.join()} ${kinds}`;
    if (now === told) break;
    told = now;
  }
  const [earlier, later] = states.map((state, at) => state.digests(subjects[at]!));
  return new Set([...later!].flatMap(([key, digest]) => (earlier!.get(key) === digest ? [] : [key])));
}

/** One state of a description: what its references lead to, by pointer, and a colour of each that says what it holds. */
class State {
  readonly colors = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  readonly #seen = new WeakSet<object>();
  readonly #description: Description;
  /** Digests of what holds no reference: they never change. */
  readonly #still = new WeakMap<object, string>();

  constructor(description: Description) {
    this.#description = description;
  }

  subjects(): ReadonlyMap<string, unknown> {
    return new Map(
      this.#description.operations.map((operation) => [operation.key, subjectOf(operation, this.#description)]),
    );
  }

  /** Finds all that the value's references reach. */
  collect(value: unknown): void {
    const open = [value];
    while (open.length > 0) {
      const at = open.pop();
      if (typeof at === 'string') this.#follow(at, open);
      if (typeof at !== 'object' || at === null || this.#seen.has(at)) continue;
      this.#seen.add(at);
      for (const member of Object.values(at)) open.push(member);
    }
  }

  #follow(reference: string, open: unknown[]): void {
    if (!reference.startsWith('#/') || this.#values.has(reference)) return;
    const value = valueAt(this.#description.document, pointerOfFragment(reference.slice(1)));
    if (value === undefined) return;
    this.#values.set(reference, value);
    this.colors.set(reference, '');
    open.push(value);
  }

  /** Colours everything anew by the colours of what it refers to; returns how many changed. */
  refine(): number {
    const next = [...this.#values].map(([reference, value]) => [reference, this.#digest(value).text] as const);
    const moved = next.filter(([reference, color]) => this.colors.get(reference) !== color);
    for (const [reference, color] of moved) this.colors.set(reference, color);
    return moved.length;
  }

  digests(subjects: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
    return new Map([...subjects].map(([key, subject]) => [key, this.#digest(subject).text]));
  }

  /** Digest of the value; `still`: it holds no reference. */
  #digest(value: unknown): { readonly text: string; readonly still: boolean } {
    if (typeof value === 'string') {
      const color = this.colors.get(value);
      return color === undefined ? { text: JSON.stringify(value), still: true } : { text: color, still: false };
    }
    if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) ?? '', still: true };
    const known = this.#still.get(value);
    if (known !== undefined) return { text: known, still: true };
    const parts = Array.isArray(value)
      ? value.map((item) => this.#digest(item))
      : membersOf(value).map(([name, item]) => {
          const { text, still } = this.#digest(item);
          return { text: `${JSON.stringify(name)}:${text}`, still };
        });
    const still = parts.every((part) => part.still);
    const [only] = parts;
    const isLink = isObject(value) && parts.length === 1 && typeof value.$ref === 'string' && only?.still === false;
    // A reference alone says what it leads to, as if that stood in its place.
    const text = isLink
      ? only.text.slice('"$ref":'.length)
      : hash('sha256', `${Array.isArray(value)} ${parts.map((part) => part.text).join()}`);
    if (still) this.#still.set(value, text);
    return { text, still };
  }
}

/** Members by name; beside a reference those that say something. */
function membersOf(value: object): [string, unknown][] {
  const isReference = '$ref' in value && typeof value.$ref === 'string';
  return Object.entries(value)
    .filter(([name]) => !isReference || !ANNOTATIONS.has(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Parts of an operation that count. */
function subjectOf(operation: Operation, { securitySchemes }: Description): unknown {
  const { parameters, requestBody, responses, security, deprecated, unsupported } = operation;
  return {
    parameters: sorted(parameters.map((parameter) => ({ ...parameter, schema: schemaOf(parameter.schema) }))),
    requestBody: requestBody && { required: requestBody.required, content: requestBody.content.map(contentOf) },
    responses: sorted(responses.map(responseOf)),
    security: security.map((names) =>
      names.map((name) => securitySchemes.find((scheme) => scheme.name === name) ?? name),
    ),
    ...{ deprecated, unsupported },
  };
}

function responseOf({ status, content, headers, links = [] }: DeclaredResponse): object {
  const declared = headers.map(({ name, required, schema }) => ({ name, required, schema: schemaOf(schema) }));
  return { status, content: content.map(contentOf), headers: sorted(declared), links };
}

function contentOf({ mediaType, schema, examples, encoding }: MediaType): object {
  return { mediaType, schema: schemaOf(schema), examples, encoding: encoding ?? null };
}

function schemaOf(handle: SchemaHandle | null): unknown {
  return handle?.value ?? null;
}

/** In an order that does not depend on the file's. */
function sorted<T extends object>(items: readonly T[]): readonly T[] {
  const nameOf = (item: object): string => {
    const { in: place = '', name = '', status = '' } = item as Record<string, unknown>;
    return `${place} ${name} ${status}`;
  };
  return items.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}
