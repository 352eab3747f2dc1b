// LIFE: resources that are not kept as they were made, do not go when they are deleted, or change when they are read.
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { conflict, refusal } from '../envelope.ts';
import type { Call, Route } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import type { Item } from '../store/collections.ts';
import { fault, on } from './fault.ts';
import { STATE_FAULTS } from './life-states.ts';
import {
  idAt,
  idIn,
  idMemberOf,
  keeping,
  type Lives,
  listedUnless,
  noting,
  onLives,
  onNoted,
  onReading,
  onSent,
  onShownBy,
  sending,
  unreadable,
} from './lives.ts';

const MADE: readonly Deviation[] = [
  fault(
    'life-01-unreadable',
    'What is made is listed, and reading it answers 404.',
    onNoted('create', (made, lives, around) => unreadable(lives, around, (id) => made.has(id))),
  ),
  fault(
    'life-01-not-listed',
    'What is made can be read, and is in no list.',
    onNoted('create', (made, lives, around) => listedUnless(lives, around, (id) => made.has(id))),
  ),
  fault(
    'life-01-left-out-by-value',
    'The list leaves out whoever takes part in no marketing.',
    onNoted('create', (made, lives, around) =>
      listedUnless(lives, around, (id) => asObject(made.get(id)?.body).marketing === false),
    ),
  ),
  fault(
    'life-01-every-third-left-out',
    'The list leaves out every third item that is made.',
    onNoted('create', (made, lives, around) =>
      listedUnless(lives, around, (id) => [...made.keys()].indexOf(id) % 3 === 2),
    ),
  ),
  fault(
    'life-01-left-out-without-phone',
    'The list leaves out customers whose phone number was sent as null, or not at all.',
    onNoted('create', (made, lives, around) =>
      listedUnless(lives, around, (id) => made.has(id) && asObject(made.get(id)?.body).phone == null),
    ),
  ),
  fault(
    'life-01-other-resource',
    'Reading what was made shows the id of another item.',
    onNoted('create', (made, lives, around) =>
      onShownBy(lives, ['read'], (item, call) => {
        const other = around.collectionOf(call)?.all()[0];
        if (made.has(idAt(call)) && other !== undefined) item[idMemberOf(lives)] = other.id;
      }),
    ),
  ),
];

const KEPT: readonly Deviation[] = [
  fault(
    'life-02-cut',
    'The name of what is made is kept to its twelfth letter.',
    onSent('create', (body) => cut(body, 'name')),
  ),
  fault(
    'life-02-rounded',
    'Prices are kept without their places.',
    onSent('create', (body) => priced(body, Math.ceil), 'PUT'),
  ),
  fault(
    'life-02-cents-cut',
    'Prices of what is made are kept as whole cents, which binary fractions cut: 19.99 becomes 19.98.',
    onSent('create', (body) => priced(body, (amount) => Math.trunc(amount * 100) / 100), 'PUT'),
  ),
  fault(
    'life-02-flags-turned-on',
    'What is made has its flags on, whatever is sent.',
    onSent('create', (body) => changed(body, (value) => (value === false ? true : value))),
  ),
  fault(
    'life-02-flags-turned-off',
    'What is made has its flags off, whatever is sent.',
    onSent('create', (body) => changed(body, (value) => (value === true ? false : value))),
  ),
  fault(
    'life-02-replacement-ignored',
    'A replacement is answered a success, and the title stays as it was.',
    onSent(
      'change',
      (body, call, around) => {
        const title = around.collectionOf(call)?.get(idAt(call))?.fields.title;
        return title === undefined ? body : { ...body, title };
      },
      'PUT',
    ),
  ),
  fault(
    'life-02-member-within-lost',
    'What was replaced shows its price without the currency.',
    onNoted(
      'change',
      (replaced, lives) =>
        onShownBy(lives, ['read'], (item, call) => {
          if (replaced.has(idAt(call))) delete asObject(item.price).currency;
        }),
      'PUT',
    ),
    { alsoBreaks: ['SCH-01'] },
  ),
  fault(
    'life-02-null-ignored',
    'An update that sends null for a member is answered a success and leaves the member as it was.',
    onSent('change', (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))),
  ),
  fault(
    'life-02-null-as-text',
    'A phone number that is sent as null is kept as a number of its own.',
    onSent('create', (body) => (body.phone === null ? { ...body, phone: '+15550000000' } : body)),
  ),
  fault(
    'life-02-null-replaced',
    'A member that a replacement sends as null is kept with a value.',
    onSent('change', (body) => (body.description === null ? { ...body, description: 'none' } : body), 'PUT'),
  ),
  fault(
    'life-02-member-of-items-lost',
    'The addresses of what is made are kept without their second lines.',
    onSent('create', withoutSecondLines),
  ),
  fault(
    'life-02-letters-replaced',
    'Letters beyond ASCII in the name of what is made are kept as question marks.',
    onSent('create', (body) =>
      typeof body.name === 'string' ? { ...body, name: body.name.replaceAll(/[^ -~]/gu, '?') } : body,
    ),
  ),
  fault(
    'life-02-longest-cut',
    'A name of the greatest length is kept without its last ten letters.',
    onSent('change', (body) => cut(body, 'name', 90)),
  ),
  fault(
    'life-02-other-in-list',
    'The list shows another name of what was made than reading it does.',
    onNoted('create', (made, lives) =>
      onShownBy(lives, ['list'], (item) => {
        if (made.has(idIn(lives, item))) item.name = 'New customer';
      }),
    ),
  ),
  fault(
    'life-02-empty-list-ignored',
    'An update that sends an empty list of addresses is answered a success and leaves them as they were.',
    onSent('change', ({ addresses, ...body }) =>
      Array.isArray(addresses) && addresses.length > 0 ? { ...body, addresses } : body,
    ),
  ),
  fault(
    'life-02-update-ignored',
    'An update is answered a success and changes nothing.',
    onSent('change', () => ({})),
  ),
];

