import { describe, expect, it } from 'vitest';
import { lifeWith } from '../../../test/support/checks/lives.ts';
import { isItem, resourceIn } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';

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

const text = { type: 'string' };
const THING = { id: 't1', name: 'a', note: 'n', size: 3 };
const MEMBERS = {
  name: text,
  note: text,
  size: { type: 'integer' },
  first: { type: 'boolean' },
  box: { type: 'object' },
};

describe('LIFE-01, reading what was made', () => {
  const reading = async (body: unknown, status = 200, wasRead = true) => {
    const life = await lifeWith();
    life.history.wasRead = wasRead;
    return life.make().read(body, { status });
  };

  it('holds for the resource, and for a body without an id', async () => {
    for (const body of [{ id: 'T1' }, { name: 'a' }, { id: 3, code: 't1' }])
      expect((await reading(body)).said('LIFE-01')).toBe('holds');
  });

  it('is breached by 404 and 410', async () => {
    for (const status of [404, 410])
      expect((await reading({}, status)).said('LIFE-01')).toEqual(['what a create answered cannot be read']);
  });

  it('cannot tell where the operation never read anything and no list shows the id', async () => {
    const life = await reading({}, 404, false);
    expect(life.said('LIFE-01')).toBe('cannot tell');
    expect(life.list([{ id: 't1' }]).said('LIFE-01')).toEqual(['what a create answered cannot be read']);
  });

  it('is breached by another resource', async () => {
    const breach = ['reading what a create answered shows another resource (/id)'];
    expect((await reading({ id: 't2' })).said('LIFE-01')).toEqual(breach);
  });

  it.each([401, 403, 429, 500])('cannot tell by %i', async (status) => {
    expect((await reading({}, status)).said('LIFE-01')).toBe('cannot tell');
  });

  it('is breached by an item that is gone later, and that nobody deleted', async () => {
    const life = (await reading(THING)).read({}, { status: 404 });
    expect(life.said('LIFE-01')).toEqual(['what a create answered is gone, and nobody deleted it']);
    expect((await reading(THING)).read({}, { status: 500 }).said('LIFE-01')).toBeNull();
    expect((await reading(THING)).remove().read({}, { status: 404 }).said('LIFE-01')).toBeNull();
  });

  it('is not judged after a delete on which the server failed, for that may have taken the item away', async () => {
    const gone = { status: 404 };
    expect((await reading(THING)).remove({ status: 500 }).read({}, gone).said('LIFE-01')).toBeNull();
    for (const status of [409, 503])
      expect((await reading(THING)).remove({ status }).read({}, gone).said('LIFE-01')).toHaveLength(1);
  });
});

describe('LIFE-01, the list', () => {
  const OTHERS = [{ id: 't2', status: 'active' }];
  const listing = async (
    items: readonly unknown[],
    { status = 'active', isWhole = true, isRead = true, before = [''] } = {},
  ) => {
    const life = (await lifeWith({}, {}, { madeAt: () => before })).make();
    if (isRead) life.read({ id: 't1', status });
    return life.list(items, { isWhole }).said('LIFE-01');
  };

  it('holds where it shows the item', async () => {
    expect(await listing([{ id: 't1' }])).toBe('holds');
  });

  it('is breached where it shows others alone', async () => {
    expect(await listing(OTHERS)).toEqual(['what a create answered is not listed']);
    expect(await listing([])).toHaveLength(1);
  });

  it.each([
    ['it is longer than what was read', OTHERS, { isWhole: false }],
    ['it shows what was made earlier', OTHERS, { before: ['t2'] }],
    ['the item could not be read', OTHERS, { isRead: false }],
    ['all others are in another state', OTHERS, { status: 'draft' }],
    ['it is empty, and the item is a draft', [], { status: 'draft' }],
  ])('decides nothing where %s', async (_why, items, about) => {
    expect(await listing(items, about)).toBe('cannot tell');
  });
});

