// Defines a law over a history, of an item or of an idempotency key: data on what it needs, and a pure judge of the newest fact in the light of
// those before it.
interface FactOf<Kind extends string> {
  readonly kind: Kind;
}

/** A law on histories of facts of these kinds; `Said` is the form of its judgement. */
export interface Law<History, Fact extends FactOf<string>, Said> {
  readonly clause: string;
  /** It speaks of such facts alone (`now`), of a history that has one of the others (absent: of any). */
  readonly needs: { readonly any?: readonly Fact['kind'][]; readonly now: readonly Fact['kind'][] };
  /** Null: it says nothing of the newest fact. */
  judge(history: History, now: Fact): Said | null;
}

/** The judgements of the laws on the newest fact of the history, each with its clause. */
export function judgeNewest<Fact extends FactOf<string>, History extends { readonly facts: readonly Fact[] }, Said>(
  laws: readonly Law<History, Fact, Said>[],
  history: History,
): readonly (Said & { readonly clause: string })[] {
  const now = history.facts.at(-1);
  if (now === undefined) return [];
  return laws.flatMap(({ clause, needs: { any, now: kinds }, judge }) => {
    const isAbout = any === undefined || history.facts.some(({ kind }) => any.includes(kind));
    const said = kinds.includes(now.kind) && isAbout ? judge(history, now) : null;
    return said === null ? [] : [{ clause, ...said }];
  });
}
