import { describe, expect, it } from 'vitest';
import { checkListPlaces, listPlaces } from './list-places.ts';

const lists = [
  { operations: 'GET /api/v1/things', items: '/data/rows' },
  { operations: '/api/v1/*', items: '' },
];

describe('the places of lists', () => {
  it('are those of the first entry that matches', () => {
    const placeOf = listPlaces(lists);
    expect(placeOf('GET /api/v1/things')).toBe('/data/rows');
    expect(placeOf('GET /api/v1/things/{thingId}/parts')).toBe('');
    expect(placeOf('GET /api/health/live')).toBeNull();
  });

  it('are refused, all at once, where an entry matches nothing that reads', () => {
    const keys = ['GET /api/v1/thing', 'POST /api/v1/orders', 'GET /api/health/live'];
    expect(() => checkListPlaces(lists, ['GET /api/v1/things'])).not.toThrow();
    const wrong = [...lists, { operations: 'POST /api/v1/orders', items: '/x' }];
    expect(() => checkListPlaces(wrong, keys)).toThrow(
      'lists["GET /api/v1/things"] (did you mean "GET /api/v1/thing"?), lists["POST /api/v1/orders"]: ' +
        'no match among the 2 GET operations described',
    );
  });
});
