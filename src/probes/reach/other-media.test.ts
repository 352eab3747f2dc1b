import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { otherMediaExperiment } from './other-media.ts';

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const FORM = 'application/x-www-form-urlencoded';
const V2 = 'application/vnd.shop.v2+json';
const LISTED = { type: 'object', required: ['names'], properties: { names: { type: 'array', minItems: 1 } } };

async function sentTo(method: 'post' | 'put', content: object, lasts: boolean): Promise<readonly string[] | null> {
  const on = { requestBody: { content }, responses: { 201: { description: 'Made' } } };
  const world = worldWith({ lasts: () => lasts });
  const things = await loadShop({ '/things': { [method]: on } });
  const proof = exchangeWith({ status: 201 });
  const one = otherMediaExperiment(world, reachedWith(world, things, `${method.toUpperCase()} /things`, {}, { proof }));
  if (one === null) return null;
  return drive(one.run(), () => ({ status: 201 })).plans.map(({ body, intent }) => {
    const type = body.kind === 'none' ? 'nothing' : (body.contentType ?? 'application/json');
    return intent === 'invalid' ? `${type} lacking` : type;
  });
}

it('a sound body goes out, and one that lacks a member, in each further media type, also where what is made stays', async () => {
  const content = { 'application/json': { schema: NAMED }, [FORM]: { schema: NAMED }, [V2]: { schema: LISTED } };
  const both = [FORM, `${FORM} lacking`, V2, `${V2} lacking`];
  expect(await sentTo('post', content, true)).toEqual(both);
  expect(await sentTo('put', content, false)).toEqual([...both, 'application/json']);
});

it('a member is left out of no media type of which nobody knows how it writes members', async () => {
  const content = { 'application/json': { schema: NAMED }, 'text/plain': { schema: NAMED } };
  expect(await sentTo('post', content, true)).toEqual(['text/plain']);
});

it('nothing goes out where there is one media type, or none of the others can be made', async () => {
  const json = { 'application/json': { schema: NAMED } };
  expect(await sentTo('post', json, false)).toBeNull();
  expect(await sentTo('post', { [FORM]: { schema: NAMED } }, false)).toBeNull();
});

it('what lacks a member is to be refused where a sound body of its media type is served (REQ-03)', async () => {
  const content = { 'application/json': { schema: NAMED }, [FORM]: { schema: NAMED } };
  const on = { requestBody: { content }, responses: { 201: { description: 'Made' } } };
  const world = worldWith();
  const things = await loadShop({ '/things': { post: on } });
  const proof = exchangeWith({ status: 201 });
  const one = otherMediaExperiment(world, reachedWith(world, things, 'POST /things', {}, { proof }))!;
  const told = (sound: number, lacking: number) =>
    inWords(drive(one.run(), ({ intent }) => ({ status: intent === 'invalid' ? lacking : sound })).outcomes);
  expect(told(201, 201)).toEqual(['REQ-03 breached: a missing required field is accepted']);
  expect(told(201, 400)).toEqual(['REQ-03 holds']);
  expect(told(415, 201)).toEqual([]);
});
