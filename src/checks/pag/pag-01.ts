// PAG-01 (must): `GET /auth/activity/logs` answers the envelope data, total, page, limit, total_pages, all integers but
//   `data`; no `has_more`.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell } from '../../contract/judgement.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import type { ExchangeCheck } from '../check.ts';
import { declaredAnswer } from '../sch/declared.ts';
import { membersOf, readsActivityLog } from './paged-envelope.ts';

const COUNTS = ['total', 'page', 'limit', 'total_pages'] as const;

export const pag01: ExchangeCheck = {
  clause: 'PAG-01',
  title: 'The activity log answers data, total, page, limit and total_pages, and no has_more',
  applies: readsActivityLog,
  judge(subject) {
    const { exchange } = subject;
    const isLeftToSch03 =
      exchange.response?.bytes === 0 && (declaredAnswer(subject)?.declared?.content.length ?? 0) > 0;
    if (isLeftToSch03) return cannotTell('precondition', 'the declared body is empty, which SCH-03 judges');
    const members = membersOf(exchange);
    if (members === null) {
      const kind = { code: 'pag-01.no-envelope', cause: 'the activity log is no paged envelope' };
      return breached([wrong(kind, 'the body', 'an object with data, total, page, limit, total_pages', 'none')]);
    }
    const breaches: Breach[] = [];
    if (!Array.isArray(members.data)) {
      const kind = { code: 'pag-01.data', cause: 'data is no array' };
      breaches.push(wrong(kind, 'data', 'an array', typeName(members.data), '/data'));
    }
    for (const name of COUNTS) {
      const value = members[name];
      if (Number.isInteger(value) && (value as number) >= 0) continue;
      const actual = value === undefined ? 'absent' : shortened(value);
      const kind = { code: codeOf('PAG-01', 'not-integer', name), cause: `${name} is no integer` };
      breaches.push(wrong(kind, name, 'an integer', actual, `/${name}`));
    }
    if ('has_more' in members) {
      const kind = { code: 'pag-01.has-more', cause: 'has_more is present' };
      breaches.push(wrong(kind, 'has_more', 'no such member', shortened(members.has_more), '/has_more'));
    }
    return breached(breaches, COUNTS.length + 2);
  },
};

type Kind = Pick<Breach, 'code' | 'cause'>;

function wrong(kind: Kind, subject: string, expected: string, actual: string, pointer = ''): Breach {
  return {
    weight: 'breach',
    ...kind,
    message: `${subject} is ${actual}, expected ${expected}`,
    expected,
    actual,
    pointer,
  };
}
