// IDEM-02 where a send changes a thing and makes none: what changed at the first send stands still when the key is sent again.
//
// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.
import { breached, cannotTell, holds, type Judgement, resting, wrong } from '../../contract/judgement.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { epochOfIso8601 } from '../../exchange/iso-8601.ts';
import { shortened, succeeded } from '../../facts/answered.ts';
import { differencesOf, memberAt } from '../../facts/differences.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';

/** Readings of the thing, in the order made. */
export interface Readings {
  readonly before: Exchange;
  /** Two after the first send, between which nothing was sent. */
  readonly changed: readonly [Exchange, Exchange];
  /** After the key was sent again. */
  readonly again: Exchange;
}

/** Larger numbers may be times. */
const LEAST_EPOCH_S = 1e9;

/** The judgement, and the pointers of the thing's members that show a second effect. */
export function judgeThing({ before, changed, again }: Readings): {
  readonly judgement: Judgement;
  readonly members: readonly string[];
} {
  const [first, settled] = changed;
  const untold = (reason: string) => ({ judgement: cannotTell('precondition', reason), members: [] });
  const all = [before, first, settled, again].map(membersOf);
  if (all.some((members) => members === null)) return untold('the thing that a send changes could not be read');
  const [start, once, still, twice] = all as [JsonObject, JsonObject, JsonObject, JsonObject];
  const restless = differencesOf(once, still).map(({ pointer }) => pointer);
  const effects = differing(start, once).filter((pointer) => !restless.includes(pointer));
  if (effects.length === 0) return untold('the thing that a send changes does not show it');
  const members = differing(still, twice).filter((pointer) => effects.includes(pointer));
  const [shown] = members;
  if (shown === undefined) return { judgement: resting(holds(), { answers: 2, effects: 1 }), members };
  const kind = ['idem-02.changed-again', 'a key that is sent again changes a thing once more'] as const;
  const subject = `${shown.slice(1)} of ${again.plan.path} after two sends with one key`;
  const [expected, actual] = [still, twice].map((thing) => shortened(memberAt(thing, shown))) as [string, string];
  const breach = wrong(kind, subject, `${expected}, as after the first`, actual);
  return { judgement: breached([breach]), members };
}

function membersOf(reading: Exchange): JsonObject | null {
  const body = exactBody(reading);
  return succeeded(reading) && body.ok && isObject(body.value) ? body.value : null;
}

/** The pointers of members that are there with other values, times aside. */
function differing(one: JsonObject, other: JsonObject): readonly string[] {
  const differences = differencesOf(one, other).filter(({ after }) => after !== undefined && !isTime(after));
  return differences.map(({ pointer }) => pointer);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number'
    ? value >= LEAST_EPOCH_S
    : typeof value === 'string' && epochOfIso8601(value) !== null;
}
