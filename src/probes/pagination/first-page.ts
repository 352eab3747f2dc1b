// PAG-02 and the probe's half of PAG-03: what the activity log answers without parameters, and to a limit above its maximum.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import { differingPages, wrongDefaults } from '../../checks/pag/pag-02.ts';
import type { Flaw, Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import { refusalBreach } from '../../checks/pag/pag-12.ts';
import { isSilentOnPages } from '../../checks/pag/page.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import { ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Verdicts } from './clause-tally.ts';
import type { Pairs } from './list-operation.ts';
import { EXCESSIVE_LIMIT } from './opening.ts';
import { AT_ONCE, type PageReader } from './page-reader.ts';
import type { Study } from './study.ts';
import type { Survey } from './survey.ts';

const TRIES = 3;

/** PAG-02: the defaults, and that asking for them changes nothing. */
export async function judgeDefaults(
  study: Study,
  survey: Survey,
  reader: PageReader,
  verdicts: Verdicts,
): Promise<void> {
  const { bare } = survey;
  const asks = [
    { limit: null, turn: null },
    { limit: null, turn: 1 },
    { limit: ACTIVITY_LOG_PAGES.default, turn: null },
  ];
  for (const [index, ask] of asks.entries()) {
    const read = index === 0 ? bare : await study.read(reader, survey, ask);
    if (read !== null)
      await judgeDefault(study, survey, reader, verdicts, { earlier: index === 0 ? null : bare, read });
  }
}

interface Pair {
  /** The page without parameters; null: the page is that one. */
  readonly earlier: PageRead | null;
  readonly read: PageRead;
}

/** One of the pages that must be the first one, until the list keeps still while it is read, at most three times. */
async function judgeDefault(
  study: Study,
  survey: Survey,
  reader: PageReader,
  verdicts: Verdicts,
  pair: Pair,
): Promise<void> {
  let { earlier, read } = pair;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const suspicion = compareDefaults(earlier, read);
    if (suspicion === null) return verdicts.agree('PAG-02');
    const result = await study.confirm(reader, survey, suspicion, read, compareDefaults);
    if (result.kind === 'confirmed')
      return verdicts.breach('PAG-02', result.suspicion.breach, [
        (earlier ?? read).page.exchange,
        result.later.page.exchange,
      ]);
    earlier = earlier === null ? null : ((await study.readAgain(reader, survey, earlier)) ?? earlier);
    read = (await study.readAgain(reader, survey, read)) ?? read;
  }
  verdicts.untold('PAG-02', 'the list changed while its first page was read, three times');
}

function compareDefaults(earlier: PageRead | null, page: PageRead): Suspicion | null {
  return suspicious(earlier === null ? wrongDefaults(page) : differingPages(earlier, page), earlier);
}

function suspicious(breach: Flaw | null, earlier: PageRead | null): Suspicion | null {
  return breach === null ? null : { clauses: ['PAG-02'], breach, earlier };
}

const CLOSEST: Pairs = [['limit', String(ACTIVITY_LOG_PAGES.maximum + 1)]];
/** Some servers read a limit apart from a page number. The last is for a log with a second page. */
const BESIDE_A_PAGE: readonly Pairs[] = [
  [
    ['limit', '150'],
    ['page', '1'],
  ],
  [
    ['limit', String(EXCESSIVE_LIMIT)],
    ['page', '2'],
  ],
];

/** PAG-03: a limit above the maximum is clamped or refused as validation_failed; which of them is observed. */
export async function judgeExcess(survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const reachesOver = (survey.sequence.size ?? survey.sequence.known) > ACTIVITY_LOG_PAGES.maximum;
  const closest = await reader.ask(CLOSEST, 'excess', AT_ONCE);
  for (const exchange of [survey.excessive, closest]) {
    const answer = exchange === null ? null : judgeExcessive(exchange, verdicts);
    if (exchange !== null && answer !== null) observeExcessive(exchange, answer, verdicts);
  }
  for (const pairs of reachesOver ? BESIDE_A_PAGE : BESIDE_A_PAGE.slice(0, 1)) {
    const exchange = await reader.ask(pairs, 'excess', AT_ONCE);
    if (exchange !== null) judgeExcessive(exchange, verdicts);
  }
}

type Told = Extract<ReturnType<typeof answerOf>, { ok: true }>['answer'];

/** The answer where it is one of those allowed. */
function judgeExcessive(exchange: Exchange, verdicts: Verdicts): Told | null {
  const seen = answerOf(exchange);
  if (!seen.ok || isSilentOnPages(seen.answer.status)) return null;
  const { answer } = seen;
  const value = { name: 'limit', query: exchange.plan.query, readable: true, besideLimit: null };
  const breach = answer.status >= 400 ? refusalBreach(answer, value) : null;
  if (breach !== null) verdicts.breach('PAG-03', breach, [exchange]);
  // The check on every answer of the log judges the page; here a refusal shows that there is a maximum.
  else if (answer.status >= 400) verdicts.agree('PAG-03');
  return breach === null ? answer : null;
}

function observeExcessive(exchange: Exchange, answer: Told, verdicts: Verdicts): void {
  const isRefused = answer.status >= 400;
  const code = isRefused ? 'pag-03.excess-refused' : 'pag-03.excess-clamped';
  const cause = `a limit above the maximum is ${isRefused ? 'refused' : 'answered with a smaller page'}`;
  const value = isRefused ? `refused: ${spoken(answer)}` : 'answered with a smaller page';
  const row = seenOnce(
    'a limit above the maximum',
    value,
    `limits of ${ACTIVITY_LOG_PAGES.maximum + 1} and ${EXCESSIVE_LIMIT}`,
  );
  const actual = `${exchange.plan.query} answered ${spoken(answer)}`;
  verdicts.observe('PAG-03', observation(code, cause, actual, row, `${cause}: ${actual}`), [exchange]);
}