const CHANGED: readonly Deviation[] = [
  fault(
    'life-03-others-changed',
    'An update changes the items that were made after it, too.',
    onLives((lives, around) => ({
      act: (call, proceed) => {
        const answer = proceed();
        if (call.route !== lives.change || answer.status >= 300) return answer;
        const collection = around.collectionOf(call);
        const all = collection?.all() ?? [];
        const at = all.findIndex(({ id }) => id === idAt(call));
        for (const item of all.slice(at + 1)) collection?.change(item, { ...item.fields, ...asObject(call.body) });
        return answer;
      },
    })),
    { alsoBreaks: ['LIFE-02'] },
  ),
  fault(
    'life-01-gone-with-another',
    'A delete takes away the items that were made after it, too.',
    onLives((lives, around) => ({
      act: (call, proceed) => {
        const collection = call.route === lives.remove ? around.collectionOf(call) : null;
        const all = collection?.all() ?? [];
        const at = all.findIndex(({ id }) => id === idAt(call));
        const answer = proceed();
        if (at >= 0 && answer.status < 300) for (const { id } of all.slice(at + 1)) collection?.delete(id);
        return answer;
      },
    })),
    { alsoBreaks: ['LIFE-02', 'LIFE-04', 'PAG-07'] },
  ),
  fault(
    'life-01-gone-with-a-later-one',
    'A delete takes away the item that was made before it, too.',
    onLives((lives, around) => ({
      act: (call, proceed) => {
        const collection = call.route === lives.remove ? around.collectionOf(call) : null;
        const all = collection?.all() ?? [];
        const before = all[all.findIndex(({ id }) => id === idAt(call)) - 1];
        const answer = proceed();
        if (before !== undefined && answer.status < 300) collection?.delete(before.id);
        return answer;
      },
    })),
    { alsoBreaks: ['LIFE-02', 'LIFE-04', 'PAG-07'] },
  ),
  fault(
    'life-03-others-reset',
    'An update forgets the members that it was not sent.',
    onLives((lives, around) => ({
      act: (call) => {
        const item = call.route === lives.change ? around.collectionOf(call)?.get(idAt(call)) : undefined;
        if (item !== undefined) item.fields = {};
      },
    })),
  ),
  fault(
    'life-03-one-emptied',
    'An update that sends no addresses removes them.',
    onSent('change', (body) => ({ addresses: [], ...body })),
  ),
];

