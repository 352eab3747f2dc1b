// Lists as pure functions for the tests of pagination: a query goes in, an answer comes out; a twist changes one thing.

import { pagChecks } from '../../../../src/checks/exchange-checks.ts';
import type { Breach, Judgement } from '../../../../src/contract/judgement.ts';
import { COMMERCE_TERMS } from '../../../../src/contract/shipped.ts';
import type { Exchange, HeaderList } from '../../../../src/exchange/exchange.ts';
import type { Description } from '../../../../src/openapi/model/operation.ts';
import { paginationExperiments } from '../../../../src/probes/pagination/experiments.ts';
import type { Answered, Outcome } from '../../../../src/probes/probe.ts';
import type { World } from '../../../../src/probes/world.ts';
import { exchangeWith } from '../../checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../world.ts';

export type Kind = 'log' | 'offset' | 'page' | 'limit';

export type Item = Readonly<Record<string, unknown>> | string;

/** One page as the list decided it, before it is written down. */
export interface Slice {
  items: readonly Item[];
  readonly all: readonly Item[];
  readonly limit: number;
  readonly offset: number;
  readonly page: number;
  /** Number of this call, from 1. */
  readonly call: number;
  readonly query: URLSearchParams;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: HeaderList;
}

export interface ListSetup {
  readonly kind: Kind;
  /** Where the configuration says that the items stand. */
  readonly place?: string;
  readonly size?: number;
  readonly usual?: number;
  readonly maximum?: number;
  /** Above the maximum: refuse in place of clamping. */
  readonly refuses?: boolean;
  /** Bad values: a page by default values in place of 400. */
  readonly lenient?: boolean;
  readonly item?: (index: number, call: number) => Item;
  /** Changes the items before each call: others write. */
  readonly write?: (items: Item[], call: number) => void;
  readonly slice?: (slice: Slice) => readonly Item[];
  readonly body?: (slice: Slice) => unknown;
  readonly twist?: (answer: Answer, slice: Slice) => Answer;
  /** What is otherwise under the keys of other plans. */
  readonly other?: Omit<ListSetup, 'kind' | 'other'>;
  /** In place of the answer to a bad value. */
  readonly bad?: (query: URLSearchParams, all: readonly Item[]) => Answer | null;
}

const PATHS: Readonly<Record<Kind, string>> = {
  log: '/api/v1/auth/activity/logs',
  offset: '/api/v1/notifications',
  page: '/api/v1/currencies',
  limit: '/api/v1/hs-codes',
};
const PARAMETERS: Readonly<Record<Kind, readonly string[]>> = {
  log: ['page', 'limit'],
  offset: ['limit', 'offset'],
  page: ['limit', 'page'],
  limit: ['limit'],
};

/** The shop's description with the four lists. */
export function loadLists(): Promise<Description> {
  const paths = Object.entries(PATHS).map(([kind, path]) => {
    const parameters = PARAMETERS[kind as Kind].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
    return [path, { get: { parameters, responses: { 200: { description: 'A page' } } } }] as const;
  });
  return loadShop(Object.fromEntries(paths));
}

export function envelopeOf({ items, all, limit, page }: Slice): Record<string, unknown> {
  return { data: items, total: all.length, page, limit, total_pages: Math.ceil(all.length / limit) };
}

/** The list as a function of the query. */
export function serve(setup: ListSetup): (query: string) => Answer {
  const { kind, size = 57, usual = 20, maximum = 100 } = setup;
  const item = setup.item ?? ((index: number) => ({ id: `item_${index}`, name: `Name ${index}` }));
  let items: Item[] = Array.from({ length: size }, (_, index) => item(index, 0));
  let call = 0;
  return (text) => {
    call += 1;
    if (setup.write !== undefined) setup.write(items, call);
    else items = items.map((_one, index) => item(index, call));
    const query = new URLSearchParams(text);
    const refusedAbove = setup.refuses === true ? maximum : Infinity;
    const bad = !PARAMETERS[kind].every((name) => isSound(query, name, refusedAbove));
    if (bad) {
      const answer = setup.bad?.(query, items);
      if (answer != null) return answer;
      if (setup.lenient !== true) return { status: 400, body: { error: { code: 'validation_failed' } } };
    }
    const slice = sliceOf(kind, bad ? soundPart(kind, query, refusedAbove) : query, items, { usual, maximum, call });
    const given = { ...slice, query, items: setup.slice?.({ ...slice, query }) ?? slice.items };
    const usualBody = kind === 'log' ? envelopeOf : ({ items: shown }: Slice) => shown;
    const body = (setup.body ?? usualBody)(given);
    const answer = { status: 200, body };
    return setup.twist?.(answer, given) ?? answer;
  };
}

