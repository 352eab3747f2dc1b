// VER-01 (must): A header that carries a version (X-API-Version, API-Version, Accept-Version, Stripe-Version style) is
//   ignored: same status and shape.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { membersOf } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';

/**
 * Judges pairs of (plain, versioned) sends of one request, in the order sent. A difference counts only when every pair
 * shows it and the plain sends agree among themselves: data that changes by others' hands is not a version honoured.
 */
export function judgeVersionIgnored(pairs: readonly (readonly [plain: Exchange, versioned: Exchange])[]): Judgement {
  const [first] = pairs;
  if (first === undefined) return cannotTell('precondition', 'nothing was sent');
  for (const exchange of pairs.flat()) {
    const seen = answerOf(exchange);
    if (!seen.ok) return seen.judgement;
  }
  if (pairs.some(([plain, versioned]) => isAlike(plain, versioned))) return holds();
  if (new Set(pairs.map(([plain]) => signature(plain))).size > 1) {
    return cannotTell('precondition', 'the answer without a version header differs from call to call');
  }
  const [plain, versioned] = first;
  const expected = 'the same status and shape with and without a version header';
  const statuses = [plain.response?.status, versioned.response?.status];
  const [code, cause] =
    statuses[0] === statuses[1]
      ? ['ver-01.other-shape', 'a version header changes the shape']
      : ['ver-01.other-status', 'a version header changes the status'];
  const actual = statuses[0] === statuses[1] ? 'another shape' : `${statuses[1]} in place of ${statuses[0]}`;
  return breached([{ weight: 'breach', code, cause, message: `${cause}: ${actual}`, expected, actual }]);
}

function isAlike(one: Exchange, other: Exchange): boolean {
  const isSame = one.response?.status === other.response?.status && one.response?.body === other.response?.body;
  return isSame || signature(one) === signature(other);
}

function signature(exchange: Exchange): string {
  const body = jsonBody(exchange);
  return `${exchange.response?.status} ${body.ok ? shapeOfJson(body.value, 0) : 'no JSON'}`;
}

const DEPTH_LIMIT = 6;
/** Maximum number of items of one array that tell its shape. */
const ITEMS_LOOKED_AT = 1000;

/** Members and their types as text; an array's shape is the set of its items' shapes; null and absent are the same. */
function shapeOfJson(value: unknown, depth: number): string {
  if (depth > DEPTH_LIMIT) return '…';
  if (Array.isArray(value)) {
    const shapes = value.slice(0, ITEMS_LOOKED_AT).map((item) => shapeOfJson(item, depth + 1));
    return `[${[...new Set(shapes)].sort().join()}]`;
  }
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = membersOf(value).filter(([, member]) => member !== null);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${shapeOfJson(member, depth + 1)}`)
    .sort()
    .join()}}`;
}
