// PAG-02 and the probe's half of PAG-03: what the activity log answers without parameters, and to a limit above its maximum.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import { differingPages, wrongDefaults } from '../../checks/pag/pag-02.ts';
import { refusalBreach } from '../../checks/pag/pag-12.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import type { Suspicion } from '../../checks/pag/suspicion.ts';
import type { Breach } from '../../contract/judgement.ts';
import { ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { EXCESSIVE_LIMIT } from './opening.ts';
import type { PageReader } from './page-reader.ts';
import type { Study } from './study.ts';
import type { Survey } from './survey.ts';
import type { Verdicts } from './verdicts.ts';

/** PAG-02: the defaults, and that asking for them changes nothing. */
export async function judgeDefaults(
  study: Study,
  survey: Survey,
  reader: PageReader,
  verdicts: Verdicts,
): Promise<void> {
  const { bare } = survey;
  const compare = (earlier: PageRead | null, page: PageRead): Suspicion | null =>
    suspicious(earlier === null ? wrongDefaults(page) : differingPages(earlier, page), earlier);
  const asks = [
    { limit: null, turn: null },
    { limit: null, turn: 1 },
    { limit: ACTIVITY_LOG_PAGES.default, turn: null },
  ];
  for (const [index, ask] of asks.entries()) {
    const read = index === 0 ? bare : await study.read(reader, survey, ask);
    if (read === null) continue;
    const suspicion = compare(index === 0 ? null : bare, read);
    if (suspicion === null) {
      verdicts.agree('PAG-02');
      continue;
    }
    const result = await study.confirm(reader, survey, suspicion, read, compare);
    if (result.kind === 'confirmed') {
      verdicts.breach('PAG-02', result.suspicion.breach, [bare.page.exchange, result.later.page.exchange]);
    } else verdicts.untold('PAG-02', 'the list changed while its first page was read');
  }
}

function suspicious(breach: Breach | null, earlier: PageRead | null): Suspicion | null {
  return breach === null ? null : { clauses: ['PAG-02'], breach, earlier };
}

/** PAG-03: a limit above the maximum is clamped or refused as validation_failed; which of them is observed. */
export async function judgeExcess(survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const { maximum } = ACTIVITY_LOG_PAGES;
  const closest = await reader.ask([['limit', String(maximum + 1)]], 'excess', 'never');
  for (const [limit, exchange] of [
    [EXCESSIVE_LIMIT, survey.excessive],
    [maximum + 1, closest],
  ] as const) {
    if (exchange !== null) judgeExcessive(limit, exchange, verdicts);
  }
}

function judgeExcessive(limit: number, exchange: Exchange, verdicts: Verdicts): void {
  const seen = answerOf(exchange);
  if (!seen.ok) return;
  const { answer } = seen;
  const query = `limit=${limit}`;
  const breach =
    answer.status >= 400 ? refusalBreach(answer, { name: 'limit', query, readable: true, besideLimit: null }) : null;
  if (breach !== null) {
    verdicts.breach('PAG-03', breach, [exchange]);
    return;
  }
  verdicts.agree('PAG-03');
  const isRefused = answer.status >= 400;
  const cause = `a limit above the maximum is ${isRefused ? 'refused' : 'answered with a smaller page'}`;
  const value = isRefused ? `refused: ${spoken(answer)}` : 'answered with a smaller page';
  const row = seenOnce(
    'a limit above the maximum',
    value,
    `limits of ${ACTIVITY_LOG_PAGES.maximum + 1} and ${EXCESSIVE_LIMIT}`,
  );
  const actual = `${query} answered ${spoken(answer)}`;
  verdicts.observe('PAG-03', observation(cause, actual, row, `${cause}: ${actual}`), [exchange]);
}