describe('LIFE-04', () => {
  const BEFORE = { id: 't1', name: 'a', price: 3, status: 'active' };
  const said = async (after: unknown, status = 200, before: object = BEFORE) =>
    (await lifeWith()).make().read(before).remove().read(after, { status }).said('LIFE-04');

  it.each([404, 410])('holds for %i', async (status) => {
    expect(await said({}, status)).toBe('holds');
  });

  it('is breached by the resource as it was, and by an answer without one', async () => {
    expect(await said(BEFORE)).toEqual(['what was deleted can still be read']);
    expect(await said(null)).toHaveLength(1);
  });

  it.each([
    ['a state', { status: 'archived' }],
    ['any other state than before', { status: 'x9' }],
    ['a time', { deleted_at: '2026-01-01T00:00:00Z' }],
    ['a flag', { isDeleted: true }],
    ['a flag that is turned', { active: false }],
    ['a state further in', { meta: { lifecycle: 'gone' } }],
  ])('observes a resource that says so by %s', async (_how, change) => {
    const before = { id: 't1', name: 'a', status: 'active', active: true, meta: { lifecycle: 'here' } };
    expect(await said({ ...before, meta: undefined, ...change }, 200, before)).toEqual([
      'observation: a deleted resource can still be read, and says that it is deleted',
    ]);
  });

  it('cannot tell where the id shows something else, or the answer is no answer', async () => {
    expect(await said({ id: 't1', name: 'b', price: 4, colour: 'red' })).toBe('cannot tell');
    for (const status of [403, 500, 302]) expect(await said({}, status)).toBe('cannot tell');
  });

  it('is breached by a list that goes on to show it, not by one that shows it as deleted', async () => {
    const life = (await lifeWith())
      .make()
      .list([{ id: 't1' }], { afterMs: 1 })
      .read(BEFORE)
      .remove();
    expect(life.list([{ id: 't2' }]).said('LIFE-04')).toBe('holds');
    expect(life.list([{ id: 't1', status: 'active' }]).said('LIFE-04')).toEqual(['what was deleted is still listed']);
    expect(life.list([{ id: 't1', status: 'deleted' }]).said('LIFE-04')?.[0]).toMatch(/^observation/);
  });
});

