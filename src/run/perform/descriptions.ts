// The descriptions, judged by themselves: before anything is sent, and again for what came to light when schemas were used.
import { DESCRIPTION_CHECKS } from '../../checks/description-checks.ts';
import { judgeLate, spec01 } from '../../checks/spec/spec-01.ts';
import { type Judgement, resting } from '../../contract/judgement.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Books } from '../books/books.ts';
import type { Spot } from '../plan/clause-target.ts';
import type { RunInput } from './input.ts';
import type { RunScope } from './state.ts';

/** A run, or recorded traffic, as far as descriptions are judged in it. */
interface Described {
  readonly input: Pick<RunInput, 'config' | 'options' | 'descriptions'>;
  readonly scope: Pick<RunScope, 'inRun' | 'share' | 'own'>;
  readonly books: Books;
}

/** Judges the descriptions; returns how many problems of each are judged by now. */
export function judgeDescriptions({
  input,
  scope: { inRun, share, own },
  books: { ledger, errors },
}: Described): ReadonlyMap<Description, number> {
  const { config, options, descriptions } = input;
  const { changed } = options;
  if (changed?.operations.length === 0) return new Map();
  const concerns = ({ service, operation }: Spot): boolean =>
    changed === undefined || operation === null || changed.operations.includes(`${service} ${operation}`);
  const under = { contract: config.contract, terms: config.stated.terms };
  for (const description of descriptions) {
    for (const check of [...DESCRIPTION_CHECKS, ...own.onDescriptions].filter(({ clause }) => inRun(clause))) {
      const work = { clauses: [check.clause], where: 'a check of descriptions' };
      const judge = () => check.judge(description, under);
      for (const { operation, judgement } of errors.attempt(work, null, [], judge)) {
        const spot = { service: description.service, operation };
        if (share.performs(spot) && concerns(spot))
          ledger.book(check.clause, spot, onDescription(judgement, config.folder), []);
      }
    }
  }
  return new Map(descriptions.map((description) => [description, description.problems.length]));
}

/** Judges the problems that came to light only when schemas were used. */
export function judgeLateProblems(
  { input, books: { ledger, errors } }: Omit<Described, 'scope'>,
  known: ReadonlyMap<Description, number>,
): void {
  for (const [{ service, problems }, judged] of known) {
    if (problems.length === judged) continue;
    errors.attempt({ clauses: [spec01.clause], where: 'a check of descriptions' }, null, [], () =>
      ledger.book(
        spec01.clause,
        { service, operation: null },
        onDescription(judgeLate(problems.slice(judged)), input.config.folder),
        [],
      ),
    );
  }
}

/** The judgement as one that rests on a description. */
function onDescription(judgement: Judgement, folder: string | null): Judgement {
  return resting(inFolder(judgement, folder), { descriptions: 1 });
}

/** Files are named as the configuration names them, relative to its folder. */
function inFolder(judgement: Judgement, folder: string | null): Judgement {
  if (folder === null || judgement.kind !== 'breached') return judgement;
  const breaches = judgement.breaches.map((breach) => ({
    ...breach,
    message: breach.message.replaceAll(`${folder}/`, ''),
  }));
  return { ...judgement, breaches };
}
