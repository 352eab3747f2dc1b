// How keys go wrong: hooks that rewrite the key as the platform sees it, or act when a key comes again.

import type { Hooks } from '../deviation.ts';
import { IDEMPOTENCY_HEADER } from '../facts.ts';
import type { Answer, Call, Route } from '../http/call.ts';

/** The header's name as calls carry it. */
export const KEY_HEADER = IDEMPOTENCY_HEADER.toLowerCase();
/** A resend this soon after a key's first send counts as sent at once; the first answer is held back for twice as long. */
export const SLOW_MS = 25;

/** The call's key; null for none. */
export function keyIn(call: Call): string | null {
  const key = call.headers[KEY_HEADER];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** How often the call's key was seen before it; counts it. */
export function counter(): (key: string) => number {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
}

/** The platform sees another key in place of the call's; null leaves it alone. */
export function rekeyed(route: Route, key: (call: Call, key: string) => string | null): Hooks {
  return {
    act: (call) => {
      const own = call.route === route ? keyIn(call) : null;
      const other = own === null ? null : key(call, own);
      if (other !== null) call.headers[KEY_HEADER] = other;
    },
  };
}

/** Every key is forgotten after so many other calls of any operation, or (`own`) under other keys of the same one. */
export function forgetful(route: Route, after: number, { own }: { readonly own: boolean }): Hooks {
  let calls = 0;
  let generations = 0;
  const lastUse = new Map<string, { at: number; generation: number }>();
  const forgetting = rekeyed(route, (_call, key) => {
    const known = lastUse.get(key);
    const forgotten = known !== undefined && calls - known.at > after;
    if (forgotten) generations += 1;
    const generation = forgotten ? generations : (known?.generation ?? 0);
    lastUse.set(key, { at: calls, generation });
    return generation === 0 ? null : `${key} ${generation}`;
  });
  return {
    act: (call, proceed) => {
      if (!own || call.route === route) calls += 1;
      return forgetting.act?.(call, proceed) ?? proceed();
    },
  };
}

/** Changes the answer to replays (the n-th resend of a key, from 1). */
export function onReplay(
  route: Route,
  change: (answer: Answer, resend: number, call: Call, proceed: () => Answer) => Answer,
): Hooks {
  const before = counter();
  return {
    act: (call, proceed) => {
      const key = call.route === route ? keyIn(call) : null;
      const answer = proceed();
      if (key === null || answer.status >= 300) return answer;
      const resend = before(key);
      return resend === 0 ? answer : change(answer, resend, call, proceed);
    },
  };
}

/** The effect once more, whatever the key says. */
export function again(call: Call, proceed: () => Answer): Answer {
  const key = call.headers[KEY_HEADER];
  delete call.headers[KEY_HEADER];
  const answer = proceed();
  call.headers[KEY_HEADER] = key;
  return answer;
}

/** Sends of one key that arrive while its first is under way; `meanwhile` answers them. */
export function whileUnderWay(
  route: Route,
  withinMs: number,
  meanwhile: (call: Call, proceed: () => Answer) => Answer,
): Hooks {
  const first = new Map<string, number>();
  return {
    act: (call, proceed) => {
      const key = call.route === route ? keyIn(call) : null;
      if (key === null) return proceed();
      const startedAt = first.get(key);
      if (startedAt !== undefined && call.receivedAt - startedAt <= withinMs) return meanwhile(call, proceed);
      if (startedAt !== undefined) return proceed();
      first.set(key, call.receivedAt);
      return { ...proceed(), delivery: { delayMs: Math.max(SLOW_MS, withinMs) * 2 } };
    },
  };
}

/** The first answer under what the call is known by is given again; errors are not kept. */
export function remembering(route: Route, nameOf: (call: Call) => string | null): Hooks {
  const kept = new Map<string, Answer>();
  return {
    act: (call, proceed) => {
      const name = call.route === route ? nameOf(call) : null;
      const known = name === null ? undefined : kept.get(`${call.key?.account} ${name}`);
      if (known !== undefined) return { ...known, headers: { ...known.headers } };
      const answer = proceed();
      if (name !== null && answer.status < 300) kept.set(`${call.key?.account} ${name}`, answer);
      return answer;
    },
  };
}
