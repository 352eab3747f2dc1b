// RATE-09: floods a throttled operation with one user's requests, then lets another user ask for one.

import {
  type ExportBurst,
  judgeOtherUser,
  judgeThrottled,
  nounOf,
  refusedIn,
  steadyRefusal,
} from '../../checks/rate/rate-09-export-throttle.ts';
import type { Timing } from '../../clock/clock.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import { readingOf } from '../../limiters/reading.ts';
import { type Throttle, throttleOf } from '../../limiters/throttles.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { KnownKey } from '../auth/security.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import { planOf, type Recipe } from '../reach/recipe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import {
  credentialOf,
  LAST,
  LONGEST_WAIT_MS,
  limitedOf,
  mainLimited,
  plainReads,
  SLACK_MS,
  TIMER_MS,
} from './asking.ts';

const PROBE = 'rate/export';
const OTHER_USER_PROBE = 'rate/export-other';
/** While such a call waits as told, another user floods on purpose: that is RATE-09's matter, not RATE-06's. */
const WHILE_FLOODED = { ownWaits: true } as const;
const BATCH = 25;
/** How long a user rests where no Retry-After tells. ms. */
const REST_MS = 10_000;
/** Calls beyond those that the clause speaks of, for answers that were no success. */
const SPARE_CALLS = 10;
/** Calls to a target that throttles nobody: whole batches, and a call before and after them. */
const mostCalls = ({ calls }: Throttle): number => Math.ceil((calls + SPARE_CALLS) / BATCH) * BATCH + 2;

interface Exporter {
  readonly world: World;
  readonly send: Send;
  readonly timing: Timing;
  readonly reached: readonly Reached[];
  /** A request for an export, in a form that is accepted; `label` keeps generated data apart. */
  readonly request: ExportRequest;
  /** Sends it once. */
  readonly once: (key: KnownKey, label: string) => Promise<Exchange>;
  readonly pour: Pour | null;
  readonly throttle: Throttle;
}

/** Sends so many of one request at once, fewer once they are refused; resolves with their exchanges. */
export type Pour = (plan: RequestPlan, calls: number) => Promise<readonly Exchange[]>;

type ExportRequest = (key: KnownKey, label: string) => RequestPlan;

/**
 * One for each operation that the contract throttles, where it may be sent. `pour`: floods by many senders; null: in batches.
 */
export function throttleConversations(
  world: World,
  reached: readonly Reached[],
  book: LimitBook,
  timing: Timing,
  pour: Pour | null = null,
): readonly Conversation[] {
  return reached.flatMap((found) => {
    const throttle = throttleOf(world.terms, found.operation.key);
    const isSent = !mutates(found.operation) || (world.mutations && world.refusal(found.operation) === null);
    if (throttle === null || !isSent || mainLimited(world) === null) return [];
    return throttleConversation({ world, reached, timing, pour, throttle }, found, book);
  });
}

function throttleConversation(
  { world, throttle, ...given }: Omit<Exporter, 'send' | 'request' | 'once'>,
  found: Reached,
  book: LimitBook,
): Conversation {
  const spot = spotOf(found.operation);
  return {
    ...{ ...LAST, ...spot, probe: PROBE, rank: 920, clauses: ['RATE-09'] },
    cost: mostCalls(throttle),
    async converse(send) {
      const [user, other] = usersOf(world, book);
      const request = await acceptedRequest({ world, send, throttle }, found, user);
      if (request === null)
        return [
          outcome('RATE-09', spot, cannotTell('precondition', `no ${nounOf(throttle).one} request was accepted`), []),
        ];
      const once: Exporter['once'] = async (key, label) => (await send(request(key, label))).last;
      const tools: Exporter = { ...given, world, throttle, send, request, once };
      const flood = await floodBy(tools, user);
      const first = outcome('RATE-09', spot, judgeThrottled(flood), telling(flood));
      const isThrottled = first.judgement.kind === 'holds';
      const second = isThrottled && other !== null ? [await otherUser(tools, user, other, flood)] : [];
      if (isThrottled) await waitAsTold(tools, user);
      return [first, ...second];
    },
  };
}

/** Who floods: the key with the largest limit, so that its own does not come first. And a key of another account, if any. */
function usersOf(world: World, book: LimitBook): readonly [KnownKey, KnownKey | null] {
  const limit = ({ name }: KnownKey) => book.historyOf(name).limit ?? 0;
  const keys = limitedOf(world).toSorted((left, right) => limit(right) - limit(left));
  const user = keys[0] as KnownKey;
  return [
    user,
    keys.find(({ account }) => account !== null && user.account !== null && account !== user.account) ?? null,
  ];
}

/**
 * The request that is accepted, or throttled: as it was called before, with what is required alone, or with nothing, as an
 * optional reference to an earlier export names none. Null when all are refused.
 */
