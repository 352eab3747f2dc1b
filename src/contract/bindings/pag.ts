// How a contract's terms bind the PAG clauses: by the entries on lists that speak of what a clause is about.
import { plural } from '../numbers.ts';
import type { Binding, Bindings, PagingStyle, PagingTerms, Terms } from '../terms.ts';

type Speaks = (entry: PagingTerms) => boolean;

const counts: Speaks = (entry) => entry.counts.total !== null;
const isNumbered: Speaks = ({ style }) => style === 'page' || style === 'offset';
const isCounted: Speaks = (entry) => isNumbered(entry) && counts(entry);
const tellsNumbers: Speaks = (entry) =>
  isNumbered(entry) && [entry.counts.pages, entry.counts.page, entry.counts.size, entry.more].some(isStated);
const startsSomewhere: Speaks = (entry) => (entry.first !== null && isNumbered(entry)) || entry.size.default !== null;
const hasMaximum: Speaks = ({ size }) => size.maximum !== null;
const ofStyle =
  (style: PagingStyle): Speaks =>
  (entry) =>
    entry.style === style;
const takesValues: Speaks = ({ parameters }) => isStated(parameters.size) || isStated(parameters.turn);

export const PAG_BINDINGS: Bindings = {
  'PAG-01': bound('total', counts, (entries) => {
    const members = entries.map(({ items, counts: { total, page, size, pages } }) =>
      [items, total, page, size, pages].filter(isStated).join(', '),
    );
    const absent = all(entries, (entry) => entry.absent);
    const never = absent.length === 0 ? '' : `, and never ${absent.join(', ')}`;
    return `A counted list answers ${distinct(members).join('; ')}, integers but for its items${never}.`;
  }),
  'PAG-02': bound('first', startsSomewhere, (entries) => {
    const firsts = entries
      .filter(isNumbered)
      .map((entry) => `${turnOf(entry)}=${firstOf(entry)} equals no ${turnOf(entry)}`);
    const sizes = all(entries, ({ size }) => (size.default === null ? [] : [plural(size.default, 'item')]));
    const usual = sizes.length === 0 ? [] : [`without parameters a page holds ${sizes.join(' or ')}`];
    return `The first page: ${[...distinct(firsts), ...usual].join('; ')}.`;
  }),
  'PAG-03': bound('size.maximum', hasMaximum, (entries) => {
    const each = entries.map(({ parameters, size }) => {
      const above = { clamp: ': more is clamped', refuse: ': more is refused' } as const;
      const how = size.above === null ? '' : above[size.above];
      return `${parameters.size ?? 'a page'} at most ${size.maximum}${how}`;
    });
    return `No page is larger than the maximum (${distinct(each).join('; ')}).`;
  }),
  'PAG-04': bound('pages', tellsNumbers, (entries) => {
    const each = entries.map(({ counts: { total, page, size, pages }, more }) =>
      [
        ...(pages === null || total === null ? [] : [`${pages} = ceil(${total} / ${size ?? 'size'})`]),
        ...([page, size].some(isStated)
          ? [`${[page, size].filter(isStated).join(' and ')} echo what was applied`]
          : []),
        ...(more === null ? [] : [`${more} says whether a page follows`]),
      ].join(', '),
    );
    return `The counts of a page agree: ${distinct(each).join('; ')}.`;
  }),
  'PAG-05': bound('total', isCounted, (entries) => {
    return `Every page but the last holds exactly as many items as ${sizesOf(entries)} says; none holds more.`;
  }),
  'PAG-06': bound('total', isCounted, (entries) => {
    const totals = all(entries, (entry) => [entry.counts.total].filter(isStated));
    return `For every ${sizesOf(entries)}, walking the pages yields each item exactly once, ${totals.join(' or ')} in all, and the same sequence each time.`;
  }),
  'PAG-07': bound('style', ofStyle('offset'), (entries) => {
    return `The page at ${turnsOf(entries)} is the slice of the whole that begins there, for every ${sizesOf(entries)}.`;
  }),
  'PAG-08': bound('style', ofStyle('page'), (entries) => {
    const firsts = distinct(entries.map((entry) => String(firstOf(entry))));
    return `Page ${turnsOf(entries)}, of which the first is ${firsts.join(' or ')}, is that slice of the whole, for every ${sizesOf(entries)}.`;
  }),
  'PAG-09': bound('style', ofStyle('limit'), (entries) => {
    return `No answer holds more items than ${sizesOf(entries)} says; a smaller one is a subset of a larger one.`;
  }),
  'PAG-10': bound(
    'pastEnd',
    (entry) => isNumbered(entry) && entry.pastEnd !== 'not-shown',
    (entries) => {
      const ends = { empty: 'an empty list with 200', refused: 'a 4xx', either: 'an empty list with 200, or a 4xx' };
      const said = distinct(
        entries.map(({ pastEnd }) => ends[pastEnd === null || pastEnd === 'not-shown' ? 'either' : pastEnd]),
      );
      return `Past the last page stands no item: ${said.join('; ')}.`;
    },
  ),
  'PAG-11': {
    by: 'pagination.linkHeader',
    isBound: ({ forbidsLinkHeader }) => forbidsLinkHeader,
    text: () => 'No `Link` header.',
  },
  'PAG-12': bound('parameters', takesValues, (entries) => {
    const names = distinct(all(entries, ({ parameters }) => [parameters.size, parameters.turn].filter(isStated)));
    return `Bad values of ${names.join(', ')} (−1, abc, 1.5, 10^12, empty, repeated) get a refusal or a sane page within the limits; never 5xx, never all rows.`;
  }),
  'PAG-13': {
    ...bound(
      'style',
      ({ size }) => size.default === null || size.maximum === null,
      () => 'Default and maximum page size, order, and behaviour past the last page, of lists that do not state them.',
    ),
    unbound: 'How lists page of which the contract states nothing, and what of it no law of PAG would allow.',
  },
  'PAG-14': {
    ...bound('style', ofStyle('cursor'), (entries) => {
      return `Following ${nextsOf(entries)} from the first page to the end yields each item once, the same sequence for every ${sizesOf(entries)}, and ends; no page but the last is empty or short. A made-up ${turnsOf(entries)} is refused.`;
    }),
    isOfTermsAlone: true,
  },
  'PAG-15': {
    ...bound('style', ofStyle('links'), (entries) => {
      return `Each link (${nextsOf(entries)}) stays on the service, keeps filters and size, and following them yields each item once; prev, first and last lead where they say.`;
    }),
    isOfTermsAlone: true,
  },
};

