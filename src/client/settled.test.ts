// Every request settles, whatever becomes of its socket: within its limit of time, or when the client is closed.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { CREATE, PLAN } from '../../test/support/client/fixture.ts';
import { simulatedClock } from '../clock/simulated.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { AnswerController, AnswerHandler, Socket } from './connections.ts';
import { createTokens } from './tokens.ts';
import { createClient } from './undici-client.ts';

type Dispatch = (handler: AnswerHandler) => void;

/** A client whose sockets do as told with each request, in the order in which they are opened; the last one goes on. */
function clientOver(...sockets: readonly Dispatch[]) {
  const clock = simulatedClock();
  const redactor = createRedactor();
  let opened = 0;
  const open = (): Socket => {
    const dispatch = sockets[Math.min(opened, sockets.length - 1)];
    opened += 1;
    return {
      dispatch(_request, handler) {
        dispatch?.(handler);
        return true;
      },
      destroy: () => new Promise(() => {}),
      on: () => {},
    };
  };
  const keys = [{ name: 'std-1', token: 'token-1', tokenCommand: null }];
  const tokens = createTokens({ keys, credentials: { locked: null, expired: null }, redactor, clock });
  const onExchange = () => {};
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', tokens, redactor, onExchange, clock, open });
  return { client, clock, opened: () => opened };
}

function controller(): AnswerController {
  const headers: Buffer[] = [];
  return { rawHeaders: headers, abort() {}, pause() {}, resume() {} } as unknown as AnswerController;
}

const answered: Dispatch = (handler) => {
  handler.onRequestStart?.(controller(), null);
  handler.onResponseStart?.(controller(), 200, {}, 'OK');
  handler.onResponseEnd?.(controller(), {});
};
const begun: Dispatch = (handler) => handler.onRequestStart?.(controller(), null);
const forgotten: Dispatch = () => {};
const thrown: Dispatch = () => {
  throw new Error('no dispatch');
};
const reset: Dispatch = (handler) =>
  handler.onResponseError?.(controller(), Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));

it.each([
  ['is never told of', forgotten, 'no connection within 30000 ms'],
  ['begins, and is never told of again', begun, 'no answer within 30000 ms'],
  ['cannot be handed over', thrown, 'no dispatch'],
])('a request that %s has failed within its limit', async (_, dispatch, message) => {
  const { client, clock } = clientOver(dispatch);
  const [only] = await clock.drive(client.send({ ...PLAN, retry: 'never' }));
  expect(only?.failure).toMatchObject({ message });
});

it('a client that is closed waits neither for answers nor for its sockets', async () => {
  const { client, clock } = clientOver(begun);
  const sending = client.send(PLAN).catch((error: Error) => error.message);
  await clock.drive(Promise.all([clock.sleep(1), client.close()]));
  expect(await sending).toBe('The run was stopped.');
});

it('a request that never went out, for its idle socket was reset, goes out over another one', async () => {
  let requests = 0;
  const idleThenReset: Dispatch = (handler) => {
    requests += 1;
    (requests === 1 ? answered : reset)(handler);
  };
  const { client, clock, opened } = clientOver(idleThenReset, answered);
  await clock.drive(client.send(CREATE));
  const attempts = await clock.drive(client.send(CREATE));
  expect(attempts.map(({ response }) => response?.status)).toEqual([200]);
  expect(opened()).toBe(2);
});

it.each([
  [', {isLimit: true}', 'ended'],
  ['', ''],
])('an act %s of the clock of this machine is waited for only where it is a limit', (kind, written) => {
  const clock = new URL('../clock/system.ts', import.meta.url).href;
  const program = `import {systemClock} from ${JSON.stringify(clock)}; systemClock.after(20, () => console.log('ended')${kind})`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(written);
});
