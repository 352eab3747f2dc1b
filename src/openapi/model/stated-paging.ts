// How the contract says that an operation pages: the first entry of its terms that names it, or whose parameters it has.

import { operationMatcher } from '../../contract/operation-glob.ts';
import type { PagingTerms, Terms } from '../../contract/terms.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isObject } from '../json.ts';
import type { Operation } from './operation.ts';

/** Looked up for each answer, and the same each time. */
const entriesOf = oncePer(({ pagination }: Terms) =>
  oncePer((operation: Operation) =>
    operation.method === 'GET' ? (pagination.find((one) => isOf(one, operation)) ?? null) : null,
  ),
);

/** The entry of the operation; null where the contract has none for it. */
export function statedPaging(operation: Operation, terms: Terms): PagingTerms | null {
  return entriesOf(terms)(operation);
}

function isOf({ operations, parameters }: PagingTerms, operation: Operation): boolean {
  if (operations !== null) return operations.length > 0 && operationMatcher(operations)(operation.key);
  const wanted = [parameters.size, parameters.turn].filter((name) => name !== null);
  const names = namesIn(operation);
  return wanted.length > 0 && wanted.every((name) => names.includes(name));
}

/** The names of the query parameters; those of a deep object are written as `page[size]`. */
function namesIn({ parameters }: Operation): readonly string[] {
  return parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema, style }) => {
      const properties = isObject(schema?.value) ? schema.value.properties : undefined;
      if (style !== 'deepObject' || !isObject(properties)) return [name];
      return Object.keys(properties).map((member) => `${name}[${member}]`);
    });
}

/** Tells whether the contract counts the items of the list. */
export function isCounted(stated: PagingTerms | null): boolean {
  return stated?.counts.total != null;
}

/** Tells whether pages are promised from the first to the last one alone: it counts them, and says nothing of pages beyond. */
export function endsWithItsPages(stated: PagingTerms | null): boolean {
  return stated?.counts.pages != null && stated.pastEnd === 'not-shown';
}
