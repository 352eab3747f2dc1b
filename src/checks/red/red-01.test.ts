// RED-01: where a redirect leads.
import { describe, expect, it } from 'vitest';
import { exchangeWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { red01 } from './red-01.ts';

const to = (location: string, status = 302) =>
  brief(red01, subjectOf(exchangeWith({ status, headers: [['location', location]] })));

describe('RED-01', () => {
  it.each([
    'https://shop.example.com/settings/domains?tab=1#a',
    '/settings/domains',
    'settings',
    '../settings',
    '?tab=1',
    '//shop.example.com/settings',
    '/a?filter[a]=b|c',
    '/a:b',
    'http://[::1]:8080/',
    '/caf%C3%A9',
    'shop:settings',
  ])('allows %s', (location) => {
    expect(to(location)).toBe('holds');
  });

  it.each([
    '',
    'not a url',
    'http://',
    'https:///settings',
    'https:settings',
    '://shop',
    '::::',
    'http://[bad',
    'http://a:99999/',
    '/a\tb',
    '<a>',
    '//',
  ])('is breached by %j', (location) => {
    expect(to(location)).toEqual(['the Location of a redirect is not a URL']);
  });

  it.each(['/{storeId}/settings', '/search?q=a b', 'https://shop.example.com/a"b^', '/a\\b', './`', '?a={b}'])(
    'advises against %j, which parsers mend',
    (location) => {
      expect(to(location)).toEqual(['advisory: the Location of a redirect is not a URL']);
    },
  );

  it('demands a Location of a 302, and advises it for others that redirect', () => {
    const absent = (status: number) => brief(red01, subjectOf(exchangeWith({ status })));
    expect(absent(302)).toEqual(['a redirect has no Location']);
    for (const status of [301, 303, 307, 308]) {
      expect(absent(status)).toEqual(['advisory: a redirect has no Location']);
      expect(to('/a', status)).toBe('holds');
    }
  });

  it.each([200, 201, 300, 304, 404])('does not apply to a %i', (status) => {
    expect(to('not a url', status)).toBe('does not apply');
    expect(outcome(red01, subjectOf(exchangeWith({ response: null })))).toBe('does not apply');
  });
});
