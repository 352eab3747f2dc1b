import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { refusalSentence } from './refusal-sentence.ts';

it.each([
  [{ message: 'Must specify\n format' }, 'Must specify format'],
  [{ error: { statusCode: 422, name: 'E', message: 'title is missing' } }, 'title is missing'],
  [{ detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required' }] }, 'body.name: Field required'],
  [{ detail: ['ValueError', 'q is too long'] }, 'q is too long'],
  [{ type: 'about:blank', title: 'Bad Request', detail: 'q is too long' }, 'q is too long'],
  [{ errors: ['no such plan'] }, 'no such plan'],
  [
    { detail: 'Validation error', validation_errors: { project: ['It is required.'] } },
    'Validation error: project: It is required.',
  ],
  [{ title: ['It is too short.'] }, 'It is too short.'],
  [{ project: ['It is required.'], count: [1] }, 'project: It is required.'],
  [{ detail: 'There is no such plan', plans: ['one of them'] }, 'There is no such plan'],
  [{ message: 'x'.repeat(300) }, `${'x'.repeat(200)}…`],
  [{ message: '', code: 7 }, null],
  [[], null],
])('%j says %j', (body, sentence) => {
  expect(refusalSentence(exchangeWith({ status: 422, body }))).toBe(sentence);
});

it('a plain text is the sentence, and no page of HTML is', () => {
  const said = (type: string) =>
    refusalSentence(exchangeWith({ status: 422, body: 'no such label', headers: [['content-type', type]] }));
  expect([said('text/plain; charset=utf-8'), said('text/html')]).toEqual(['no such label', null]);
});

it('a success, and an answer that never came, refuse nothing', () => {
  expect(refusalSentence(exchangeWith({ status: 200, body: { message: 'Done' } }))).toBeNull();
  expect(refusalSentence(exchangeWith({ response: null }))).toBeNull();
});