/** `key`: of an entry. */
function bound(key: string, speaks: Speaks, text: (entries: readonly PagingTerms[]) => string): Binding {
  return {
    by: `pagination[].${key}`,
    isBound: ({ pagination }: Terms) => pagination.some(speaks),
    text: ({ pagination }: Terms) => text(pagination.filter(speaks)),
  };
}

function isStated<T>(value: T | null): value is T {
  return value !== null;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function all(entries: readonly PagingTerms[], of: (entry: PagingTerms) => readonly string[]): readonly string[] {
  return distinct(entries.flatMap(of));
}

function firstOf({ first, style }: PagingTerms): number {
  return first ?? (style === 'page' ? 1 : 0);
}

function turnOf({ parameters }: PagingTerms): string {
  return parameters.turn ?? 'page';
}

function turnsOf(entries: readonly PagingTerms[]): string {
  return distinct(entries.map(turnOf)).join(' or ');
}

function sizesOf(entries: readonly PagingTerms[]): string {
  const names = all(entries, ({ parameters }) => [parameters.size].filter(isStated));
  return names.length === 0 ? 'size' : names.join(' or ');
}

function nextsOf(entries: readonly PagingTerms[]): string {
  return all(entries, ({ links: { next } }) => {
    if (next === null) return [];
    if ('at' in next) return [next.at];
    return [next.rel === null ? next.header : `${next.header}: rel="${next.rel}"`];
  }).join(' or ');
}
