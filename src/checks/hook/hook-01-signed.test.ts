// HOOK-01 on deliveries that are signed, broken in ways that senders are known for, or made to do harm.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../test/programme.ts';
import {
  ACCEPTED,
  breachesOf,
  deliveryWith,
  hmac,
  judged,
  kindsOf,
  observedIn,
  of,
  REFUSED,
  SECRET,
  START,
  signedDelivery,
} from '../../../test/support/checks/hook/deliveries.ts';
import type { Delivery } from '../../exchange/delivery.ts';

const BODY = '{"id": "evt_1", "amount": 10.00}';

function causeOf(delivery: Delivery, subscription: Parameters<typeof judged>[1] = {}): string | undefined {
  return breachesOf('HOOK-01', judged([delivery], subscription))[0]?.cause;
}

describe('a delivery', () => {
  it('that is signed holds', () => {
    expect(of('HOOK-01', judged([signedDelivery(BODY)]))).toEqual([{ kind: 'holds', assertions: 1 }]);
  });

  it('is not judged without a secret', () => {
    const found = judged([signedDelivery(BODY)], { secret: null });
    expect(of('HOOK-01', found)).toMatchObject([{ kind: 'cannot-tell', reasonCode: 'no-credential' }]);
    expect(observedIn(found)).not.toHaveProperty('form of the signature');
  });

  it('without a signature is a breach that says what is missing', () => {
    const [breach] = breachesOf('HOOK-01', judged([deliveryWith({ body: BODY })]));
    expect(breach).toEqual({
      weight: 'breach',
      code: 'hook-01.unsigned',
      cause: 'a delivery carries no signature',
      message: 'POST /hooks: a delivery carries no signature – no header holds an HMAC in hexadecimal or base64',
      expected:
        'HMAC-SHA256 over the raw body (alone, or with a timestamp or id joined to it) under the secret; in any header and known form',
      actual: 'no header holds an HMAC in hexadecimal or base64',
    });
    const [other] = breachesOf('HOOK-01', judged([deliveryWith({ body: BODY })], { header: 'X-Signature' }));
    expect(other).toMatchObject({ cause: breach?.cause, actual: 'the header x-signature is missing' });
  });

  it('under another key is a breach', () => {
    expect(causeOf(signedDelivery(BODY, {}, 'another secret'))).toBe(
      'a delivery carries a signature that does not verify under the secret',
    );
  });

  it.each([
    ['compact', '{"id":"evt_1","amount":10}'],
    ['as Python writes it', '{"id": "evt_1", "amount": 10}'],
    ['in the order of its names', '{"amount":10,"id":"evt_1"}'],
    ['indented', '{\n  "id": "evt_1",\n  "amount": 10\n}'],
    ['with a line break', `${BODY}\n`],
  ])('signed over its body re-serialised (%s) is a breach in these words', (_how, signed) => {
    const signature = hmac(signed).toString('hex');
    expect(causeOf(deliveryWith({ body: BODY, headers: { 'x-signature': signature } }))).toBe(
      'a delivery is signed over its body re-serialised, not over its raw bytes',
    );
  });

  it.each([
    ['as Python writes it, in ASCII', '{"id": "\\u00e9", "at": "http://a/<b>", "n": 10.0}'],
    ['as PHP writes it', '{"id":"\\u00e9","at":"http:\\/\\/a\\/<b>","n":10.0}'],
    ['as Go writes it', '{"at":"http://a/\\u003cb\\u003e","id":"é","n":10}'],
    ['without blanks, its numbers kept', '{"id":"é","at":"http://a/<b>","n":10.0}'],
  ])('signed over its body re-serialised (%s) is the same breach', (_how, signed) => {
    const body = '{ "id": "é", "at": "http://a/<b>", "n": 10.0 }';
    expect(causeOf(deliveryWith({ body, headers: { 'x-signature': hmac(signed).toString('hex') } }))).toContain(
      're-serialised',
    );
  });

  it('signed over a re-serialised body with a timestamp joined to it is the same breach', () => {
    const at = '1769860800';
    const signature = `t=${at},v1=${hmac(`${at}.{"id":"evt_1","amount":10}`).toString('hex')}`;
    expect(causeOf(deliveryWith({ body: BODY, headers: { 'x-signature': signature } }))).toContain('re-serialised');
  });

  it.each(['hex', 'base64'] as const)('whose signature is cut short (%s) is a breach that says so', (encoding) => {
    const whole = hmac(BODY).toString(encoding);
    const headers = { 'x-signature': whole.slice(0, whole.length / 2) };
    const [breach] = breachesOf('HOOK-01', judged([deliveryWith({ body: BODY, headers })]));
    expect(breach?.cause).toBe('a delivery carries a signature that is cut short');
    expect(breach?.actual).toMatch(/^x-signature holds the first 16 of 32 bytes$/);
  });

  it.each([
    ['HMAC-SHA1', hmac(BODY, SECRET, 'sha1')],
    ['HMAC-SHA512', hmac(BODY, SECRET, 'sha512')],
    ['HMAC-MD5', hmac(BODY, SECRET, 'md5')],
  ])('signed by %s is a breach that says so', (name, signature) => {
    const [breach] = breachesOf(
      'HOOK-01',
      judged([deliveryWith({ body: BODY, headers: { 'x-signature': signature.toString('hex') } })]),
    );
    expect(breach?.cause).toBe('a delivery is signed otherwise than by HMAC-SHA256');
    expect(breach?.actual).toBe(`x-signature holds ${name}`);
  });

  it('signed over the body of another delivery is a breach that says so', () => {
    const other = signedDelivery('{"id":"evt_0"}');
    const mixed = deliveryWith({ body: BODY, headers: Object.fromEntries(other.headers) });
    const causes = breachesOf('HOOK-01', judged([other, mixed])).map(({ cause }) => cause);
    expect(causes).toEqual(['a delivery is signed over another body than its own']);
  });

  it.each([
    [
      'without its body',
      (at: string) => ({ 'x-time': at, 'x-signature': hmac(at).toString('hex') }),
      'without its body',
    ],
    ['over nothing', () => ({ 'x-signature': hmac('').toString('hex') }), 'without its body'],
    [
      'over the digest of its body',
      () => ({ 'x-signature': hmac(createHash('sha256').update(BODY).digest('hex')).toString('hex') }),
      'over a digest or an encoding of its body, not over its raw bytes',
    ],
    [
      'over the base64 of its body',
      () => ({ 'x-signature': hmac(Buffer.from(BODY).toString('base64')).toString('base64') }),
      'over a digest or an encoding of its body, not over its raw bytes',
    ],
    ['over one member of it', () => ({ 'x-signature': hmac('evt_1').toString('hex') }), 'over a part of its body'],
    [
      'under an empty secret',
      () => ({ 'x-signature': hmac(BODY, '').toString('hex') }),
      'under the secret written otherwise',
    ],
    [
      'under the secret and a line break',
      () => ({ 'x-signature': hmac(BODY, `${SECRET}\n`).toString('hex') }),
      'under the secret written otherwise',
    ],
    [
      'by a digest over secret, address and body',
      () => ({
        'x-signature': createHash('sha256').update(`${SECRET}POSThttp://127.0.0.1:4567/hooks${BODY}`).digest('hex'),
      }),
      'otherwise than by HMAC-SHA256',
    ],
  ])('signed %s is a breach that says so', (_, headers, how) => {
    expect(causeOf(deliveryWith({ body: BODY, headers: headers('1769860800') }))).toBe(`a delivery is signed ${how}`);
  });

  it('of a form signed over its sorted parameters is a breach that says so', () => {
    const body = 'b=2&a=%C3%A9+1';
    const type = { 'content-type': 'application/x-www-form-urlencoded', host: 'shop.example.com' };
    const content = 'https://shop.example.com/hooksaé 1b2';
    const signed = (algorithm: string) =>
      causeOf(
        deliveryWith({
          body,
          headers: { ...type, 'x-signature': hmac(content, SECRET, algorithm).toString('base64') },
        }),
      );
    expect(signed('sha256')).toBe('a delivery is signed over the parameters of its form, not over its raw bytes');
    expect(signed('sha1')).toBe('a delivery is signed otherwise than by HMAC-SHA256');
  });

  it('that carries the secret in place of a signature is a breach that does not show it', () => {
    const [breach] = breachesOf('HOOK-01', judged([deliveryWith({ headers: { 'x-token': `Bearer ${SECRET}` } })]));
    expect(breach).toMatchObject({ cause: 'a delivery carries the secret itself', actual: 'x-token holds the secret' });
  });

  it('whose signature stands in its body, over other members, is a breach that says so', () => {
    const [timestamp, token] = ['1769860800', 'f81d4fae7dec11d0a76500a0c91e6bf6'];
    const signature = { timestamp, token, signature: hmac(timestamp + token).toString('hex') };
    expect(causeOf(deliveryWith({ body: JSON.stringify({ signature, event: { id: 'evt_1' } }) }))).toBe(
      'a delivery is signed without its body',
    );
  });

  it('with a new timestamp and the signature of the delivery before is a breach that says so', () => {
    const signature = hmac(`1769860800.${BODY}`).toString('hex');
    const [first, again] = ['1769860800', '1769860900'].map((at) =>
      deliveryWith({ id: `delivery-${at}`, body: BODY, headers: { 'x-signature': `t=${at},v1=${signature}` } }),
    );
    if (first === undefined || again === undefined) throw new Error('there are two deliveries');
    const found = judged([{ ...first, answer: REFUSED }, again]);
    expect(breachesOf('HOOK-02', found)).toMatchObject([
      {
        cause: 'a redelivery carries the signature of another delivery',
        actual: 'x-signature holds the same signature as in delivery-1769860800',
      },
    ]);
  });

  it('under another secret, delivered again with the same body, has its own signature and not another', () => {
    const first = signedDelivery(BODY, { answer: REFUSED }, 'another-secret');
    const again = { ...first, id: 'delivery-2', at: first.at + 30_000, answer: ACCEPTED };
    const other = signedDelivery('{"id":"evt_2"}', { id: 'delivery-3', at: first.at + 60_000 }, 'another-secret');
    const causes = breachesOf('HOOK-01', judged([first, again, other])).map(({ cause }) => cause);
    expect(causes).toEqual(Array(2).fill('a delivery carries a signature that does not verify under the secret'));
  });

  it('with the signature of an earlier delivery under another secret is a breach that says so', () => {
    const first = signedDelivery(BODY, {}, 'another-secret');
    const copy = { ...first, id: 'delivery-2', at: first.at + 1000, body: Buffer.from('{"id":"evt_2"}') };
    const causes = breachesOf('HOOK-01', judged([first, copy])).map(({ cause }) => cause);
    expect(causes).toEqual([
      'a delivery carries a signature that does not verify under the secret',
      'a delivery carries the signature of another delivery',
    ]);
  });

  it('in another encoding or form than the configured one is a breach that names both', () => {
    const cause = 'a delivery is signed in another form than the configured one';
    expect(causeOf(signedDelivery(BODY), { form: 'base64' })).toBe(cause);
    expect(causeOf(signedDelivery(BODY), { header: 'X-Other' })).toBe(cause);
    const [breach] = breachesOf(
      'HOOK-01',
      judged([signedDelivery(BODY)], { header: 'X-Signature', form: 'hex of {x-time}.{body}' }),
    );
    expect(breach?.actual).toBe('x-signature, hex of {body}; configured: x-signature, hex of {x-time}.{body}');
  });

  it('with a compressed body may be signed before or after compression', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = gzipSync(BODY);
    for (const signed of [body, BODY]) {
      const headers = { 'content-encoding': 'gzip', 'x-signature': hmac(signed).toString('hex') };
      expect(kindsOf('HOOK-01', judged([deliveryWith({ body, headers })]))).toEqual(['holds']);
    }
  });
});

