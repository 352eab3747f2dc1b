import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { type Breach, breached, cannotTell, holds, noting, resting } from '../../contract/judgement.ts';
import type { Finding } from '../../contract/report.ts';
import { spotKey } from '../plan/clause-target.ts';
import { Ledger } from './ledger.ts';

const SPOT = { service: 'admin', operation: 'GET /api/v1/stores' };
const NOWHERE = { service: null, operation: null };
const breach = (changes: Partial<Breach> = {}): Breach => ({
  weight: 'breach',
  code: 'err-04.differs',
  cause: 'status differs',
  message: 'it is 500',
  expected: '404',
  actual: '500',
  ...changes,
});
const ledger = (promote: readonly string[] = []): Ledger => new Ledger({ promote, expected: [] });
const evidence = (count: number) =>
  Array.from({ length: count }, (_, index) => exchangeWith({ id: `ex-${index + 1}` }));

describe('the ledger', () => {
  it('counts assertions, and tells fingerprints of new violations alone', () => {
    const books = ledger();
    expect(books.book('ERR-04', SPOT, holds(3), evidence(1))).toEqual([]);
    const [print, ...more] = books.book('ERR-04', SPOT, breached([breach()], 2), evidence(1));
    expect([print?.length, more]).toEqual([16, []]);
    expect(books.book('ERR-04', SPOT, breached([breach()]), evidence(1))).toEqual([]);
    expect([books.checks, books.violations, books.advisories]).toEqual([6, 1, 0]);
    expect(books.occurrences(print ?? '')).toBe(2);
    expect(books.tallies('ERR-04').get(spotKey(SPOT))).toMatchObject({ checks: 6, violations: 1 });
  });

  it('observes what an operation does with keys that no law binds, and passes nothing on it', () => {
    const books = new Ledger({ promote: [], bindsKeys: (operation) => operation === 'POST /orders', expected: [] });
    const elsewhere = { ...SPOT, operation: 'POST /carts' };
    expect(books.book('IDEM-01', elsewhere, breached([breach()], 2), evidence(2))).toEqual([]);
    books.book('IDEM-01', elsewhere, holds(2), evidence(2));
    expect([books.checks, books.violations, books.findings().map(({ kind }) => kind)]).toEqual([0, 0, ['observation']]);
    books.book('IDEM-01', { ...SPOT, operation: 'POST /orders' }, breached([breach()], 2), evidence(2));
    expect([books.checks, books.violations]).toEqual([2, 1]);
  });

  it('finds again what was told as showing now and then', () => {
    const sometimes = { code: 'sch-06.answered-500.now-and-then', cause: 'now and then', message: 'now and then' };
    const flaky = breach({ code: 'sch-06.answered-500.sound', sometimes });
    const first = ledger();
    const [print = ''] = first.book('SCH-06', SPOT, breached([flaky]), evidence(1));
    first.markIntermittent(print);
    const [told] = first.findings();
    expect(told).toMatchObject({ ...sometimes, intermittent: true });
    expect(told).not.toHaveProperty('sometimes');
    const scope = { books: () => true, judges: () => true, notes: (one: string) => one === told?.fingerprint };
    const again = new Ledger({ promote: [], expected: [] }, scope);
    again.book('SCH-06', SPOT, breached([flaky]), evidence(1));
    expect([again.findings().map(({ fingerprint }) => fingerprint), again.violations]).toEqual([
      [told?.fingerprint],
      1,
    ]);
  });

  it('counts a law that holds as judged on answers, and a description not', () => {
    const books = ledger();
    books.book('SPEC-01', NOWHERE, holds(1), []);
    expect(books.checksOnAnswers).toBe(0);
    books.book('PAG-08', SPOT, resting(holds(4), { items: 9, pages: 3 }), [], { probe: 'pagination/first', ...SPOT });
    expect(books.checksOnAnswers).toBe(4);
  });

  it('tells in how many answers a finding was seen, however many places of one show it', () => {
    const books = ledger();
    const places = [0, 1, 2].map((at) => breach({ pointer: `/data/${at}/id` }));
    books.book('SCH-01', SPOT, breached(places, 9), evidence(1));
    books.book('SCH-01', SPOT, breached(places.slice(1), 9), evidence(1));
    books.book('SCH-01', SPOT, holds(9), evidence(1));
    const told = (found: readonly Finding[]) => found.map(({ occurrences, looks, seen }) => [occurrences, looks, seen]);
    expect(told(books.findings())).toEqual([[5, 27, { times: 2, of: 3, what: 'answers' }]]);
    books.book('SCH-01', SPOT, breached(places), evidence(2));
    expect(told(books.findings())).toEqual([[8, 28, { times: 3, of: 4, what: 'judgements' }]]);
  });

  it('keeps findings apart by operation, code and pointer, but not by the index in an answer', () => {
    const books = ledger();
    const at = (pointer: string): readonly Breach[] => [breach({ pointer })];
    books.book('SCH-01', SPOT, breached(at('/data/0/id')), evidence(1));
    books.book('SCH-01', SPOT, breached(at('/data/7/id')), evidence(1));
    books.book('SCH-01', SPOT, breached(at('/data/0/name')), evidence(1));
    books.book('SCH-01', { ...SPOT, service: 'store' }, breached(at('/data/0/id')), evidence(1));
    books.book('SCH-01', NOWHERE, breached([breach({ code: 'other' })]), evidence(1));
    expect(books.violations).toBe(4);
    books.book('SPEC-01', NOWHERE, breached(at('/parameters/0')), []);
    books.book('SPEC-01', NOWHERE, breached(at('/parameters/1')), []);
    expect(books.violations).toBe(6);
  });

  it('tells what hostile input shows once, where ordinary input showed it on the same operation', () => {
    const books = ledger();
    const other = { ...SPOT, operation: 'GET /api/v1/orders' };
    books.book('SCH-02', SPOT, breached([breach()]), evidence(1));
    for (const spot of [SPOT, other])
      books.book(
        'SCH-02',
        spot,
        breached([breach({ code: 'err-04.differs.hostile', within: 'err-04.differs' })]),
        evidence(1),
      );
    expect(books.findings().map(({ operation, code, occurrences }) => [operation, code, occurrences])).toEqual([
      [other.operation, 'err-04.differs.hostile', 1],
      [SPOT.operation, 'err-04.differs', 2],
    ]);
  });

  it('tells a 5xx of sound requests once, and one that only wrong ones get beside another', () => {
    const books = ledger();
    const book = (status: number, sent: string) => {
      const within = sent === 'sound' ? {} : { within: `sch-06.answered-${status}.sound` };
      books.book(
        'SCH-06',
        SPOT,
        breached([breach({ code: `sch-06.answered-${status}.${sent}`, ...within })]),
        evidence(1),
      );
    };
    for (const sent of ['sound', 'invalid', 'hostile']) book(500, sent);
    book(502, 'invalid');
    expect(books.findings().map(({ code }) => code)).toHaveLength(2);
    expect(books.findings().map(({ code }) => code)).toEqual(
      expect.arrayContaining(['sch-06.answered-500.sound', 'sch-06.answered-502.invalid']),
    );
  });

  it('books nothing of a clause that takes no part, nor why it was not tested', () => {
    const scope = { books: () => true, judges: (clause: string) => clause === 'ERR-04', notes: () => true };
    const books = new Ledger({ promote: [], expected: [] }, scope);
    for (const clause of ['ERR-04', 'AUTH-01']) books.bookUntested(clause, SPOT, 'budget', 'spent');
    books.book('AUTH-01', SPOT, breached([breach()]), evidence(1));
    expect([books.tallies('ERR-04').size, books.tallies('AUTH-01').size]).toEqual([1, 0]);
    expect(books.violations).toBe(0);
  });

  it('tells only the findings that its scope notes, and counts the others but observations', () => {
    const all = ledger();
    const [print = ''] = all.book('ERR-04', SPOT, breached([breach()]), evidence(1));
    const scope = { books: () => true, judges: () => true, notes: (one: string) => one === print };
    const books = new Ledger({ promote: [], expected: [] }, scope);
    books.book('ERR-04', SPOT, breached([breach(), breach({ code: 'other' })]), evidence(1));
    books.book('ERR-04', SPOT, breached([breach({ code: 'other' })]), evidence(1));
    books.book('ERR-04', SPOT, breached([breach({ code: 'noted', weight: 'observation' })]), evidence(1));
    expect(books.findings().map(({ fingerprint }) => fingerprint)).toEqual([print]);
    expect([books.violations, books.others]).toEqual([1, 1]);
  });

  it('keeps the case of the property that showed a finding', () => {
    const books = ledger();
    const property = { probe: 'test/law', seed: 7, path: '3:1' };
    books.book('IDEM-01', SPOT, breached([breach({ property })]), evidence(1));
    expect(books.findings()[0]).toMatchObject({ property });
  });

  it('names the experiments that sent the evidence and the one that judged it, each once', () => {
    const books = ledger();
    const named = (probe: string) => ({ probe, ...SPOT });
    const [exchange] = evidence(1);
    const sent = { ...exchange!, plan: { ...exchange!.plan, experiment: named('pagination/first') } };
    books.book('PAG-07', SPOT, breached([breach()]), [sent, sent], named('pagination/deep'));
    books.book('PAG-07', SPOT, breached([breach({ code: 'other' })]), [sent], named('pagination/first'));
    const probes = (code: string): readonly string[] =>
      books.findings().flatMap((one) => (one.code === code ? (one.experiments ?? []).map(({ probe }) => probe) : []));
    expect(probes('err-04.differs')).toEqual(['pagination/first', 'pagination/deep']);
    expect(probes('other')).toEqual(['pagination/first']);
  });

  it('weighs by level, tolerance and promotion', () => {
    const kinds = (books: Ledger): readonly string[] => {
      books.book('REQ-08', SPOT, breached([breach()]), []);
      books.book('ERR-11', SPOT, breached([breach({ weight: 'advisory' })]), []);
      books.book('VER-03', NOWHERE, breached([breach()]), []);
      return books.findings().map(({ clause, kind }) => `${clause} ${kind}`);
    };
    expect(kinds(ledger())).toEqual(['ERR-11 advisory', 'REQ-08 advisory', 'VER-03 observation']);
    expect(kinds(ledger(['REQ-08']))).toEqual(['REQ-08 violation', 'ERR-11 advisory', 'VER-03 observation']);
  });

  it('keeps the last exchanges as evidence, and a curl line of the very last', () => {
    const books = ledger();
    books.book('ERR-04', SPOT, breached([breach()]), evidence(5));
    const [finding] = books.findings();
    expect(finding?.exchanges).toEqual(['ex-3', 'ex-4', 'ex-5']);
    expect(finding?.curl).toContain('curl');
    expect(books.evidence().map(({ id }) => id)).toEqual(['ex-3', 'ex-4', 'ex-5']);
  });

  it('shows a finding by a short request, once what a long one showed shows there', () => {
    const books = ledger();
    const sent = (id: string, characters: number, actual: string) => {
      const body = { kind: 'raw', text: 'x'.repeat(characters), contentType: 'text/plain' } as const;
      books.book('ERR-04', SPOT, breached([breach({ actual })]), [exchangeWith({ id, plan: { body } })]);
    };
    sent('ex-long', 5000, '500');
    sent('ex-not-half', 3000, '501');
    sent('ex-short', 2000, '502');
    sent('ex-short-too', 1500, '503');
    books.book('ERR-04', SPOT, breached([breach()]), evidence(2));
    expect(books.findings()).toMatchObject([{ exchanges: ['ex-short'], actual: '502', occurrences: 5 }]);
    expect(books.evidence().map(({ id }) => id)).toEqual(['ex-short']);
  });

  it('has no curl line for a finding without an exchange', () => {
    const books = ledger();
    books.book('SPEC-01', { service: 'admin', operation: null }, breached([breach()]), []);
    expect(books.findings()).toMatchObject([{ curl: null, exchanges: [], pointer: null }]);
  });

  it('remembers the first reason why nothing was judged, and drops nothing that was', () => {
    const books = ledger();
    books.bookUntested('AUTH-03', SPOT, 'no-credential', 'no token');
    books.book('AUTH-03', SPOT, cannotTell('precondition', 'answered 503'), []);
    expect(books.tallies('AUTH-03').get(spotKey(SPOT))).toMatchObject({
      checks: 0,
      reasonCode: 'no-credential',
      reason: 'no token',
    });
    expect(books.judged('AUTH-03', SPOT)).toBe(false);
    books.book('AUTH-03', SPOT, holds(), evidence(1));
    expect(books.judged('AUTH-03', SPOT)).toBe(false);
    books.serve(SPOT, true);
    expect(books.judged('AUTH-03', SPOT)).toBe(true);
  });

  it('marks what shows only sometimes', () => {
    const books = ledger();
    const [print = ''] = books.book('ERR-04', SPOT, breached([breach()]), []);
    books.markIntermittent(print);
    books.markIntermittent('unknown');
    expect(books.findings()).toMatchObject([{ intermittent: true, occurrences: 1, looks: 1 }]);
  });

  it.each([
    ['breach', 1],
    ['observation', 0],
  ] as const)('keeps less evidence of a cause that many operations show: %s', (weight, beyond) => {
    const books = ledger();
    const operations = Array.from({ length: 30 }, (_, index) => `GET /${index}`);
    for (const operation of operations)
      books.book('ERR-04', { service: 'admin', operation }, breached([breach({ weight })]), evidence(2));
    const kept = books.findings().map(({ exchanges }) => exchanges.length);
    expect(kept.toSorted()).toEqual([...Array(10).fill(beyond), ...Array(20).fill(2)]);
    expect(books.findings().every(({ curl }) => curl !== null)).toBe(true);
  });

  it('does not grow with the number of exchanges', () => {
    const books = ledger();
    for (let look = 0; look < 2_000; look += 1)
      books.book('ERR-04', SPOT, breached([breach({ actual: String(look) })]), evidence(1));
    expect([books.findings().length, books.evidence().length]).toEqual([1, 1]);
    expect(books.findings()[0]?.occurrences).toBe(2_000);
  });

  it('does not grow with what a target makes up', () => {
    const books = ledger();
    for (let at = 0; at < 500; at += 1)
      books.book('SCH-01', SPOT, breached([breach({ pointer: `/n${at}` })]), evidence(1));
    books.book('SCH-01', { ...SPOT, operation: 'GET /b' }, breached([breach({ pointer: '/n0' })]), evidence(1));
    const [more, ...others] = books.findings().filter(({ cause }) => cause === 'more findings than are told');
    expect(others).toEqual([]);
    expect(more).toMatchObject({
      occurrences: 450,
      pointer: null,
      message: expect.stringContaining('such as: it is 500'),
    });
    expect([books.findings().length, books.violations]).toEqual([52, 52]);
  });

  it('tells texts as far as anybody reads them, and keeps apart what differs behind that', () => {
    const books = ledger();
    const long = 'x'.repeat(100_000);
    for (const end of ['a', 'b'])
      books.book(
        'SCH-01',
        SPOT,
        breached([breach({ code: long + end, cause: long + end, message: long, actual: long, pointer: `/a/${long}` })]),
        evidence(1),
      );
    expect(books.findings()).toHaveLength(2);
    expect(JSON.stringify(books.findings()).length).toBeLessThan(20_000);
    expect(books.findings()[0]?.pointer).toBe('/a');
  });

  it('keeps evidence of the first rows of a subject only', () => {
    const books = ledger();
    const observed = { subject: 'order', value: 'newest first', confidence: 'sure', calls: 1, basis: 'seen' } as const;
    for (let index = 0; index < 30; index += 1)
      books.book('PAG-13', { service: 'admin', operation: `GET /${index}` }, noting(holds(), [observed]), evidence(2));
    const kept = books.observations.rows().map(({ exchanges }) => exchanges.length);
    expect(kept.toSorted()).toEqual([...Array(10).fill(0), ...Array(20).fill(2)]);
  });

  it('tables what judgements carry, linked to the finding that tells the same, and shows its exchanges', () => {
    const books = ledger();
    const row = { subject: 'order', value: 'by id', confidence: 'sure', calls: 3, basis: 'three pages' } as const;
    const told = breached([breach({ weight: 'observation' })]);
    books.book('PAG-13', SPOT, noting(told, [row]), evidence(3));
    books.book('AUTH-08', SPOT, noting(holds(), [{ ...row, of: { key: 'std-1', plan: 'standard' } }]), []);
    const [{ fingerprint }] = books.findings() as [Finding];
    expect(books.observations.rows()).toMatchObject([
      { clause: 'AUTH-08', key: 'std-1', plan: 'standard', exchanges: [], finding: null },
      { clause: 'PAG-13', ...SPOT, ...row, key: null, exchanges: ['ex-2', 'ex-3'], finding: fingerprint },
    ]);
    expect(books.evidence().map(({ id }) => id)).toEqual(['ex-1', 'ex-2', 'ex-3']);
  });
});
