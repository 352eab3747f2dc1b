// How closely a case is looked at: the cheapest look that decides comes first, and a dearer one follows only where it did not.
import { type Case, clausesOfFamily, type JudgedCase, judgeCase, type Look } from './cases.ts';

/** The clauses that a look judges: the case's own, those of its family, or all. */
export type Rung = 'clause' | 'family' | 'all';

/** Requests within which most faults show where their clause is judged alone. */
const MAX_REQUESTS_OF_FIRST_LOOK = 100;

/** Where and when a case is looked at; how closely, the rungs decide. A budget is for allowed oddities: faults have one of their own. */
type LookFrom = Pick<Look, 'world' | 'seed' | 'stop' | 'whole' | 'budget'>;

/** A judged case, and the rung at which it was decided. */
export type Climbed = JudgedCase & { readonly rung: Rung };

/**
 * Judges a fault by its own clause until it is caught, within 100 requests, then by its family, then by all clauses, and stops where it is caught or
 * another clause is blamed. An allowed oddity is judged by its family, whose clauses all have to stay quiet, and by all clauses where
 * its own was not looked at. The platform that deviates in nothing is judged by all clauses. Null where `stop` ended it before it was decided.
 */
export async function climb(one: Case, look: LookFrom): Promise<Climbed | null> {
  let last: Climbed | null = null;
  for (const rung of rungsOf(one)) {
    const judged = await judgeCase(one, lookAt(one, rung, look));
    if (look.stop?.aborted === true) return null;
    last = { ...judged, rung };
    if (isDecided(one, judged) || judged.falseAlarms.length > 0) return last;
  }
  return last;
}

/**
 * Tells whether a fault was caught; of an oddity, whether its clause was judged, on descriptions alone too. One that
 * the platform leaves no ground for does not apply whoever else is asked. A clause that lacked an answer to be judged
 * by was silent, and that says nothing.
 */
function isDecided({ kind, clause }: Case, { report, missed }: JudgedCase): boolean {
  const hasVerdict = report.verdict !== 'none';
  if (kind !== 'tolerance') return !missed && hasVerdict;
  const row = report.clauses.find(({ id }) => id === clause);
  return row !== undefined && (row.checks > 0 || (row.status === 'not-applicable' && hasVerdict));
}

function rungsOf({ kind }: Case): readonly Rung[] {
  if (kind === 'fault') return ['clause', 'family', 'all'];
  return kind === 'tolerance' ? ['family', 'all'] : ['all'];
}

function lookAt(one: Case, rung: Rung, { whole = false, ...look }: LookFrom): Look {
  if (rung === 'all') return { ...look, whole };
  if (one.kind !== 'fault') return { ...look, clauses: clausesOfFamily(one) };
  const asked = { ...look, budget: MAX_REQUESTS_OF_FIRST_LOOK };
  // Where one clause is judged its first violation decides: no other can be blamed.
  if (rung === 'clause' && one.clause !== null) return { ...asked, clauses: [one.clause], isUntilBreach: true };
  return { ...asked, clauses: clausesOfFamily(one) };
}
