// Every case of somebody else's API, by server, and which of them all clauses judge today.
import { isDueWhole } from '../programme.ts';
import type { ContractCase } from './cases.ts';
import { DOCUMENTS_CASES } from './documents-cases.ts';
import { FOLLOWED_CASES } from './followed-cases.ts';
import { LIMITED_CASES } from './limited-cases.ts';
import { NUMBERED_CASES } from './numbered-cases.ts';
import { ORDERS_CASES } from './orders-cases.ts';
import { STYLE_CASES } from './styles-cases.ts';
import { TODO_CASES } from './todos-cases.ts';

/** Each server is a table of its own (table.ts). */
export const SERVERS = {
  'an API of notes with a limit': LIMITED_CASES,
  'an orders API with keys': ORDERS_CASES,
  'lists by number': NUMBERED_CASES,
  'lists that are followed': FOLLOWED_CASES,
  'a documents API with entity tags': DOCUMENTS_CASES,
  'an API of to-dos': TODO_CASES,
  'books in many styles': STYLE_CASES,
} satisfies Record<string, readonly ContractCase<unknown>[]>;

/** Those that all clauses judge today. */
export function contractsDueWhole<Case extends ContractCase<unknown>>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, place) => isDueWhole(place));
}

/** What the case is called in the list of cases (`npm run cases`). */
export function idOfContractCase(server: string, { style, clause, text }: ContractCase<unknown>): string {
  return `${server}${style === undefined ? '' : ` (${style})`}: ${clause} ${text}`;
}

export const CONTRACT_CASES = Object.entries(SERVERS).flatMap(
  ([server, cases]: [string, readonly ContractCase<unknown>[]]) => {
    const due = new Set(contractsDueWhole(cases));
    return cases.map((one) => ({ ...one, id: idOfContractCase(server, one), isDueWhole: due.has(one) }));
  },
);