function withoutSecondLines(body: JsonObject): JsonObject {
  const { addresses } = body;
  if (!Array.isArray(addresses)) return body;
  const shortened = addresses.map((address) => {
    const { line2, ...others } = asObject(address);
    return others;
  });
  return { ...body, addresses: shortened };
}

function cut(body: JsonObject, member: string, letters = 12): JsonObject {
  const value = body[member];
  return typeof value === 'string' ? { ...body, [member]: value.slice(0, letters) } : body;
}

function priced(body: JsonObject, amountOf: (amount: number) => number): JsonObject {
  const { price } = body;
  return isObject(price) ? { ...body, price: { ...price, amount: amountOf(Number(price.amount)) } } : body;
}

function changed(body: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));
}

const REFUSED: readonly Deviation[] = [
  fault(
    'life-05-kept-before-validation',
    'What a refused create has sent is kept all the same.',
    onLives((lives, around) => ({
      validate: (call, failures) => {
        const { name, email } = asObject(call.body);
        if (call.route === lives.create && failures.length > 0 && typeof name === 'string')
          around.collectionOf(call)?.create({ name, ...(typeof email === 'string' ? { email } : {}) });
      },
    })),
    { alsoBreaks: ['PAG-07'] },
  ),
  fault(
    'life-05-overwritten-in-conflict',
    'A create with an email that another item has is refused, and changes that item.',
    conflicting((around, call, taken) =>
      around.collectionOf(call)?.change(taken, { ...taken.fields, ...asObject(call.body) }),
    ),
    { alsoBreaks: ['LIFE-03'] },
  ),
  fault(
    'life-05-made-in-conflict',
    'A create with an email that another item has is refused, and made all the same.',
    conflicting((around, call) => around.collectionOf(call)?.create(asObject(call.body))),
    { alsoBreaks: ['PAG-07'] },
  ),
];

/** Refuses a create whose email is another item's; `also`: what it does to that item all the same. */
function conflicting(also: (around: Surroundings, call: Call, taken: Item) => void) {
  return onLives((lives, around) => ({
    act: (call, proceed) => {
      const { email } = asObject(call.body);
      const collection = call.route === lives.create ? around.collectionOf(call) : null;
      const taken = collection?.all().find(({ fields }) => typeof email === 'string' && fields.email === email);
      if (taken === undefined) return proceed();
      also(around, call, taken);
      return refusal(call, conflict('email'), around.docsUrl);
    },
  }));
}

const ASSIGNED: readonly Deviation[] = [
  fault('life-07-id', 'What is made gets the id that the request names.', onLives(named(true))),
  fault(
    'life-07-id-unshown',
    'What is made gets the id that the request names, though the answer shows another one.',
    onLives(named(false)),
  ),
  fault(
    'life-07-role',
    'A role that a create names is given.',
    onLives((lives) => granting(lives, lives.create)),
  ),
  fault(
    'life-07-role-on-update',
    'A role that an update names is given.',
    onLives((lives) => granting(lives, lives.change)),
  ),
  fault(
    'life-07-role-on-replacement',
    'A role that a replacement names is given.',
    onLives((lives) => granting(lives, lives.change), 'PUT'),
  ),
  fault(
    'life-07-created-at',
    'What is made was made at the time that the request names.',
    onLives((lives) => granting(lives, lives.create, 'created_at')),
  ),
];

/** Makes the resource under the id that the request names; `isShown`: the answer says so. */
function named(isShown: boolean): Parameters<typeof onLives>[0] {
  return (lives, around) => ({
    act: (call, proceed) => {
      const answer = proceed();
      const asked = call.route === lives.create ? asObject(call.body)[idMemberOf(lives)] : undefined;
      const collection = around.collectionOf(call);
      if (typeof asked !== 'string' || answer.status >= 300 || collection === null) return answer;
      const made = collection.get(idIn(lives, answer.body));
      if (made === undefined) return answer;
      collection.delete(made.id);
      collection.put(asked, made.fields);
      return isShown ? { ...answer, body: { ...asObject(answer.body), [idMemberOf(lives)]: asked } } : answer;
    },
  });
}

