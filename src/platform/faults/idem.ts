// IDEM: keys that are forgotten, mixed up or executed again. Only operations that declare the key have it, so most
// faults rewrite the key as the platform sees it and leave the rest to the platform.

import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { PROBLEMS, type Problem, refusal } from '../envelope.ts';
import { PAYMENT_OPERATION } from '../facts.ts';
import type { Route } from '../http/call.ts';
import { asObject, type JsonObject } from '../json.ts';
import { fault, on } from './fault.ts';
import {
  again,
  counter,
  forgetful,
  KEY_HEADER,
  keyIn,
  onReplay,
  rekeyed,
  remembering,
  SLOW_MS,
  whileUnderWay,
} from './keyed.ts';
import { isGuarded } from './subject.ts';

/** Eight sends at once all arrive within it, from afar too. */
const EIGHT_AT_ONCE_MS = 150;

const isDeclared = ({ operation }: Route) =>
  operation.parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === KEY_HEADER);
const isPayment = (route: Route) => route.operation.key === PAYMENT_OPERATION && isDeclared(route);
const isKeyedCreate = (route: Route) => isDeclared(route) && route.role.kind === 'create';

export const onCreate = (make: (route: Route, around: Surroundings) => Hooks) =>
  on('a create operation that declares the key', isKeyedCreate, make);
const onPayment = (make: (route: Route, around: Surroundings) => Hooks) =>
  on('the payment operation with its key', isPayment, make);

const SERVER_ERROR: Problem = PROBLEMS.internal;

const REPLAYS: readonly Deviation[] = [
  fault(
    'idem-01-status',
    'A replay of a create answers 200.',
    onCreate((route) => onReplay(route, (answer) => ({ ...answer, status: 200 }))),
    { alsoBreaks: ['SCH-05', 'IDEM-03'] },
  ),
  fault(
    'idem-01-timestamp',
    'A replay of a create carries a created_at of its own.',
    onCreate((route) =>
      onReplay(route, (answer, resend) => ({ ...answer, body: withTimestamp(asObject(answer.body), resend) })),
    ),
    { alsoBreaks: ['IDEM-03'] },
  ),
  fault(
    'idem-01-third-refused',
    'The third resend of a key is refused.',
    onCreate((route, around) =>
      onReplay(route, (answer, resend, call) =>
        resend === 3 ? refusal(call, PROBLEMS.keyReused, around.docsUrl) : answer,
      ),
    ),
  ),
  fault(
    'idem-01-unauthorised',
    'A replay of a create is answered 401, though the token is valid.',
    onCreate((route, around) =>
      onReplay(route, (_answer, _resend, call) => refusal(call, PROBLEMS.tokenInvalid, around.docsUrl)),
    ),
  ),
  fault(
    'idem-01-forgets-after-50',
    'A key is forgotten after 50 other calls.',
    onCreate((route) => forgetful(route, 50, { own: false })),
    { alsoBreaks: ['IDEM-02'] },
  ),
  fault(
    'idem-01-forgets-after-10-keys',
    'A key is forgotten after 10 sends with other keys.',
    onCreate((route) => forgetful(route, 10, { own: true })),
    { alsoBreaks: ['IDEM-02'] },
  ),
  fault(
    'idem-01-growth-forgets',
    'Keys that the growth plan sends to a create are not kept.',
    onCreate((route) => {
      let sends = 0;
      return rekeyed(route, (call, key) => (call.key?.plan === 'growth' ? `${key} ${++sends}` : null));
    }),
  ),
  fault(
    'idem-02-second-effect',
    'A replay has the effect once more and answers the original.',
    onCreate((route) =>
      onReplay(route, (answer, _resend, call, proceed) => {
        again(call, proceed);
        return answer;
      }),
    ),
    { alsoBreaks: ['IDEM-03'] },
  ),
  fault(
    'idem-02-lost',
    'Every third create is answered a success and not kept.',
    onCreate((route, around) => {
      let made = 0;
      return {
        act: (call, proceed) => {
          const collection = call.route === route ? around.collectionOf(call) : null;
          const before = collection?.all().length ?? 0;
          const answer = proceed();
          const added = collection?.all().at(before);
          if (added !== undefined && ++made % 3 === 0) collection?.delete(added.id);
          return answer;
        },
      };
    }),
  ),
  fault(
    'idem-02-fifth-resend',
    'The fifth resend of a key has the effect once more and answers the original.',
    onCreate((route) =>
      onReplay(route, (answer, resend, call, proceed) => {
        if (resend === 5) again(call, proceed);
        return answer;
      }),
    ),
    { alsoBreaks: ['IDEM-03'] },
  ),
];

