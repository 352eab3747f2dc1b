// PAG-13 on lists of which nobody states how they page: they are told how as a first draft of a contract is, and examined by the laws that it
// would bind. What breaks one of these is observed, with the line of a contract file that makes it a law.
import { parse } from 'yaml';
import type { ExchangeCheck, Subject } from '../../checks/check.ts';
import { observation } from '../../checks/observation.ts';
import { pag01 } from '../../checks/pag/pag-01.ts';
import { pag03 } from '../../checks/pag/pag-03.ts';
import { pag04 } from '../../checks/pag/pag-04.ts';
import { pag05 } from '../../checks/pag/pag-05.ts';
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import { type ContractDocument, termsOf } from '../../contract/terms-of.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { entryLine, type ListSeen, listSeen, namesPages } from '../../facts/list-seen.ts';
import { seenIn } from '../../facts/seen.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';
import { outcome } from '../experiment.ts';
import { type Conversation, CutShort, type Outcome, type Send } from '../probe.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { paginationExperiments } from './experiments.ts';

type Spot = ReturnType<typeof spotOf>;

const OBSERVED = 'PAG-13';
const PROBE = 'pagination/unstated';
/** More lists than these say little more of how an API pages. */
const MOST_LISTS = 8;
/** Two requests tell how a list pages, and a brief look takes so many more. */
const USUAL_REQUESTS = 24;
/** The checks that judge each answer by itself. */
const CHECKS: readonly ExchangeCheck[] = [pag01, pag03, pag04, pag05];

/** A look at each list that pages by its description, where the contract states nothing of it. */
export function unstatedLists(world: World, reached: readonly Reached[]): readonly Conversation[] {
  if (world.contract !== 'openapi') return [];
  const lists = reached.filter(
    (one) =>
      one.proof !== null &&
      statedPaging(one.operation, world.terms) === null &&
      namesPages(one.operation, one.description),
  );
  return lists.slice(0, MOST_LISTS).map((one) => ({
    ...{ probe: PROBE, companions: 'siblings', stage: 'quiet', rank: 1, clauses: [OBSERVED] },
    ...{ ...spotOf(one.operation), cost: USUAL_REQUESTS },
    converse: (send) => lookAt(world, one, send),
  }));
}

async function lookAt(world: World, reached: Reached, send: Send): Promise<readonly Outcome[]> {
  const told: Exchange[] = [];
  const keep: Send = async (plan) => {
    const answered = await send(plan);
    told.push(...answered.attempts);
    return answered;
  };
  const list = await recognised(world, reached, keep);
  if (list === null) return [];
  const line = entryLine(list);
  const terms = { ...world.terms, pagination: statedBy(line) };
  const spot = spotOf(reached.operation);
  const [first] = paginationExperiments({ ...world, terms }, reached, { closeness: 'brief' });
  try {
    const outcomes = (await first?.converse(keep)) ?? [];
    return observed(spot, line, [
      ...outcomes,
      ...ofEach(told, { ...reached, docsUrl: null, contract: 'openapi', terms }, spot),
    ]);
  } catch (error) {
    if (error instanceof CutShort) throw new CutShort(observed(spot, line, error.outcomes), error.cause);
    throw error;
  }
}

/** How the list pages, as its first page and one of a single item show it; null where they do not, or where cursors turn pages and none tells one. */
async function recognised(world: World, reached: Reached, send: Send): Promise<ListSeen | null> {
  const { operation, description, recipe } = reached;
  const draw = drawFor(world, PROBE);
  const { last: plain } = await send(planOf(recipe, PROBE, draw, { retry: 'contract' }));
  const first = seenIn(plain, 'plain', operation);
  if (first === null) return null;
  const seen = [first];
  const size = listSeen(operation, description, seen)?.sizedBy ?? null;
  if (size !== null) {
    const query = queryText([...recipe.query.filter(([name]) => name !== size), [size, '1']]);
    const { last: single } = await send(planOf(recipe, PROBE, draw, { query, retry: 'contract' }));
    const one = seenIn(single, 'one item', operation);
    if (one !== null) seen.push(one);
  }
  const list = listSeen(operation, description, seen);
  return list?.style === 'cursor' && !list.shown.some(({ key }) => key === 'next') ? null : list;
}

/** The terms of the line, read as those of a contract file are. */
function statedBy(line: string): readonly PagingTerms[] {
  return termsOf({ name: '', ...(parse(line) as Pick<ContractDocument, 'pagination'>) }).pagination;
}

/** The breaches that single answers show, each kind once. */
function ofEach(told: readonly Exchange[], about: Omit<Subject, 'exchange'>, spot: Spot): readonly Outcome[] {
  const found = told.flatMap((exchange) => {
    const subject = { ...about, exchange };
    return CHECKS.filter((check) => check.applies(subject)).flatMap(({ clause, judge }) =>
      breachesIn(judge(subject)).map((breach) => [breach.code, clause, breach, exchange] as const),
    );
  });
  const first = new Map(found.toReversed().map((one) => [one[0], one]));
  return [...first.values()].map(([, clause, breach, exchange]) =>
    outcome(clause, spot, breached([breach]), [exchange]),
  );
}

/** The breaches of a law; its observations are none. */
function breachesIn(judgement: Judgement): readonly Breach[] {
  return judgement.kind === 'breached' ? judgement.breaches.filter(({ weight }) => weight !== 'observation') : [];
}

/** Tells the breaches that the laws would tell, as observations; observations stay as they are. `line`: makes it a law. */
function observed(spot: Spot, line: string, outcomes: readonly Outcome[]): readonly Outcome[] {
  const told = (kind: readonly string[], cause: string, value: string, by: readonly Outcome[]): Outcome => {
    const judging = [...new Set(by.map(({ clause }) => clause))].toSorted().join(', ');
    const basis = `with this line in a contract file they are judged by ${judging}: ${line}`;
    const evidence = by[0]?.evidence ?? [];
    const row = { subject: 'pages', value, confidence: 'sure' as const, calls: evidence.length, basis };
    const code = codeOf(OBSERVED, 'unstated', ...kind);
    return outcome(OBSERVED, spot, observation(code, cause, value, row, `${cause}: ${value}; ${basis}`), evidence);
  };
  const observations = outcomes.filter(({ clause }) => clause === OBSERVED);
  const judged = outcomes.filter(({ clause, judgement }) => clause !== OBSERVED && judgement.kind !== 'cannot-tell');
  const broken = judged.flatMap((one) => breachesIn(one.judgement).map((breach) => ({ ...one, breach })));
  // One breach, of which several laws may speak.
  const breaks = [...Map.groupBy(broken, ({ breach }) => breach.message).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ breach: { code, cause, message } }) => told([code], cause, message, alike)),
  );
  if (breaks.length > 0 || judged.length === 0) return [...observations, ...breaks];
  return [...observations, told([], 'pages keep rules that no contract states', 'no page breaks them', judged)];
}
