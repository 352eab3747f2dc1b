// PAG-12: values that no page can be asked by.

import { type BadValue, badValueBreach, type PageBounds } from '../../checks/pag/pag-12.ts';
import { pageOf } from '../../facts/page.ts';
import { sizeOfPage } from '../../facts/page-sizes.ts';
import { firstTurn, type Pairs } from '../reach/reading-lists.ts';
import { queryText } from '../reach/recipe.ts';
import { BAD_VALUE, type ListLab } from './lab.ts';
import type { ListOperation } from './list-operation.ts';
import { EXCESSIVE_LIMIT, type Survey } from './survey.ts';

const HUGE = String(10 ** 12);
const PADDED = '010';
/** A limit for pages whose number or offset is bad: larger pages are told from it. */
const BESIDE = 7;
const LOOKS = 4;

interface Case extends BadValue {
  readonly pairs: Pairs;
}

/** Bad values and the parameters that have them, those first that decide most. */
const ORDER: readonly (readonly ['size' | 'turn', ...string[]])[] = [
  ...[['size', '-1'] as const, ['size', 'abc'] as const, ['turn', '-1'] as const],
  ...[['size', '0'] as const, ['size', HUGE] as const, ['turn', 'abc'] as const, ['size', '2', '3'] as const],
  ...[['size', '1.5'] as const, ['size', ''] as const, ['size', PADDED] as const],
  ...['0', '1.5', '', HUGE].map((value) => ['turn', value] as const),
  ['turn', '1', '2'],
];

/** The values of a first look, and all others; none that the list is said to take. */
export function badValues(list: ListOperation): { readonly first: readonly Case[]; readonly deep: readonly Case[] } {
  const { size, turner } = list.paging;
  const zeroes = turner?.by === 'page' && firstTurn(list) !== 0 ? [] : ['0'];
  const casesOf = (from: number, to?: number): readonly Case[] =>
    ORDER.slice(from, to).flatMap(([by, ...values]) => {
      const [named, sound, beside] = by === 'size' ? [size, size?.unlimited ?? [], null] : [turner, zeroes, size];
      const isSound = values.length === 1 && sound.includes(values[0] ?? '');
      return named === null || isSound ? [] : [caseOf(named.name, values, beside?.name ?? null)];
    });
  return { first: casesOf(0, list.look.badValues), deep: casesOf(list.look.badValues) };
}

/** `beside`: the parameter of a sound size that goes with a bad page number; null: the bad value is a size, or there is no such parameter. */
function caseOf(name: string, values: readonly string[], beside: string | null): Case {
  const bad = values.map((value) => [name, value] as const);
  const pairs = beside === null ? bad : [[beside, String(BESIDE)] as const, ...bad];
  const readable = values.includes(HUGE) || values.includes(PADDED);
  return { query: queryText(pairs), readable, besideLimit: beside === null ? null : BESIDE, pairs };
}

/** Sends each value; what is answered wrongly is sent again, and counts when it shows twice. */
export async function judgeBadValues(lab: ListLab, survey: Survey, cases: readonly Case[]): Promise<void> {
  const bounds = boundsOf(lab, survey);
  for (const one of cases)
    await lab.tell(
      'PAG-12',
      async (now) => {
        const known = now.isAgain ? await boundsNow(now, bounds) : bounds;
        const exchange = await now.ask(one.pairs, 'bad-value', BAD_VALUE);
        const flaw = exchange === null ? 'silent' : badValueBreach(exchange, one, known);
        return exchange === null || flaw === 'silent' ? null : { flaw, evidence: [exchange] };
      },
      LOOKS,
    );
}

/** The bounds of the list as it is now: it may have grown since it was surveyed. */
async function boundsNow(lab: ListLab, bounds: PageBounds): Promise<PageBounds> {
  const size = lab.list.paging.size?.name ?? null;
  const usual = await countNow(lab, bounds, []);
  const isAsked = bounds.most !== null && size !== null;
  const most = isAsked ? await countNow(lab, bounds, [[size, String(EXCESSIVE_LIMIT)]]) : null;
  return { ...bounds, usual: usual ?? bounds.usual, most: most ?? bounds.most };
}

async function countNow(lab: ListLab, { place, reading }: PageBounds, pairs: Pairs): Promise<number | null> {
  const exchange = await lab.ask(pairs, 'bad-value');
  const page = exchange === null ? null : pageOf(exchange, place, reading);
  return page === null || page.status >= 300 ? null : sizeOfPage(page);
}

function boundsOf({ list, world }: ListLab, survey: Survey): PageBounds {
  const { rules, bare, maximum, accepted, most, sequence } = survey;
  const { pastEnd = 'empty' } = list.paging.stated ?? {};
  const refusedAbove = accepted < EXCESSIVE_LIMIT ? accepted : null;
  return {
    place: rules.place,
    usual: sizeOfPage(bare.page),
    maximum: list.paging.stated?.size.maximum ?? maximum ?? refusedAbove,
    most,
    size: sequence.size,
    reading: list.reading,
    refused: world.terms.requests.invalid,
    errors: world.terms.errors,
    mayRefusePast: pastEnd !== 'empty' && pastEnd !== 'not-shown',
  };
}
