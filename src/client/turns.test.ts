import { expect, it } from 'vitest';
import { PLAN } from '../../test/support/client/fixture.ts';
import { type SimulatedClock, simulatedClock } from '../clock/simulated.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { AnswerController, AnswerHandler, Socket } from './connections.ts';
import { createTokens } from './tokens.ts';
import { Turns } from './turns.ts';
import { createClient } from './undici-client.ts';

/** Requests that are awaited at once. */
const WIDTH = 8;

/** The moment at which a request is answered that is sent at `sentMs`. */
type Serving = (sentMs: number, index: number) => number;

/** Sends requests as turns allow, each answered as the target serves; what stood open at once at the end, and the longest wait of the last ones. */
function driven(serving: Serving, many = 60) {
  const turns = new Turns();
  const open: { readonly turn: ReturnType<Turns['begin']>; readonly sentMs: number; readonly endMs: number }[] = [];
  const waits: number[] = [];
  let [nowMs, sent, width] = [0, 0, 0];
  while (sent < many || open.length > 0) {
    // The first look asks one after another.
    while (sent < many && turns.isFree && open.length < (sent < 5 ? 1 : WIDTH)) {
      open.push({ turn: turns.begin(nowMs), sentMs: nowMs, endMs: serving(nowMs, sent) });
      sent += 1;
    }
    width = sent < many ? open.length : width;
    open.sort((left, right) => left.endMs - right.endMs);
    const next = open.shift();
    if (next === undefined) break;
    nowMs = next.endMs;
    waits.push(nowMs - next.sentMs);
    turns.end(next.turn, nowMs);
  }
  return { width, longestMs: Math.max(...waits.slice(-20)), isOneByOne: turns.isOneByOne };
}

/** A target with a lock: each answer takes so long, one after another. */
function locked(answerMs: number | ((index: number) => number)): Serving {
  let freeAt = 0;
  return (sentMs, index) => {
    freeAt = Math.max(freeAt, sentMs) + (typeof answerMs === 'number' ? answerMs : answerMs(index));
    return freeAt;
  };
}

it.each<[string, Serving, number]>([
  ['answers at once', (sentMs) => sentMs + 3, WIDTH],
  ['answers one after another, and soon', locked(100), WIDTH],
  ['takes 5 s an answer, several at once', (sentMs) => sentMs + 5000, WIDTH],
  ['takes 5 s an answer, one after another', locked(5000), 4],
  ['takes 15 s an answer, one after another', locked(15_000), 1],
  ['is locked after its first answers', locked((index) => (index < 20 ? 5 : 4000)), 1],
  ['hangs now and then', (sentMs, index) => sentMs + (index % 3 === 0 ? 30_000 : 5), WIDTH],
])('a target that %s is sent as many at once as it bears', (_, serving, width) => {
  const driving = driven(serving);
  expect(driving.width).toBe(width);
  expect(driving.longestMs <= 20_000 || width === WIDTH).toBe(true);
});

const ANSWER_MS = 500;

/** Sockets to a target that serves one of them until it is closed, and the others after it. */
function servedInTurn(clock: SimulatedClock): () => Socket {
  const waiting: { readonly socket: Socket; readonly handler: AnswerHandler }[] = [];
  let held: Socket | null = null;
  const serve = (handler: AnswerHandler): void => {
    const controller = { rawHeaders: [], abort() {}, pause() {}, resume() {} } as unknown as AnswerController;
    handler.onRequestStart?.(controller, null);
    clock.after(ANSWER_MS, () => {
      handler.onResponseStart?.(controller, 200, {}, 'OK');
      handler.onResponseEnd?.(controller, {});
    });
  };
  const serveNext = (): void => {
    const next = waiting.shift();
    held = next?.socket ?? null;
    if (next !== undefined) serve(next.handler);
  };
  return () => {
    const socket: Socket = {
      dispatch(_request, handler) {
        held ??= socket;
        if (held === socket) serve(handler);
        else waiting.push({ socket, handler });
        return true;
      },
      destroy: () => Promise.resolve(held === socket ? serveNext() : undefined),
      on: () => {},
    };
    return socket;
  };
}

it('a target that serves one connection at a time answers each request, whoever sends beside it', async () => {
  const clock = simulatedClock();
  const redactor = createRedactor();
  const keys = [{ name: 'std-1', token: 'token-1', tokenCommand: null }];
  const tokens = createTokens({ keys, credentials: { locked: null, expired: null }, redactor, clock });
  const open = servedInTurn(clock);
  const failures: unknown[] = [];
  const onExchange = ({ failure }: { readonly failure: unknown }): unknown =>
    failure !== null && failures.push(failure);
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', tokens, redactor, onExchange, clock, open });
  const sending = Array.from({ length: WIDTH }, async () => {
    for (let count = 0; count < 70; count += 1) await client.send({ ...PLAN, retry: 'never' });
  });
  await clock.drive(Promise.all(sending));
  expect(failures).toEqual([]);
});
