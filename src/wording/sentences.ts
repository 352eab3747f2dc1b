// How a family's sentences stand together: by kind of breach, each a function of values. Checks name the kind and give the
// values; what is said of them is decided here alone.
import { withValues } from '../contract/code.ts';
import type { Breach } from '../contract/judgement.ts';

/** The words of a breach: `cause` without values, `message` with them. */
export type Words = Pick<Breach, 'cause' | 'message'>;

/** The sentence of each kind of breach, under its code: "err-04.differs". */
type Sentences = Readonly<Record<string, (values: never) => Words>>;

/**
 * The code and the words of a breach, by its kind and values. `parts`: values that make a kind of their own; they follow the kind
 * in the code (`codeOf`).
 */
export function telling<const S extends Sentences>(sentences: S) {
  return <K extends keyof S & string>(
    kind: K,
    values: Parameters<S[K]>[0],
    ...parts: readonly string[]
  ): Words & Pick<Breach, 'code'> => ({
    code: withValues(kind, ...parts),
    ...(sentences[kind] as (values: Parameters<S[K]>[0]) => Words)(values),
  });
}
