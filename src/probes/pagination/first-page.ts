// PAG-02 and the probe's half of PAG-03: what a list answers without parameters, and to a limit above its stated maximum.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import type { Reading } from '../../checks/pag/envelope.ts';
import { differingPages, smallDefault, wrongDefaults } from '../../checks/pag/pag-02.ts';
import type { Flaw, Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import { refusalBreach } from '../../checks/pag/pag-12.ts';
import { isSilentOnPages } from '../../checks/pag/page.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import type { PagingTerms, RefusalTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Paging } from '../../openapi/model/paging.ts';
import type { Verdicts } from './clause-tally.ts';
import { firstTurn, type ListOperation, type Pairs, pairsOf } from './list-operation.ts';
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
  stated: PagingTerms,
): Promise<void> {
  const { bare, sequence } = survey;
  const isLonger = (sequence.size ?? sequence.known) > bare.keys.length;
  const compare = (earlier: PageRead | null, page: PageRead): Suspicion | null => {
    const alone = wrongDefaults(page, stated) ?? (isLonger ? smallDefault(page, stated) : null);
    return suspicious(earlier === null ? alone : differingPages(earlier, page, stated), earlier);
  };
  const first = firstTurn(study.list);
  const asks = [
    { limit: null, turn: null },
    ...(first === null ? [] : [{ limit: null, turn: first }]),
    ...(stated.size.default === null || study.list.paging.size === null
      ? []
      : [{ limit: stated.size.default, turn: null }]),
  ];
  for (const [index, ask] of asks.entries()) {
    const read = index === 0 ? bare : await study.read(reader, survey, ask);
    if (read === null) continue;
    await judgeDefault(study, survey, { reader, verdicts, compare }, { earlier: index === 0 ? null : bare, read });
  }
}

/** PAG-02 where the list could not be surveyed: its first page, by the number that the contract gives it, is refused while the page without one is not. */
export async function judgeRefusedFirst(list: ListOperation, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const first = firstTurn(list);
  const { turner } = list.paging;
  if (first === null || turner === null || turner.required) return;
  for (let look = 0; ; look += 1) {
    const plain = await reader.lookAgain(pairsOf(list, { limit: null, turn: null }), 'look-again');
    const asked = await reader.lookAgain(pairsOf(list, { limit: null, turn: first }), 'look-again');
    const isRefused = plain?.response?.status === 200 && statusClass(asked) === 4;
    if (!isRefused || plain === null || asked === null) return;
    if (look === 0) continue;
    const cause = `${turner.name}=${first} is refused, and is the first page`;
    const [expected, actual] = ['the page without parameters', `status ${asked.response?.status}`];
    const message = `${cause}: ${actual}, expected ${expected}`;
    verdicts.breach('PAG-02', { weight: 'breach', kind: 'first-refused', cause, message, expected, actual }, [
      plain,
      asked,
    ]);
    return;
  }
}

function statusClass(exchange: Exchange | null): number {
  const status = exchange?.response?.status ?? 0;
  return status === 429 ? 0 : Math.floor(status / 100);
}