describe('many deliveries', () => {
  it('are told from the ones that do not verify, each by itself', () => {
    const deliveries = Array.from({ length: 10 }, (_, index) =>
      signedDelivery(`{"id":"evt_${index}"}`, {}, index === 6 ? SECRET : `secret ${index}`),
    );
    const kinds = kindsOf('HOOK-01', judged(deliveries));
    expect(kinds.filter((kind) => kind === 'breached')).toHaveLength(9);
    expect(kinds[6]).toBe('holds');
  });

  it('keep to one form', () => {
    const one = signedDelivery('{"id":"evt_1"}');
    const two = signedDelivery('{"id":"evt_2"}');
    const body = '{"id":"evt_3"}';
    const three = deliveryWith({ body, headers: { 'x-other': hmac(body).toString('base64') } });
    const breaches = breachesOf('HOOK-01', judged([one, three, two]));
    expect(breaches).toMatchObject([
      {
        cause: 'a delivery is signed in another form than others',
        actual: 'x-other, base64 of {body}; elsewhere: x-signature, hex of {body}',
      },
    ]);
  });

  it('may carry the signature of an old key beside that of the new one', () => {
    const deliveries = ['a', 'b', 'c'].map((id, index) => {
      const [now, before] = [hmac(id), hmac(id, 'the key before')].map((mac) => `v1=${mac.toString('hex')}`);
      return deliveryWith({
        body: id,
        headers: { 'x-signature': index === 1 ? `${before},${now}` : `${now},${before}` },
      });
    });
    expect(kindsOf('HOOK-01', judged(deliveries))).toEqual(['holds', 'holds', 'holds']);
    expect(observedIn(judged(deliveries))['signatures in one header']).toBe('up to 2');
  });

  it('that are all broken are judged in bounded time, whatever they carry', () => {
    const body = 'x'.repeat(64 * 1024);
    const headers = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`x-signature-${index}`, `t=${index},v1=${'0f'.repeat(32)}`]),
    );
    const deliveries = Array.from({ length: 200 }, () => deliveryWith({ body, headers, at: START }));
    expect(kindsOf('HOOK-01', judged(deliveries))).toHaveLength(200);
  });
});

