// Pages: the parameters' rules, and the slice of a list that they name.
import type { FieldFailure } from '../envelope.ts';
import type { JsonObject } from '../json.ts';
import type { Paging } from './resource.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** 1-indexed. */
  readonly page: number;
}

const MIN_VALUE: Readonly<Record<string, number>> = { limit: 1, page: 1, offset: 0 };

/** Failures of the paging parameters: whole numbers in digits, limit and page from 1, offset from 0, each once. */
export function pagingFailures(query: Readonly<Record<string, unknown>>, paging: Paging): FieldFailure[] {
  const failures: FieldFailure[] = [];
  for (const name of parametersOf(paging)) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) {
      failures.push({ field: name, code: 'invalid_type', message: `${name} must be one whole number` });
    } else if (Number(value) < (MIN_VALUE[name] ?? 0)) {
      failures.push({ field: name, code: 'too_small', message: `${name} must be at least ${MIN_VALUE[name]}` });
    }
  }
  return failures;
}

/** The page that valid parameters name; a limit above the maximum is clamped. */
export function pageOf(query: Readonly<Record<string, unknown>>, paging: Paging): Page {
  const given = (name: string, otherwise: number) => (query[name] === undefined ? otherwise : Number(query[name]));
  const limit = Math.min(MAX_LIMIT, given('limit', DEFAULT_LIMIT));
  if (paging === 'offset') {
    const offset = given('offset', 0);
    return { limit, offset, page: Math.floor(offset / limit) + 1 };
  }
  const page = paging === 'page' ? given('page', 1) : 1;
  return { limit, offset: (page - 1) * limit, page };
}

/** The envelope with its counts filled in, in whichever of the usual names it has. */
export function fillEnvelope(envelope: JsonObject, page: Page, total: number): JsonObject {
  const pages = Math.ceil(total / page.limit);
  const counts: Readonly<Record<string, unknown>> = {
    total,
    total_count: total,
    totalCount: total,
    count: total,
    page: page.page,
    limit: page.limit,
    per_page: page.limit,
    perPage: page.limit,
    offset: page.offset,
    total_pages: pages,
    totalPages: pages,
    has_more: page.offset + page.limit < total,
    hasMore: page.offset + page.limit < total,
  };
  const filled = { ...envelope };
  for (const name of Object.keys(envelope)) if (name in counts) filled[name] = counts[name];
  return filled;
}

function parametersOf(paging: Paging): readonly string[] {
  if (paging === 'none') return [];
  return paging === 'limit' ? ['limit'] : ['limit', paging];
}
