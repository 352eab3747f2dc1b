// Hooks that change what the pages of one list show.

import type { Hooks, Surroundings } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { isObject, type JsonObject } from '../json.ts';
import { represent } from '../schema/represent.ts';
import { type Page, pageOf } from '../store/paging.ts';
import type { Paging } from '../store/resource.ts';
import { on } from './fault.ts';

export const LOGS = 'GET /api/v1/auth/activity/logs';

/** One page as it would be answered, and the whole list. */
export interface ListPage extends Page {
  readonly call: Call;
  readonly answer: Answer;
  readonly all: readonly unknown[];
  readonly items: readonly unknown[];
  /** The envelope; an empty object for a bare array. */
  readonly envelope: JsonObject;
}

/** A list that pages so; `bare`: whether it answers an array, else an envelope; the activity log only by `isLog`. */
export function isList(paging: Paging, { bare }: { readonly bare: boolean }) {
  return ({ role, operation }: Route): boolean =>
    operation.key !== LOGS && role.kind === 'list' && role.paging === paging && (role.shape.member === null) === bare;
}

export function isLog({ operation, role }: Route): boolean {
  return operation.key === LOGS && role.kind === 'list';
}

/** Hooks on the pages of one list: `change` returns the items that are shown instead, or changes the answer in place. */
export function onPages(
  need: string,
  fits: (route: Route) => boolean,
  change: (page: ListPage) => readonly unknown[] | null,
): (around: Surroundings) => Hooks {
  return on(need, fits, (route, around) => ({
    answer: (call, answer) => {
      const page = call.route === route && answer.status === 200 ? listPage(call, answer, around) : null;
      const items = page === null ? null : change(page);
      if (items !== null) show(answer, structuredClone(items), route);
    },
  }));
}

/** The whole list, as it is shown. */
export function allItems(call: Call, around: Surroundings): readonly unknown[] {
  const role = call.route?.role;
  if (role?.kind !== 'list') return [];
  const key = call.route?.operation.key ?? '';
  const items = around.collectionOf(call)?.all() ?? [];
  return items.map((item) => represent(role.resource, item, role.shape.items, key));
}

function listPage(call: Call, answer: Answer, around: Surroundings): ListPage | null {
  const role = call.route?.role;
  if (role?.kind !== 'list') return null;
  const all = allItems(call, around);
  const page = pageOf(call.query, role.paging);
  const items = all.slice(page.offset, page.offset + page.limit);
  return { ...page, call, answer, all, items, envelope: isObject(answer.body) ? answer.body : {} };
}

function show(answer: Answer, items: readonly unknown[], { role }: Route): void {
  const member = role.kind === 'list' ? role.shape.member : null;
  if (member === null) answer.body = items;
  else if (isObject(answer.body)) answer.body[member] = items;
}

/** The page moved by so many items. */
export function moved({ all, offset, limit }: ListPage, by: number): readonly unknown[] {
  return all.slice(Math.max(0, offset + by), offset + by + limit);
}

export function isLastPage({ all, offset, limit }: ListPage): boolean {
  return offset > 0 && offset < all.length && offset + limit >= all.length;
}