function withTimestamp(body: JsonObject, resend: number): JsonObject {
  const made = Date.parse(String(body.created_at));
  return Number.isNaN(made) ? body : { ...body, created_at: new Date(made + resend * 1000).toISOString() };
}

const AT_ONCE: readonly Deviation[] = [
  fault(
    'idem-03-within-5-ms',
    'Two sends of a key within 5 ms are both executed.',
    onCreate((route) => whileUnderWay(route, 5, again)),
  ),
  fault(
    'idem-03-effect-only',
    'A send while the first is under way has the effect once more and answers the original.',
    onCreate((route) =>
      whileUnderWay(route, SLOW_MS, (call, proceed) => {
        again(call, proceed);
        return proceed();
      }),
    ),
  ),
  fault(
    'idem-03-server-error',
    'A send while the first is under way answers 500.',
    onCreate((route, around) => whileUnderWay(route, SLOW_MS, (call) => refusal(call, SERVER_ERROR, around.docsUrl))),
    { alsoBreaks: ['SCH-06'] },
  ),
  fault(
    'idem-03-bare-conflict',
    'A send while the first is under way answers 409 without the envelope.',
    onCreate((route, around) =>
      whileUnderWay(route, SLOW_MS, (call) => ({
        ...refusal(call, PROBLEMS.keyReused, around.docsUrl),
        body: { message: 'in progress' },
      })),
    ),
    { alsoBreaks: ['ERR-01'] },
  ),
  fault(
    'idem-03-eighth',
    'Of many sends at once the eighth is executed once more.',
    onCreate((route) => {
      const before = counter();
      return whileUnderWay(route, EIGHT_AT_ONCE_MS, (call, proceed) =>
        before(keyIn(call) ?? '') === 6 ? again(call, proceed) : proceed(),
      );
    }),
  ),
];

const KEYS: readonly Deviation[] = [
  fault(
    'idem-04-case',
    'Keys that differ in case are one key.',
    onCreate((route) => rekeyed(route, (_call, key) => key.toLowerCase())),
  ),
  fault(
    'idem-04-prefix-32',
    'Keys are told apart by their first 32 characters; the first response is given.',
    onCreate((route) => remembering(route, (call) => keyIn(call)?.slice(0, 32) ?? null)),
  ),
  fault(
    'idem-04-prefix-64-refused',
    'Keys are told apart by their first 64 characters.',
    onPayment((route) => rekeyed(route, (_call, key) => key.slice(0, 64))),
  ),
  fault(
    'idem-04-prefix-200',
    'Keys of payments are told apart by their first 200 characters.',
    onPayment((route) => rekeyed(route, (_call, key) => key.slice(0, 200))),
  ),
  fault(
    'idem-04-uuid-dashes',
    'A UUID is one key with its dashes and without.',
    onCreate((route) =>
      rekeyed(route, (_call, key) => (/^[0-9a-f-]{32,36}$/.test(key) ? key.replaceAll('-', '') : null)),
    ),
  ),
  fault(
    'idem-04-suffix',
    'The first character of a key is lost.',
    onCreate((route) => rekeyed(route, (_call, key) => `x${key.slice(1)}`)),
  ),
  fault(
    'idem-04-number',
    'Keys of digits are read as numbers.',
    onCreate((route) => rekeyed(route, (_call, key) => (/^\d+$/.test(key) ? String(Number(key)) : null))),
  ),
  fault(
    'idem-04-keyless-refused',
    'A create without a key is refused.',
    onCreate((route, around) => ({
      act: (call, proceed) =>
        call.route === route && keyIn(call) === null
          ? refusal(call, PROBLEMS.malformedRequest, around.docsUrl)
          : proceed(),
    })),
  ),
  fault(
    'idem-04-equal-body',
    'Without a key, an equal body is answered with the first resource.',
    onCreate((route) => remembering(route, (call) => (keyIn(call) === null ? JSON.stringify(call.body) : null))),
  ),
  fault(
    'idem-04-equal-body-keyed',
    'An equal body under another key is answered with the first resource.',
    onPayment((route) => remembering(route, (call) => JSON.stringify(call.body) ?? null)),
  ),
  fault(
    'idem-04-keyless-first',
    'Sends without a key are all answered with the first resource.',
    onPayment((route) => remembering(route, (call) => (keyIn(call) === null ? 'no key' : null))),
  ),
];