describe('LIFE-06', () => {
  const CHANGED = (member: string) => [`reading an item changes it (/${member})`];
  const said = async (values: readonly unknown[], control: readonly unknown[] | null, member = 'stock') => {
    const life = (await lifeWith()).make();
    const read = (shown: readonly unknown[], id: string) => {
      for (const [at, value] of shown.entries())
        life.read({ id, [member]: value }, { id, afterMs: at % 2 === 1 ? 1 : 2000 });
    };
    read(values, 't1');
    if (control !== null) {
      life.make({}, { id: 't2' }).read({}, { id: 't3', afterMs: 4000 });
      read(control, 't2');
    }
    return life.said('LIFE-06');
  };

  it('holds for equal readings, other orders and other times', async () => {
    expect(
      await said(
        [
          ['a', 'b'],
          ['b', 'a'],
        ],
        null,
      ),
    ).toBe('holds');
    expect(await said(['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'], null)).toBe('holds');
    expect(await said([1, 2], null, 'expires_at')).toBe('holds');
  });

  it('is breached by what the first reading turns, and by what each reading steps', async () => {
    expect(await said(['new', 'old'], ['new', 'old', 'old', 'old'])).toEqual(CHANGED('stock'));
    expect(await said([9, 8], [9, 8, 7, 6])).toEqual(CHANGED('stock'));
    expect(await said([9, 8], [9, 8, 8, 8])).toEqual(CHANGED('stock'));
    expect(await said([true, false], [false, true, false, true])).toEqual(CHANGED('stock'));
    expect(await said([76.5, 76.49], [76.5, 76.49, 76.48, 76.47])).toEqual(CHANGED('stock'));
    const growing = [['a'], ['a', 'b'], ['a', 'b', 'b'], ['a', 'b', 'b', 'b']];
    expect(await said(growing.slice(0, 2), growing)).toEqual(CHANGED('stock'));
  });

  it('holds for what changes on its own: by the time, or each time anew', async () => {
    expect(await said(['running', 'done'], ['done', 'done', 'done', 'done'])).toBe('holds');
    expect(await said(['x', 'y'], ['p', 'q', 'r', 's'])).toBe('holds');
    expect(await said([true, false], [false, true, true, false])).toBe('holds');
    expect(await said([100, 101], [6000, 6001, 8001, 8002])).toBe('holds');
  });

  it('is breached by a time of the last change that each reading moves, and by no other time', async () => {
    const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
    const [two, each] = [
      [at(1), at(2)],
      [at(1), at(2), at(3), at(4)],
    ];
    expect(await said(two, each, 'updatedAt')).toEqual(CHANGED('updatedAt'));
    expect(await said([1, 2], [1, 2, 3, 4], 'modified')).toEqual(CHANGED('modified'));
    expect(await said(two, [at(1), at(2), at(2), at(2)], 'updated_at')).toBe('holds');
    expect(await said(two, [at(1), at(1), at(3), at(3)], 'updated_at')).toBe('holds');
    expect(await said(two, each, 'generated_at')).toBeNull();
    expect(await said(two, null, 'updated_at')).toBe('cannot tell');
  });

  it('observes what counts readings', async () => {
    const counted = ['observation: viewCount tells that an item was read (/viewCount)'];
    expect(await said([1, 2], [1, 2, 3, 4], 'viewCount')).toEqual(counted);
  });

  it('cannot tell without a second item', async () => {
    expect(await said([1, 2], null)).toBe('cannot tell');
  });
});

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
  const said = async (sent: object, read: object, properties: object, shown = properties) =>
    (await lifeWith(properties as never, shown as never))
      .make(sent)
      .read({ id: 't1', ...read })
      .said('LIFE-02');

  it('holds for what is kept', async () => {
    expect(await said({ name: 'a' }, { name: 'a' }, { name: text })).toBe('holds');
  });

  it('is breached by what is lost within an object, where the description has it there', async () => {
    const weight = { type: 'object', properties: { value: { type: 'number' }, unit: text } };
    const sent = { size: { weight: { value: 5, unit: 'kg' } } };
    const read = { size: { weight: { unit: 'kg' } } };
    const size = { type: 'object', properties: { weight } };
    expect(await said(sent, read, { size })).toEqual(['a member of size is not kept (/size/weight/value)']);
    expect(await said(sent, read, { size }, { size: { type: 'object' } })).toBe('cannot tell');
    expect(await said({ size: { weight: { value: 0, unit: 'kg' } } }, read, { size })).not.toContain('a member');
  });

  it('is breached by a list that shows another value, and not by one that shortens texts or leaves members out', async () => {
    const sent = { name: 'long name', size: { width: 3 } };
    const shown = async (listed: object, read: object = sent) => {
      const life = (await lifeWith({ name: text, size: { type: 'object' } })).make(sent).read({ id: 't1', ...read });
      return life.list([{ id: 't1', ...listed }]).said('LIFE-02');
    };
    expect(await shown({ size: { width: 4 } })).toEqual(['the list shows another size than was sent (/size)']);
    for (const listed of [sent, { size: { width: 3, height: 1 } }]) expect(await shown(listed)).toBe('holds');
    const parts = [{ name: 'long' }, { name: 'long…' }, { name: 'l**g' }, { size: { width: null } }, { size: 1 }, {}];
    for (const part of parts) expect(await shown(part)).toBe('cannot tell');
    expect(await shown({ size: {} }, { size: { width: 4 } })).toBe('cannot tell');
  });

  it('compares no other item of the list, whose id was sent in vain', async () => {
    const shown = async (...listed: readonly object[]) => {
      const life = (await lifeWith({ stock: { type: 'integer' } })).make({ id: 't0', stock: 5 });
      return life.read({ id: 't1', stock: 5 }).list(listed).said('LIFE-02');
    };
    const other = { id: 't0', stock: 4 };
    expect(await shown(other, { id: 't1', stock: 5 })).toBe('holds');
    expect(await shown(other, { id: 't1', stock: 6 })).toEqual(['the list shows another stock than was sent (/stock)']);
  });

  it('looks in the list for an item by the id that was sent for it where a reading shows that', async () => {
    const life = (await lifeWith({ stock: { type: 'integer' } })).make({ id: 't0', stock: 5 });
    const listed = life.read({ id: 't0', stock: 5 }).list([{ id: 't0', stock: 6 }]);
    expect(listed.said('LIFE-02')).toEqual(['the list shows another stock than was sent (/stock)']);
  });

  it('is breached by what is lost within the items of a list, whatever their order', async () => {
    const variant = { type: 'object', properties: { code: text, stock: { type: 'integer' } } };
    const [one, two] = [
      { code: 'a', stock: 4 },
      { code: 'b', stock: 5 },
    ];
    const read = (...variants: readonly object[]) =>
      said({ variants: [one, two] }, { variants }, { variants: { type: 'array', items: variant } });
    expect(await read(two, one)).toBe('holds');
    expect(await read(two, { code: 'a' })).toEqual(['a member of variants is not kept (/variants/0/stock)']);
  });

  it('is breached by null or an empty list that changes nothing, and not by one that is kept or answered by another value', async () => {
    const was = { note: 'n', tags: ['t'] };
    const cleared = async (sent: object, read: object, status = 200) => {
      const life = (await lifeWith({ note: text, tags: { type: 'array' } })).make(was).read({ id: 't1', ...was });
      return life
        .replace(sent)
        .read({ id: 't1', ...read }, { status })
        .said('LIFE-02');
    };
    expect(await cleared({ note: null }, was)).toEqual(['null for note is accepted and changes nothing (/note)']);
    expect(await cleared({ tags: [] }, was)).toEqual(['[] for tags is accepted and changes nothing (/tags)']);
    expect(await cleared({ note: null }, { note: null })).toBe('holds');
    expect(await cleared({ note: null }, { note: 'none' })).toBe('cannot tell');
    expect(await cleared({ note: null }, was, 500)).toBeNull();
  });

  it('is breached by a change that makes the item unreadable, unless it moved or may be hidden by what was sent', async () => {
    const read = async (sent: object, status: number, body: object = { id: 't1' }) =>
      (await lifeWith()).make().read(THING).replace(sent, { body }).read({}, { status }).said('LIFE-02');
    expect(await read({ name: 'a' }, 404)).toEqual(['what was changed can no longer be read']);
    expect(await read({ state: 'open' }, 410)).toEqual(['what was changed can no longer be read']);
    for (const sent of [{ state: 'archived' }, { active: false }, { deleted_at: '2026-01-01' }])
      expect(await read(sent, 404)).toBe('cannot tell');
    expect(await read({ name: 'Blue door' }, 404, { id: 't2' })).toHaveLength(1);
    expect(await read({ name: 'Blue door' }, 404, { id: 'blue-door-2' })).toBe('cannot tell');
    expect(await read({ name: 'a' }, 500)).toBeNull();
  });

  it('is breached by a name of the client that is lost, and not by one that is normalised', async () => {
    const labels = { type: 'object', additionalProperties: text };
    const read = (shown: object) => said({ labels: { Colour: 'red', size: 'm' } }, { labels: shown }, { labels });
    expect(await read({ colour: 'red', size: 'm', by: 'api' })).not.toContain('a member');
    expect(await read({ size: 'm' })).toEqual(['a member of labels is not kept (/labels/Colour)']);
    expect(await read({ x_colour: 'red', size: 'm' })).toEqual(['a member of labels is not kept (/labels/Colour)']);
  });

  it('is breached by null within an object that changes nothing, and not where a default may be what was there', async () => {
    const address = { type: 'object', properties: { zip: text, floor: { type: 'integer' } } };
    const cleared = async (how: 'change' | 'replace', sent: object, kept: object) => {
      const life = (await lifeWith({ address, labels: { type: 'object' } })).make(kept).read({ id: 't1', ...kept });
      return life[how](sent)
        .read({ id: 't1', ...kept })
        .said('LIFE-02');
    };
    const kept = { address: { zip: 'z', floor: 1 } };
    const told = ['null for address.zip is accepted and changes nothing (/address/zip)'];
    expect(await cleared('change', { address: { zip: null, floor: 1 } }, kept)).toEqual(told);
    expect(await cleared('replace', { address: { zip: null } }, kept)).toEqual(told);
    expect(await cleared('change', { address: { zip: 'z', floor: null } }, kept)).toBe('cannot tell');
    expect(await cleared('change', { labels: {} }, { labels: { a: 'b' } })).toBe('cannot tell');
    expect(await cleared('replace', { labels: {} }, { labels: { a: 'b' } })).toEqual([
      '{} for labels is accepted and changes nothing (/labels)',
    ]);
  });

  it('lacks another value between where null may have been answered by a default that was there', async () => {
    const way = { enum: ['post', 'van', null], type: ['string', 'null'] };
    const lacks = async (sent: object, was: object, is: object) => {
      const life = (await lifeWith({ way, note: text, express: { type: 'boolean' } })).make(was).read(was);
      return life
        .replace(sent)
        .read(is)
        .lacks('LIFE-02')
        .some(({ kind }) => kind === 'other-value-between');
    };
    expect(await lacks({ way: null }, { way: 'van' }, { way: 'van' })).toBe(true);
    expect(await lacks({ express: null }, { express: true }, { express: true })).toBe(true);
    expect(await lacks({ way: null }, { way: 'van' }, { way: 'post' })).toBe(false);
    expect(await lacks({ note: null }, { note: 'n' }, { note: 'n' })).toBe(false);
  });

  it('is breached by what is lost, and by another value', async () => {
    const other = ['name is read otherwise than it was sent (/name)'];
    expect(await said({ name: 'a' }, { name: 'b' }, { name: text })).toEqual(other);
    expect(await said({ name: 'a' }, {}, { name: text })).toEqual(['name is not kept (/name)']);
  });

  it.each([
    ['write-only', { code: { ...text, writeOnly: true } }],
    ['read-only', { code: { ...text, readOnly: true } }],
    ['formatted as a password', { code: { ...text, format: 'password' } }],
    ['not described', { other: text }],
  ])('compares no member that is %s', async (_how, properties) => {
    expect(await said({ code: 'a' }, { code: 'b' }, properties)).toBe('cannot tell');
  });

  it.each(['id', 'status', 'createdAt', 'owner_id', 'version', 'totalPrice', 'order_total', 'password', 'api_key'])(
    'compares no %s, which servers set or hide',
    async (name) => {
      expect(await said({ [name]: 'a' }, { [name]: 'b' }, { [name]: text })).toBe('cannot tell');
    },
  );

  it('does not ask for a member that the description of the reading lacks', async () => {
    expect(await said({ name: 'a' }, {}, { name: text }, { id: text })).toBe('cannot tell');
  });

  it('asks the resource for nothing of an envelope that both sides have, also where its members are free', async () => {
    const sent = { data: { a: 'x' }, permissions: { read: ['b'] } };
    const free = { type: 'object' };
    const life = (await lifeWith({ data: free, permissions: free })).make(sent);
    expect(life.read({ ...sent, data: { id: 't1', a: 'x' } }).said('LIFE-02')).toBe('cannot tell');
  });
});

