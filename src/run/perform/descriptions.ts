// The descriptions, judged by themselves: before anything is sent, and again for what came to light when schemas were used.
import { DESCRIPTION_CHECKS } from '../../checks/description-checks.ts';
import { judgeLate, spec01 } from '../../checks/spec/spec-01.ts';
import { type Judgement, resting } from '../../contract/judgement.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Spot } from '../plan/clause-target.ts';
import type { RunInput } from './opening.ts';
import type { StageState } from './state.ts';

/** Judges the descriptions; returns how many problems of each are judged by now. */
export function judgeDescriptions(
  { inRun, ledger, share, own, books }: Pick<StageState, 'inRun' | 'ledger' | 'share' | 'own' | 'books'>,
  { config, options, descriptions }: Pick<RunInput, 'config' | 'options' | 'descriptions'>,
): ReadonlyMap<Description, number> {
  const { changed } = options;
  if (changed?.operations.length === 0) return new Map();
  const concerns = ({ service, operation }: Spot): boolean =>
    changed === undefined || operation === null || changed.operations.includes(`${service} ${operation}`);
  const under = { contract: config.contract, terms: config.stated.terms };
  for (const description of descriptions) {
    for (const check of [...DESCRIPTION_CHECKS, ...own.onDescriptions].filter(({ clause }) => inRun(clause))) {
      const work = { clauses: [check.clause], where: 'a check of descriptions' };
      const judge = () => check.judge(description, under);
      for (const { operation, judgement } of books.errors.attempt(work, null, [], judge)) {
        const spot = { service: description.service, operation };
        if (share.performs(spot) && concerns(spot))
          ledger.book(check.clause, spot, onDescription(judgement, config.folder), []);
      }
    }
  }
  return new Map(descriptions.map((description) => [description, description.problems.length]));
}

/** What came to light only when schemas were used. */
export function judgeLateProblems(
  { inRun, ledger, books }: Pick<StageState, 'inRun' | 'ledger' | 'books'>,
  known: ReadonlyMap<Description, number>,
  folder: string | null,
): void {
  if (!inRun(spec01.clause)) return;
  for (const [{ service, problems }, judged] of known) {
    if (problems.length === judged) continue;
    books.errors.attempt({ clauses: [spec01.clause], where: 'a check of descriptions' }, null, [], () =>
      ledger.book(
        spec01.clause,
        { service, operation: null },
        onDescription(judgeLate(problems.slice(judged)), folder),
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