interface Judging {
  readonly reader: PageReader;
  readonly verdicts: Verdicts;
  compare(earlier: PageRead | null, page: PageRead): Suspicion | null;
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
  { reader, verdicts, compare }: Judging,
  pair: Pair,
): Promise<void> {
  let { earlier, read } = pair;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const suspicion = compare(earlier, read);
    if (suspicion === null) return verdicts.agree('PAG-02');
    const result = await study.confirm(reader, survey, suspicion, read, compare);
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

function suspicious(breach: Flaw | null, earlier: PageRead | null): Suspicion | null {
  return breach === null ? null : { clauses: ['PAG-02'], breach, earlier };
}

/** Some servers read a limit apart from a page number. The last is for a list with a second page. */
function besideAPage({ paging: { size, turner } }: ListOperation, maximum: number): readonly Pairs[] {
  if (turner === null || size === null) return [];
  const first = turner.stated ?? turner.assumed;
  const second = turner.by === 'page' ? first + 1 : first + maximum;
  return [
    [
      [size.name, String(maximum + maximum / 2)],
      [turner.name, String(first)],
    ],
    [
      [size.name, String(EXCESSIVE_LIMIT)],
      [turner.name, String(second)],
    ],
  ];
}

/** PAG-03: a limit above the maximum is clamped or refused, as the contract says; where it does not, which of them is observed. */
export async function judgeExcess(study: Study, survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const { paging, reading } = study.list;
  const maximum = paging.stated?.size.maximum ?? null;
  if (maximum === null || paging.size === null) return;
  const judging = { verdicts, maximum, refused: study.world.terms.requests.invalid, paging, reading };
  const closest = await reader.ask([[paging.size.name, String(maximum + 1)]], 'excess', AT_ONCE);
  const excessive = maximum < EXCESSIVE_LIMIT ? [survey.excessive] : [];
  for (const exchange of closest === null ? excessive : [...excessive, closest]) {
    const answer = judgeExcessive(exchange, judging);
    if (answer !== null && showsExcess(answer, survey, maximum)) observeExcessive(exchange, answer, judging);
  }
  const beside = besideAPage(study.list, maximum);
  for (const pairs of reachesOver(survey, maximum) ? beside : beside.slice(0, 1)) {
    const exchange = await reader.ask(pairs, 'excess', AT_ONCE);
    if (exchange !== null) judgeExcessive(exchange, judging);
  }
}

function reachesOver({ sequence }: Survey, maximum: number): boolean {
  return (sequence.size ?? sequence.known) > maximum;
}

/** Whether the answer shows what an excessive limit gets: a shorter list that names no limit shows no more than its items. */
function showsExcess({ status }: Told, survey: Survey, maximum: number): boolean {
  return status >= 400 || reachesOver(survey, maximum) || survey.bare.page.paged?.limit != null;
}

interface OverLimit {
  readonly verdicts: Verdicts;
  readonly maximum: number;
  readonly refused: RefusalTerms | null;
  readonly paging: Paging;
  readonly reading: Reading;
}

type Told = Extract<ReturnType<typeof answerOf>, { ok: true }>['answer'];

/** The answer where it is one of those allowed. */
function judgeExcessive(exchange: Exchange, { verdicts, refused, paging, reading }: OverLimit): Told | null {
  const seen = answerOf(exchange);
  if (!seen.ok || isSilentOnPages(seen.answer.status, reading)) return null;
  const { answer } = seen;
  const value = { query: exchange.plan.query, readable: true, besideLimit: null };
  const above = paging.stated?.size.above ?? null;
  const breach =
    otherThanStated(exchange, answer, above) ?? (answer.status >= 400 ? refusalBreach(answer, value, refused) : null);
  if (breach !== null) verdicts.breach('PAG-03', breach, [exchange]);
  // The check on every answer of the list judges the page; here a refusal shows that there is a maximum.
  else if (answer.status >= 400) verdicts.agree('PAG-03');
  return breach === null ? answer : null;
}

/** A refusal where a smaller page is stated, or the other way round. */
function otherThanStated({ plan }: Exchange, answer: Told, above: 'clamp' | 'refuse' | null): Flaw | null {
  const isRefused = answer.status >= 400;
  if (above === null || isRefused === (above === 'refuse')) return null;
  const [kind, cause] = isRefused
    ? ['excess-refused', 'a limit above the maximum is refused']
    : ['excess-served', 'a limit above the maximum is served'];
  const expected = above === 'refuse' ? 'a refusal' : 'a page of the maximum size';
  const actual = `${plan.query} answered ${spoken(answer)}`;
  return { weight: 'breach', kind, cause, message: `${actual}, expected ${expected}`, expected, actual };
}

function observeExcessive(exchange: Exchange, answer: Told, { verdicts, maximum }: OverLimit): void {
  const isRefused = answer.status >= 400;
  const code = isRefused ? 'pag-03.excess-refused' : 'pag-03.excess-clamped';
  const cause = `a limit above the maximum is ${isRefused ? 'refused' : 'answered with a smaller page'}`;
  const value = isRefused ? `refused: ${spoken(answer)}` : 'answered with a smaller page';
  const row = seenOnce('a limit above the maximum', value, `limits of ${maximum + 1} and ${EXCESSIVE_LIMIT}`);
  const actual = `${exchange.plan.query} answered ${spoken(answer)}`;
  verdicts.observe('PAG-03', observation(code, cause, actual, row, `${cause}: ${actual}`), [exchange]);
}
