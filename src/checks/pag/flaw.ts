// A breach of the laws of lists before it is known under which clauses it is told.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, holds, type Judgement, resting, wrong } from '../../contract/judgement.ts';
import { isHeader, type Place } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Page } from '../../facts/page.ts';

/** `kind` is what follows the clause in its code. */
export type Flaw = Omit<Breach, 'code'> & { readonly kind: string };

/** A flaw told as "subject: actual, expected this". */
export function flawed(
  [kind, cause]: readonly [kind: string, cause: string],
  subject: string,
  expected: string,
  actual: string,
): Flaw {
  const { code, ...told } = wrong([kind, cause], subject, expected, actual);
  return { ...told, kind: code };
}

/** The flaw as a breach of the clause. */
export function toldOf(clause: string, { kind, ...flaw }: Flaw): Breach {
  return { ...flaw, code: codeOf(clause, kind) };
}

/** A breach at a place of the answer; a header has none in the body. */
export function wrongAt(
  place: Place | null,
  kind: readonly [code: string, cause: string],
  subject: string,
  expected: string,
  actual: string,
): Breach {
  return wrong(kind, subject, expected, actual, place === null || isHeader(place) ? undefined : place);
}

/** The judgement of a clause on a walk by anybody. */
export interface WalkSaid {
  readonly clause: string;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

/** Judges each clause on the pages of a walk: by the flaw that they show, or as held for so many items. */
export function saidOfWalk(
  clauses: readonly string[],
  pages: readonly Page[],
  shown: Flaw | { readonly items: number },
): readonly WalkSaid[] {
  const evidence = pages.map(({ exchange }) => exchange);
  return clauses.map((clause) => {
    const judgement =
      'kind' in shown
        ? breached([toldOf(clause, shown)])
        : resting(holds(), { items: shown.items, pages: pages.length });
    return { clause, judgement, evidence };
  });
}
