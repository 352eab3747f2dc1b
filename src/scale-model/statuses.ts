// Which statuses operations declare: one success each, and errors, so many of each as the source's table says in
// proportion (its counts go beyond the published operations). Rare ones are kept exact.
import { ADMIN_STATUS_COUNTS } from '../contract/platform.ts';
import type { Draw } from './draw.ts';
import { keyOf, type Planned } from './planned.ts';

/** Status → description, success first. */
export type Declared = Readonly<Record<string, string>>;

/** Statuses of which the scale model has as many as the source's table. */
const RARE = ['204', '302', '403', '409', '429', '503'];
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  204: 'No body',
  400: 'The request was rejected',
  401: 'Invalid credentials',
  403: 'Account locked',
  404: 'Not found',
  409: 'It exists already',
};

/** Operations by declared status for a service of this many operations; `exact`: rare statuses as often as in the table. */
export function statusCounts(operations: number, exact: boolean): Readonly<Record<string, number>> {
  const table = ADMIN_STATUS_COUNTS;
  const count = (status: string) => table[status] ?? 0;
  if (!exact) {
    const share = operations / successes(table);
    const scaled = (status: string) => Math.round(count(status) * share);
    const counts = Object.fromEntries(
      ['201', '204', '400', '401', '403', '404', '409'].map((one) => [one, scaled(one)]),
    );
    return { ...counts, 200: operations - scaled('201') - scaled('204') };
  }
  const rare = Object.fromEntries(RARE.map((status) => [status, count(status)]));
  const ordinary = operations - count('204') - count('302');
  const created = Math.round((ordinary * count('201')) / (count('200') + count('201')));
  const share = operations / successes(table);
  const errors = Object.fromEntries(['400', '401', '404'].map((one) => [one, Math.round(count(one) * share)]));
  return { ...rare, ...errors, 201: created, 200: ordinary - created };
}

/** Answers below 400 in the table: each operation has one. */
function successes(table: Readonly<Record<string, number>>): number {
  return Object.entries(table).reduce((sum, [status, count]) => sum + (Number(status) < 400 ? count : 0), 0);
}

/** What each operation declares, by its key. */
export function declaredStatuses(
  operations: readonly Planned[],
  counts: Readonly<Record<string, number>>,
  draw: Draw,
): ReadonlyMap<string, Declared> {
  const declared = new Map(operations.map((one) => [keyOf(one), { ...one.declares } as Record<string, string>]));
  for (const [status, fits] of CANDIDATES) {
    const has = (one: Planned) => status in (declared.get(keyOf(one)) ?? {});
    const missing = (counts[status] ?? 0) - operations.filter(has).length;
    const free = operations.filter(
      (one) => !has(one) && fits(one) && (status > '299' || isOpen(declared.get(keyOf(one)))),
    );
    for (const one of draw.shuffled(free, `declares ${status}`).slice(0, Math.max(0, missing))) {
      const of = declared.get(keyOf(one));
      if (of !== undefined) of[status] = DESCRIPTIONS[status] ?? '';
    }
  }
  for (const of of declared.values()) if (isOpen(of)) of[200] = DESCRIPTIONS[200] ?? '';
  return declared;
}

/** No success is declared yet. */
function isOpen(declared: Declared | undefined): boolean {
  return Object.keys(declared ?? {}).every((status) => status > '399');
}

/** Where a status may be declared, successes first. */
const CANDIDATES: readonly (readonly [string, (one: Planned) => boolean])[] = [
  ['201', ({ kind }) => kind === 'create'],
  ['204', ({ kind }) => kind === 'delete'],
  ['400', ({ body }) => body !== undefined],
  ['401', ({ path, isPublic }) => path.includes('/auth/') || isPublic !== true],
  ['403', ({ isPublic }) => isPublic !== true],
  ['404', ({ path }) => path.includes('{')],
  ['409', ({ kind }) => kind === 'create' || kind === 'change'],
];
