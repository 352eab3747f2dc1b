// What is written holds no secret, whatever the target does: at random, and the search for leaks itself by example.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../programme.ts';
import { assertNoLeaks } from './property.ts';
import { leaksIn } from './search.ts';

const DRAWS = isNightly ? 200 : 10;
const SECRET = 'sk_live_9f8e7d6c5b4a39281706abcdefXYZW';

it(`no artefact holds eight characters of a secret, in ${DRAWS} draws`, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`leaks: ${DRAWS} draws, seed ${seed}; npm run leaks -- --draws ${DRAWS} --seed ${seed} makes them again`);
  await assertNoLeaks(DRAWS, seed);
});

describe('the search', () => {
  const packed = gzipSync(`{"data":"${'x'.repeat(100)}${SECRET.slice(3, 11)}"}`).toString('base64');
  it.each([
    ['the whole', SECRET],
    ['eight characters', `…${SECRET.slice(9, 17)}…`],
    ['another case', SECRET.toLowerCase().slice(25)],
    ['base64', Buffer.from(`u:${SECRET}`).toString('base64')],
    ['base64 of eight characters', Buffer.from(SECRET.slice(9, 17)).toString('base64')],
    ['base64 twice', Buffer.from(Buffer.from(SECRET).toString('base64')).toString('base64')],
    ['hex', Buffer.from(SECRET).toString('hex')],
    ['percent signs', [...Buffer.from(SECRET)].map((byte) => `%${byte.toString(16)}`).join('')],
    [
      'escapes in escapes',
      JSON.stringify(JSON.stringify([...SECRET].map((one) => `&#${one.charCodeAt(0)};`).join(''))),
    ],
    ['lines', SECRET.match(/.{1,5}/g)?.join('\n')],
    ['a compressed part', `<script id="store">${packed}</script>`],
  ])('finds %s', (_, text = '') => {
    expect(leaksIn([{ name: 'a', text: `before ${text} after` }], [SECRET])).not.toEqual([]);
  });

  it('does not take one JWT for another by how all of them begin', () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const secret = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'u' })}.Xo2f9qLpA1`;
    const found = (text: string) => leaksIn([{ name: 'a', text }], [secret]).length > 0;
    expect(found(`${part({ alg: 'none', typ: 'JWT' })}.${part({ exp: 4_102_444_800 })}.`)).toBe(false);
    expect([found(secret.slice(0, 12)), found(secret.slice(-8))]).toEqual([true, true]);
  });

  it('takes no quote that ends a text of JSON for one of a secret, but finds one within the text', () => {
    const secret = 'k3y-with-a-quote","curl-and-more';
    const found = (value: unknown) => leaksIn([{ name: 'a', text: JSON.stringify(value) }], [secret]).length > 0;
    expect(found({ message: 'a-quote', curl: '' })).toBe(false);
    expect(found({ message: secret.slice(9, 19) })).toBe(true);
  });

  it('finds nothing where there are seven characters, or none', () => {
    for (const text of [SECRET.slice(9, 16), 'nothing at all', packed.slice(0, 30)])
      expect(leaksIn([{ name: 'a', text }], [SECRET])).toEqual([]);
  });
});