describe('LIFE-02, null that is read with a value', () => {
  const nullable = { type: ['string', 'null'] };

  it('is looked at where both sides are described to have null, and no default is', async () => {
    const lacks = async (note: object, read: string) =>
      (await lifeWith({ note })).make({ note: null }).read({ id: 't1', note: read }).lacks('LIFE-02');
    expect(await lacks(nullable, 'none')).toMatchObject([{ kind: 'once-more', without: 'note' }]);
    expect(await lacks(nullable, '')).toEqual([]);
    expect(await lacks({ ...nullable, default: 'none' }, 'none')).toEqual([]);
    expect(await lacks(text, 'none')).toEqual([]);
    const restless = (await lifeWith({ note: nullable })).make({ note: 'a' }).read({ note: 'b' }).read({ note: 'c' });
    const last = restless.make({ note: null }, { id: 't2' }).read({ note: 'none' }, { id: 't2' });
    expect(last.lacks('LIFE-02')).toEqual([]);
  });

  it('is a breach where the member has no value, or always another one, when it is left out', async () => {
    const judged = async (left: unknown, again: unknown) => {
      const life = (await lifeWith({ note: nullable })).make({ note: null }).read({ id: 't1', note: 'none' });
      life.make({}, { id: 't2' }).read({ id: 't2', note: left }, { id: 't2' });
      if (life.lacks('LIFE-02').some((one) => one.kind === 'once-more' && one.without === undefined))
        life.make({ note: null }, { id: 't3' }).read({ id: 't3', note: again }, { id: 't3' });
      return life.said('LIFE-02');
    };
    const breach = ['note is read with a value where null was sent (/note)'];
    expect(await judged(null, 'unasked')).toEqual(breach);
    expect(await judged('Hello', 'none')).toEqual(breach);
    // A default, or a value that is made anew for each write.
    expect(await judged('none', 'none')).toBe('cannot tell');
    expect(await judged('code 2', 'code 3')).toBe('cannot tell');
  });
});

