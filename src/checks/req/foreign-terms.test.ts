// Tests that bad requests are judged by the terms of contracts that are not the platform's.
import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { spoken } from '../../../test/support/checks/judging.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { NO_TERMS, type Terms } from '../../contract/terms.ts';
import { termsOf } from '../../contract/terms-of.ts';
import { judgeLockedRefused, judgeTokenRefused } from '../auth/auth-01-to-06-refusals.ts';
import { namesField } from '../err/field-names.ts';
import { judgeSpoiled, judgeUnknownPath, type SpoiledCase } from './req-01-to-08-answers.ts';

const by = (document: Parameters<typeof termsOf>[0]): { contract: 'openapi'; terms: Terms } => ({
  contract: 'openapi',
  terms: termsOf(document),
});
const ERRORS = { members: { code: '/code', field: { at: '/fields/*', optional: true, form: 'path' } } };
const stated = by({
  name: 'test',
  errors: ERRORS,
  authentication: { refused: { status: [401, 403], code: 'no-entry' }, locked: { status: 423, code: 'locked' } },
  requests: { unknownPath: { status: [404, 410] }, invalid: { status: 422, code: 'invalid' } },
});
const said = (judgement: Judgement): unknown => {
  const found = spoken(judgement);
  return typeof found === 'string' ? found : found.map(({ code, message }) => `${code}: ${message}`);
};
const answered = (status: number, body: unknown = {}) => exchangeWith({ status, body });

describe('a spoiled body', () => {
  const about: SpoiledCase = {
    ...{ code: { clause: 'REQ-04', name: 'wrong-type' }, kind: 'a field of the wrong type', what: 'type is a list' },
    ...({ field: 'data', path: ['data', 'type'], accepted: 'breach', control: true } as const),
  };
  const judged = (status: number, body: unknown, changes: Partial<SpoiledCase> = {}): unknown =>
    said(judgeSpoiled(answered(status, body), { ...about, ...changes }, stated));

  it('is refused with a stated status and code, whatever else is', () => {
    expect(judged(422, { code: 'invalid' })).toBe('holds');
    expect(judged(400, { code: 'invalid' })).toEqual([
      'req-04.not-422.wrong-type: type is a list: a field of the wrong type is not answered 422, answered 400 invalid',
    ]);
    expect(judged(422, { code: 'bad' })).toEqual([
      'req-04.other-code.wrong-type: type is a list: a field of the wrong type is rejected with another code, answered 422 bad',
    ]);
  });

  it('may conflict where it names another type or id, and not elsewhere', () => {
    expect(judged(409, { code: 'conflict' })).toBe('cannot tell');
    expect(judged(409, { code: 'conflict' }, { path: ['data', 'title'] })).toEqual([
      expect.stringContaining('req-04.not-422.wrong-type'),
    ]);
  });

  it('is named as the contract has it', () => {
    expect(judged(422, { code: 'invalid', fields: ['data.type'] })).toBe('holds');
    expect(judged(422, { code: 'invalid', fields: ['data.title'] })).toEqual([
      expect.stringContaining('fields[] does not name it'),
    ]);
  });

  it('is judged by no more than the contract states', () => {
    const any = by({ name: 'test', requests: { invalid: {} } });
    for (const status of [400, 404, 418, 422]) expect(said(judgeSpoiled(answered(status), about, any))).toBe('holds');
    expect(said(judgeSpoiled(answered(200), about, any))).toEqual([expect.stringContaining('req-04.accepted')]);
    expect(said(judgeSpoiled(answered(200), about, { contract: 'openapi', terms: NO_TERMS }))).toBe('cannot tell');
  });
});

it('an unknown path has any of the stated statuses', () => {
  expect([404, 410].map((status) => said(judgeUnknownPath(answered(status), stated)))).toEqual(['holds', 'holds']);
  expect(said(judgeUnknownPath(answered(400), stated))).toEqual([
    'req-01.other-status: an unknown path is not answered 404 or 410: answered 400',
  ]);
});

it('a refused token and a locked account have the stated status and code', () => {
  const sent = { clause: 'auth-01', name: 'no-token', inWords: 'no token' } as const;
  const refused = (status: number, code?: string) => said(judgeTokenRefused(answered(status, { code }), sent, stated));
  expect([refused(401, 'no-entry'), refused(403, 'no-entry')]).toEqual(['holds', 'holds']);
  expect(refused(404, 'no-entry')).toEqual([expect.stringContaining('auth-01.other-status.no-token')]);
  expect(refused(401)).toEqual(['auth-01.no-code.no-token: /code is absent, expected no-entry']);
  const locked = (status: number, code: string) => said(judgeLockedRefused(answered(status, { code }), stated));
  expect(locked(423, 'locked')).toBe('holds');
  expect(locked(403, 'locked')).toEqual([expect.stringContaining('auth-04.other-status')]);
  expect(locked(423, 'other')).toEqual(['auth-04.other-code: /code is other, expected locked']);
});

it.each([
  ['/data/attributes/title', 'pointer', true],
  ['#/data/attributes/title', 'pointer', true],
  ['/data/attributes', 'pointer', true],
  ['', 'pointer', true],
  ['', 'path', false],
  ['title', 'name', true],
  ['body.data.attributes.title', 'path', true],
  ['$.data.attributes.title', 'path', true],
  ['data.attributes.title.text', 'path', true],
  ['/data/attributes/priority', 'pointer', false],
  ['priority', 'name', false],
  ['subtitle', 'name', false],
])('%j (%s) names the title of a resource: %s', (name, form, expected) => {
  expect(namesField(name, { field: 'data', path: ['data', 'attributes', 'title'] }, form)).toBe(expected);
});
