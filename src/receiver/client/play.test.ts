// The platform as it is played for a client: what it answers over sockets, what it records, and what it refuses.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../clock/system.ts';
import type { Trouble } from '../../contract/client.ts';
import { STAND_IN } from '../../platform/client/stand-in.ts';
import { MAX_REQUEST_BYTES, type Play, startPlay } from './play.ts';
import { MAX_REQUESTS } from './recording.ts';

const TOKEN = 'aaa.bbb.ccc';
const STOCK = { storeId: 'store_1', logs: ['l1', 'l2', 'l3'], notifications: ['n1', 'n2', 'n3'] };
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

const plays: Play[] = [];
afterEach(async () => {
  for (const play of plays.splice(0)) await play.close();
});

async function start(trouble: Trouble | null = null): Promise<Play> {
  const scenario = { id: 'read-store x', task: 'read-store' as const, title: 'x', trouble };
  const play = await startPlay({
    ...{
      scenario,
      token: TOKEN,
      stock: STOCK,
      standIn: STAND_IN,
      marker: 'marked',
      clock: systemClock,
      onRequest: () => {},
    },
  });
  plays.push(play);
  return play;
}

function get(play: Play, path: string, init: RequestInit = {}) {
  return fetch(`${play.baseUrl}${path}`, { headers: HEADERS, redirect: 'manual', ...init });
}

describe('without trouble', () => {
  it('answers each operation', async () => {
    const play = await start();
    expect(play.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await get(play, '/api/v1/stores')).json()).toMatchObject([{ id: 'store_1' }]);
    expect(await (await get(play, '/api/v1/stores/store_1')).json()).toMatchObject({ id: 'store_1' });
    expect((await get(play, '/api/v1/stores/store_2')).status).toBe(404);
    expect((await get(play, '/api/v1/stores', { method: 'POST', body: '{}' })).status).toBe(201);
    const page: unknown = await (await get(play, '/api/v1/auth/activity/logs?page=2&limit=2')).json();
    expect(page).toMatchObject({ data: [{ id: 'l3' }], total: 3, page: 2, limit: 2, total_pages: 2 });
    const slice = await (await get(play, '/api/v1/stores/store_1/domains/notifications?limit=2&offset=2')).json();
    expect(slice).toMatchObject([{ id: 'n3' }]);
    expect((await fetch(`${play.baseUrl}/api/health/live`)).status).toBe(200);
    expect(play.requests()).toHaveLength(7);
  });

  it('records the request as it came, and when it was answered', async () => {
    const play = await start();
    await get(play, '/api/v1/stores', { method: 'POST', body: '{"name":"é"}' });
    const [request] = play.requests();
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/stores', operation: 'POST /api/v1/stores' });
    expect(request?.headers).toContainEqual(['content-type', 'application/json']);
    expect(request?.body.toString()).toBe('{"name":"é"}');
    expect(request?.answer.at).toBeGreaterThanOrEqual(request?.at ?? 0);
  });

  it('refuses other tokens as the platform does', async () => {
    const play = await start();
    for (const authorization of ['Bearer other', TOKEN, '']) {
      const answer = await get(play, '/api/v1/stores', { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'auth_token_invalid', status: 401 } });
    }
  });
});

describe('trouble', () => {
  it('comes as often as the scenario says, as a whole error', async () => {
    const play = await start({ status: 429, wait: { form: 'seconds', seconds: 2 }, times: 1 });
    const first = await get(play, '/api/v1/stores/store_1');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '2']);
    const { error } = (await first.json()) as { error: Record<string, unknown> };
    expect(Object.keys(error).toSorted()).toEqual([
      'code',
      'doc_url',
      'instance',
      'message',
      'request_id',
      'status',
      'timestamp',
      'title',
      'type',
    ]);
    expect(error.message).toContain('marked');
    expect((await get(play, '/api/v1/stores/store_1')).status).toBe(200);
  });

  it('states a date that has not come', async () => {
    const play = await start({ status: 503, wait: { form: 'date', seconds: 3 }, times: null });
    const { headers } = await get(play, '/api/v1/stores');
    expect(Date.parse(headers.get('retry-after') ?? '') - Date.now()).toBeGreaterThan(1000);
  });

  it('closes the connection where an answer is to be lost', async () => {
    const play = await start({ status: null, wait: null, times: 1 });
    await expect(get(play, '/api/v1/stores')).rejects.toThrow();
    expect(play.requests()[0]?.answer).toMatchObject({ status: null, isTrouble: true });
    expect((await get(play, '/api/v1/stores')).status).toBe(200);
  });

  it('redirects to a page of the same host', async () => {
    const play = await start({ status: 302, wait: null, times: null });
    expect((await get(play, '/api/v1/stores')).headers.get('location')).toBe('/dashboard/stores/settings/domains');
  });
});

describe('what is too much', () => {
  it('is refused: large bodies, many headers', async () => {
    const play = await start();
    const body = Buffer.alloc(MAX_REQUEST_BYTES + 1, 'x');
    const large = await get(play, '/api/v1/stores', { method: 'POST', body }).catch(() => null);
    expect([413, undefined]).toContain(large?.status);
    const { hostname, port } = new URL(play.baseUrl);
    const socket = connect(Number(port), hostname);
    const flood = Array.from({ length: 2000 }, (_, index) => `X-${index}: ${'a'.repeat(20)}\r\n`).join('');
    socket.end(`GET /api/v1/stores HTTP/1.1\r\nHost: a\r\n${flood}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 431 /);
    expect(play.requests()).toEqual([]);
    expect(play.refused()).toBe(1);
  });

  it('is not kept: more requests than the bound', async () => {
    const play = await start();
    const { hostname, port } = new URL(play.baseUrl);
    const socket = connect(Number(port), hostname);
    const one = 'GET /api/health/live HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.end(`${one.repeat(MAX_REQUESTS + 5)}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await text(socket);
    expect(play.requests()).toHaveLength(MAX_REQUESTS);
    expect(play.isFull()).toBe(true);
  });
});
