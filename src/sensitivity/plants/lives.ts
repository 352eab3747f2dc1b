// Plants of LIFE: what was made cannot be read, what was sent is not kept, what was deleted is still there.

import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { trimmed } from '../../facts/paths.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type ExperimentPlant, isRefusal, type Occasion, type Sown, sown, withBody } from '../plant.ts';
import { pageOf } from './lists.ts';

/** A plant of readings. `methods`: those that the items must have. */
function plant(
  clause: string,
  name: string,
  text: string,
  { methods, change, ...entry }: Pick<Sown, 'lacks' | 'change'> & { readonly methods: readonly string[] },
): ExperimentPlant {
  return sown(clause, name, text, {
    ...entry,
    concerns: (operation, description) => makesItems(operation, description, methods),
    change: (occasion, response) => (occasion.plan.method === 'GET' ? change(occasion, response) : null),
  });
}

/** Tells whether the operation makes items that other operations of these methods name by an id. */
export function makesItems(
  { method, path }: Operation,
  { operations }: Description,
  methods: readonly string[],
): boolean {
  const base = trimmed(path);
  const isItem = (other: string): boolean => other.startsWith(`${base}/{`) && other.indexOf('/', base.length + 1) < 0;
  return (
    method === 'POST' && methods.every((one) => operations.some((other) => other.method === one && isItem(other.path)))
  );
}

function objectOf(exchange: Exchange): JsonObject | null {
  const body = jsonBody(exchange);
  return body.ok && isObject(body.value) ? body.value : null;
}

/** The create that made what the path names; null where none did. */
function creationOf({ plan, earlier }: Occasion): Exchange | null {
  const parent = plan.path.slice(0, plan.path.lastIndexOf('/'));
  const creates = earlier.filter((one) => one.plan.method === 'POST' && trimmed(one.plan.path) === parent);
  return creates.findLast(succeeded) ?? null;
}

/** The members that the request sent. */
function sentBy({ plan: { body } }: Exchange): JsonObject {
  return body.kind === 'json' && isObject(body.value) ? body.value : {};
}

/** Tells whether the exchange is a success by this method at the path of the reading. */
function didHere({ plan: { path } }: Occasion, method: string) {
  return (one: Exchange): boolean => one.plan.method === method && one.plan.path === path && succeeded(one);
}

/** The answer with another text in the first member that fits; null where none does. */
function altered(exchange: Exchange, fits: (name: string, value: string) => boolean): RecordedResponse | null {
  const { response } = exchange;
  const value = objectOf(exchange);
  if (value === null || response === null || !succeeded({ response })) return null;
  const name = Object.keys(value).find((one) => typeof value[one] === 'string' && fits(one, value[one] as string));
  return name === undefined ? null : withBody(response, { ...value, [name]: 'assay other text' });
}

export const lifePlants: readonly ExperimentPlant[] = [
  plant('LIFE-01', 'unreadable', 'What was made cannot be read.', {
    ...{ methods: ['GET'], lacks: 'nothing that the run made was read' },
    change: (occasion, response) =>
      succeeded({ response }) && creationOf(occasion) !== null ? { ...response, status: 404 } : null,
  }),
  plant('LIFE-02', 'lost', 'A member that was sent has another value when it is read.', {
    ...{ methods: ['GET'], lacks: 'nothing that the run made shows a member that was sent' },
    change(occasion) {
      const made = creationOf(occasion);
      const sent = made === null ? {} : sentBy(made);
      return altered(occasion.exchange, (name, value) => sent[name] === value);
    },
  }),
  plant('LIFE-03', 'others', 'An update changes another member, too.', {
    ...{ methods: ['GET', 'PATCH'], lacks: 'nothing was read after an update' },
    change(occasion) {
      const update = occasion.earlier.find(didHere(occasion, 'PATCH'));
      if (update === undefined) return null;
      const sent = sentBy(update);
      return altered(occasion.exchange, (name) => !Object.hasOwn(sent, name) && !/(^|_)id$|_at$|^status$/i.test(name));
    },
  }),
  plant('LIFE-04', 'readable', 'What was deleted can still be read.', {
    ...{ methods: ['GET', 'DELETE'], lacks: 'nothing was read after it was deleted' },
    change(occasion, { status }) {
      const { earlier } = occasion;
      const isGone = earlier.some(didHere(occasion, 'DELETE'));
      return isGone && status !== 200 ? (earlier.findLast(didHere(occasion, 'GET'))?.response ?? null) : null;
    },
  }),
  plant('LIFE-05', 'left', 'A create that is refused leaves its item in the list.', {
    ...{ methods: ['GET'], lacks: 'no list was read after a create was refused' },
    change({ exchange, plan, beside }) {
      const page = pageOf(exchange);
      const path = trimmed(plan.path);
      const refused = beside.filter(
        (one) => one.plan.method === 'POST' && trimmed(one.plan.path) === path && isRefusal(one.response?.status ?? 0),
      );
      const left = refused.map(sentBy).filter((members) => Object.keys(members).length > 0);
      return page === null || left.length === 0 ? null : page.with([...page.items, ...left]);
    },
  }),
  plant('LIFE-06', 'counted', 'Every reading of an item changes it.', {
    ...{ methods: ['GET'], lacks: 'nothing that the run made was read twice' },
    change({ exchange, plan, earlier }, response) {
      const value = objectOf(exchange);
      if (value === null || !succeeded(exchange)) return null;
      const readings = earlier.filter((one) => one.plan.method === 'GET' && one.plan.path === plan.path).length;
      return withBody(response, { ...value, assay_revision: readings });
    },
  }),
  plant('LIFE-07', 'applied', "Members that are not the client's are kept as they are sent.", {
    ...{ methods: ['GET'], lacks: "no item was written with members that are not the client's" },
    change({ exchange, plan, earlier }, response) {
      const value = objectOf(exchange);
      const id = plan.path.slice(plan.path.lastIndexOf('/') + 1);
      const write = earlier.findLast(
        (one) =>
          succeeded(one) &&
          (one.plan.method === 'POST' ? one.response?.body.includes(id) : one.plan.path === plan.path) &&
          ['POST', 'PATCH', 'PUT'].includes(one.plan.method),
      );
      if (value === null || write === undefined || !succeeded(exchange)) return null;
      return withBody(response, { ...value, ...sentBy(write) });
    },
  }),
];