async function acceptedRequest(
  { world, send, throttle }: Pick<Exporter, 'world' | 'send' | 'throttle'>,
  { recipe }: Reached,
  user: KnownKey,
): Promise<ExportRequest | null> {
  const required = { ...recipe, fullness: 'required' as const, additions: {} };
  const forms: readonly (readonly [Recipe, Partial<RequestPlan>])[] = [
    [recipe, {}],
    [required, {}],
    [required, { body: { kind: 'json', value: {} } }],
  ];
  const requests = forms.map(
    ([of, form]): ExportRequest =>
      (key, label) => {
        const credential = credentialOf(world, key.name);
        const [probe, own] = key === user ? [PROBE, {}] : [OTHER_USER_PROBE, WHILE_FLOODED];
        return planOf(of, probe, drawFor(world, label), { ...form, credential, retry: 'once', ...own });
      },
  );
  for (const request of requests) {
    const status = (await send(request(user, 'first'))).last.response?.status ?? 599;
    if (status < 400 || status === throttle.refused) return request;
  }
  return null;
}

async function floodBy(tools: Exporter, user: KnownKey): Promise<ExportBurst> {
  const { pour, throttle, world } = tools;
  const exchanges =
    pour === null
      ? await inBatches(tools, user)
      : [...(await pour(tools.request(user, 'flood'), throttle.calls + SPARE_CALLS))];
  exchanges.sort((left, right) => left.sentAt - right.sentAt);
  const flood = { exchanges, throttle, limited: world.limited };
  const isRefused = refusedIn(flood).length > 0 || steadyRefusal(flood) !== null;
  return { ...flood, elsewhere: isRefused ? await elsewhereBy(tools, user) : null };
}

async function inBatches(tools: Exporter, user: KnownKey): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const { throttle } = tools;
  const until = tools.timing.now() + throttle.seconds * 1000;
  const isDone = (): boolean =>
    exchanges.length >= throttle.calls + SPARE_CALLS ||
    tools.timing.now() >= until ||
    refusedIn({ exchanges, throttle }).length > 0;
  // In whole batches, so that how many are sent does not hang on which answer comes first.
  while (!isDone()) {
    const labels = Array.from({ length: BATCH }, (_, index) => `flood${exchanges.length + index}`);
    exchanges.push(...(await Promise.all(labels.map((label) => tools.once(user, label)))));
  }
  return exchanges;
}

/** Tells whether the key itself is out of calls: another operation tells. */
async function elsewhereBy({ world, send, reached }: Exporter, user: KnownKey): Promise<Exchange | null> {
  const [cheap] = plainReads(world, reached);
  if (cheap === undefined) return null;
  const credential = credentialOf(world, user.name);
  return (await send(planOf(cheap.recipe, PROBE, drawFor(world, 'elsewhere'), { credential, retry: 'once' }))).last;
}

/** RATE-06 on the throttle: refused once more, with nothing else under way, the user waits as told. The key's series judges. */
async function waitAsTold(tools: Exporter, user: KnownKey): Promise<void> {
  const refused = readingOf(await tools.once(user, 'spent'), tools.world.limited);
  const toldMs = refused?.isRefused === true ? refused.retryAfterMs : null;
  if (toldMs === null || toldMs > LONGEST_WAIT_MS) return;
  await tools.timing.sleep(toldMs + SLACK_MS + TIMER_MS);
  await tools.once(user, 'rested');
}

/** A refusal may be the other user's own: they asked before in this run. Then they rest, and the first user floods again. */
async function otherUser(tools: Exporter, user: KnownKey, other: KnownKey, flood: ExportBurst): Promise<Outcome> {
  const { throttle, timing, world } = tools;
  const told = (by: ExportBurst, answer: Exchange): Outcome =>
    outcome('RATE-09', answer.plan, judgeOtherUser(answer, throttle), [...refusedIn(by).slice(-1), answer]);
  const first = await tools.once(other, 'other');
  const open = (why: string): Outcome => outcome('RATE-09', first.plan, cannotTell('precondition', why), []);
  if (first.response?.status !== throttle.refused) return told(flood, first);
  const toldMs = readingOf(first, world.limited)?.retryAfterMs ?? REST_MS;
  if (toldMs > LONGEST_WAIT_MS)
    return open(`the other user is asked to wait ${toldMs / 1000} s: too long to tell whose throttle it is`);
  await timing.sleep(toldMs + SLACK_MS);
  const again = await floodBy(tools, user);
  if (refusedIn(again).length === 0) return open('the throttle did not come a second time');
  return told(again, await tools.once(other, 'other2'));
}

/** The first, and the refusals. */
function telling(flood: ExportBurst): readonly Exchange[] {
  const { exchanges } = flood;
  return [...exchanges.slice(0, 1), ...exchanges.slice(-1), ...refusedIn(flood).slice(0, 2)];
}
