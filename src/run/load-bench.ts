// The ground of a load run: operations that can be called, keys with their secrets, and callers whose answers the run's own
// checks judge.
import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts';
import { rateChecks } from '../checks/rate/family.ts';
import { systemClock } from '../client/clock.ts';
import { secretIn } from '../client/placing.ts';
import { createTokens } from '../client/tokens.ts';
import type { Config } from '../config/config.ts';
import { EXPORT_OPERATION, PAYMENT_OPERATION, REGISTER_OPERATION } from '../contract/platform.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { Caller } from '../load/caller/caller.ts';
import { LiveCaller } from '../load/caller/live.ts';
import { RecordedCaller } from '../load/caller/recorded.ts';
import { Generator, samplesPath } from '../load/k6/measure.ts';
import type { LimitBench } from '../load/limits/bench.ts';
import { Allowance, capsOf } from '../load/safety.ts';
import { plainReads } from '../probes/rate/asking.ts';
import { planOf } from '../probes/recipe.ts';
import { drawFor, mutates, type Reached, requiresToken } from '../probes/world.ts';
import { addressed } from './addressing.ts';
import { RunEnded } from './interruption.ts';
import { reachAll } from './reaching.ts';
import { readable } from './smoke.ts';
import { reachedInOrder, type StageState } from './state.ts';

/** What a load run has beside its state. */
export interface LoadGround {
  readonly config: Config;
  /** Path of k6; null: nothing is sent, a record is read. */
  readonly k6: string | null;
  /** Where records are. */
  readonly folder: string;
  readonly outputs: readonly string[];
  readonly stop: AbortSignal;
  readonly enter: (phase: string) => void;
}

const MOST_READS = 12;
const MOST_PRICED = 60;
const NOT_PRICED: readonly string[] = [PAYMENT_OPERATION, REGISTER_OPERATION, EXPORT_OPERATION];

/** The bench of experiments on limits. Throws RunEnded where no operation can be called. `priced`: whether costs are wanted. */
export async function loadBench(state: StageState, ground: LoadGround, priced: boolean): Promise<LimitBench> {
  const { session, world, catalogue, selected, reaching, rates, budget } = state;
  const known = new Set(readable(catalogue.descriptions).map((operation) => operation));
  const reads = selected.filter(({ operation }) => known.has(operation)).slice(0, MOST_READS);
  await reachAll(session, world, reads, selected, reaching);
  const [first, ...others] = plainReads(reachedInOrder(state));
  if (first === undefined) throw noReads(state, reads.length);
  if (priced)
    await reachAll(session, world, selected.filter(mayBePriced(state)).slice(0, MOST_PRICED), selected, reaching);
  const caps = capsOf(ground.config);
  const allowance = new Allowance(Math.min(caps.requests, budget ?? Number.POSITIVE_INFINITY));
  const secrets = await secretsOf(ground.config);
  let draws = world.seed;
  return {
    world,
    book: rates,
    keys: world.keys,
    reads: [first, ...others],
    priced: reachedInOrder(state).filter(isPriced),
    expected: ground.config.expect.plans,
    callerOf: (lane) => callerOf(state, ground, lane, allowance, secrets, caps.ratePerSecond),
    random: () => {
      draws = (draws * 1_664_525 + 1_013_904_223) >>> 0;
      return draws / 2 ** 32;
    },
    mostMs: caps.seconds * 1000,
    mostCalls: caps.requestsPerKey,
    enter: ground.enter,
  };
}

function mayBePriced({ world }: StageState) {
  return ({ operation }: Pick<Reached, 'operation'>): boolean =>
    requiresToken(operation) &&
    !NOT_PRICED.includes(operation.key) &&
    (!mutates(operation) || (world.mutations && operation.method !== 'DELETE'));
}

function isPriced({ operation, proof }: Reached): boolean {
  return (
    proof !== null && requiresToken(operation) && !NOT_PRICED.includes(operation.key) && operation.method !== 'DELETE'
  );
}

/** Why no operation answers a call, from what the first calls came to. */
function noReads({ reaching, world }: StageState, tried: number): RunEnded {
  const answers = [...reaching.firstAnswers.values()];
  const statuses = new Set(answers.map(({ response }) => response?.status ?? 0));
  if (tried === 0)
    return new RunEnded('precondition', 'no operation reads, needs a token and takes no id: limits cannot be measured');
  if (answers.length === 0 || [...statuses].every((status) => status === 0 || status >= 500))
    return new RunEnded('target-lost', 'the target does not answer; check target.baseUrl and that it is running');
  if ([...statuses].every((status) => status === 401 || status === 403))
    return new RunEnded('no-credential', `key ${world.mainKey?.name ?? ''} is not accepted; renew its token (keys)`);
  return new RunEnded('target-lost', `no reading operation succeeds: ${[...statuses].join(', ')} is answered`);
}

