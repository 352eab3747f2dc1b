import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { inBrief, spoken } from '../../../test/support/checks/judging.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { DescribedMembers } from '../../facts/members.ts';
import { isItem, resourceIn } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { judgeListed, judgeReadable, judgeStillThere } from './life-01-created.ts';
import { judgeSentIsListed } from './life-02-listed.ts';
import { doubtfullyKept, judgeNullIsRead, mayBeMadeAnew, nullReadAsValue } from './life-02-nulls.ts';
import { judgeStillRead } from './life-02-sent-is-read.ts';
import { judgeOtherItem, judgePartialUpdate } from './life-03-partial-update.ts';
import { judgeGone, judgeUnlisted } from './life-04-deleted.ts';
import { judgeNothingLeft } from './life-05-refused-create.ts';
import { judgeReadsAlike } from './life-06-reads-alike.ts';
import { judgeNotApplied } from './life-07-mass-assignment.ts';
import { judgeSentIsRead } from './same-as-sent.ts';

const brief = (judgement: Judgement) => {
  const outcome = spoken(judgement);
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};
const answered = (body: unknown, status = 200) => exchangeWith({ status, body });

describe('a resource', () => {
  it.each([
    ['alone', { id: 1, name: 'a' }],
    ['in an envelope', { data: { id: 1, name: 'a' } }],
    ['under its own name', { status: 'ok', product: { id: 1, name: 'a' } }],
    ['as JSON:API has it', { data: { id: 1, type: 'product', attributes: { name: 'a' } } }],
    ['as the only item of a list', [{ id: 1, name: 'a' }]],
  ])('is found %s', (_how, body) => {
    expect(resourceIn(body)).toMatchObject({ id: 1, name: 'a' });
  });

  it('keeps a member that is called attributes', () => {
    const product = { id: 1, name: 'a', attributes: { colour: 'red' } };
    expect(resourceIn(product)).toEqual(product);
  });

  it('is an item by its id, not by another number of it', () => {
    expect(isItem({ id: 7, stock: 3 }, '3', ['product'])).toBe(false);
    expect([isItem({ id: 3 }, '3', []), isItem({ slug: 'a' }, 'a', []), isItem('a', 'a', [])]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('is none in a body nested without end', () => {
    let body: unknown = { id: 1 };
    for (let level = 0; level < 5_000; level += 1) body = { data: body };
    expect(resourceIn(body)).toBeNull();
  });
});

describe('another item than the one that is changed and deleted', () => {
  it('is still there (LIFE-01)', () => {
    expect(brief(judgeStillThere(answered({ id: 'p1' }), 'p1'))).toBe('holds');
    expect(brief(judgeStillThere(answered({}, 404), 'p1'))).toEqual([
      'what a create answered is gone, and nobody deleted it',
    ]);
    expect(brief(judgeStillThere(answered({}, 500), 'p1'))).toBe('cannot tell');
  });

  it('is as it was (LIFE-03), flags aside, of which only one item may have one', () => {
    const judged = (after: unknown, status = 200) =>
      brief(
        judgeOtherItem({
          before: answered({ id: 'p2', name: 'Lamp', note: 'old', first: true }),
          update: exchangeWith({ plan: { body: { kind: 'json', value: { name: 'Desk' } } }, status: 200 }),
          after: answered(after, status),
          owned: ['name', 'note', 'first'],
          restless: ['note'],
        }),
      );
    expect(judged({ id: 'p2', name: 'Lamp', note: 'new', first: false })).toBe('holds');
    expect(judged({ id: 'p2', name: 'Desk', note: 'old', first: true })).toEqual([
      'an update of one item changes name of another (/name)',
    ]);
    expect(judged({}, 404)).toBe('cannot tell');
  });
});

describe('LIFE-01, reading what was made', () => {
  const about = { id: 'p1', isProven: true, isListed: null };

  it('holds for the resource, and for a body without an id', () => {
    expect(brief(judgeReadable(answered({ id: 'P1' }), about))).toBe('holds');
    expect(brief(judgeReadable(answered({ name: 'a' }), about))).toBe('holds');
    expect(brief(judgeReadable(answered({ id: 3, code: 'p1' }), about))).toBe('holds');
  });

  it('is breached by 404 and 410', () => {
    for (const status of [404, 410])
      expect(brief(judgeReadable(answered({}, status), about))).toEqual(['what a create answered cannot be read']);
  });

  it('cannot tell where the operation never read anything and no list shows the id', () => {
    expect(brief(judgeReadable(answered({}, 404), { ...about, isProven: false }))).toBe('cannot tell');
    expect(brief(judgeReadable(answered({}, 404), { ...about, isProven: false, isListed: true }))).toHaveLength(1);
  });

  it('is breached by another resource', () => {
    expect(brief(judgeReadable(answered({ id: 'p2' }), about))).toEqual([
      'reading what a create answered shows another resource (/id)',
    ]);
  });

  it.each([401, 403, 429, 500])('cannot tell by %i', (status) => {
    expect(brief(judgeReadable(answered({}, status), about))).toBe('cannot tell');
  });
});

describe('LIFE-01, the list', () => {
  const item = { id: 'p1', status: 'active' };
  const about = {
    id: 'p1',
    nouns: ['product'],
    item,
    items: [{ id: 'p2', status: 'active' }],
    isWhole: true,
    showsEarlier: null,
  };

  it('holds where it shows the item', () => {
    expect(brief(judgeListed({ ...about, items: [item] }))).toBe('holds');
  });

  it('is breached where it shows others alone', () => {
    expect(brief(judgeListed(about))).toEqual(['what a create answered is not listed']);
    expect(brief(judgeListed({ ...about, items: [] }))).toHaveLength(1);
    expect(brief(judgeListed({ ...about, showsEarlier: false }))).toHaveLength(1);
  });

  it.each([
    ['it is longer than what was read', { isWhole: false }],
    ['it shows what was made earlier', { showsEarlier: true }],
    ['the item could not be read', { item: null }],
    ['all others are in another state', { item: { id: 'p1', status: 'draft' } }],
    ['it is empty, and the item is a draft', { item: { id: 'p1', status: 'draft' }, items: [] }],
  ])('decides nothing where %s', (_why, change) => {
    expect(brief(judgeListed({ ...about, ...change }))).toBe('cannot tell');
  });
});

describe('LIFE-04', () => {
  const before = answered({ id: 'p1', name: 'a', price: 3, status: 'active' });
  const deletion = exchangeWith({ status: 204 });
  const said = (after: unknown, status = 200) =>
    brief(judgeGone({ id: 'p1', before, deletion, after: answered(after, status) }));

  it.each([404, 410])('holds for %i', (status) => {
    expect(said({}, status)).toBe('holds');
  });

  it('is breached by the resource as it was, and by an answer without one', () => {
    expect(said({ id: 'p1', name: 'a', price: 3, status: 'active' })).toEqual(['what was deleted can still be read']);
    expect(said(null)).toHaveLength(1);
  });

  it.each([
    ['a state', { status: 'archived' }],
    ['any other state than before', { status: 'x9' }],
    ['a time', { deleted_at: '2026-01-01T00:00:00Z' }],
    ['a flag', { isDeleted: true }],
    ['a flag that is turned', { active: false }],
    ['a state further in', { meta: { lifecycle: 'gone' } }],
  ])('observes a resource that says so by %s', (_how, change) => {
    const earlier = answered({ id: 'p1', name: 'a', status: 'active', active: true, meta: { lifecycle: 'here' } });
    const after = answered({ id: 'p1', name: 'a', status: 'active', active: true, ...change });
    expect(brief(judgeGone({ id: 'p1', before: earlier, deletion, after }))).toEqual([
      'observation: a deleted resource can still be read, and says that it is deleted',
    ]);
  });

  it('cannot tell where the id shows something else, or the answer is no answer', () => {
    expect(said({ id: 'p1', name: 'b', price: 4, colour: 'red' })).toBe('cannot tell');
    expect([said({}, 403), said({}, 500), said({}, 302)]).toEqual(Array(3).fill('cannot tell'));
  });

  it('is breached by a list that goes on to show it, not by one that shows it as deleted', () => {
    const listed = (items: readonly unknown[]) => brief(judgeUnlisted('p1', ['product'], items));
    expect(listed([{ id: 'p2' }])).toBe('holds');
    expect(listed([{ id: 'p1', status: 'active' }])).toEqual(['what was deleted is still listed']);
    expect(listed([{ id: 'p1', status: 'deleted' }])[0]).toMatch(/^observation/);
  });
});

describe('LIFE-06', () => {
  const readings = (...values: readonly unknown[]) => values.map((value) => answered({ id: 'p1', stock: value }));
  const said = (values: readonly unknown[], control: readonly unknown[] | null, member = 'stock') => {
    const shown = (value: unknown) => answered({ id: 'p1', [member]: value });
    const [one, two] = values.map(shown);
    const four = control?.map(shown);
    return brief(judgeReadsAlike(one ?? answered({}), two ?? answered({}), (four as never) ?? null));
  };

  it('holds for equal readings, other orders and other times', () => {
    const [one, two] = readings(['a', 'b'], ['b', 'a']);
    expect(brief(judgeReadsAlike(one ?? answered({}), two ?? answered({}), null))).toBe('holds');
    expect(said(['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'], null)).toBe('holds');
    expect(said([1, 2], null, 'expires_at')).toBe('holds');
  });

  it('is breached by what the first reading turns, and by what each reading steps', () => {
    expect(said(['new', 'old'], ['new', 'old', 'old', 'old'])).toEqual(['reading an item changes it (/stock)']);
    expect(said([9, 8], [9, 8, 7, 6])).toEqual(['reading an item changes it (/stock)']);
    expect(said([9, 8], [9, 8, 8, 8])).toEqual(['reading an item changes it (/stock)']);
    expect(said([true, false], [false, true, false, true])).toEqual(['reading an item changes it (/stock)']);
    expect(said([76.5, 76.49], [76.5, 76.49, 76.48, 76.47])).toEqual(['reading an item changes it (/stock)']);
    expect(said([['a'], ['a', 'b']], [['a'], ['a', 'b'], ['a', 'b', 'b'], ['a', 'b', 'b', 'b']])).toEqual([
      'reading an item changes it (/stock)',
    ]);
  });

  it('holds for what changes on its own: by the time, or each time anew', () => {
    expect(said(['running', 'done'], ['done', 'done', 'done', 'done'])).toBe('holds');
    expect(said(['x', 'y'], ['p', 'q', 'r', 's'])).toBe('holds');
    expect(said([true, false], [false, true, true, false])).toBe('holds');
    expect(said([100, 101], [6000, 6001, 8001, 8002])).toBe('holds');
  });

  it('is breached by a time of the last change that each reading moves, and by no other time', () => {
    const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
    const each = [at(1), at(2), at(3), at(4)];
    expect(said(each, each, 'updatedAt')).toEqual(['reading an item changes it (/updatedAt)']);
    expect(said([1, 2], [1, 2, 3, 4], 'modified')).toEqual(['reading an item changes it (/modified)']);
    expect(said(each, [at(1), at(2), at(2), at(2)], 'updated_at')).toBe('holds');
    expect(said(each, [at(1), at(1), at(3), at(3)], 'updated_at')).toBe('holds');
    expect(said(each, each, 'generated_at')).toBe('holds');
    expect(said(each, null, 'updated_at')).toBe('cannot tell');
  });

  it('observes what counts readings', () => {
    expect(said([1, 2], [1, 2, 3, 4], 'viewCount')).toEqual([
      'observation: viewCount tells that an item was read (/viewCount)',
    ]);
  });

  it('cannot tell without a second item', () => {
    expect(said([1, 2], null)).toBe('cannot tell');
  });
});

const described = (properties: Record<string, unknown>) => ({ type: 'object', properties });
async function membersOf(properties: Record<string, unknown>, shown: Record<string, unknown> = properties) {
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const shop = await loadFiles({
    'shop.json': {
      openapi: '3.0.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/things': {
          post: {
            requestBody: json(described(properties)),
            responses: { 200: { description: 'Made', ...json(described(shown)) } },
          },
        },
      },
    },
  });
  const [operation] = shop.operations;
  const sent = operation?.requestBody?.content[0]?.schema ?? null;
  return { description: shop, sent, shown: operation?.responses[0]?.content[0]?.schema ?? null };
}
const text = { type: 'string' };
const writing = (value: unknown, status = 201) =>
  exchangeWith({ status, plan: { method: 'POST', body: { kind: 'json', value } } });

describe('a value that was sent', () => {
  it.each([
    ['an email in small letters', 'A@Example.com', 'a@example.com'],
    ['a trimmed text', '  a b ', 'a b'],
    ['one blank in place of two', 'a  b', 'a b'],
    ['another Unicode form', 'e\u0301', '\u00e9'],
    ['a code without its dash', 'ab-12', 'AB12'],
    ['a phone number with blanks', '+15550100123', '+1 (555) 010-0123'],
    ['a number as a text', 12.5, '12.50'],
    ['a text as a number', '7', 7],
    ['a number rounded to two places', 12.3456, 12.35],
    ['a number in single precision', 16_777_217.5, 16_777_218],
    ['a number in seven digits', 1_234_567.891, 1_234_568],
    ['a date with another zone', '2026-01-01T12:00:00Z', '2026-01-01T13:00:00+01:00'],
    ['a date as epoch seconds', '2026-01-01T00:00:00Z', 1767225600],
    ['a time cut to its day', '2026-01-01T12:30:00Z', '2026-01-01'],
    ['a set in another order', ['a', 'b'], ['b', 'a']],
    ['a set without its doubles', ['a', 'a'], ['a']],
    ['an object with further members', { a: 1 }, { a: 1, b: 2 }],
    ['a flag as a number', true, 1],
    ['an escaped text', 'a & b', 'a &amp; b'],
    ['nothing in place of null', null, undefined],
    ['a reference that is shown whole', 'c1', { id: 'c1', name: 'x' }],
  ])('is the same as %s', (_how, sent, read) => {
    expect(sameness(sent, read)).toBe('same');
  });

  it.each([
    ['a cut text', 'assay shop one', 'assay shop'],
    ['another text', 'a b', 'a c'],
    ['a whole number of a price', 19.99, 20],
    ['a whole number of a large price', 999_999.75, 999_999],
    ['another number', 5, 6],
    ['another sign', 5, -5],
    ['another flag', true, false],
    ['another day', '2026-01-01', '2026-01-02'],
    ['a set with less', ['a', 'b'], ['a']],
    ['null', 'a', null],
    ['another member of an object', { street: 'a' }, { street: 'b' }],
  ])('is not the same as %s', (_how, sent, read) => {
    expect(sameness(sent, read)).toBe('other');
  });

  it.each([
    ['what a mask hides', '4111111111111111', '**** 1111'],
    ['another form', ['a'], 'a,b'],
    ['a default in place of null', null, 'EUR'],
  ])('says nothing beside %s', (_how, sent, read) => {
    expect(sameness(sent, read)).toBe('unsure');
  });

  it('is compared to a bounded depth', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    expect(sameness(nested(3_000), nested(3_000))).toBe('unsure');
  });
});

describe('LIFE-02', () => {
  const said = async (sent: unknown, read: unknown, properties: Record<string, unknown>, shown = properties) =>
    brief(judgeSentIsRead(writing(sent), answered(read), await membersOf(properties, shown)));

  it('holds for what is kept', async () => {
    expect(await said({ name: 'a' }, { id: 1, name: 'a' }, { name: text })).toBe('holds');
  });

  it('is breached by what is lost within an object, where the description has it there', async () => {
    const weight = { type: 'object', properties: { value: { type: 'number' }, unit: text } };
    const sent = { size: { weight: { value: 5, unit: 'kg' } } };
    const read = { id: 1, size: { weight: { unit: 'kg' } } };
    const size = { type: 'object', properties: { weight } };
    expect(await said(sent, read, { size })).toEqual(['a member of size is not kept (/size/weight/value)']);
    expect(await said(sent, read, { size }, { size: { type: 'object' } })).toBe('cannot tell');
    expect(await said({ size: { weight: { value: 0, unit: 'kg' } } }, read, { size })).not.toContain('a member');
  });

  it('is breached by a list that shows another value, and not by one that shortens texts or leaves members out', async () => {
    const members = await membersOf({ name: text, size: { type: 'object' } });
    const sent = { name: 'long name', size: { width: 3 } };
    const shown = (listed: object) =>
      brief(judgeSentIsListed(writing(sent), { id: 1, ...sent }, { id: 1, ...listed }, members));
    expect(shown({ size: { width: 4 } })).toEqual(['the list shows another size than was sent (/size)']);
    expect([shown(sent), shown({ size: { width: 3, height: 1 } })]).toEqual(['holds', 'holds']);
    for (const part of [
      { name: 'long' },
      { name: 'long…' },
      { name: 'l**g' },
      { size: { width: null } },
      { size: 1 },
      {},
    ])
      expect(shown(part)).toBe('cannot tell');
    const readOtherwise = judgeSentIsListed(writing(sent), { id: 1, size: { width: 4 } }, { id: 1, size: {} }, members);
    expect(brief(readOtherwise)).toBe('cannot tell');
  });

  it('cannot be told of a reading that fails', async () => {
    const failed = answered({ error: { code: 'internal_error' } }, 500);
    expect(brief(judgeSentIsRead(writing({ name: 'a' }), failed, await membersOf({ name: text })))).toBe('cannot tell');
  });

  it('is breached by what is lost within the items of a list, whatever their order', async () => {
    const variant = { type: 'object', properties: { code: text, stock: { type: 'integer' } } };
    const properties = { variants: { type: 'array', items: variant } };
    const sent = {
      variants: [
        { code: 'a', stock: 4 },
        { code: 'b', stock: 5 },
      ],
    };
    const read = (...variants: readonly object[]) => said(sent, { id: 1, variants }, properties as never);
    expect(await read({ code: 'b', stock: 5 }, { code: 'a', stock: 4 })).toBe('holds');
    expect(await read({ code: 'b', stock: 5 }, { code: 'a' })).toEqual([
      'a member of variants is not kept (/variants/0/stock)',
    ]);
  });

  it('is breached by null or an empty list that changes nothing, and not by one that is kept or answered by another value', async () => {
    const before = answered({ id: 1, note: 'n', tags: ['t'] });
    const members = await membersOf({ note: text, tags: { type: 'array' } });
    const cleared = (sent: object, read: object, status = 200) =>
      brief(judgeSentIsRead(writing(sent), answered({ id: 1, ...read }, status), members, [], before));
    expect(cleared({ note: null }, { note: 'n' })).toEqual(['null for note is accepted and changes nothing (/note)']);
    expect(cleared({ tags: [] }, { tags: ['t'] })).toEqual(['[] for tags is accepted and changes nothing (/tags)']);
    expect(cleared({ note: null }, { note: null })).toBe('holds');
    expect([cleared({ note: null }, { note: 'none' }), cleared({ note: null }, { note: 'n' }, 500)]).toEqual([
      ...['cannot tell', 'cannot tell'],
    ]);
  });

  it('is breached by a change that makes the item unreadable, unless it moved or may be hidden by what was sent', () => {
    const read = (sent: object, status: number, shown: object = { id: 'p1' }) => {
      const plan = { method: 'PUT', body: { kind: 'json', value: sent } } as const;
      return brief(judgeStillRead(exchangeWith({ status: 200, body: shown, plan }), answered({}, status), 'p1'));
    };
    expect(read({ name: 'a' }, 404)).toEqual(['what was changed can no longer be read']);
    expect(read({ state: 'open' }, 410)).toEqual(['what was changed can no longer be read']);
    for (const sent of [{ state: 'archived' }, { active: false }, { deleted_at: '2026-01-01' }])
      expect(read(sent, 404)).toBe('cannot tell');
    expect(read({ name: 'Blue door' }, 404, { id: 'p2' })).toHaveLength(1);
    expect(read({ name: 'Blue door' }, 404, { id: 'blue-door-2' })).toBe('cannot tell');
    expect(read({ name: 'a' }, 500)).toBe('cannot tell');
  });

  it('is breached by a name of the client that is lost, and not by one that is normalised', async () => {
    const labels = { type: 'object', additionalProperties: text };
    const read = (shown: object) =>
      said({ labels: { Colour: 'red', size: 'm' } }, { id: 1, labels: shown }, { labels });
    expect(await read({ colour: 'red', size: 'm', by: 'api' })).not.toContain('a member');
    expect(await read({ size: 'm' })).toEqual(['a member of labels is not kept (/labels/Colour)']);
    expect(await read({ x_colour: 'red', size: 'm' })).toEqual(['a member of labels is not kept (/labels/Colour)']);
  });

  it('is breached by null within an object that changes nothing, and not where a default may be what was there', async () => {
    const address = { type: 'object', properties: { zip: text, floor: { type: 'integer' } } };
    const members = await membersOf({ address, labels: { type: 'object' } });
    const cleared = (method: string, sent: object, kept: object) => {
      const before = answered({ id: 1, ...kept });
      const write = exchangeWith({ status: 200, plan: { method, body: { kind: 'json', value: sent } } });
      return brief(judgeSentIsRead(write, answered({ id: 1, ...kept }), members, [], before));
    };
    const kept = { address: { zip: 'z', floor: 1 } };
    const told = ['null for address.zip is accepted and changes nothing (/address/zip)'];
    expect(cleared('PATCH', { address: { zip: null, floor: 1 } }, kept)).toEqual(told);
    expect(cleared('PUT', { address: { zip: null } }, kept)).toEqual(told);
    expect(cleared('PATCH', { address: { zip: 'z', floor: null } }, kept)).toBe('cannot tell');
    expect(cleared('PATCH', { labels: {} }, { labels: { a: 'b' } })).toBe('cannot tell');
    expect(cleared('PUT', { labels: {} }, { labels: { a: 'b' } })).toEqual([
      '{} for labels is accepted and changes nothing (/labels)',
    ]);
  });

  it('names what is read as before where null may have been answered by a default that was there', async () => {
    const way = { type: 'string', enum: ['post', 'van', null], nullable: true };
    const members = await membersOf({ way, note: text, express: { type: 'boolean' } });
    const doubtful = (sent: object, was: object, is: object) =>
      doubtfullyKept(writing(sent), answered({ id: 1, ...is }), members, answered({ id: 1, ...was }));
    expect(doubtful({ way: null }, { way: 'van' }, { way: 'van' })).toBe('way');
    expect(doubtful({ express: null }, { express: true }, { express: true })).toBe('express');
    expect(doubtful({ way: null }, { way: 'van' }, { way: 'post' })).toBeNull();
    expect(doubtful({ note: null }, { note: 'n' }, { note: 'n' })).toBeNull();
  });

  it('is breached by what is lost, and by another value', async () => {
    expect(await said({ name: 'a' }, { id: 1, name: 'b' }, { name: text })).toEqual([
      'name is read otherwise than it was sent (/name)',
    ]);
    expect(await said({ name: 'a' }, { id: 1 }, { name: text })).toEqual(['name is not kept (/name)']);
  });

  it.each([
    ['write-only', { code: { ...text, writeOnly: true } }],
    ['read-only', { code: { ...text, readOnly: true } }],
    ['formatted as a password', { code: { ...text, format: 'password' } }],
    ['not described', { other: text }],
  ])('compares no member that is %s', async (_how, properties) => {
    expect(await said({ code: 'a' }, { id: 1, code: 'b' }, properties as never)).toBe('cannot tell');
  });

  it.each(['id', 'status', 'createdAt', 'owner_id', 'version', 'totalPrice', 'order_total', 'password', 'api_key'])(
    'compares no %s, which servers set or hide',
    async (name) => {
      expect(await said({ [name]: 'a' }, { id: 1, [name]: 'b' }, { [name]: text })).toBe('cannot tell');
    },
  );

  it('does not ask for a member that the description of the reading lacks', async () => {
    expect(await said({ name: 'a' }, { id: 1 }, { name: text }, { id: text } as never)).toBe('cannot tell');
  });

  it('asks the resource for nothing of an envelope that both sides have, also where its members are free', async () => {
    const sent = { data: { a: 'x' }, permissions: { read: ['b'] } };
    const read = { data: { id: 1, a: 'x' }, permissions: { read: ['b'] } };
    const free = { type: 'object' };
    expect(await said(sent, read, { data: free, permissions: free })).toBe('cannot tell');
  });
});

describe('LIFE-02, null that is read with a value', () => {
  const members = async (note: unknown): Promise<DescribedMembers> => {
    const schema = { type: 'object', properties: { note } };
    const content = { 'application/json': { schema } };
    const post = { requestBody: { content }, responses: { 201: { description: 'Made', content } } };
    const description = await loadFiles({
      'things.json': { openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, paths: { '/things': { post } } },
    });
    const handle = description.operations[0]?.requestBody?.content[0]?.schema ?? null;
    return { description, sent: handle, shown: handle };
  };
  const nullable = { type: ['string', 'null'] };
  const asked = async (note: unknown, read: unknown, restless: readonly string[] = []) =>
    nullReadAsValue(writing({ note: null }, 201), answered({ id: 1, note: read }), await members(note), restless);

  it('is looked at where both sides are described to have null, and no default is', async () => {
    expect(await asked(nullable, 'none')).toBe('note');
    expect(await asked(nullable, '')).toBeNull();
    expect(await asked(nullable, 'none', ['note'])).toBeNull();
    expect(await asked({ ...nullable, default: 'none' }, 'none')).toBeNull();
    expect(await asked({ type: 'string' }, 'none')).toBeNull();
  });

  it('is a breach where the member has no value, or always another one, when it is left out', () => {
    const judged = (left: unknown, again: unknown, status = 200) => {
      const [first, without] = [answered({ id: 1, note: 'none' }), answered({ id: 2, note: left }, status)];
      const isNeeded = mayBeMadeAnew('note', { first, without });
      return brief(judgeNullIsRead('note', { first, without, again: isNeeded ? answered({ note: again }) : null }));
    };
    const breach = ['note is read with a value where null was sent (/note)'];
    expect(judged(null, 'unasked')).toEqual(breach);
    expect(judged('Hello', 'none')).toEqual(breach);
    // A default, or a value that is made anew for each write.
    expect(judged('none', 'none')).toBe('cannot tell');
    expect(judged('code 2', 'code 3')).toBe('cannot tell');
    expect(judged(null, null, 404)).toBe('cannot tell');
  });
});

describe('LIFE-03', () => {
  const around = (after: Record<string, unknown>, change: Record<string, unknown> = {}) =>
    brief(
      judgePartialUpdate({
        before: answered({ id: 1, name: 'a', note: 'n', size: 3 }),
        update: writing({ name: 'Blue door' }, 200),
        after: answered({ id: 1, name: 'Blue door', note: 'n', size: 3, ...after }),
        owned: ['name', 'note', 'size'],
        restless: [],
        ...change,
      }),
    );

  it('holds where the others stay', () => {
    expect(around({ version: 2, updated_at: 'now' })).toBe('holds');
  });

  it('is breached by a member that was not sent', () => {
    expect(around({ note: null })).toEqual(['a partial update changes note, which it did not send (/note)']);
    expect(around({ size: 4 })).toHaveLength(1);
    expect(around({ size: undefined })).toHaveLength(1);
  });

  it('is breached by what an object lacks that showed it before', () => {
    const before = answered({ id: 1, name: 'a', box: { height: 3, unit: 'cm', status: 'new' } });
    const owned = ['name', 'box'];
    expect(around({ box: { unit: 'cm', status: 'new' } }, { before, owned })).toHaveLength(1);
    expect(around({ box: { height: 3, unit: 'cm' } }, { before, owned })).toBe('holds');
  });

  it('compares neither what changes on its own nor what is made of the new value', () => {
    expect(around({ size: 4 }, { restless: ['size'] })).toBe('holds');
    expect(around({ note: 'the-blue-door' })).toBe('holds');
  });

  it('cannot tell where nothing else is known to be the client’s, and where a reading fails', () => {
    expect(around({}, { owned: ['name'] })).toBe('cannot tell');
    expect(around({}, { after: answered({ error: { code: 'resource_not_found' } }, 404) })).toBe('cannot tell');
  });
});

describe('LIFE-05', () => {
  const items = [
    { id: 1, name: 'assay-ok' },
    { id: 2, name: 'Other' },
  ];
  const said = (change: Record<string, unknown> = {}) =>
    brief(judgeNothingLeft({ items, isWhole: true, refused: ['assay-no'], accepted: 'assay-ok', ...change }));

  it('holds where the list shows what was accepted and nothing that was refused', () => {
    expect(said()).toBe('holds');
  });

  it('is breached by the text of a refused create, in any case', () => {
    const left = [...items, { id: 3, email: 'ASSAY-NO@example.com' }];
    expect(said({ items: left })).toEqual(['a create that was refused leaves something behind']);
    expect(said({ items: left, isWhole: false, accepted: null })).toHaveLength(1);
  });

  it.each([
    ['nothing was refused that could be found', { refused: [] }],
    ['the list shows no names', { accepted: null }],
    ['the accepted one is not shown', { accepted: 'assay-else' }],
    ['the list is longer than what was read', { isWhole: false }],
  ])('cannot tell where %s', (_why, change) => {
    expect(said(change)).toBe('cannot tell');
  });
});

describe('LIFE-07', () => {
  const sent = { role: 'admin', id: 'x9' };
  const control = answered({ id: 'x1', role: 'member' });
  const said = (reading: unknown, controls = [control], status = 201) =>
    brief(
      judgeNotApplied({
        write: writing(sent, status),
        sent,
        reading: reading === null ? null : answered(reading),
        controls,
      }),
    );

  it('holds for members that are refused or ignored', () => {
    expect(said(null, [], 400)).toBe('holds');
    expect(said({ id: 'x2', role: 'member' })).toBe('holds');
    expect(said({ id: 'x2' })).toBe('holds');
  });

  it('is breached by each member that is read as it was sent', () => {
    expect(said({ id: 'x9', role: 'admin' })).toEqual([
      'role, which clients do not own, is applied (/role)',
      'id, which clients do not own, is applied (/id)',
    ]);
  });

  it('holds where a control shows the value, too', () => {
    expect(said({ id: 'x2', role: 'admin' }, [control, answered({ id: 'x1', role: 'admin' })])).toBe('holds');
  });

  it('cannot tell without a reading, without a control, or by an answer that says nothing', () => {
    expect([said(null), said({ id: 'x9' }, []), said(null, [control], 500), said(null, [control], 302)]).toEqual(
      Array(4).fill('cannot tell'),
    );
  });
});
