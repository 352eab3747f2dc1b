// Drafts the parts of a contract that headers of answers and of descriptions tell: limits, keys that make a request
// happen once, ETags.

import { X_RATELIMIT } from '../../contract/customs.ts';
import { plural } from '../../contract/numbers.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
import { headerName, listed, nameOf, type Seen, scalar, tagOf } from '../../facts/seen.ts';
import { resetOf } from '../../limiters/reset-forms.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';

import { line, NOTHING, type Part, remark } from './parts.ts';

type Told = Seen['headers'][number];

/** Own names of limits: a word for the limit, then for what of it. */
const LIMIT_WORD = /rate|quota|limit|throttle/i;
const REMAINING = /^(.*?)[-_]?(remaining|left|available)$/i;
const LIMIT = /[-_]?(limit|max|total|quota)$/i;
const RESET = /[-_]?(reset|resets|resetat|reset-at|reset-after|retry-at)$/i;

/** How limits are told. */
export function draftedLimits(seen: readonly Seen[], { isOffline }: { readonly isOffline: boolean }): Part {
  const found = seen.flatMap((one) => limitIn(one) ?? [])[0];
  if (found !== undefined) return found;
  const why = isOffline
    ? 'Does the API tell its limits? rateLimits: { headers: x-ratelimit }, or ietf, or { limit: …, remaining: …, reset: … }'
    : `No limit was told in ${plural(seen.length, 'answer')}. Is there one? rateLimits: { headers: x-ratelimit }, or ietf`;
  return { ...NOTHING, lines: [remark(why)] };
}

function limitIn(seen: Seen): Part | null {
  const names = seen.headers.map(([name]) => name.toLowerCase());
  const why = (name: string): string => `${nameOf(seen)} has ${name}`;
  const preset = (name: string, because: string): Part => ({
    ...NOTHING,
    extends: [line(name, why(because))],
  });
  const { limit, remaining, reset } = X_RATELIMIT;
  if ([limit, remaining, reset].every((name) => names.includes(name.toLowerCase())))
    return preset('ratelimit-x', remaining);
  if (names.includes('ratelimit') || names.includes('ratelimit-policy')) return preset('ratelimit-ietf', 'RateLimit');
  return ownLimit(seen.headers, (name) => why(name));
}

/** Three headers of one beginning: X-Quota-Limit, X-Quota-Left, X-Quota-Reset. */
function ownLimit(headers: readonly Told[], why: (name: string) => string): Part | null {
  for (const [name] of headers.filter((one) => isCount(one) && LIMIT_WORD.test(one[0]))) {
    const [, stem] = REMAINING.exec(name) ?? [];
    if (stem === undefined) continue;
    const own = headers.filter(([other]) => other !== name && other.toLowerCase().startsWith(stem.toLowerCase()));
    const limit = own.find(
      (one) => isCount(one) && (LIMIT.test(one[0]) || one[0].toLowerCase() === stem.toLowerCase()),
    );
    if (limit === undefined) continue;
    const reset = own.find(([other]) => other !== limit[0] && RESET.test(other));
    const parts = [
      `limit: ${headerName(limit[0])}`,
      `remaining: ${headerName(name)}`,
      ...(reset === undefined ? [] : [resetPart(reset)]),
    ];
    return {
      ...NOTHING,
      lines: [line('rateLimits:'), line(`  headers: { ${parts.join(', ')} }`, why(name))],
    };
  }
  return null;
}

function isCount([, value]: Told): boolean {
  return /^\d{1,12}$/.test(value.trim());
}

function resetPart([name, value]: Told): string {
  const form = resetForm(value.trim());
  return form === null ? `reset: ${headerName(name)}` : `reset: { name: ${headerName(name)}, form: ${form} }`;
}

function resetForm(value: string): string | null {
  if (resetOf(value, 'duration') !== null) return 'duration';
  const form = resetOf(value)?.form ?? null;
  return form === 'http-date' || form === 'iso-date' ? 'date' : form;
}

const MOST_NAMED = 6;

/** Operations that declare a key which makes a request happen once. */
export function draftedKeys(descriptions: readonly Description[]): Part {
  const keyed = descriptions.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      const parameter = operation.parameters.find((one) => one.in === 'header' && isKeyHeader(one.name));
      return parameter === undefined ? [] : [{ key: operation.key, name: parameter.name }];
    }),
  );
  const [first] = keyed;
  if (first === undefined) return NOTHING;
  const own = keyed.filter(({ name }) => name.toLowerCase() === first.name.toLowerCase()).map(({ key }) => key);
  const others = own.length - MOST_NAMED;
  const why = `${plural(own.length, 'operation declares', 'operations declare')} ${first.name}${others > 0 ? `; ${plural(others, 'more is', 'more are')} to be named` : ''}`;
  return {
    ...NOTHING,
    lines: [
      line('idempotency:'),
      line(`  header: ${scalar(first.name)}`, why),
      line(`  operations: ${listed(own.slice(0, MOST_NAMED))}`),
      remark('What does the same key with another body get? otherBody: { status: [409, 422] }'),
    ],
  };
}

/** Operations with ETags, where a read that names the known state is answered 304, and writes that declare If-Match. */
export function draftedConditions(seen: readonly Seen[], descriptions: readonly Description[]): Part {
  const tagged = seen.filter((one) => one.status < 300 && tagOf(one) !== null);
  const again = seen.find(({ purpose }) => purpose === 'known state');
  const isTaken = again?.status === 304;
  const reads = isTaken ? tagged.flatMap(({ operation }) => (operation === null ? [] : [operation.key])) : [];
  const writes = descriptions.flatMap(({ operations }) => operations.filter(isConditional).map(({ key }) => key));
  const all = [...new Set([...reads, ...writes])];
  const why =
    isTaken && again !== undefined
      ? `${nameOf(again)}, asked with the ETag that it has`
      : `${plural(writes.length, 'operation declares', 'operations declare')} If-Match or If-None-Match`;
  const ignored =
    again === undefined || isTaken
      ? []
      : [remark(`${nameOf(again)} in full, asked with the ETag that it has. Is If-None-Match heeded? conditional`)];
  if (all.length === 0) return { ...NOTHING, lines: ignored };
  return {
    ...NOTHING,
    lines: [line('conditional:'), line(`  operations: ${listed(all.slice(0, MOST_NAMED))}`, why), ...ignored],
  };
}

function isConditional({ parameters }: Operation): boolean {
  return parameters.some(({ in: place, name }) => place === 'header' && /^if-(none-)?match$/i.test(name));
}
