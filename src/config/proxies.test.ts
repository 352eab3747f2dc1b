import { describe, expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import { proxiesIn, proxyFor, proxyName, proxySecrets } from './proxies.ts';

const BOTH = { HTTP_PROXY: 'http://plain.example.com:3128', HTTPS_PROXY: 'http://user:pa%40ss-word@tls.example.com' };
const led = (address: string, env: Readonly<Record<string, string>>): string | null => {
  const proxy = proxyFor(address, proxiesIn(env));
  return proxy && proxyName(proxy);
};

describe('the proxy for an address', () => {
  test('is told by its scheme; HTTPS has none of its own from HTTP_PROXY', () => {
    expect(led('http://shop.example.com', BOTH)).toBe('http://plain.example.com:3128');
    expect(led('https://shop.example.com', BOTH)).toBe('http://tls.example.com');
    expect(led('https://shop.example.com', { HTTP_PROXY: BOTH.HTTP_PROXY })).toBeNull();
  });

  test('is read in lower case, too, and without a scheme; capitals win', () => {
    expect(led('https://a.test', { https_proxy: 'small.test:1' })).toBe('http://small.test:1');
    expect(led('https://a.test', { https_proxy: 'small.test:1', HTTPS_PROXY: 'http://large.test:2' })).toBe(
      'http://large.test:2',
    );
    expect(led('https://a.test', { HTTPS_PROXY: 'http://p.test', no_proxy: 'a.test' })).toBeNull();
  });

  test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]:81'])(
    'is none for %s, whatever is set',
    (address) => {
      expect(led(address, { ...BOTH, NO_PROXY: 'other.test' })).toBeNull();
    },
  );

  test.each([
    ['a.example.com', 'example.com', true],
    ['example.com', 'example.com', true],
    ['badexample.com', 'example.com', false],
    ['a.example.com', '.example.com', true],
    ['example.com', '.example.com', false],
    ['a.example.com', '*.example.com', true],
    ['a.example.com', 'b.test, EXAMPLE.com', true],
    ['a.example.com:81', 'example.com:81', true],
    ['a.example.com', 'example.com:81', false],
    ['a.example.com', '*', true],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.33', '10.1.2.3', false],
    ['[fd00::7]:81', 'fd00::/8', true],
    ['[fd00::7]:81', '[fd00::7]:81', true],
    ['[fd00::7]', 'fd00::7', true],
    ['a.example.com', '', false],
  ])('of http://%s with NO_PROXY=%s is left out: %s', (host, none, isLeftOut) => {
    expect(led(`http://${host}`, { ...BOTH, NO_PROXY: none }) === null).toBe(isLeftOut);
  });

  test.each(['socks5://p.test', 'http://', '::'])('is refused where the variable is %s', (value) => {
    expect(() => led('https://a.test', { HTTPS_PROXY: value })).toThrow(UsageError);
  });

  test('has secrets: its password, and what is sent of it', () => {
    const sent = Buffer.from('user:pa@ss-word').toString('base64');
    expect(proxySecrets(proxiesIn(BOTH))).toEqual(['pa@ss-word', sent]);
    expect(proxySecrets(proxiesIn({ HTTP_PROXY: 'http://p.test' }))).toEqual([]);
  });
});
