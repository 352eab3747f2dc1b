// Judges whether members that clients do not own are applied when they are sent all the same.
//
// LIFE-07 (should): Read-only and undeclared members of a request are refused or ignored, never applied (mass
//   assignment): `id`, owner, plan, role, price paid, state. Tolerance: Applied only where the next read shows the sent
//   value and a control shows that it would not be there by itself.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, shortened } from '../../facts/answered.ts';
import { textOf } from '../../facts/differences.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { appended, type JsonObject } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';

/** A write with members that are not the client's. */
export interface AssignedCase {
  readonly write: Exchange;
  /** The members in question, as they were sent. */
  readonly sent: JsonObject;
  /** A reading after the write; null where it was refused. */
  readonly reading: Exchange | null;
  /** Readings of a resource that was written without them: the last one was made after `reading`. */
  readonly controls: readonly Exchange[];
}

/** LIFE-07: one write that succeeds without these members. */
export function judgeNotApplied(about: AssignedCase): Judgement {
  const seen = answerOf(about.write);
  if (!seen.ok) return seen.judgement;
  const members = Object.keys(about.sent).length;
  if (!isSuccess(seen.answer.status))
    return seen.answer.status >= 400
      ? holds(members)
      : cannotTell('precondition', `the write is answered ${seen.answer.status}`);
  if (about.reading === null || resourceOf(about.reading) === null || about.controls.length === 0)
    return cannotTell('precondition', 'the resource could not be read after the write');
  return breached(
    appliedMembers(about).map((name) => toldOf(name, about.sent[name])),
    members,
  );
}

/** Members that the reading shows as they were sent, and no control does. */
export function appliedMembers({ sent, reading, controls }: AssignedCase): readonly string[] {
  const resource = reading === null ? null : resourceOf(reading);
  if (resource === null) return [];
  const others = controls.map(resourceOf);
  return Object.keys(sent).filter((name) => {
    const isShown = (one: JsonObject | null): boolean =>
      one !== null && (textOf(one[name]) === textOf(sent[name]) || sameness(sent[name], one[name]) === 'same');
    return isShown(resource) && !others.some(isShown);
  });
}

function toldOf(name: string, sent: unknown): Breach {
  const cause = `${name}, which clients do not own, is applied`;
  const actual = shortened(sent);
  const message = `${name} was sent as ${actual} and is read so, though it is read-only or not described for the request`;
  const expected = 'refused or ignored';
  const code = codeOf('LIFE-07', 'applied', name);
  return { weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) };
}