const texts = fc.string({ unit: 'binary', maxLength: 300 });
const stamps = fc.integer({ min: 1_600_000_000, max: 1_999_999_999 }).map(String);
const ids = fc.stringMatching(/^[a-z]{3,5}_[A-Za-z0-9]{4,24}$/);
const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 });

/** A form as a platform may choose it, and the headers that it then sends. */
const forms = fc.record({
  encoding: fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
  prefix: fc.constantFrom('', 'sha256=', 'v1=', 'v1,', 'hmac-sha256='),
  joined: fc.constantFrom('none', 'stamp', 'id', 'id stamp', 'body stamp', 'v1 stamp'),
  separator: fc.constantFrom('.', ':', '', '\n'),
  rotated: fc.boolean(),
  header: fc.constantFrom('x-signature', 'x-commerce-signature', 'webhook-signature', 'signature'),
});

function sent(
  form: typeof forms extends fc.Arbitrary<infer T> ? T : never,
  body: string,
  secret: string,
  at: string,
  id: string,
) {
  const parts = {
    none: [body],
    stamp: [at, body],
    id: [id, body],
    'id stamp': [id, at, body],
    'body stamp': [body, at],
    'v1 stamp': ['v1', at, body],
  };
  const chosen = parts[form.joined as keyof typeof parts];
  // A version that is signed stands before the signature, too.
  const prefix = form.joined === 'v1 stamp' ? 'v1=' : form.prefix;
  const content = chosen.join(chosen.length === 1 ? '' : form.separator);
  const now = `${prefix}${hmac(content, secret).toString(form.encoding)}`;
  const before = `${prefix}${hmac(content, 'the key before').toString(form.encoding)}`;
  const headers = { 'x-sent-at': at, 'x-message': id, [form.header]: form.rotated ? `${before} ${now}` : now };
  return deliveryWith({ body, headers });
}