describe('LIFE-03, where something else may have changed the item since it was read,', () => {
  const AFTER = { ...THING, name: 'b', note: 'm' };
  const made = async () => (await lifeWith(MEMBERS)).make(THING).read(THING).read(THING);

  it('compares what no update beside it sent', async () => {
    const twice = async () => (await made()).change({ name: 'b' }).change({ note: 'm' });
    expect((await twice()).read(AFTER).said('LIFE-03')).toBe('holds');
    expect((await twice()).read({ ...AFTER, size: 4 }).said('LIFE-03')).toHaveLength(1);
    const replaced = (await made()).replace({ name: 'b' }).change({ note: 'm' });
    expect(replaced.read({ ...AFTER, size: 0 }).said('LIFE-03')).toBeNull();
  });

  it('is not judged after an update whose answer was lost', async () => {
    const life = (await made()).changeUnanswered({ name: 'b' }).change({ note: 'm' });
    expect(life.read(AFTER).said('LIFE-03')).toBeNull();
    expect(
      life
        .change({ size: 4 })
        .read({ ...AFTER, size: 4, note: 'x' })
        .said('LIFE-03'),
    ).toHaveLength(1);
  });
});

describe('LIFE-03 on an item that the update was not meant for', () => {
  const LAMP = { id: 't2', name: 'Lamp', note: 'old' };
  const MOVED = { ...LAMP, note: 'new' };
  const lamp = { id: 't2' };
  const two = async () => (await lifeWith(MEMBERS)).make(THING).read(THING).make(LAMP, lamp).read(LAMP, lamp);

  it('is not judged where an update of that item whose answer was lost may have come in between, or late', async () => {
    const lost = (await two()).change({ name: 'b' }).changeUnanswered({ note: 'new' }, lamp);
    expect(lost.read(MOVED, lamp).said('LIFE-03')).toBeNull();
    const late = (await two()).changeUnanswered({ note: 'new' }, lamp).read(LAMP, { ...lamp, afterMs: 1_000 });
    expect(late.change({ name: 'b' }).read(MOVED, lamp).said('LIFE-03')).toBeNull();
  });

  it('is breached once that item has rested, whatever was lost before', async () => {
    const breach = ['an update of one item changes note of another (/note)'];
    const rested = (await two()).changeUnanswered({ name: 'Lamp' }, lamp).read(LAMP, lamp);
    expect(rested.change({ name: 'b' }).read(MOVED, lamp).said('LIFE-03')).toEqual(breach);
    const beside = (await two()).change({ name: 'b' }).changeUnanswered({ name: 'c' });
    expect(beside.read(MOVED, lamp).said('LIFE-03')).toEqual(breach);
  });
});

