// PAG-02 and the probe's half of PAG-03: what a list answers without parameters, and to a limit above its stated maximum.

import { answerOf, spoken } from '../../checks/answer.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import { type Flaw, flawed } from '../../checks/pag/flaw.ts';
import { differingPages, smallDefault, wrongDefaults } from '../../checks/pag/pag-02.ts';
import type { Compare } from '../../checks/pag/pag-04-to-09-page.ts';
import { refusalBreach } from '../../checks/pag/pag-12.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { isSilentOnPages } from '../../facts/page.ts';
import { firstTurn, type Pairs, pairsOf } from '../reach/reading-lists.ts';
import { AT_ONCE, type ListLab } from './lab.ts';
import type { ListOperation } from './list-operation.ts';
import { EXCESSIVE_LIMIT, type Survey, suspectBeside } from './survey.ts';

const TRIES = 3;

/** PAG-02: the defaults, and that asking for them changes nothing. */
export async function judgeDefaults(lab: ListLab, survey: Survey, stated: PagingTerms): Promise<void> {
  const { bare, sequence } = survey;
  const isLonger = sequence.length > bare.keys.length;
  const compare: Compare = (earlier, page) => {
    const alone = wrongDefaults(page, stated) ?? (isLonger ? smallDefault(page, stated) : null);
    const breach = earlier === null ? alone : differingPages(earlier, page, stated);
    return breach && { clauses: ['PAG-02'], breach, earlier };
  };
  await judgeDefault(lab, survey, compare, [null, bare]);
  const first = firstTurn(lab.list);
  const limit = lab.list.paging.size === null ? null : stated.size.default;
  const asks = [
    { limit: null, turn: first },
    { limit, turn: null },
  ];
  for (const ask of asks) {
    const read = ask.limit === null && ask.turn === null ? null : await lab.read(survey, ask);
    if (read !== null) await judgeDefault(lab, survey, compare, [bare, read]);
  }
}

/** One of the pages that must be the first one, beside that, until the list keeps still while it is read, at most three times. */
async function judgeDefault(
  lab: ListLab,
  survey: Survey,
  compare: Compare,
  [bare, asked]: readonly [PageRead | null, PageRead],
): Promise<void> {
  let [earlier, read] = [bare, asked];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const compared = await lab.judge(survey, [earlier, read], compare);
    if (compared === 'agreed') lab.agree(['PAG-02']);
    if (compared === 'agreed' || compared === 'breached') return;
    earlier = earlier === null ? null : ((await lab.again.read(survey, earlier.ask)) ?? earlier);
    read = (await lab.again.read(survey, read.ask)) ?? read;
  }
  lab.untold('PAG-02', 'the list changed while its first page was read, three times');
}

/** PAG-02 where the list could not be surveyed: its first page, by the number that the contract gives it, is refused while the page without one is not. */
export async function judgeRefusedFirst(lab: ListLab): Promise<void> {
  const { list } = lab;
  const first = firstTurn(list);
  const { turner } = list.paging;
  if (first === null || turner === null || turner.required) return;
  await lab.tell(
    'PAG-02',
    async (now) => {
      const plain = await now.ask(pairsOf(list, { limit: null, turn: null }), 'look-again');
      const asked = await now.ask(pairsOf(list, { limit: null, turn: first }), 'look-again');
      if (plain === null || asked === null) return null;
      const isRefused = plain.response?.status === 200 && statusClass(asked) === 4;
      const cause = `${turner.name}=${first} is refused, and is the first page`;
      const kind = ['first-refused', cause] as const;
      const flaw = flawed(kind, cause, 'the page without parameters', `status ${asked.response?.status}`);
      return { flaw: isRefused ? flaw : null, evidence: [plain, asked] };
    },
    2,
  );
}

function statusClass({ response }: Exchange): number {
  const status = response?.status ?? 0;
  return status === 429 ? 0 : Math.floor(status / 100);
}

/** Some servers read a limit apart from a page number. The last is for a list with a second page. */
function besideAPage({ paging: { size, turner } }: ListOperation, maximum: number): readonly Pairs[] {
  if (turner === null || size === null) return [];
  const first = turner.stated ?? turner.assumed;
  const second = turner.by === 'page' ? first + 1 : first + maximum;
  const asked = (limit: number, turn: number): Pairs => [
    [size.name, String(limit)],
    [turner.name, String(turn)],
  ];
  return [asked(Math.ceil(maximum * 1.5), first), asked(EXCESSIVE_LIMIT, second)];
}

