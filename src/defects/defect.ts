// A defect is a change of one answer, as data. The embedded platform makes it as it answers, `--sensitivity` in recorded answers; which member
// is a code or a total is told by the contract.
import type { HeaderList } from '../exchange/exchange.ts';
import { asArray, isObject, tokensOf } from '../openapi/json.ts';

/** An answer, as far as a defect knows it. */
export interface Answer {
  readonly status: number;
  readonly headers: HeaderList;
  /** Its JSON; undefined where there is none. */
  readonly body: unknown;
}

/** The difference that a defect makes in an answer; what is absent stays as it was. */
export interface Difference {
  readonly status?: number;
  /** Values under names in lower case; null: the answer has no such header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Another JSON in place of the body. */
  readonly json?: unknown;
  /** Another text in place of the body; empty: there is none. */
  readonly text?: string;
  /** Set: the body repeats the token of the request. */
  readonly echoesToken?: true;
}

/** All that names a defect. */
export interface Named {
  /** "sch-01-null": the clause in lower case and the kind of defect. */
  readonly id: string;
  readonly clause: string;
  /** How the target behaves, in one sentence. */
  readonly says: string;
}

export function named(clause: string, name: string, says: string): Named {
  return { id: `${clause.toLowerCase()}-${name}`, clause, says };
}

/** The defect of the id. Throws for an id that none has. */
export function defectNamed<D extends Named>(defects: readonly D[], id: string): D {
  const found = defects.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no such defect is named ${id}`);
  return found;
}

/** The body with another value at the place, of a list in each item; undefined: without what stands there. */
export function withAt(body: unknown, place: string, value: unknown): unknown {
  return withInside(body, tokensOf(place), value);
}

function withInside(body: unknown, [token, ...further]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (token === '*') {
    const items = asArray(body);
    return (items.length === 0 ? [{}] : items).map((item) => withInside(item, further, value));
  }
  const object = isObject(body) ? body : {};
  return { ...object, [token]: withInside(object[token], further, value) };
}
