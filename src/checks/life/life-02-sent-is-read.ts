// Judges whether what was sent is what is read: each member of a create, a replacement or a change against the next reading.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { appended, isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { shortened } from '../answered.ts';
import { type DescribedMembers, isClientsOwn, isShown } from './members.ts';
import { resourceOf } from './resource.ts';
import { sameness } from './same-value.ts';

/** Members of the JSON object that an exchange sent; none for another body. */
export function sentMembers({ plan: { body } }: Exchange): JsonObject {
  return body.kind === 'json' && isObject(body.value) ? body.value : {};
}

/** LIFE-02: a write that was answered with 2xx, and a reading after it. `restless`: members that change on their own. */
export function judgeSentIsRead(
  write: Exchange,
  reading: Exchange,
  members: DescribedMembers,
  restless: readonly string[] = [],
): Judgement {
  const resource = resourceOf(reading);
  if (resource === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  const compared = membersOf(sentMembers(write))
    .filter(([name]) => isClientsOwn(members, name) && !restless.includes(name))
    .filter(([name]) => name in resource || isShown(members, name))
    .map(([name, sent]) => ({ name, sent, read: resource[name], how: sameness(sent, resource[name]) }))
    .filter(({ how }) => how !== 'unsure');
  if (compared.length === 0) return cannotTell('precondition', 'no member that was sent is shown by the reading');
  const lost = compared.filter(({ how }) => how === 'other');
  return lost.length === 0 ? holds(compared.length) : breached(lost.map(toldOf), compared.length);
}

/** Members that were sent and are read as they were sent: they are the client's. */
export function keptMembers(write: Exchange, reading: Exchange, members: DescribedMembers): readonly string[] {
  const resource = resourceOf(reading);
  if (resource === null) return [];
  return membersOf(sentMembers(write))
    .filter(([name, sent]) => isClientsOwn(members, name) && sameness(sent, resource[name]) === 'same')
    .map(([name]) => name);
}

function toldOf({
  name,
  sent,
  read,
}: {
  readonly name: string;
  readonly sent: unknown;
  readonly read: unknown;
}): Breach {
  const [expected, actual] = [shortened(sent), read === undefined ? 'absent' : shortened(read)];
  const kind = read === undefined || read === null ? 'lost' : 'other';
  return {
    weight: 'breach',
    code: codeOf('LIFE-02', kind, name),
    cause: kind === 'lost' ? `${name} is not kept` : `${name} is read otherwise than it was sent`,
    message: `${name} was sent as ${expected} and is read as ${actual}`,
    expected,
    actual,
    pointer: appended('', name),
  };
}
