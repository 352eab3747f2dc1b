import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { inBrief, spoken } from '../../../test/support/checks/judging.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { UnknownIdCase } from './req-01-to-08-answers.ts';
import {
  judgeDeleted,
  judgeMethodUnknown,
  judgeNotUnderstood,
  judgeSpoiledRefused,
  judgeUnknownIdClass,
} from './status-classes.ts';

const brief = (judgement: Judgement) => {
  const outcome = spoken(judgement);
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};
const answered = (status: number, method = 'GET') => exchangeWith({ status, plan: { method } });
const MALFORMED = { clause: 'REQ-05', values: [], inWords: 'malformed JSON' } as const;
const spoiled = {
  code: { clause: 'REQ-03', name: 'missing' },
  kind: 'a missing required field',
  what: 'email left out',
  field: 'email',
  accepted: 'breach',
} as const;

describe('spoiled input', () => {
  const said = (status: number, control = true) =>
    brief(judgeSpoiledRefused(answered(status), { ...spoiled, control }));

  it.each([400, 404, 409, 413, 422])('may be refused with %i', (status) => {
    expect(said(status)).toBe('holds');
  });

  it.each([200, 201, 204])('may not be answered %i', (status) => {
    expect([said(status), said(status, false)]).toEqual(Array(2).fill(['a missing required field is accepted']));
  });

  it('is not shown to be refused where nothing ever succeeds', () => {
    expect(said(400, false)).toBe('cannot tell');
  });

  it.each([302, 429, 500])('says nothing answered %i', (status) => {
    expect(said(status)).toBe('cannot tell');
  });

  it('weighs what its kind weighs', () => {
    const judgement = judgeSpoiledRefused(answered(200), { ...spoiled, accepted: 'advisory', control: true });
    expect(brief(judgement)).toEqual(['advisory: a missing required field is accepted']);
  });
});

it('what cannot be understood is refused by any 4xx', () => {
  const said = [400, 415, 200].map((status) =>
    brief(judgeNotUnderstood(answered(status), MALFORMED, { control: true })),
  );
  expect(said).toEqual(['holds', 'holds', ['malformed JSON is accepted']]);
});

describe('an unknown id', () => {
  const about: UnknownIdCase = {
    wellFormed: true,
    mayCreate: false,
    control: true,
    declares404: true,
    place: 'path',
    name: 'id',
  };

  it.each([
    [404, 'GET', 'holds'],
    [400, 'GET', 'holds'],
    [200, 'GET', ['observation: an unknown id in path parameter id is served, though 404 is declared']],
    [204, 'DELETE', 'holds'],
    [500, 'GET', 'cannot tell'],
  ])('answered %i to %s: %j', (status, method, said) => {
    expect(brief(judgeUnknownIdClass(answered(status, method), about))).toEqual(said);
  });

  it('may be served where no 404 is declared, and created by a PUT', () => {
    expect(brief(judgeUnknownIdClass(answered(200), { ...about, declares404: false }))).toBe('holds');
    expect(brief(judgeUnknownIdClass(answered(201, 'PUT'), { ...about, mayCreate: true }))).toBe('holds');
  });

  it('proves nothing where every request is refused', () => {
    expect(brief(judgeUnknownIdClass(answered(404), { ...about, control: false }))).toBe('cannot tell');
  });
});

it('a method of no description is better refused', () => {
  const said = [405, 404, 501, 200].map((status) =>
    brief(judgeMethodUnknown(answered(status), 'PROPFIND', { control: true })),
  );
  expect(said).toEqual(['holds', 'holds', 'cannot tell', ['advisory: the undescribed method PROPFIND is accepted']]);
});

describe('a deleted object', () => {
  const said = (deletion: number, after: number, declares404 = true, body: unknown = { id: 1 }) => {
    const read = (status: number, shown: unknown) => exchangeWith({ status, body: shown });
    const answers = { before: read(200, { id: 1 }), deletion: answered(deletion, 'DELETE'), after: read(after, body) };
    return brief(judgeDeleted(answers, { declares404 }));
  };

  it.each([404, 410, 403])('may be answered %i', (status) => {
    expect(said(204, status)).toBe('holds');
  });

  it('may be shown as deleted', () => {
    expect(said(200, 200, true, { id: 1, deleted: true })).toBe('holds');
  });

  it('may not be shown as before', () => {
    expect(said(204, 200)).toEqual(['a deleted object is still served']);
    expect(said(204, 200, false)).toEqual(['advisory: a deleted object is still served']);
  });

  it('says nothing while its deletion is under way or failed', () => {
    expect([said(202, 200), said(409, 200), said(204, 500)]).toEqual(Array(3).fill('cannot tell'));
  });
});
