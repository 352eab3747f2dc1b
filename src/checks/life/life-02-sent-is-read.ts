// Judges whether what was sent is what is read: each member of a create, a replacement or a change against the next reading.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { appended, isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { isSuccess, shortened } from '../answered.ts';
import { absentWithin, type DescribedMembers, isClientsOwn, isShown } from './members.ts';
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
  const resource = isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
  if (resource === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  const compared = membersOf(sentMembers(write))
    .filter(([name]) => isClientsOwn(members, name) && !restless.includes(name))
    .filter(([name]) => name in resource || isShown(members, name))
    .map(([name, sent]) => ({ name, sent, read: resource[name], how: sameness(sent, resource[name]) }))
    .map((one) => ({ ...one, within: absentWithin(members, one.name, one.sent, one.read) }))
    .filter(({ how, within }) => how !== 'unsure' || within !== null);
  if (compared.length === 0) return cannotTell('precondition', 'no member that was sent is shown by the reading');
  const lost = compared.filter(({ how, within }) => how === 'other' || within !== null);
  return lost.length === 0 ? holds(compared.length) : breached(lost.map(toldOf), compared.length);
}

/** LIFE-02: an update that sent null for a member, which `before` showed with a value, and a reading after it. */
export function judgeCleared(name: string, before: Exchange, reading: Exchange): Judgement {
  const isRead = isSuccess(reading.response?.status ?? 0);
  const [was, is] = [resourceOf(before)?.[name], isRead ? resourceOf(reading) : null];
  if (is === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  // Another value may be a default; the same one shows that nothing was done.
  if (is[name] === null || sameness(was, is[name]) !== 'same') return holds();
  const [code, cause] = [codeOf('LIFE-02', 'not-cleared', name), `null for ${name} is accepted and changes nothing`];
  const [expected, actual] = ['null', shortened(is[name])];
  const message = `an update sent null for ${name}, which is described as a value of it, and ${name} is read as ${actual} as before`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) }]);
}

/** Members that were sent and are read as they were sent: they are the client's. */
export function keptMembers(write: Exchange, reading: Exchange, members: DescribedMembers): readonly string[] {
  const resource = resourceOf(reading);
  if (resource === null) return [];
  return membersOf(sentMembers(write))
    .filter(([name, sent]) => isClientsOwn(members, name) && sameness(sent, resource[name]) === 'same')
    .map(([name]) => name);
}

interface Lost {
  readonly name: string;
  readonly sent: unknown;
  readonly read: unknown;
  /** Path of the member within this one that is absent; null: this one differs itself. */
  readonly within: readonly string[] | null;
}

function toldOf({ name, sent, read, within }: Lost): Breach {
  if (within !== null) {
    const at = [name, ...within].join('.');
    const [expected, actual] = [shortened(within.reduce(memberOf, sent)), 'absent'];
    const message = `${at} was sent as ${expected} and is absent from the ${name} that is read`;
    const code = codeOf('LIFE-02', 'lost-within', name);
    const pointer = appended('', name, ...within);
    return { weight: 'breach', code, cause: `a member of ${name} is not kept`, message, expected, actual, pointer };
  }
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

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
