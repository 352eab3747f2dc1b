// Allowances in the life of a resource: what comes late, changes on its own, or says of itself that it is deleted.

import type { Deviation } from '../deviation.ts';
import { PROBLEMS } from '../envelope.ts';
import { refusedInstead } from '../faults/fault.ts';
import { asAsked, byChance, FIRST_STATE, memberOn, statesOn, TIER } from '../faults/life-states.ts';
import {
  idAt,
  idIn,
  isServed,
  keeping,
  type Lives,
  listedUnless,
  noting,
  onLives,
  onNoted,
  onReading,
  onSent,
  onShown,
  onShownBy,
  unreadable,
} from '../faults/lives.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { tolerance } from './tolerance.ts';

/** Later than at once, and within what a client waits for. ms. */
const LATE_MS = 3_500;
/** Later than any list is waited for. ms. */
const VERY_LATE_MS = 15_000;
/** Soon after it was made: between two readings, as a rule. ms. */
const PROCESSED_MS = 7;
/** After an answer of 202. ms. */
const ASYNCHRONOUS_MS = 20_000;

/** Lists a new resource so many ms later only. */
function listedAfter(delayMs: number) {
  return onNoted('create', (made, lives, around) =>
    listedUnless(lives, around, (id, call) => ageMs(made, id, call) < delayMs),
  );
}

/** Lets a new resource be read so many ms later only. */
function readableAfter(delayMs: number, change?: (call: Call, answer: Answer, lives: Lives) => void) {
  return onNoted('create', (made, lives, around) => {
    const early = unreadable(lives, around, (id, call) => ageMs(made, id, call) < delayMs);
    return {
      answer: (call, answer) => {
        change?.(call, answer, lives);
        return early.answer(call, answer);
      },
    };
  });
}

/** The responses of the creates of customers, by status. */
function createsIn(documents: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
  const path = asObject(asObject(documents.get('store')?.paths)['/customers']);
  return isObject(path.post) ? [asObject(path.post.responses)] : [];
}

/** How long ago the item was made; what was there from the start was made at no time. */
function ageMs(made: ReadonlyMap<string, Call>, id: string, { receivedAt }: Call): number {
  return receivedAt - (made.get(id)?.receivedAt ?? 0);
}

/** Keeps a deleted resource, which says so by these members; the list leaves it out. */
function deletedSoftly(say: (item: JsonObject, call: Call) => void) {
  return onNoted('remove', (deletions, lives, around) => ({
    ...keeping(lives, around, ['read']),
    ...onShownBy(lives, ['read'], (item, call) => {
      const deletion = deletions.get(idAt(call));
      if (deletion !== undefined) say(item, deletion);
    }),
  }));
}