const PAYMENTS: readonly Deviation[] = [
  fault(
    'idem-05-after-20',
    'A payment is executed again after 20 other calls.',
    onPayment((route) => forgetful(route, 20, { own: false })),
    { alsoBreaks: ['IDEM-01', 'IDEM-02'] },
  ),
  fault(
    'idem-05-fifth-resend',
    'The fifth resend of a payment executes it again.',
    onPayment((route) =>
      onReplay(route, (answer, resend, call, proceed) => (resend === 5 ? again(call, proceed) : answer)),
    ),
    { alsoBreaks: ['IDEM-01', 'IDEM-02', 'IDEM-03'] },
  ),
  fault(
    'idem-05-at-once',
    'A payment sent twice within 5 ms is executed twice.',
    onPayment((route) => whileUnderWay(route, 5, again)),
    { alsoBreaks: ['IDEM-03'] },
  ),
  fault(
    'idem-05-amount',
    'A payment resent answers another amount.',
    onPayment((route) =>
      onReplay(route, (answer) => {
        const body = asObject(answer.body);
        return { ...answer, body: { ...body, amount: Number(body.amount) + 1 } };
      }),
    ),
    { alsoBreaks: ['IDEM-01', 'IDEM-03'] },
  ),
  fault(
    'idem-05-after-a-second',
    'A key of a payment is known for a second.',
    onPayment((route) => {
      const first = new Map<string, number>();
      return rekeyed(route, (call, key) => {
        const since = call.receivedAt - (first.get(key) ?? call.receivedAt);
        if (since === 0) first.set(key, call.receivedAt);
        return since > 1000 ? `${key} ${Math.floor(since / 1000)}` : null;
      });
    }),
    { alsoBreaks: ['IDEM-01', 'IDEM-02'] },
  ),
];

/** Where the header is not declared it is refused, on the operation that `fits`; `refuses` is made anew for each start. */
function refusing(
  need: string,
  fits: (route: Route) => boolean,
  problem: Problem,
  refuses: () => (key: string) => boolean = () => () => true,
) {
  return on(
    need,
    (route) => isGuarded(route) && !isDeclared(route) && fits(route),
    (route, around) => {
      const isRefused = refuses();
      return {
        act: (call, proceed) => {
          const key = call.route === route ? keyIn(call) : null;
          return key !== null && isRefused(key) ? refusal(call, problem, around.docsUrl) : proceed();
        },
      };
    },
  );
}

function usedBefore(): (key: string) => boolean {
  const seenOf = counter();
  return (key) => seenOf(key) > 0;
}

const SILENCE: readonly Deviation[] = [
  fault(
    'idem-06-create-refused',
    'One create operation that does not declare the key refuses it.',
    refusing('a create operation without the key', ({ role }) => role.kind === 'create', PROBLEMS.malformedRequest),
  ),
  fault(
    'idem-06-change-conflict',
    'One update answers 409 where a key is sent.',
    refusing('an update', ({ role }) => role.kind === 'item' && role.verb === 'amend', PROBLEMS.keyReused),
  ),
  fault(
    'idem-06-long-key',
    'One update refuses keys of more than 128 characters.',
    refusing(
      'an update',
      ({ role }) => role.kind === 'item' && role.verb === 'amend',
      PROBLEMS.malformedRequest,
      () => (key) => key.length > 128,
    ),
  ),
  fault(
    'idem-06-used-key',
    'One create operation that does not declare the key answers 409 where it had the key before.',
    refusing(
      'a create operation without the key',
      ({ role }) => role.kind === 'create',
      PROBLEMS.keyReused,
      usedBefore,
    ),
  ),
  fault(
    'idem-06-delete-error',
    'One delete fails where a key is sent.',
    refusing('a delete', ({ role }) => role.kind === 'item' && role.verb === 'delete', SERVER_ERROR),
    { alsoBreaks: ['SCH-06'] },
  ),
  fault(
    'idem-06-delete-refused',
    'One delete answers 400 where a key is sent, and 409 to its first call of all.',
    (around) => {
      const isDelete = ({ role }: Route) => role.kind === 'item' && role.verb === 'delete';
      const refused = refusing('a delete', isDelete, PROBLEMS.malformedRequest)(around);
      let calls = 0;
      return {
        act: (call, proceed) => {
          if (call.route === null || !isDelete(call.route) || ++calls > 1)
            return refused.act?.(call, proceed) ?? proceed();
          return refusal(call, PROBLEMS.keyReused, around.docsUrl);
        },
      };
    },
  ),
];

export const IDEM_FAULTS: readonly Deviation[] = [...REPLAYS, ...AT_ONCE, ...KEYS, ...PAYMENTS, ...SILENCE];