describe('LIFE-03 on a state that a client has set', () => {
  const STATE = { status: { type: 'string', enum: ['draft', 'live'] } };
  const [DRAFT, LIVE] = [
    { ...THING, status: 'draft' },
    { ...THING, status: 'live' },
  ];
  type Call = (life: Awaited<ReturnType<typeof lifeWith>>) => unknown;
  /** The state is set and seen twice; then the calls are made, and the item shows the state before. */
  const round = (life: Awaited<ReturnType<typeof lifeWith>>, ...calls: readonly Call[]) => {
    life.change({ status: 'live' }).read(LIVE).read(LIVE);
    for (const call of calls) call(life);
    return life.read(DRAFT);
  };
  const made = async () => (await lifeWith({ ...MEMBERS, ...STATE })).make(DRAFT).read(DRAFT);
  const update: Call = (life) => life.change({ note: 'm' });
  const lost: Call = (life) => life.changeUnanswered({ note: 'm' });
  const states = (life: Awaited<ReturnType<typeof lifeWith>>) =>
    [life.said('LIFE-03')].flat().filter((told) => told !== null && /status|cannot/.test(told));

  const seenOnce = (life: Awaited<ReturnType<typeof lifeWith>>) =>
    life.untold('LIFE-03').filter((reason) => reason.includes('seen once'));

  it('is breached where an update changes it twice, and is not told after the first time', async () => {
    const life = round(await made(), update);
    expect(states(life)).toEqual([]);
    expect(seenOnce(life)).toHaveLength(1);
    expect(states(round(life, update))).toEqual(['a partial update changes status, which it did not send (/status)']);
  });

  it('is not judged where an update whose answer was lost came before, between or after', async () => {
    for (const calls of [[lost], [lost, update], [update, lost]]) {
      const life = round(await made(), ...calls);
      expect([states(life), seenOnce(life)]).toEqual([[], []]);
      // That time counts for none: the next one is the first.
      expect(states(round(life, update))).toEqual([]);
      expect(seenOnce(life)).toHaveLength(1);
    }
  });
});