/** Every key's secret by the variable that holds it in k6's environment. */
async function secretsOf({ keys, credentials }: Config): Promise<ReadonlyMap<string, string>> {
  const tokens = createTokens({ keys, credentials, redactor: createRedactor(), clock: systemClock });
  const secrets = new Map<string, string>();
  for (const { name } of keys) secrets.set(name, await tokens.tokenOf({ kind: 'key', name }));
  return secrets;
}

function callerOf(
  state: StageState,
  ground: LoadGround,
  lane: string,
  allowance: Allowance,
  secrets: ReadonlyMap<string, string>,
  perSecond: number,
): Caller {
  const { session, catalogue, world, reaching } = state;
  let serial = 0;
  const reads = new Map<string, RequestPlan>();
  const planFor = (key: string, operation: string): RequestPlan => {
    const known = reads.get(`${key} ${operation}`);
    if (known !== undefined) return known;
    const reached = [...reaching.reached.values()].find((one) => one.operation.key === operation);
    if (reached === undefined) throw new Error(`${operation} was not reached`);
    serial += 1;
    const change = { credential: { kind: 'key', name: key }, retry: 'once' } as const;
    const plan = planOf(reached.recipe, `load/${lane}`, drawFor(world, `${lane}${serial}`), change);
    const placed =
      world.contract === 'commerce' ? plan : addressed(plan, catalogue.operation(operation, plan.service), world.keys);
    // A read is the same each time; what creates is drawn anew.
    if (!mutates(reached.operation)) reads.set(`${key} ${operation}`, placed);
    return placed;
  };
  const shared = {
    lane,
    planOf: planFor,
    onMeasured: (exchange: Exchange) => judgeMeasured(state, exchange),
    onKept: (exchange: Exchange) => judgeKept(state, exchange),
  };
  if (ground.k6 === null) return new RecordedCaller({ ...shared, path: samplesPath(ground.folder, lane) });
  const keys = [...secrets.keys()].map((name, at) => ({ name, variable: `ASSAY_KEY_${at}` }));
  const form = (key: string) =>
    planFor(key, [...reaching.reached.values()][0]?.operation.key ?? '').placements?.[0]?.form;
  const environment = Object.fromEntries(
    keys.map(({ name, variable }) => [variable, secretIn(form(name) ?? 'bearer', secrets.get(name) ?? '')]),
  );
  const { stop, folder, outputs, k6, config } = ground;
  return new LiveCaller({
    ...shared,
    generator: new Generator({ k6, folder, lane, stop, outputs, environment }),
    baseUrl: config.target.baseUrl,
    keys,
    send: async (plan) => (await session.send(plan)).last,
    perSecond,
    charge: allowance.charge,
    refund: allowance.refund,
    now: () => systemClock.now(),
    sleep: (delayMs) => systemClock.sleep(delayMs, stop),
  });
}

/** What was measured without its body is judged for its limits alone. */
function judgeMeasured(state: StageState, exchange: Exchange): void {
  const { session, rates } = state;
  rates.observe(exchange);
  session.traffic.count(exchange.plan, exchange);
  judgeBy(rateChecks, state, exchange);
}

/** An answer that was kept whole is judged as everywhere. */
function judgeKept(state: StageState, exchange: Exchange): void {
  judgeBy(
    EXCHANGE_CHECKS.filter((check) => !rateChecks.includes(check)),
    state,
    exchange,
  );
}

function judgeBy(checks: typeof EXCHANGE_CHECKS, state: StageState, exchange: Exchange): void {
  const { ledger, catalogue, inRun, world } = state;
  const { service, operation } = exchange.plan;
  const described = operation === null ? null : catalogue.operation(operation, service);
  const subject = {
    exchange,
    operation: described?.operation ?? null,
    description: described?.description ?? null,
    docsUrl: state.docsUrl,
    contract: world.contract,
  };
  for (const check of checks)
    if (inRun(check.clause) && check.applies(subject))
      ledger.book(check.clause, { service, operation }, check.judge(subject), [exchange]);
}