export const LIFE_TOLERANCES: readonly Deviation[] = [
  tolerance('auth-08-own-items', 'What one account makes no other account can read.', (around) => {
    const owners = new Map<string, string>();
    return {
      answer: (call, answer) => {
        const account = call.key?.account;
        if (account === undefined || answer.status >= 300) return answer;
        const { id } = asObject(answer.body);
        if (call.route?.role.kind === 'create' && typeof id === 'string') owners.set(id, account);
        return (owners.get(idAt(call)) ?? account) === account
          ? answer
          : refusedInstead(call, answer, PROBLEMS.notFound, around);
      },
    };
  }),
  tolerance('life-08-second-delete-succeeds', 'A second delete answers like the first one.', () => {
    const deleted = new Map<string, Answer>();
    return {
      answer: (call, answer) => {
        const place = `${call.route?.operation.key} ${call.path}`;
        const role = call.route?.role;
        if (role?.kind !== 'item' || role.verb !== 'delete') return answer;
        if (answer.status < 300) deleted.set(place, answer);
        return answer.status === 404 ? (deleted.get(place) ?? answer) : answer;
      },
    };
  }),
  tolerance(
    'life-02-shortened-in-list',
    'Lists show the first letters of names alone, and no addresses.',
    onLives((lives) =>
      onShownBy(lives, ['list'], (item) => {
        if (typeof item.name === 'string') item.name = item.name.slice(0, 8);
        delete item.addresses;
      }),
    ),
  ),
  tolerance('life-01-read-late', 'What is made can be read after three seconds only.', readableAfter(LATE_MS)),
  tolerance('life-01-listed-late', 'What is made is listed after three seconds only.', listedAfter(LATE_MS)),
  tolerance('life-01-listed-very-late', 'What is made is listed after 15 s only.', listedAfter(VERY_LATE_MS)),
  tolerance(
    'life-01-filtered',
    'The list shows what is active, and what is made is a draft.',
    onNoted('create', (made, lives, around) => ({
      ...listedUnless(lives, around, (id) => made.has(id)),
      ...onShown(lives, (item) => {
        item.status = made.has(idIn(lives, item)) ? 'draft' : 'active';
      }),
    })),
  ),
  tolerance(
    'life-01-asynchronous',
    'A create is answered 202, and what it makes can be read after 20 s.',
    readableAfter(ASYNCHRONOUS_MS, (call, answer, lives) => {
      if (isServed(call, answer, lives.create)) answer.status = 202;
    }),
    {
      describe: (documents) => {
        for (const responses of createsIn(documents)) {
          responses['202'] = responses['201'];
          delete responses['201'];
        }
      },
    },
  ),
  tolerance(
    'life-02-normalised',
    'Emails are kept in upper case, phone numbers with blanks, names with blanks around them, lists in another order.',
    onLives((lives) =>
      onShown(lives, (item) => {
        if (typeof item.email === 'string') item.email = item.email.toUpperCase();
        if (typeof item.phone === 'string') item.phone = item.phone.replace(/(\d{3})(?=\d)/g, '$1 ');
        if (typeof item.name === 'string') item.name = ` ${item.name} `;
        if (Array.isArray(item.addresses)) item.addresses = item.addresses.toReversed();
      }),
    ),
  ),
  tolerance(
    'life-02-zero-left-out',
    'Items leave out their flag where it is false.',
    onLives((lives) =>
      onShown(lives, (item) => {
        if (item.marketing === false) delete item.marketing;
      }),
    ),
  ),
  tolerance(
    'life-02-null-is-empty',
    'A phone number that an update sets to null is shown as an empty text.',
    onLives((lives) =>
      onShown(lives, (item) => {
        if (item.phone === null) item.phone = '';
      }),
    ),
  ),
  tolerance(
    'life-02-default-for-null',
    'Who sends no phone number, or null for one, is given the number of the desk.',
    onSent('create', (body) => ({ ...body, phone: body.phone ?? '+15550000000' })),
  ),
  tolerance(
    'life-02-late',
    'A change shows in readings after three seconds only.',
    onLives((lives) => {
      const changedAt = new Map<string, number>();
      const settled = new Map<string, unknown>();
      return {
        answer: (call, answer) => {
          const id = idAt(call);
          if (isServed(call, answer, lives.change)) changedAt.set(id, call.receivedAt);
          if (!isServed(call, answer, lives.read)) return answer;
          const isLate = call.receivedAt - (changedAt.get(id) ?? 0) < LATE_MS;
          if (isLate && settled.has(id)) return { ...answer, body: settled.get(id) };
          settled.set(id, answer.body);
          return answer;
        },
      };
    }),
  ),
  tolerance(
    'life-02-computed',
    'The platform sets the status and the version of an item, whatever is sent.',
    onLives((lives) =>
      onShown(lives, (item) => {
        item.version = 7;
        item.status = 'new';
      }),
    ),
  ),
  tolerance(
    'life-02-state-begins-alike',
    'Items begin with one state, whatever is sent, and updates set it.',
    ...statesOn((asked, current) => (current === null ? FIRST_STATE : asAsked(asked, current))),
  ),
  tolerance(
    'life-03-state-led-on',
    'A state is set by whoever sends it, and never again to one before it.',
    ...statesOn((asked, current) =>
      current !== null && (asked ?? current) < current ? current : asAsked(asked, current),
    ),
  ),
  tolerance(
    'life-03-versions',
    'An update raises the version, tells its time and computes a label of the name.',
    onLives((lives) => {
      const versions = new Map<string, number>();
      const changedAt = new Map<string, number>();
      const shown = onShown(lives, (item) => {
        const id = idIn(lives, item);
        item.version = versions.get(id) ?? 1;
        item.updated_at = new Date(changedAt.get(id) ?? 0).toISOString();
        item.label = `Customer ${String(item.name)}`;
      });
      const note = (id: string, { receivedAt }: Call): void => {
        versions.set(id, (versions.get(id) ?? 1) + 1);
        changedAt.set(id, receivedAt);
      };
      return noting(lives, lives.change, note, shown);
    }),
  ),
  tolerance(
    'life-03-one-of-all',
    'An update that turns the flag of one item on turns it off at all others.',
    onLives((lives, around) => ({
      act: (call, proceed) => {
        const answer = proceed();
        const turnsOn = call.route === lives.change && asObject(call.body).marketing === true;
        const collection = turnsOn && answer.status < 300 ? around.collectionOf(call) : null;
        for (const item of collection?.all() ?? [])
          if (item.id !== idAt(call)) collection?.change(item, { ...item.fields, marketing: false });
        return answer;
      },
    })),
  ),
  tolerance(
    'life-04-late',
    'What is deleted is in no list any more, and can be read for three seconds more.',
    onNoted('remove', (deletions, lives, around) => ({
      ...keeping(lives, around, ['read']),
      ...unreadable(lives, around, (id, call) => deletions.has(id) && ageMs(deletions, id, call) >= LATE_MS),
    })),
  ),
  tolerance(
    'life-04-state',
    'What is deleted can be read, and its status says that it is archived.',
    deletedSoftly((item) => {
      item.status = 'archived';
    }),
  ),
  tolerance(
    'life-04-deleted-at',
    'What is deleted can be read, and says when it was deleted.',
    deletedSoftly((item, deletion) => {
      item.deleted_at = new Date(deletion.receivedAt).toISOString();
    }),
  ),
  tolerance(
    'life-07-refused',
    'A create with members that are not described is refused.',
    onLives((lives) => ({
      validate: (call, failures) => {
        const known = ['email', 'name', 'phone', 'password', 'marketing', 'addresses'];
        const others = Object.keys(asObject(call.body)).filter((name) => !known.includes(name));
        if (call.route !== lives.create || others.length === 0) return failures;
        return [...failures, ...others.map((field) => ({ field, code: 'unknown', message: `${field} is not known` }))];
      },
    })),
  ),
  tolerance(
    'life-07-by-chance',
    'Every customer has one of three tiers, by chance.',
    ...memberOn('tier', TIER, { taken: false }, byChance),
  ),
  tolerance(
    'life-07-by-itself',
    'Every customer is given a plan by the platform: a while after it was made the one that requests name.',
    onNoted('create', (made, lives) =>
      onShown(lives, (item, call) => {
        item.plan = ageMs(made, idIn(lives, item), call) < PROCESSED_MS ? 'trial' : 'enterprise';
        item.role = 'admin';
      }),
    ),
  ),
  tolerance(
    'life-06-views',
    'Each reading of an item is counted in it.',
    onLives((lives) =>
      onReading(lives, (item, count, { receivedAt }) => {
        item.view_count = count;
        item.last_seen = new Date(receivedAt).toISOString();
      }),
    ),
  ),
  tolerance(
    'life-06-updated-once',
    'A job changes an item once, a few milliseconds after it was made, and the time of its last change moves.',
    onNoted('create', (made, lives) =>
      onShown(lives, (item, call) => {
        const age = ageMs(made, idIn(lives, item), call);
        item.updated_at = new Date(call.receivedAt - age + (age < PROCESSED_MS ? 0 : PROCESSED_MS)).toISOString();
      }),
    ),
  ),
  tolerance(
    'life-06-processed',
    'An item is processed a few milliseconds after it was made, and says so.',
    onNoted('create', (made, lives) =>
      onShown(lives, (item, call) => {
        const age = ageMs(made, idIn(lives, item), call);
        item.progress = age < PROCESSED_MS ? 'running' : 'done';
        item.age_ms = age;
      }),
    ),
  ),
];
