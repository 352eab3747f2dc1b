// Codes of breaches: they stand for what is wrong, whatever words tell of it. Fingerprints, groups and comparisons are made
// of codes, so that a sentence may be rewritten without moving a baseline or a waiver.

/**
 * The code of one kind of breach of the clause: "err-02.absent.title".
 * `kind`: one to three plain words in kebab-case. `values`: what makes a kind of its own of each member, header or status;
 * they stand as they are, but for white space, which becomes "_", and for an empty one, which is written "(empty)".
 */
export function codeOf(clause: string, kind: string, ...values: readonly (string | number)[]): string {
  return withValues(`${clause.toLowerCase()}.${kind}`, ...values);
}

/** The code with values that make a kind of its own of each. */
export function withValues(code: string, ...values: readonly (string | number)[]): string {
  return [code, ...values.map((value) => String(value).replaceAll(/\s/g, '_') || '(empty)')].join('.');
}