/** PAG-03: a limit above the maximum is clamped or refused, as the contract says; where it does not, which of them is observed. */
export async function judgeExcess(lab: ListLab, survey: Survey): Promise<void> {
  const { size, stated } = lab.list.paging;
  const maximum = stated?.size.maximum;
  if (maximum == null || size === null) return;
  const isLonger = survey.sequence.length > maximum;
  // A shorter list that names no limit shows no more than its items.
  const showsPage = isLonger || survey.bare.page.paged?.limit != null;
  const closest = await lab.ask([[size.name, String(maximum + 1)]], 'excess', AT_ONCE);
  const excessive = maximum < EXCESSIVE_LIMIT ? [survey.excessive] : [];
  for (const exchange of [...excessive, closest].filter((one) => one !== null)) {
    const answer = judgeExcessive(lab, exchange);
    if (answer !== null && (answer.status >= 400 || showsPage)) observeExcessive(lab, exchange, answer, maximum);
  }
  await judgeBeside(lab, survey, isLonger ? maximum : null, besideAPage(lab.list, maximum));
}

/** The same beside a page number. `turnedBy`: the maximum, where the list has a second page. */
async function judgeBeside(
  lab: ListLab,
  survey: Survey,
  turnedBy: number | null,
  asked: readonly Pairs[],
): Promise<void> {
  for (const pairs of turnedBy === null ? asked.slice(0, 1) : asked) {
    const exchange = await lab.ask(pairs, 'excess', AT_ONCE);
    const answer = exchange === null ? null : judgeExcessive(lab, exchange);
    if (turnedBy !== null && answer !== null && answer.status < 300 && pairs === asked[1])
      await judgeTurned(lab, survey, turnedBy);
  }
}

/** A list may clamp its size, and turn its pages by the one that was asked for. */
async function judgeTurned(lab: ListLab, survey: Survey, maximum: number): Promise<void> {
  const [usual, turned] = [
    await lab.readAt(survey, maximum, maximum),
    await lab.readAt(survey, EXCESSIVE_LIMIT, maximum),
  ];
  if (survey.maximum !== maximum || turned === null || turned.page.status >= 300) return;
  for (const earlier of [null, usual])
    if ((await lab.judge(survey, [earlier, turned], suspectBeside(survey))) !== 'agreed') return;
}

type Told = Extract<ReturnType<typeof answerOf>, { ok: true }>['answer'];

/** The answer where it is one of those allowed. */
function judgeExcessive(lab: ListLab, exchange: Exchange): Told | null {
  const { paging, reading } = lab.list;
  const seen = answerOf(exchange, lab.world.terms.errors);
  if (!seen.ok || isSilentOnPages(seen.answer.status, reading)) return null;
  const { answer } = seen;
  const value = { query: exchange.plan.query, readable: true, besideLimit: null };
  const refused = answer.status >= 400 ? refusalBreach(answer, value, lab.world.terms.requests.invalid) : null;
  const breach = otherThanStated(exchange, answer, paging.stated?.size.above ?? null) ?? refused;
  if (breach !== null) lab.breach('PAG-03', breach, [exchange]);
  // The check on every answer of the list judges the page; here a refusal shows that there is a maximum.
  else if (answer.status >= 400) lab.agree(['PAG-03']);
  return breach === null ? answer : null;
}

/** A refusal where a smaller page is stated, or the other way round. */
function otherThanStated({ plan }: Exchange, answer: Told, above: 'clamp' | 'refuse' | null): Flaw | null {
  const isRefused = answer.status >= 400;
  if (above === null || isRefused === (above === 'refuse')) return null;
  const kind = isRefused
    ? (['excess-refused', 'a limit above the maximum is refused'] as const)
    : (['excess-served', 'a limit above the maximum is served'] as const);
  const expected = above === 'refuse' ? 'a refusal' : 'a page of the maximum size';
  return flawed(kind, plan.query, expected, `answered ${spoken(answer)}`);
}

function observeExcessive(lab: ListLab, exchange: Exchange, answer: Told, maximum: number): void {
  const isRefused = answer.status >= 400;
  const code = isRefused ? 'pag-03.excess-refused' : 'pag-03.excess-clamped';
  const cause = `a limit above the maximum is ${isRefused ? 'refused' : 'answered with a smaller page'}`;
  const value = isRefused ? `refused: ${spoken(answer)}` : 'answered with a smaller page';
  const row = seenOnce('a limit above the maximum', value, `limits of ${maximum + 1} and ${EXCESSIVE_LIMIT}`);
  const actual = `${exchange.plan.query} answered ${spoken(answer)}`;
  lab.observe('PAG-03', observation(code, cause, actual, row, `${cause}: ${actual}`), [exchange]);
}
