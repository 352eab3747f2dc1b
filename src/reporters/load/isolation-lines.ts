// Who felt whose ceiling, as lines of text.
import type { IsolatedKey, IsolationPart, IsolationRow } from '../../contract/load-part.ts';
import { number } from '../words.ts';

/** Lines for each key that was kept at its ceiling, under a title; none where isolation was not looked at, or has another shape. */
export function isolationLines(load: unknown): readonly string[] {
  const rows = isolatedKeys(load);
  return rows.length === 0 ? [] : ['Isolation', ...rows.flatMap(linesOf)];
}

/** The keys that were kept at their ceiling; none where isolation was not looked at, or has another shape. */
export function isolatedKeys(load: unknown): readonly IsolationRow[] {
  const { isolation } = Object(load) as { readonly isolation?: Partial<IsolationPart> };
  return Array.isArray(isolation?.keys) ? isolation.keys.filter(isRow) : [];
}

function linesOf({ plan, key, admitted, refused, others }: IsolationRow): readonly string[] {
  const state = refused === 0 ? 'was not brought to its ceiling' : 'at its ceiling';
  return [
    `  ${plan} ${state} (key ${key}: ${number(admitted)} calls admitted, ${number(refused)} refused)`,
    ...others.map((other) => `    ${other.plan.padEnd(11)} ${limited(other)}; ${slowed(other)} (key ${other.key})`),
  ];
}

function limited({ refusedAtRest, refusedUnderPressure, callsUnderPressure }: IsolatedKey): string {
  if (refusedUnderPressure === 0) return 'not limited';
  const before = refusedAtRest === 0 ? '' : `, ${number(refusedAtRest)} at rest`;
  return `${number(refusedUnderPressure)} of ${number(callsUnderPressure)} calls refused${before}`;
}

function slowed({ slowing }: IsolatedKey): string {
  const { factor, shift, p50RestMs, p50PressedMs, p90RestMs, p90PressedMs, unknown } = slowing;
  if (factor === null) return `slowing unknown: ${unknown}`;
  const said = { none: 'not slowed', open: 'perhaps slowed', sure: 'slowed' }[shift];
  const times = shift === 'none' ? '' : ` ${factor.best} times (${factor.least}–${factor.most})`;
  return `${said}${times}: p50 ${change(p50RestMs, p50PressedMs)}; p90 ${change(p90RestMs, p90PressedMs)}`;
}

/** "12 ms, then 30"; what answers were too few to tell is unknown. */
function change(restMs: number | null = null, pressedMs: number | null = null): string {
  return `${restMs === null ? 'unknown' : `${restMs} ms`}, then ${pressedMs ?? 'unknown'}`;
}

function isRow(row: unknown): row is IsolationRow {
  const { plan, key, others } = Object(row) as Partial<IsolationRow>;
  return (
    typeof plan === 'string' &&
    typeof key === 'string' &&
    Array.isArray(others) &&
    others.every(({ plan: other, slowing }) => typeof other === 'string' && typeof slowing === 'object')
  );
}
