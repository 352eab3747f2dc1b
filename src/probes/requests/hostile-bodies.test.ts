import { expect, it } from 'vitest';
import { drive, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { hostileExperiments } from './hostile-input.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Media types and short texts of the hostile bodies that are sent to an operation that takes this media type alone. */
async function bodiesOf(media: string, contract: 'commerce' | 'openapi'): Promise<readonly string[]> {
  const schema = media === FORM ? { type: 'object', properties: { name: { type: 'string' } } } : { type: 'string' };
  const post = { requestBody: { content: { [media]: { schema } } }, responses: { 201: { description: 'Made' } } };
  const on = worldWith({ contract });
  const reached = reachedWith(on, await loadShop({ '/notes': { post } }), 'POST /notes');
  const whole = hostileExperiments(on, reached, 0).filter(({ probe }) => /^hostile\/(member|body)/.test(probe));
  return whole.map((one) => {
    const body = drive(one.run(), () => ({})).plans[0]?.body;
    return body?.kind === 'raw' ? `${body.contentType} ${body.text.slice(0, 20)}` : 'no text';
  });
}

it('hostile bodies are members of a form, and bytes that are no text, by a description alone', async () => {
  const bodies = await bodiesOf(FORM, 'openapi');
  expect(bodies.every((body) => body.startsWith(FORM))).toBe(true);
  expect(bodies).toContain(`${FORM} name=`);
  expect(bodies).toContain(`${FORM} {"assay":"\u00ff\u00fe"}`);
  expect(await bodiesOf(FORM, 'commerce')).toEqual([]);
});

it('hostile bodies are such bytes alone where a text is taken', async () => {
  expect(await bodiesOf('text/plain', 'openapi')).toEqual(['text/plain {"assay":"\u00ff\u00fe"}']);
});
