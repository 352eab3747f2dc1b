// Which findings are one cause, and which words tell it.
import { expect, it } from 'vitest';
import type { Finding } from '../contract/report.ts';
import { groupFindings } from './grouping.ts';

const READ = 'GET /things/{id}';

function finding(code: string, actual: string, operation = READ): Finding {
  const [clause = ''] = code.toUpperCase().split('.');
  const told = { clause, code, cause: code.split('.').at(-1) ?? '', message: 'm', expected: 'a time', actual };
  const place = { service: 'api', operation, pointer: null, fingerprint: `${code} ${operation}` };
  return {
    ...told,
    ...place,
    kind: 'violation',
    exchanges: [],
    curl: null,
    occurrences: 1,
    looks: 1,
    intermittent: false,
  };
}

const causesOf = (...findings: readonly Finding[]): readonly string[] =>
  groupFindings(findings).map(({ cause }) => cause);

it('members whose times are written alike are one cause, those that are written otherwise another', () => {
  const breaks = (member: string, time: string): Finding => finding(`sch-01.breaks.format.${member}`, time);
  expect(
    causesOf(
      breaks('User/created', '"2026-01-02T03:04:05.678"'),
      breaks('Tag/updated', '"2025-11-12T13:14:15.1"'),
      breaks('Tag/updated', '"2025-11-12T13:14:15.1"'),
      breaks('Tag/due', '"2025-11-12 13:14"'),
    ),
  ).toEqual(['User/created (and 1 more alike)', 'Tag/due']);
});

it('members of one object are one cause, those of another, or of another answer, are not', () => {
  const lacks = (place: string, operation?: string): Finding =>
    finding(`sch-01.breaks.required.${place}`, '', operation);
  expect(causesOf(lacks('User/name'), lacks('User/mail', 'GET /users'), lacks('Tag/name'))).toEqual([
    'User/name (and 1 more alike)',
    'Tag/name',
  ]);
  expect(causesOf(lacks('/*/name'), lacks('/*/mail'))).toHaveLength(1);
  expect(causesOf(lacks('/*/name'), lacks('/*/mail', 'GET /users'))).toHaveLength(2);
});

it('other breaches are told by their codes alone', () => {
  expect(
    causesOf(finding('sch-01.breaks.type.User/name', '1'), finding('sch-01.breaks.type.User/mail', '1')),
  ).toHaveLength(2);
});

it('a cause that shows every time on one operation is not intermittent, though it does not on another', () => {
  const [steady, now] = [finding('req-05.accepted', '200'), finding('req-05.accepted', '200', 'PUT /tags/{tag}')];
  const isIntermittent = (...findings: readonly Finding[]) => groupFindings(findings)[0]?.intermittent;
  expect(isIntermittent(steady, { ...now, intermittent: true })).toBe(false);
  expect(isIntermittent({ ...steady, intermittent: true }, { ...now, intermittent: true })).toBe(true);
});
