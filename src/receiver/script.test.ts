// The script makes every kind of refusal happen, and accepts what comes again.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../exchange/delivery.ts';
import { AnswerScript } from './script.ts';

function event(id: number): Delivery {
  const body = Buffer.from(`{"id":"evt_${id}"}`);
  return { id: '', at: 0, method: 'POST', path: '/', headers: [], body, answer: null };
}

describe('the usual script', () => {
  it('refuses the first event twice, is slow, hangs, and then refuses events once', () => {
    const script = new AnswerScript(null);
    const answers = [0, 0, 0, 1, 2, 2, 3, 3, 0].map((id) => script.answerTo(event(id)));
    expect(answers).toEqual(['500', '500', 'accept', 'slow', 'hang', 'accept', '500', 'accept', 'accept']);
  });

  it('is answered once every refused event came again', () => {
    const script = new AnswerScript(null);
    expect([script.refuses, script.isAnswered]).toEqual([true, false]);
    script.answerTo(event(0));
    expect(script.isAnswered).toBe(false);
    script.answerTo(event(0));
    expect(script.isAnswered).toBe(true);
    script.answerTo(event(1));
    script.answerTo(event(2));
    expect(script.isAnswered).toBe(false);
  });

  it('accepts a flood beyond its first events', () => {
    const script = new AnswerScript(null);
    const answers = Array.from({ length: 1000 }, (_, id) => script.answerTo(event(id)));
    expect(answers.filter((answer) => answer !== 'accept').length).toBeLessThan(30);
  });
});

it('a script of one’s own answers the first delivery of each event, and accepts all else', () => {
  const script = new AnswerScript(['410', 'accept']);
  expect([0, 1, 2, 0].map((id) => script.answerTo(event(id)))).toEqual(['410', 'accept', 'accept', 'accept']);
  expect(new AnswerScript([]).refuses).toBe(false);
});