/** Whoever is made or changed by the route has the role, or another member, that the request names. */
function granting(lives: Lives, route: Route, member = 'role'): Hooks {
  const granted = new Map<string, unknown>();
  const shown = onShownBy(lives, ['read'], (item, call) => {
    if (granted.has(idAt(call))) item[member] = granted.get(idAt(call));
  });
  return noting(
    lives,
    route,
    (id, { body }) => member in asObject(body) && granted.set(id, asObject(body)[member]),
    shown,
  );
}

const DELETED: readonly Deviation[] = [
  fault(
    'life-04-kept',
    'A delete answers a success and deletes nothing.',
    onLives((lives, around) => keeping(lives, around, ['read', 'list'])),
  ),
  fault(
    'life-04-still-read',
    'What is deleted is in no list any more, and can still be read.',
    onLives((lives, around) => keeping(lives, around, ['read'])),
  ),
  fault(
    'life-04-still-listed',
    'What is deleted cannot be read any more, and its list goes on to show it.',
    onLives((lives, around) => keeping(lives, around, ['list'])),
    { alsoBreaks: ['PAG-07'] },
  ),
];

const READ: readonly Deviation[] = [
  fault(
    'life-06-first-reading',
    'The first reading of an item turns a member of it.',
    onLives((lives) =>
      onReading(lives, (item, count) => {
        item.marketing = count > 1;
      }),
    ),
  ),
  fault(
    'life-06-each-reading',
    'Each reading of an item takes one off a number of it.',
    onLives(
      (lives) =>
        onReading(lives, (item, count) => {
          item.weight_grams = 5_000_000 - count;
        }),
      'PUT',
    ),
  ),
  fault(
    'life-06-to-and-fro',
    'Each reading of an item turns a member of it, to and fro.',
    onLives((lives) =>
      onReading(lives, (item, count) => {
        item.marketing = count % 2 === 0;
      }),
    ),
  ),
  fault(
    'life-06-bumps-updated',
    'Each reading of an item sets the time of its last change.',
    onLives((lives) =>
      onShownBy(lives, ['read'], (item, call) => {
        item.updated_at = new Date(call.receivedAt).toISOString();
      }),
    ),
  ),
];

/** Deviations that lose a part of a write where a client looks more closely. */
const FOUND_LATE: readonly Deviation[] = [
  fault(
    'life-02-last-name-lost',
    'Of several attributes under names of the client the last is not kept.',
    onSent('create', withoutLastAttribute, 'PUT'),
  ),
  fault(
    'life-02-gone-when-replaced',
    'What is replaced is answered a success, and can no longer be read.',
    onNoted('change', (replaced, lives, around) => unreadable(lives, around, (id) => replaced.has(id)), 'PUT'),
  ),
  fault(
    'life-02-stale-in-list',
    'The list goes on to show the names that items had before they were updated.',
    onLives((lives, around) => {
      const names = new Map<string, unknown>();
      return {
        act: (call) => {
          const name =
            call.route === lives.change ? around.collectionOf(call)?.get(idAt(call))?.fields.name : undefined;
          if (name !== undefined && !names.has(idAt(call))) names.set(idAt(call), name);
        },
        ...onShownBy(lives, ['list'], (item) => {
          const name = names.get(idIn(lives, item));
          if (name !== undefined) item.name = name;
        }),
      };
    }),
  ),
];

export const LIFE_FAULTS: readonly Deviation[] = [
  ...MADE,
  ...KEPT,
  ...CHANGED,
  ...DELETED,
  ...REFUSED,
  ...READ,
  ...ASSIGNED,
  ...FOUND_LATE,
  ...STATE_FAULTS,
  fault(
    'life-02-cut-by-update',
    'An update of what is never deleted keeps a barcode to its thirteenth character.',
    on(
      'a resource with a barcode that is updated',
      ({ operation }) => operation.method === 'PATCH' && operation.path.endsWith('/variants/{variantId}'),
      (route) => sending(route, (body) => cut(body, 'barcode', 13)),
    ),
  ),
];

function withoutLastAttribute(body: JsonObject): JsonObject {
  if (!isObject(body.attributes)) return body;
  const all = Object.entries(asObject(body.attributes));
  return all.length > 1 ? { ...body, attributes: Object.fromEntries(all.slice(0, -1)) } : body;
}
