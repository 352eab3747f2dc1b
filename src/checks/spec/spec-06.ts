// SPEC-06 (must): No operation declares a cursor parameter or a version request header; no list operation a sort or
//   order parameter.
import { breached, toldBreach } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { operationCheck } from './operation-check.ts';

export const spec06 = operationCheck({
  clause: 'SPEC-06',
  title: 'No cursor parameter, no version header, no sort or order on a list',
  judge(operation, _description, { contract }) {
    const { parameters, key, pointer } = operation;
    // Other contracts say no more than that such headers are ignored.
    const isCommerce = contract === 'commerce';
    const kinds = [
      ...(isCommerce ? [[isCursor, 'spec-06.cursor-parameter', 'a cursor parameter'] as const] : []),
      [isVersionHeader, 'spec-06.version-header', 'a version request header'] as const,
      ...(isCommerce && isList(operation) ? [SORTING] : []),
    ];
    const place = appended(pointer, 'parameters');
    const breaches = kinds.flatMap(([isOf, code, kind]) =>
      parameters.filter(isOf).map(({ name }) => {
        const message = `${key} declares ${kind}, ${name}; expected none`;
        return toldBreach([code, `${kind} is declared`], message, 'none', name, place);
      }),
    );
    return breached(breaches, kinds.length);
  },
});

const SORTING = [isSort, 'spec-06.sort-parameter', 'a sort or order parameter'] as const;

/** A GET that pages, or whose path does not end in a parameter. */
function isList({ method, path, parameters }: Operation): boolean {
  return method === 'GET' && (parameters.some(isPaging) || !path.endsWith('}'));
}

// Parameters are known by their names, and only clear names count: what may mean something else in a commerce API (`before`
// a date, `order` of a customer, the version of an app) is let pass.
const CURSORS = new Set([
  'startingafter',
  'endingbefore',
  'pageafter',
  'pagebefore',
  'pagetoken',
  'nexttoken',
  'nextpagetoken',
  'prevpagetoken',
  'continuation',
  'continuationtoken',
  'continuetoken',
  'scrollid',
  'searchafter',
  'sinceid',
]);
const SORTS = new Set([
  'sort',
  'sorts',
  'sorting',
  'sortby',
  'sortorder',
  'sortdir',
  'sortdirection',
  'sortfield',
  'sortkey',
  'sortcolumn',
  'sorttype',
  'orderby',
  'ordering',
  'orderdir',
  'orderdirection',
  'orderfield',
  'ordercolumn',
]);
const PAGING = new Set(['limit', 'offset', 'page', 'pagesize', 'perpage', 'take', 'skip', 'pagenumber']);
/** Things that have versions of their own: X-App-Version tells who calls, X-Cart-Version what was read last, not which API is meant. */
const OTHER_VERSIONS = new RegExp(
  `(^|-)(${[
    'app|client|sdk|device|os|browser|platform|agent|build|model|schema|if|expected|current|last|known',
    'resource|entity|document|content|object|record|row|file|config|state|data|template|draft|page',
    'store|theme|product|catalog|cart|order|checkout|inventory|customer|price',
  ].join('|')})-version$`,
);

/** Tells whether the parameter is a cursor. */
function isCursor({ name, in: place }: Parameter): boolean {
  const plain = plainName(name);
  return place !== 'path' && (plain.endsWith('cursor') || CURSORS.has(plain));
}

/** Tells whether the parameter is a header that asks for a version of the API: X-API-Version, Accept-Version, Stripe-Version. */
function isVersionHeader({ name, in: place }: Parameter): boolean {
  const lower = name.toLowerCase().replaceAll('_', '-');
  return place === 'header' && /^([a-z0-9]+-)*(api)?version$/.test(lower) && !OTHER_VERSIONS.test(lower);
}

/** Tells whether the parameter sorts a list. `order` alone does unless its schema makes it something's id. */
function isSort({ name, in: place, schema }: Parameter): boolean {
  const plain = plainName(name);
  if (place !== 'query') return false;
  return SORTS.has(plain) || (plain === 'order' && !isIdentifier(schema?.value));
}

/** Tells whether the parameter pages a list. */
function isPaging({ name, in: place }: Parameter): boolean {
  return place === 'query' && PAGING.has(plainName(name));
}

/** The name without case, separators and what stands in brackets: `sort_by`, `sortBy` and `sort-by[]` are one. */
function plainName(name: string): string {
  return name.replace(/\[.*$/, '').replaceAll(/[-_.]/g, '').toLowerCase();
}

function isIdentifier(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, format, pattern } = schema as Record<string, unknown>;
  return type === 'integer' || type === 'number' || type === 'boolean' || format === 'uuid' || pattern !== undefined;
}