describe('any form', () => {
  it('is discovered, and holds', () => {
    fc.assert(
      fc.property(forms, texts, secrets, stamps, ids, (form, body, secret, at, id) => {
        const found = judged([sent(form, body, secret, at, id)], { secret });
        expect(breachesOf('HOOK-01', found)).toEqual([]);
      }),
      { numRuns: draws(300) },
    );
  });

  it('is breached by one flipped bit of the body, or of what is joined to it', () => {
    fc.assert(
      fc.property(forms, texts, secrets, fc.nat(), fc.integer({ min: 0, max: 7 }), (form, text, secret, at, bit) => {
        const right = sent(form, `${text}.`, secret, '1769860800', 'msg_abc');
        const body = Buffer.from(right.body);
        const index = at % body.length;
        body[index] = (body[index] ?? 0) ^ (1 << bit);
        const found = judged([right, { ...right, body }], { secret });
        expect(kindsOf('HOOK-01', found)).toEqual(['holds', 'breached']);
      }),
      { numRuns: draws(60) },
    );
  });
});

describe('whatever arrives', () => {
  it('is judged without throwing, and no judgement shows the secret', () => {
    const names = fc.constantFrom(
      'x-signature',
      'signature',
      'webhook-id',
      'x-time',
      'date',
      'content-encoding',
      '__proto__',
    );
    const values = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('gzip', 't=,v1=', '=,=,=', 'sha256=', 'a'.repeat(20_000), '{body}', 'v1,'.repeat(500)),
      fc.stringMatching(/^[0-9a-f]{16,130}$/),
    );
    const bodies = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom('', '['.repeat(20_000), '{"__proto__":{"type":1},"timestamp":1}'),
    );
    const deliveries = fc.array(
      fc.tuple(bodies, fc.dictionary(names, values)).map(([body, headers]) => deliveryWith({ body, headers })),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        deliveries,
        fc.constantFrom('x-signature', null),
        fc.constantFrom('hex', 'hex of {a:b}{body}', null),
        (all, header, form) => {
          const found = judged(all, { header, form });
          expect(JSON.stringify(found.map(({ judgement }) => judgement))).not.toContain(SECRET);
        },
      ),
      { numRuns: draws(100) },
    );
  });
});
