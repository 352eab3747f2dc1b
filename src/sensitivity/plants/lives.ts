// Plants of LIFE: what was made cannot be read, what was sent is not kept, what was deleted is still there.

import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { trimmed } from '../../facts/paths.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type ExperimentPlant, type Occasion, withBody } from '../plant.ts';
import { pageOf } from './lists.ts';

type Entry = Pick<ExperimentPlant, 'id' | 'clause' | 'text' | 'lacks'> & {
  /** Methods that the items must have. */
  readonly methods: readonly string[];
  change(occasion: Occasion): RecordedResponse | null;
};

function plant({ change, methods, ...entry }: Entry): ExperimentPlant {
  return {
    ...{ at: 'operation', ...entry },
    concerns: (operation, description) => makesItems(operation, description, methods),
    change(occasion) {
      const changed = occasion.plan.method === 'GET' ? change(occasion) : null;
      return changed === null ? null : { response: changed };
    },
  };
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

function isSuccess(exchange: Exchange | undefined): exchange is Exchange & { readonly response: RecordedResponse } {
  const status = exchange?.response?.status ?? 599;
  return status < 300;
}

function objectOf(exchange: Exchange): JsonObject | null {
  const body = jsonBody(exchange);
  return body.ok && isObject(body.value) ? body.value : null;
}

/** The create that made what the path names; null where none did. */
function creationOf({ plan, earlier }: Occasion): Exchange | null {
  const parent = plan.path.slice(0, plan.path.lastIndexOf('/'));
  const creates = earlier.filter((one) => one.plan.method === 'POST' && trimmed(one.plan.path) === parent);
  return creates.findLast(isSuccess) ?? null;
}

/** The members that the request sent. */
function sentBy({ plan: { body } }: Exchange): JsonObject {
  return body.kind === 'json' && isObject(body.value) ? body.value : {};
}

/** The answer with another text in the first member that fits; null where none does. */
function altered(exchange: Exchange, fits: (name: string, value: string) => boolean): RecordedResponse | null {
  const value = objectOf(exchange);
  if (value === null || !isSuccess(exchange)) return null;
  const name = Object.keys(value).find((one) => typeof value[one] === 'string' && fits(one, value[one] as string));
  return name === undefined ? null : withBody(exchange.response, { ...value, [name]: 'assay other text' });
}

export const lifePlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'life-01-unreadable', clause: 'LIFE-01', text: 'What was made cannot be read.', methods: ['GET'] },
    lacks: 'nothing that the run made was read',
    change: (occasion) =>
      isSuccess(occasion.exchange) && creationOf(occasion) !== null
        ? { ...occasion.exchange.response, status: 404 }
        : null,
  }),
  plant({
    ...{ id: 'life-02-lost', clause: 'LIFE-02', text: 'A member that was sent has another value when it is read.' },
    ...{ methods: ['GET'], lacks: 'nothing that the run made shows a member that was sent' },
    change(occasion) {
      const made = creationOf(occasion);
      const sent = made === null ? {} : sentBy(made);
      return altered(occasion.exchange, (name, value) => sent[name] === value);
    },
  }),
  plant({
    ...{ id: 'life-03-others', clause: 'LIFE-03', text: 'An update changes another member, too.' },
    ...{ methods: ['GET', 'PATCH'], lacks: 'nothing was read after an update' },
    change({ exchange, plan, earlier }) {
      const update = earlier.find(
        (one) => one.plan.method === 'PATCH' && one.plan.path === plan.path && isSuccess(one),
      );
      if (update === undefined) return null;
      const sent = sentBy(update);
      return altered(exchange, (name) => !Object.hasOwn(sent, name) && !/(^|_)id$|_at$|^status$/i.test(name));
    },
  }),
  plant({
    ...{ id: 'life-04-readable', clause: 'LIFE-04', text: 'What was deleted can still be read.' },
    ...{ methods: ['GET', 'DELETE'], lacks: 'nothing was read after it was deleted' },
    change({ exchange, plan, earlier }) {
      const isGone = earlier.some(
        (one) => one.plan.method === 'DELETE' && one.plan.path === plan.path && isSuccess(one),
      );
      const read = earlier.findLast(
        (one) => one.plan.method === 'GET' && one.plan.path === plan.path && isSuccess(one),
      );
      return isGone && exchange.response?.status !== 200 ? (read?.response ?? null) : null;
    },
  }),
  plant({
    ...{ id: 'life-05-left', clause: 'LIFE-05', text: 'A create that is refused leaves its item in the list.' },
    ...{ methods: ['GET'], lacks: 'no list was read after a create was refused' },
    change({ exchange, plan, beside }) {
      const page = pageOf(exchange);
      const path = trimmed(plan.path);
      const refused = beside.filter((one) => {
        const status = one.response?.status ?? 0;
        return one.plan.method === 'POST' && trimmed(one.plan.path) === path && status >= 400 && status < 429;
      });
      const left = refused.map(sentBy).filter((members) => Object.keys(members).length > 0);
      return page === null || left.length === 0 ? null : page.with([...page.items, ...left]);
    },
  }),
  plant({
    ...{ id: 'life-06-counted', clause: 'LIFE-06', text: 'Every reading of an item changes it.' },
    ...{ methods: ['GET'], lacks: 'nothing that the run made was read twice' },
    change({ exchange, plan, earlier }) {
      const value = objectOf(exchange);
      if (value === null || !isSuccess(exchange)) return null;
      const readings = earlier.filter((one) => one.plan.method === 'GET' && one.plan.path === plan.path).length;
      return withBody(exchange.response, { ...value, assay_revision: readings });
    },
  }),
  plant({
    ...{
      id: 'life-07-applied',
      clause: 'LIFE-07',
      text: "Members that are not the client's are kept as they are sent.",
    },
    ...{ methods: ['GET'], lacks: "no item was written with members that are not the client's" },
    change({ exchange, plan, earlier }) {
      const value = objectOf(exchange);
      const id = plan.path.slice(plan.path.lastIndexOf('/') + 1);
      const write = earlier.findLast(
        (one) =>
          isSuccess(one) &&
          (one.plan.method === 'POST' ? one.response.body.includes(id) : one.plan.path === plan.path) &&
          ['POST', 'PATCH', 'PUT'].includes(one.plan.method),
      );
      if (value === null || write === undefined || !isSuccess(exchange)) return null;
      return withBody(exchange.response, { ...value, ...sentBy(write) });
    },
  }),
];
