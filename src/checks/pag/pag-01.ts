// PAG-01 (must): A counted list answers the members that the contract names, all integers but its items, and none
//   that it rules out.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, toldBreach } from '../../contract/judgement.ts';
import { isHeader, type PagingTerms } from '../../contract/terms.ts';
import type { Telling } from '../../exchange/envelope.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import { countAt, itemsIn, nameOf } from '../../facts/page-counts.ts';
import { isObject, valueAt } from '../../openapi/json.ts';
import type { ExchangeCheck } from '../check.ts';
import { declaredAnswer } from '../sch/declared.ts';
import { pageRead, readsCountedList } from './paged-envelope.ts';

export const pag01: ExchangeCheck = {
  clause: 'PAG-01',
  title: 'A counted list has its items and its counts, and no other member',
  applies: readsCountedList,
  judge(subject) {
    const page = pageRead(subject);
    const isLeftToSch03 =
      subject.exchange.response?.bytes === 0 && (declaredAnswer(subject)?.declared?.content.length ?? 0) > 0;
    if (isLeftToSch03) return cannotTell('precondition', 'the declared body is empty, which SCH-03 judges');
    if (page === null) return breached([]);
    const { stated, answer } = page;
    const { absent, counts } = stated;
    const { body } = answer;
    const assertions = placesOf(counts).length + 1 + Math.max(1, absent.length);
    const isWhole = isObject(body) || (Array.isArray(body) && placesOf(counts).every(isHeader));
    if (isWhole) return breached(wrongMembers(stated, answer), assertions);
    const kind = ['pag-01.no-envelope', 'the list answers no paged envelope'] as const;
    const names = [nameOf(stated.items, 'its items'), ...placesOf(counts).map((place) => nameOf(place, ''))];
    return breached([wrong(kind, 'the body', `an object with ${names.join(', ')}`, 'none')]);
  },
};

function placesOf({ total, page, size, pages }: PagingTerms['counts']): readonly string[] {
  return [total, page, size, pages].filter((place) => place !== null);
}

function wrongMembers(stated: PagingTerms, answer: Telling): readonly Breach[] {
  const { body } = answer;
  const breaches: Breach[] = [];
  if (itemsIn(body, stated) === null) {
    const name = nameOf(stated.items, 'items');
    const kind = [codeOf('PAG-01', kebab(name)), `${name} is no array`] as const;
    const value = stated.items === null ? undefined : valueAt(body, stated.items);
    breaches.push(wrong(kind, name, 'an array', typeName(value), stated.items ?? ''));
  }
  for (const place of placesOf(stated.counts)) {
    const value = countAt(answer, place);
    if (Number.isInteger(value) && (value as number) >= 0) continue;
    const name = nameOf(place, '');
    const actual = value === undefined ? 'absent' : shortened(value);
    const kind = [codeOf('PAG-01', 'not-integer', name), `${name} is no integer`] as const;
    breaches.push(wrong(kind, name, 'an integer', actual, isHeader(place) ? '' : place));
  }
  for (const place of stated.absent) {
    const value = valueAt(body, place);
    if (value === undefined) continue;
    const name = nameOf(place, '');
    const kind = [codeOf('PAG-01', kebab(name)), `${name} is present`] as const;
    breaches.push(wrong(kind, name, 'no such member', shortened(value), place));
  }
  return breaches;
}

function kebab(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

type Kind = Parameters<typeof toldBreach>[0];

function wrong(kind: Kind, subject: string, expected: string, actual: string, pointer = ''): Breach {
  return toldBreach(kind, `${subject} is ${actual}, expected ${expected}`, expected, actual, pointer);
}