describe('LIFE-03', () => {
  const around = async (after: object, before: object = THING, properties: object = MEMBERS) => {
    const life = (await lifeWith(properties as never)).make(before).read(before);
    return life
      .change({ name: 'Blue door' })
      .read({ ...before, name: 'Blue door', ...after })
      .said('LIFE-03');
  };

  it('holds where the others stay', async () => {
    expect(await around({ version: 2, updated_at: 'now' })).toBe('holds');
  });

  it('is breached by a member that was not sent', async () => {
    expect(await around({ note: null })).toEqual(['a partial update changes note, which it did not send (/note)']);
    for (const size of [4, undefined]) expect(await around({ size })).toHaveLength(1);
  });

  it('is breached by what an object lacks that showed it before', async () => {
    const before = { id: 't1', name: 'a', box: { height: 3, unit: 'cm', status: 'new' } };
    expect(await around({ box: { unit: 'cm', status: 'new' } }, before)).toHaveLength(1);
    expect(await around({ box: { height: 3, unit: 'cm' } }, before)).toBe('holds');
  });

  it('compares neither what changes on its own nor what is made of the new value', async () => {
    expect(await around({ note: 'the-blue-door' })).toBe('holds');
    const life = (await lifeWith(MEMBERS))
      .make(THING)
      .read({ ...THING, size: 9 })
      .read(THING);
    expect(
      life
        .change({ name: 'b' })
        .read({ ...THING, name: 'b', size: 4 })
        .said('LIFE-03'),
    ).toBe('holds');
  });

  it('cannot tell where nothing else is known to be the client’s', async () => {
    expect(await around({}, { id: 't1', name: 'a' })).toBe('cannot tell');
  });

  it('is breached by an update that changes another item, flags aside, of which only one item may have one', async () => {
    const LAMP = { id: 't2', name: 'Lamp', note: 'old', first: true };
    const [second, changes] = [{ id: 't2' }, { name: 'Desk' }];
    const judged = async (after: object) => {
      const life = (await lifeWith(MEMBERS)).make(THING).read(THING).make(LAMP, second).read(LAMP, second);
      return life
        .change(changes)
        .read({ ...LAMP, ...after }, second)
        .said('LIFE-03');
    };
    expect(await judged({ first: false })).toBe('holds');
    expect(await judged({ name: 'Desk' })).toEqual(['an update of one item changes name of another (/name)']);
  });
});

