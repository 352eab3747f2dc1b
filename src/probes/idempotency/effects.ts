// What the target shows of effects: the list of the collection, walked to its end, and items read where the list is terse.

import { judgeLost } from '../../checks/idem/idem-02-to-04-effects.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { exactBody, jsonText } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { idIn, nounsOf } from '../../facts/identity.ts';
import { itemsOf } from '../../facts/items.ts';
import { isObject } from '../../generate/schema-shape.ts';
import type { Send } from '../probe.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import { holdsMark } from './bodies.ts';
import { readItem } from './items.ts';
import { type Ground, succeeded } from './keyed-operation.ts';

const PROBE = 'idempotency/list';
const PAGE = 100;
const MOST_PAGES = 25;
const MOST_VISITS = 6;
/** After what shows too much the list is looked at again: what is removed late is no effect. ms. */
export const SECOND_LOOK_MS = 400;

/** Items of the whole list by id; `last` is the page to show as evidence. Null where there is no list, or it is not answered. */
export interface Walk {
  readonly items: ReadonlyMap<string, unknown>;
  readonly pages: readonly Exchange[];
}

/** Every item that the list shows, each once. */
async function walk(ground: Ground, send: Send): Promise<Walk | null> {
  const { list } = ground.neighbours;
  if (list === null) return null;
  const { path } = list.operation;
  const nouns = nounsOf(ground.reached.operation.path);
  const noun = path.slice(path.lastIndexOf('/') + 1);
  const place = ground.world.listPlace(list.operation.key);
  const items = new Map<string, unknown>();
  const pages: Exchange[] = [];
  for (let index = 0; index < MOST_PAGES; index += 1) {
    const query = pageQuery(list, index, items.size);
    if (query === null) break;
    const { last } = await send(planOf(list.recipe, PROBE, drawFor(ground.world, PROBE), { query }));
    const body = exactBody(last);
    if ((last.response?.status ?? 599) >= 300 || !body.ok) return index === 0 ? null : { items, pages };
    pages.push(last);
    const before = items.size;
    for (const item of itemsOf(body.value, noun, place)) items.set(idIn(item, nouns) ?? jsonText(item), item);
    if (items.size === before || isLast(body.value, index + 1)) break;
  }
  return { items, pages };
}

/** The query of the next page; null when the list has no further one. */
function pageQuery(list: Reached, index: number, seen: number): string | null {
  const declared = list.operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const turner = ['page', 'offset'].find((name) => declared.includes(name));
  if (index > 0 && turner === undefined) return null;
  const others = list.recipe.query.filter(([name]) => name !== 'limit' && name !== turner);
  const limit: [string, string][] = declared.includes('limit') ? [['limit', String(PAGE)]] : [];
  const turn: [string, string][] = turner === undefined ? [] : [[turner, String(turner === 'page' ? index + 1 : seen)]];
  return queryText([...others, ...limit, ...turn]);
}

function isLast(body: unknown, page: number): boolean {
  if (!isObject(body)) return false;
  const total = body.total_pages ?? body.totalPages;
  return typeof total === 'number' && page >= total;
}

/** Ids of the resources that hold each mark (null: no mark), and the pages that show it. Null where nothing shows effects. */
export async function lookFor(
  ground: Ground,
  send: Send,
  marks: readonly (string | null)[],
): Promise<{ readonly shown: readonly (readonly string[])[]; readonly pages: readonly Exchange[] } | null> {
  const walked = marks.every((mark) => mark === null) ? null : await walk(ground, send);
  if (walked === null) return null;
  const sought = marks.map((mark) => mark ?? '\u0000');
  const shown = await marked(ground, send, walked, sought, ground.listed);
  for (const id of walked.items.keys()) ground.listed.add(id);
  return shown === null ? null : { shown, pages: walked.pages };
}

/**
 * Ids of the listed items that hold each mark, in the order of the marks. Where the list shows no marks at all, new
 * items (those not in `before`) are read one by one. Null where nothing shows effects.
 */
async function marked(
  ground: Ground,
  send: Send,
  walked: Walk,
  marks: readonly string[],
  before: ReadonlySet<string>,
): Promise<readonly (readonly string[])[] | null> {
  const { details } = ground;
  const shown = new Map<string, unknown>([...walked.items].map(([id, item]) => [id, details.get(id) ?? item]));
  const found = (): readonly (readonly string[])[] =>
    marks.map((mark) => [...shown].flatMap(([id, item]) => (holdsMark(item, mark) ? [id] : [])));
  if (found().some((ids) => ids.length > 0)) return found();
  const fresh = [...walked.items.keys()].filter((id) => !before.has(id));
  if (ground.neighbours.item === null || fresh.length === 0 || fresh.length > MOST_VISITS) return null;
  for (const id of fresh) {
    const answer = await readItem(ground, send, id);
    const body = answer === null ? null : exactBody(answer);
    if (answer === null || body?.ok !== true || !succeeded(answer)) continue;
    details.set(id, body.value);
    shown.set(id, body.value);
  }
  return found().some((ids) => ids.length > 0) ? found() : null;
}

/** Between the looks at what may come late; once an effect was lost, the first alone. */
const PAUSES_MS = [400, 1000, 2000];

/**
 * IDEM-02 from the other side: a send was answered a success, and what it made is nowhere. A list may show what is new late, or
 * never; so the resource is read by its id until it must be there, and another one to see that ids are read so. The breach and
 * what shows it; null where what the original tells of is there, or may be.
 */
export async function lookForLost(
  ground: Ground,
  send: Send,
  original: Exchange,
): Promise<{ readonly judgement: Judgement; readonly evidence: readonly Exchange[] } | null> {
  const id = ground.idOf(original);
  if (id === null || !ground.creates || ground.losing === 'cannot-tell') return null;
  for (const ms of [0, ...(ground.losing === 'seen' ? PAUSES_MS.slice(0, 1) : PAUSES_MS)]) {
    if (ms > 0) await ground.pause(ms);
    if ((await readItem(ground, send, id))?.response?.status !== 404) return null;
  }
  const walked = await walk(ground, send);
  if (walked === null || walked.items.has(id)) return null;
  const [another] = walked.items.keys();
  const other = another === undefined ? null : await readItem(ground, send, another);
  ground.losing = other !== null && succeeded(other) ? 'seen' : 'cannot-tell';
  if (other === null || ground.losing === 'cannot-tell') return null;
  return { judgement: judgeLost(id), evidence: [original, ...walked.pages.slice(-1), other] };
}