/** What is left when every bad parameter is as if it had not been given. */
function soundPart(kind: Kind, query: URLSearchParams, most: number): URLSearchParams {
  const sound = PARAMETERS[kind].filter((name) => query.has(name) && isSound(query, name, most));
  return new URLSearchParams(sound.map((name): [string, string] => [name, query.get(name) ?? '']));
}

function isSound(query: URLSearchParams, name: string, most: number): boolean {
  const values = query.getAll(name);
  if (values.length === 0) return true;
  const least = name === 'offset' ? 0 : 1;
  return (
    values.length === 1 &&
    /^\d{1,15}$/.test(values[0] ?? '') &&
    Number(values[0]) >= least &&
    (name !== 'limit' || Number(values[0]) <= most)
  );
}

function sliceOf(
  kind: Kind,
  query: URLSearchParams,
  all: readonly Item[],
  { usual, maximum, call }: { usual: number; maximum: number; call: number },
): Slice {
  const limit = Math.min(maximum, Number(query.get('limit') ?? usual));
  const page = Number(query.get('page') ?? 1);
  const offset = kind === 'offset' ? Number(query.get('offset') ?? 0) : (page - 1) * limit;
  return { items: all.slice(offset, offset + limit), all, limit, offset, page, call, query };
}

export interface Examined {
  /** Clauses with a breach, sorted, with the passive PAG checks' among them. */
  readonly blamed: readonly string[];
  readonly outcomes: readonly Outcome[];
  /** Sent by each experiment. */
  readonly requests: readonly number[];
  readonly queries: readonly string[];
}

export const EVERY_LOOK = [0, 1, 2];
/** With that under the key of another plan, which lists with a limit alone do not have. */
export const ALL_LOOKS = [...EVERY_LOOK, 3];

/** Examines the list; `depths` are the experiments to run. */
export async function examine(
  description: Description,
  setup: ListSetup,
  depths: readonly number[] = [0, 1],
  changes: Partial<World> = {},
): Promise<Examined> {
  const world = worldWith({ listPlace: () => setup.place ?? null, ...changes });
  const reached = reachedWith(world, description, `GET ${PATHS[setup.kind]}`);
  const answer = serve(setup);
  const answerOther = setup.other === undefined ? answer : serve({ ...setup, ...setup.other });
  const blamed = new Set<string>();
  const outcomes: Outcome[] = [];
  const requests: number[] = [];
  const queries: string[] = [];
  const experiments = paginationExperiments(world, reached);
  if (experiments.length === 0) throw new Error('the operation is no list');
  for (const experiment of depths.flatMap((depth) => experiments[depth] ?? [])) {
    let sent = 0;
    const found = await experiment.converse(async (plan): Promise<Answered> => {
      sent += 1;
      queries.push(plan.query);
      const isOther = plan.credential.kind === 'key' && plan.credential.name !== world.mainKey?.name;
      const { headers, ...given } = (isOther ? answerOther : answer)(plan.query);
      const last = exchangeWith({ id: `ex-${sent}`, plan, ...given, ...(headers === undefined ? {} : { headers }) });
      passively(last, reached, blamed);
      return { attempts: [last], last };
    });
    requests.push(sent);
    outcomes.push(...found);
  }
  for (const { clause, judgement } of outcomes) if (isBreach(judgement)) blamed.add(clause);
  return { blamed: [...blamed].sort(), outcomes, requests, queries };
}

/** What the looks themselves found. */
export function breachesOf({ outcomes }: Examined): readonly Breach[] {
  return outcomes.flatMap(({ judgement }) =>
    judgement.kind === 'breached' ? judgement.breaches.filter(({ weight }) => weight === 'breach') : [],
  );
}

function passively(
  exchange: Exchange,
  { operation, description }: ReturnType<typeof reachedWith>,
  blamed: Set<string>,
): void {
  const subject = {
    exchange,
    operation,
    description,
    docsUrl: null,
    contract: 'commerce',
    terms: COMMERCE_TERMS,
  } as const;
  for (const check of pagChecks) {
    if (check.applies(subject) && isBreach(check.judge(subject))) blamed.add(check.clause);
  }
}

function isBreach(judgement: Judgement): boolean {
  return judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight === 'breach');
}