describe('LIFE-05', () => {
  const ITEMS = [
    { id: 't1', name: 'assay-ok' },
    { id: 't2', name: 'Other' },
  ];
  const said = async ({
    items = ITEMS as readonly object[],
    isWhole = true,
    refused = ['assay-no'],
    mark = 'assay-ok',
  } = {}) => {
    const elsewhere = { refusedAt: () => refused, markIn: (all: string) => (all.includes(mark) ? mark : null) };
    return (await lifeWith({}, {}, elsewhere)).make({ name: 'assay-ok' }).list(items, { isWhole }).said('LIFE-05');
  };

  it('holds where the list shows what was accepted and nothing that was refused', async () => {
    expect(await said()).toBe('holds');
  });

  it('is breached by the text of a refused create, in any case', async () => {
    const items = [...ITEMS, { id: 't3', email: 'ASSAY-NO@example.com' }];
    expect(await said({ items })).toEqual(['a create that was refused leaves something behind']);
    expect(await said({ items, isWhole: false, mark: 'assay-else' })).toHaveLength(1);
  });

  it.each([
    ['nothing was refused that could be found', { refused: [] }],
    ['the list shows no names', { mark: 'assay-else' }],
    ['the accepted one is not shown', { items: ITEMS.slice(1) }],
    ['the list is longer than what was read', { isWhole: false }],
  ])('cannot tell where %s', async (_why, about) => {
    expect(await said(about)).toBe('cannot tell');
  });
});

describe('LIFE-07', () => {
  const PROPERTIES = { name: text, role: { ...text, readOnly: true }, id: { ...text, readOnly: true } };
  const SENT = { role: 'admin', id: 'x9' };
  const MEMBER = { id: 't1', role: 'member' };
  const begun = async () => (await lifeWith(PROPERTIES)).make({ name: 'a' }).read(MEMBER);

  it('holds for members that are refused or ignored', async () => {
    expect((await begun()).make(SENT, { status: 400 }).said('LIFE-07')).toBe('holds');
    for (const shown of [{ id: 't2', role: 'member' }, { id: 't2' }]) {
      const made = (await begun()).make(SENT, { id: 't2' }).read(shown, { id: 't2' });
      expect(made.read(MEMBER).said('LIFE-07')).toBe('holds');
    }
  });

  it('is breached by each member that is read as it was sent', async () => {
    const made = (await begun()).make(SENT, { id: 'x9' }).read(SENT, { id: 'x9' });
    expect(made.read(MEMBER).said('LIFE-07')).toEqual([
      'role, which clients do not own, is applied (/role)',
      'id, which clients do not own, is applied (/id)',
    ]);
    const changed = (await begun()).change({ role: 'admin' }).read({ id: 't1', role: 'admin' });
    expect(changed.said('LIFE-07')).toEqual(['role, which clients do not own, is applied (/role)']);
  });

  it('holds where a control shows the value, too', async () => {
    const made = (await begun()).make(SENT, { id: 't2' }).read({ id: 't2', role: 'admin' }, { id: 't2' });
    expect(made.read({ id: 't1', role: 'admin' }).said('LIFE-07')).toBe('holds');
  });

  it('cannot tell by an answer that says nothing, and says nothing before a control was read', async () => {
    for (const status of [500, 302]) expect((await begun()).make(SENT, { status }).said('LIFE-07')).toBe('cannot tell');
    expect((await begun()).make(SENT, { id: 'x9' }).read(SENT, { id: 'x9' }).said('LIFE-07')).toBeNull();
  });
});
