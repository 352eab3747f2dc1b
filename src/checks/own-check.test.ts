// Checks of the user's own, guarded: what is sound is taken as it is, what is not is told once and never holds.

import { describe, expect, it, vi } from 'vitest';
import {
  descriptionWith,
  errorExchange,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../test/support/checks/exchanges.ts';
import { underBase } from '../../test/support/checks/judging.ts';
import { breached, holds, type Judgement } from '../contract/judgement.ts';
import { asDescriptionCheck, asExchangeCheck, type OwnCheck, type OwnExchangeCheck } from './own-check.ts';

const CLAUSE = { clause: 'X-01', level: 'must', text: 'Something holds.' } as const;
const BREACH = { weight: 'breach', cause: 'c', message: 'm', expected: 'e', actual: 'a' } as const;
const subject = subjectOf(exchangeWith({ status: 200, body: {} }));

function guarded(check: Partial<OwnExchangeCheck>) {
  const failed = vi.fn();
  const brought = { check: { ...CLAUSE, judge: () => holds(), ...check }, file: 'mine.ts' };
  return { failed, check: asExchangeCheck(brought, failed)! };
}

/** A judgement that no type would let pass. */
function answering(answer: unknown): ReturnType<typeof guarded> {
  return guarded({ judge: () => answer as Judgement });
}

describe('a check of the user', () => {
  it('judges what it applies to', () => {
    const { check, failed } = guarded({ applies: ({ exchange }) => exchange.response?.status === 200 });
    expect(check.applies(subject)).toBe(true);
    expect(check.judge(subject)).toEqual(holds());
    expect(check.applies(subjectOf(exchangeWith({ status: 404 })))).toBe(false);
    expect(failed).not.toHaveBeenCalled();
  });

  it('applies to every answer unless it says otherwise', () => {
    const { check } = guarded({});
    expect(check.applies(subject)).toBe(true);
    expect(check.applies(subjectOf(exchangeWith({ response: null })))).toBe(false);
  });

  it('tells its breaches, and nothing else that it adds', () => {
    const breach = { ...BREACH, code: 'x-01.kept', pointer: '/a' };
    const { check } = answering({ ...breached([{ ...breach, within: 'x-01.other' }], 2), secret: 'x' });
    expect(check.judge(subject)).toEqual(breached([breach], 2));
  });

  it.each([
    ['kept', 'x-01.kept'],
    ['kept.Set-Cookie', 'x-01.kept.Set-Cookie'],
    ['x-01.kept', 'x-01.kept'],
  ])('may give the code %s, which stands after its clause', (code, told) => {
    const { check } = guarded({ judge: () => breached([{ ...BREACH, code }]) });
    expect(check.judge(subject)).toMatchObject({ breaches: [{ code: told }] });
  });

  it('is given a code where it gives none, the same for as long as its cause is', () => {
    const codeFor = (cause: string): string => {
      const judgement = guarded({ judge: () => breached([{ ...BREACH, cause, message: Math.random().toString() }]) });
      const judged = judgement.check.judge(subject);
      return judged.kind === 'breached' ? (judged.breaches[0]?.code ?? '') : '';
    };
    const code = codeFor('An answer, kept: by caches');
    expect(code).toMatch(/^x-01\.an-answer-kept-by-caches-[0-9a-f]{8}$/);
    expect(codeFor('An answer, kept: by caches')).toBe(code);
    expect(codeFor('An answer kept by caches')).not.toBe(code);
    expect(codeFor('ответ')).toMatch(/^x-01\.[0-9a-f]{8}$/);
  });

  it('changes nothing for others', () => {
    const exchange = exchangeWith({ status: 200, body: {} });
    const before = structuredClone(exchange);
    const { check } = guarded({
      judge({ exchange: { response } }) {
        Object.assign(response ?? {}, { status: 500, body: 'mine' });
        return holds();
      },
    });
    expect(check.judge(subjectOf(exchange))).toEqual(holds());
    expect(exchange).toEqual(before);
  });

  it('quotes no message of an error', () => {
    const message = 'Jane Doe is not known';
    const { check } = guarded({ judge: () => breached([{ ...BREACH, actual: `said "${message}"` }]) });
    const judgement = check.judge(subjectOf(errorExchange({ ...errorObject(), message })));
    expect(JSON.stringify(judgement)).not.toContain('Jane');
    expect(judgement).toMatchObject({ breaches: [{ actual: 'said "[redacted message, 21 characters]"' }] });
  });

  it.each([
    [undefined, /undefined/],
    [null, /null/],
    ['holds', /type string/],
    [true, /type boolean/],
    [Promise.resolve(holds()), /a promise/],
    [{}, /kind|tag/],
    [{ kind: 'passes' }, /kind|tag/],
    [{ kind: 'holds', assertions: 0 }, /assertions/],
    [{ kind: 'breached', assertions: 1, breaches: [] }, /breaches/],
    [{ kind: 'breached', assertions: 1, breaches: [{ ...BREACH, weight: 'violation' }] }, /weight/],
    [{ kind: 'breached', assertions: 1, breaches: [{ weight: 'breach' }] }, /cause/],
    [{ kind: 'breached', assertions: 1, breaches: [{ ...BREACH, code: 'No Words' }] }, /code/],
    [{ kind: 'cannot-tell', reasonCode: 'tired', reason: 'r' }, /reasonCode/],
  ])('that answers %o is told with its file, and judges nothing more', (answer, why) => {
    const { check, failed } = answering(answer);
    expect(check.judge(subject)).toMatchObject({ kind: 'cannot-tell', reasonCode: 'harness-error' });
    expect(check.applies(subject)).toBe(false);
    expect(failed).toHaveBeenCalledExactlyOnceWith('X-01', expect.stringMatching(why));
    expect(failed.mock.calls[0]?.[1]).toContain('the check of X-01 in mine.ts failed: judge:');
  });

  it.each(['applies', 'judge'] as const)('that throws in %s is told with its file', (member) => {
    const throwing = () => {
      throw new TypeError('x is undefined\nat somewhere');
    };
    const { check, failed } = guarded({ [member]: throwing });
    expect(check.applies(subject) && check.judge(subject).kind === 'holds').toBe(false);
    const sentence = `the check of X-01 in mine.ts failed: ${member}: x is undefined`;
    expect(failed).toHaveBeenCalledExactlyOnceWith('X-01', sentence);
  });
});

describe('a check of descriptions', () => {
  const description = descriptionWith({ operations: [operationWith({ key: 'GET /a' })] });
  function judged(judgeDescription: () => unknown) {
    const failed = vi.fn();
    const check = { ...CLAUSE, judgeDescription } as OwnCheck;
    return {
      failed,
      answers: asDescriptionCheck({ check, file: 'mine.ts' }, failed)?.judge(description, underBase('commerce')),
    };
  }

  it('judges operations and the whole', () => {
    const answers = [
      { operation: 'GET /a', judgement: holds() },
      { operation: null, judgement: breached([BREACH]) },
    ];
    expect(judged(() => answers)).toMatchObject({ answers });
  });

  it.each([[holds()], [[{ operation: 'GET /b', judgement: holds() }]], [[{ operation: null }]], [[null]]])(
    'that answers %j is told with its file',
    (answer) => {
      const { failed, answers } = judged(() => answer);
      expect(answers).toMatchObject([{ operation: null, judgement: { reasonCode: 'harness-error' } }]);
      expect(failed).toHaveBeenCalledOnce();
    },
  );
});
