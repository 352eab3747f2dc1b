// What a call made and no answer told of is found by the lists, before and after: deleted where it shows a text of the run, else told.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Things, TOKEN, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone', toys: 'gone' } as const;

/** A run on this machine; `besides`: what happens to the target with each pet that is made. */
async function judged(
  besides: (target: Things, sent: string, id: string) => void,
  isTold = true,
  change = (whole: Record<string, unknown>): unknown => whole,
) {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const answer = (asked: Asked): Answer => {
    const answered = target.answer({ ...asked, url: asked.url.replace(/^\/toy(?=[/?]|$)/, '/toys') });
    if (asked.method !== 'POST' || !asked.url.startsWith('/pets') || answered.status !== 201) return answered;
    besides(target, JSON.parse(asked.body).name, (answered.body as { id: string }).id);
    return isTold ? answered : { status: 204 };
  };
  const described = (whole: Record<string, unknown>): unknown =>
    isTold
      ? change(whole)
      : JSON.parse(JSON.stringify(whole).replaceAll('"201":{', '"204":{"description":"done"},"201":{'));
  const options = { collections: COLLECTIONS, described };
  const report = await judgedInMemory(options, answer, { clauses: ['SCH-06'] }, clock);
  return { report, left: target.left(), isUntouched: target.isUntouched() };
}

test('what a create makes besides is deleted where it holds a text of the run', async () => {
  const { report, left, isUntouched } = await judged((target, name) => {
    if (name.includes('9f3a2b')) target.put('toys', `toy of ${name}`);
  });
  expect(report.created?.deleted).toBeGreaterThan(1);
  expect({ left, leftovers: report.leftovers, isUntouched }).toEqual({
    left: { pets: [], toys: [] },
    leftovers: [],
    isUntouched: true,
  });
});

test('the list in the plural shows what is made in the singular', async () => {
  const besides = (target: Things, name: string): void => {
    if (name.includes('9f3a2b')) target.put('toys', `toy of ${name}`);
  };
  const { report, left } = await judged(besides, true, ({ paths, ...whole }) => {
    const { '/toys': all, '/toys/{id}': one, ...others } = paths as Record<string, Record<string, unknown>>;
    const own = { '/toys': { get: all?.get }, '/toy': { post: all?.post }, '/toy/{id}': one };
    return { ...whole, paths: { ...others, ...own } };
  });
  expect(report.created?.deleted).toBeGreaterThan(1);
  expect({ left, leftovers: report.leftovers }).toEqual({ left: { pets: [], toys: [] }, leftovers: [] });
});

test('what came and shows nothing of the run is told, and stays', async () => {
  let made = 0;
  const { report, left } = await judged((target) => void (made++ === 0 && target.put('toys', 'a gift')));
  expect(left).toEqual({ pets: [], toys: ['a gift'] });
  expect(report.leftovers).toEqual([expect.stringMatching(/^POST \/toys → toys-\d+$/)]);
  const reasons = report.created?.operations.flatMap((row) => row.reasons);
  expect(reasons).toEqual(['it came while the run was there, and nothing shows that the run made it']);
});

test('what was made by an answer without a body is gone where no list shows it any more', async () => {
  const { report, left } = await judged((target, _name, id) => target.take(`/pets/${id}`), false);
  expect(left).toEqual({ pets: [], toys: [] });
  expect(report.created?.operations.flatMap((row) => row.reasons)).toEqual([]);
  expect(report.created?.left).toBe(0);
});

const letter = (digit: string): string => String.fromCharCode(97 + Number(digit));

/** Lists that calls elsewhere add to (POST /send-letters for GET /letters): the ids that these answer, and what becomes of what came. */
const SENT = {
  letters: { idAt: (count: number) => `letter-${1e12 + count}`, isDeletable: true, showsText: false },
  memos: { idAt: (count: number) => `memo-${1e12 + count}`, isDeletable: false, showsText: false },
  notes: { idAt: (count: number) => `${1000 + count}`.replaceAll(/\d/g, letter), isDeletable: true, showsText: false },
  cards: { idAt: (count: number) => 40 + count, isDeletable: true, showsText: true },
  votes: { idAt: (count: number) => 40 + count, isDeletable: true, showsText: false },
};

/** A target that makes things by calls elsewhere. */
function sendingTarget() {
  const names = Object.keys(SENT) as (keyof typeof SENT)[];
  const sent = new Map<string, number>(names.map((name) => [name, 0]));
  const kept = new Map(names.map((name) => [name, new Map<string, unknown>([['theirs', { id: 'theirs' }]])]));
  const send = (name: keyof typeof SENT, text: string): Answer => {
    const { idAt, showsText } = SENT[name];
    const count = (sent.get(name) ?? 0) + 1;
    const id = idAt(count);
    sent.set(name, count);
    kept.get(name)?.set(`${id}`, { id, ...(showsText ? { text } : {}) });
    return { status: 200, body: { id } };
  };
  const onThings = (things: Map<string, unknown>, method: string, id: string | undefined): Answer => {
    if (id === undefined) return { status: 200, body: [...things.values()] };
    if (!things.has(id)) return { status: 404, body: { error: 'no such thing' } };
    if (method === 'DELETE') things.delete(id);
    return { status: 200, body: { id } };
  };
  const answer = ({ method, url, body, authorization }: Asked): Answer => {
    const [, name, id] = /^\/(?:send-)?([a-z]+)(?:\/(.+))?$/.exec(url) ?? [];
    const known = names.find((one) => one === name);
    if (known === undefined) return { status: 404, body: { error: 'no such path' } };
    if (authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
    if (!url.startsWith('/send-')) return onThings(kept.get(known) ?? new Map(), method, id);
    return method === 'POST' ? send(known, body) : { status: 405, body: { error: 'no such method' } };
  };
  return { sent, kept, answer };
}

test('what calls made elsewhere, under ids that they answered, is deleted or told', async () => {
  const clock = simulatedClock();
  const { sent, kept, answer } = sendingTarget();
  const described = (whole: Record<string, unknown>): unknown => {
    const responses = { 200: { description: 'Done' }, 401: { description: 'Unknown' }, 404: { description: 'None' } };
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const send = { requestBody: { content: { 'application/json': { schema } }, required: true }, responses };
    const call = { responses };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const own = Object.entries(SENT).flatMap(([name, { isDeletable }]) => [
      [`/send-${name}`, { post: send }],
      [`/${name}`, { get: call }],
      [`/${name}/{id}`, { parameters, get: call, ...(isDeletable ? { delete: call } : {}) }],
    ]);
    return { ...whole, paths: Object.fromEntries(own) };
  };
  const given = { clauses: ['SCH-06'] };
  const report = await judgedInMemory({ collections: {}, described }, answer, given, clock);
  expect([...kept].filter(([, things]) => !things.has('theirs'))).toEqual([]);
  expect(Math.min(...sent.values())).toBeGreaterThan(1);
  const told = (name: string) => report.leftovers?.filter((line) => line.startsWith(`POST /send-${name} `)).length;
  const rows = [...kept].map(([name, things]) => [name, { left: things.size - 1, told: told(name) }]);
  const many = (name: string) => sent.get(name);
  expect(Object.fromEntries(rows)).toEqual({
    letters: { left: 0, told: 0 },
    memos: { left: many('memos'), told: many('memos') },
    // Short ids, of which several are new together.
    notes: { left: 0, told: 0 },
    // Numbers beside the texts that were sent.
    cards: { left: 0, told: 0 },
    // Numbers alone: two lists may count alike.
    votes: { left: many('votes'), told: 0 },
  });
});
