// Allowances of idempotency keys.

import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { conflict, type Problem, refusal } from '../envelope.ts';
import { IDEMPOTENCY_HEADER } from '../facts.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject } from '../json.ts';
import { tolerance } from './tolerance.ts';

const HEADER = IDEMPOTENCY_HEADER.toLowerCase();
const SLOW_MS = 25;
const MAX_STORES = 40;

function keyIn(call: Call): string | null {
  const key = call.headers[HEADER];
  const declared = call.route?.operation.parameters.some((one) => one.name.toLowerCase() === HEADER);
  return declared === true && typeof key === 'string' && key !== '' ? key : null;
}

function scoped(call: Call, key: string): string {
  return `${call.key?.account} ${call.route?.operation.key} ${key}`;
}

function problem(status: number, code: string, title: string): Problem {
  return { status, type: 'idempotency_error', code, title, message: `${title}.` };
}

function isForStore({ route, path }: Call): boolean {
  return route?.role.kind === 'create' && path === '/api/v1/stores';
}

function mostStores({ docsUrl }: Surroundings): Hooks {
  const made = new Map<string, number>();
  const known = new Set<string>();
  return {
    act: (call, proceed) => {
      if (!isForStore(call)) return proceed();
      const key = keyIn(call);
      const name = key === null ? null : scoped(call, key);
      if (name !== null && known.has(name)) return proceed();
      const account = call.key?.account ?? '';
      const stores = made.get(account) ?? 0;
      if (stores >= MAX_STORES) return refusal(call, problem(403, 'store_limit_reached', 'Too many stores'), docsUrl);
      const answer = proceed();
      if (answer.status >= 300) return answer;
      made.set(account, stores + 1);
      if (name !== null) known.add(name);
      return answer;
    },
  };
}

/** While the first send of a key is under way, others of the key are refused. */
function inProgress(told: Problem): (around: Surroundings) => Hooks {
  return ({ docsUrl }) => {
    const first = new Map<string, number>();
    return {
      act: (call, proceed) => {
        const key = keyIn(call);
        const name = key === null ? '' : scoped(call, key);
        const startedAt = first.get(name);
        if (key === null || (startedAt !== undefined && call.receivedAt - startedAt > SLOW_MS)) return proceed();
        if (startedAt !== undefined) return refusal(call, told, docsUrl);
        const answer = proceed();
        if (answer.status >= 300) return answer;
        first.set(name, call.receivedAt);
        return { ...answer, delivery: { delayMs: SLOW_MS * 2 } };
      },
    };
  };
}

/** Tells whether the call's key was answered before; notes it. */
function replays(): (call: Call) => boolean {
  const seen = new Set<string>();
  return (call) => {
    const key = keyIn(call);
    if (key === null) return false;
    const name = scoped(call, key);
    const before = seen.has(name);
    seen.add(name);
    return before;
  };
}

export const IDEM_TOLERANCES: readonly Deviation[] = [
  tolerance('idem-01-replayed-header', 'A replay says so in a header, and has a trace id of its own.', () => {
    const isReplay = replays();
    return {
      answer: (call, answer) => {
        if (answer.status >= 300 || !isReplay(call)) return answer;
        return {
          ...answer,
          headers: { ...answer.headers, 'idempotent-replayed': 'true', 'x-trace-id': call.requestId },
        };
      },
    };
  }),
  tolerance('idem-01-member-order', 'A replay is written in another order, with white space.', () => {
    const isReplay = replays();
    return {
      answer: (call, answer) => {
        if (answer.status >= 300 || !isReplay(call)) return answer;
        const members = Object.entries(asObject(answer.body)).reverse();
        return { ...answer, text: JSON.stringify(Object.fromEntries(members), null, 2) };
      },
    };
  }),
  tolerance(
    'idem-03-conflict',
    'A send while the first of its key is under way answers 409.',
    inProgress(problem(409, 'idempotency_in_progress', 'Still in progress')),
  ),
  tolerance(
    'idem-03-too-early',
    'A send while the first of its key is under way answers 425.',
    inProgress(problem(425, 'request_too_early', 'Too early')),
  ),
  tolerance('idem-04-duplicates-refused', 'An equal body under another key, or none, answers 409.', ({ docsUrl }) => {
    const made = new Map<string, string | null>();
    return {
      act: (call, proceed) => {
        const declares = call.route?.operation.parameters.some((one) => one.name.toLowerCase() === HEADER);
        if (declares !== true) return proceed();
        const name = scoped(call, JSON.stringify(call.body));
        const key = keyIn(call);
        if (made.has(name) && (key === null || made.get(name) !== key)) return refusal(call, conflict('name'), docsUrl);
        const answer = proceed();
        if (answer.status < 300) made.set(name, key);
        return answer;
      },
    };
  }),
  tolerance('idem-02-most-stores', 'An account has forty stores at most.', mostStores),
  tolerance(
    'idem-06-replayed',
    'Creates and updates that do not declare the key answer the original to it, too.',
    () => {
      const kept = new Map<string, Answer>();
      return {
        act: (call, proceed) => {
          const key = call.headers[HEADER];
          const isChange = ['POST', 'PUT', 'PATCH'].includes(call.method);
          if (typeof key !== 'string' || !isChange || keyIn(call) !== null) return proceed();
          const name = `${call.path} ${scoped(call, key)}`;
          const answer = kept.get(name) ?? proceed();
          if (answer.status < 300) kept.set(name, answer);
          return { ...answer, headers: { ...answer.headers } };
        },
      };
    },
  ),
  tolerance('idem-07-short-keys', 'A key has 64 characters at most.', ({ docsUrl }) => ({
    act: (call, proceed) =>
      (keyIn(call)?.length ?? 0) > 64
        ? refusal(call, problem(400, 'idempotency_key_too_long', 'Key too long'), docsUrl)
        : proceed(),
  })),
  tolerance('idem-07-errors-kept', 'The first answer under a key stays, an error too.', () => {
    const kept = new Map<string, Answer>();
    return {
      act: (call, proceed) => {
        const key = keyIn(call);
        if (key === null) return proceed();
        const name = scoped(call, key);
        const answer = kept.get(name) ?? proceed();
        if (answer.status >= 400) kept.set(name, answer);
        return answer;
      },
    };
  }),
  tolerance('idem-07-other-body-replayed', 'A key with another body answers the original.', () => {
    const kept = new Map<string, Answer>();
    return {
      act: (call, proceed) => {
        const key = keyIn(call);
        if (key === null) return proceed();
        const known = kept.get(scoped(call, key));
        if (known !== undefined) return { ...known, headers: { ...known.headers } };
        const answer = proceed();
        if (answer.status < 300) kept.set(scoped(call, key), answer);
        return answer;
      },
    };
  }),
];
