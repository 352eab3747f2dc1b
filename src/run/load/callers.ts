// Callers of a load run: k6 and the run's own client, or a record, and what the run's checks make of the answers.
import type { ExchangeCheck } from '../../checks/check.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import { rateChecks } from '../../checks/rate/family.ts';
import { secretIn } from '../../client/placing.ts';
import { dispatchersOf } from '../../client/reach.ts';
import { trusted } from '../../client/tls.ts';
import { createTokens } from '../../client/tokens.ts';
import type { Config } from '../../config/config.ts';
import type { Exchange, HeaderList, RequestPlan } from '../../exchange/exchange.ts';
import type { Caller } from '../../load/caller/caller.ts';
import { LiveCaller } from '../../load/caller/live.ts';
import { RecordedCaller } from '../../load/caller/recorded.ts';
import { sharedBy } from '../../load/caller/scripted.ts';
import type { Kubectl } from '../../load/cluster/kubectl.ts';
import { Generator, samplesPath } from '../../load/k6/measure.ts';
import type { ScriptedHeader, ScriptedKey } from '../../load/k6/requests-plan.ts';
import type { Allowance } from '../../load/safety.ts';
import { termsAsSent } from '../../load/samples/exchange.ts';
import type { Sample } from '../../load/samples/line.ts';
import type { LoadLog } from '../../load/samples/load-log.ts';
import { unlessNotSent } from '../../probes/probe.ts';
import { planOf } from '../../probes/reach/recipe.ts';
import { drawFor, mutates } from '../../probes/world.ts';
import { answerOf } from '../books/answers.ts';
import { asRunEnd } from '../perform/interruption.ts';
import { RATE_SERIES } from '../perform/opening.ts';
import type { StageState } from '../perform/state.ts';
import { addressed } from '../reach/addressing.ts';

/** The record of an earlier run, and whose ceilings it measured to their end. */
export interface Resumed {
  readonly folder: string;
  readonly keys: ReadonlySet<string>;
}

/** The cluster that sends. */
export interface Cluster {
  readonly kubectl: Kubectl;
  /** The run's name: its objects bear it. */
  readonly run: string;
  readonly instances: number;
  /** Told what is left behind there. */
  readonly tell: (line: string) => void;
}

/** The means of a load run beside its state. */
export interface LoadGround {
  readonly config: Config;
  /** Path of k6; null: nothing is sent, a record is read. */
  readonly k6: string | null;
  /** Where records are. */
  readonly folder: string;
  /** k6's own outputs, as `--out` values. */
  readonly outputs: readonly string[];
  /** Where instances of k6 share the load; absent: this machine sends it. */
  readonly cluster?: Cluster;
  readonly stop: AbortSignal;
  /** The earlier run that this one resumes; absent: it resumes none. */
  readonly resumes?: Resumed;
  /** When the time limit of the run ends it, epoch ms; null: there is none. */
  readonly endsAtMs: number | null;
  /** Tells what is being done, and how many seconds it takes where that is known. */
  readonly enter: (phase: string, seconds?: number) => void;
  /** Takes in every sample of every lane. */
  readonly log: LoadLog;
}

/** The keys' secrets, by their names. */
export interface KeySecrets {
  readonly now: ReadonlyMap<string, string>;
  /** As they are by then: what has aged is renewed. Throws RunEnded where that fails. */
  readonly renewed: () => Promise<ReadonlyMap<string, string>>;
}

/** The secrets of all keys. */
export async function secretsOf(
  config: Config,
  { clock, redactor }: Pick<StageState['input'], 'clock' | 'redactor'>,
): Promise<KeySecrets> {
  const { keys, credentials } = config;
  const tokens = createTokens({ keys, credentials, redactor, clock, dispatcherOf: dispatchersOf(config) });
  const current = async (): Promise<ReadonlyMap<string, string>> => {
    const secrets = new Map<string, string>();
    for (const { name } of keys) secrets.set(name, await tokens.tokenOf({ kind: 'key', name }));
    return secrets;
  };
  const renewed = (): Promise<ReadonlyMap<string, string>> =>
    current().catch((error: unknown) => {
      throw asRunEnd(error);
    });
  return { now: await current(), renewed };
}

/** The authorities that k6 is to trust, as PEM; null: those of the system. */
export function trustOf({ target: { tls } }: Pick<Config, 'target'>): string | null {
  return tls?.ca == null ? null : trusted(tls.ca).join('\n');
}

/** The requests of a lane, and the keys that they are sent under. */
export interface Lane {
  /** A read is the same each time; what creates is drawn anew. An empty key leaves the credential as it was reached with. */
  readonly planOf: (key: string, operation: string) => RequestPlan;
  readonly keys: readonly ScriptedKey[];
  /** That all requests share. */
  readonly headers: readonly ScriptedHeader[];
  /** The secrets of the moment by the variables of `keys` and `headers`. Rejects with RunEnded. */
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
}

/** The lane of this name. Operations must have been reached. */
export function laneOf(state: StageState, lane: string, secrets: KeySecrets, config: Config): Lane {
  const { world, reaching } = state;
  const { catalogue } = state.scope;
  let serial = 0;
  const reads = new Map<string, RequestPlan>();
  const planFor = (key: string, operation: string): RequestPlan => {
    const known = reads.get(`${key} ${operation}`);
    if (known !== undefined) return known;
    const reached = [...reaching.reached.values()].find((one) => one.operation.key === operation);
    if (reached === undefined) throw new Error(`${operation} was not reached`);
    serial += 1;
    const sender = key === '' ? {} : ({ credential: { kind: 'key', name: key } } as const);
    const change = { ...sender, retry: 'once' } as const;
    const plan = planOf(reached.recipe, `load/${lane}`, drawFor(world, `${lane}${serial}`), change);
    const placed =
      world.contract === 'commerce' ? plan : addressed(plan, catalogue.operation(operation, plan.service), world.keys);
    if (!mutates(reached.operation)) reads.set(`${key} ${operation}`, placed);
    return placed;
  };
  const keys = [...secrets.now.keys()].map((name, at) => ({ name, variable: `ASSAY_KEY_${at}` }));
  const form = (key: string) =>
    planFor(key, [...reaching.reached.values()][0]?.operation.key ?? '').placements?.[0]?.form;
  const shared = sharedBy(config);
  const environment = async (): Promise<Readonly<Record<string, string>>> => {
    const current = await secrets.renewed();
    const own = keys.map(({ name, variable }) => [variable, secretIn(form(name) ?? 'bearer', current.get(name) ?? '')]);
    return { ...Object.fromEntries(own), ...shared.environment };
  };
  return { planOf: planFor, keys, headers: shared.headers, environment };
}

export interface CallerOptions {
  readonly lane: string;
  readonly allowance: Allowance;
  readonly secrets: KeySecrets;
  readonly perSecond: number;
  /** How operations are called; null: as they were reached. */
  readonly planOf: Lane['planOf'] | null;
  /** Where the lane's calls are read from; null: they are sent. */
  readonly recordedIn: string | null;
}

/** The headers with which operations were answered as they were reached. */
function answersIn({ reaching }: StageState): readonly HeaderList[] {
  return [...reaching.reached.values()].flatMap(({ proof }) =>
    proof?.response == null ? [] : [proof.response.headers],
  );
}

/** The caller of a lane; its record bears the lane's name. */
export function callerOf(state: StageState, ground: LoadGround, options: CallerOptions): Caller {
  const { session, books } = state;
  const { clock, redactor } = state.input;
  const { lane, allowance, secrets, perSecond, recordedIn } = options;
  const { config } = ground;
  const { planOf: usual, keys, environment } = laneOf(state, lane, secrets, config);
  const shared = {
    lane,
    terms: termsAsSent(state.world.limited.terms, answersIn(state)),
    planOf: options.planOf ?? usual,
    onKept: (exchange: Exchange, step: string) => ground.log.judged(step, judgeKept(state, exchange)),
    watch: (sample: Sample) => ground.log.add(lane, sample),
  };
  const { stop, folder, outputs, k6 } = ground;
  if (recordedIn !== null || k6 === null) {
    // Requests that an earlier run sent are none of this one.
    const isOther = recordedIn !== null;
    return new RecordedCaller({
      ...shared,
      path: samplesPath(recordedIn ?? folder, lane),
      watch: isOther ? () => {} : shared.watch,
      onMeasured(exchange) {
        if (!isOther) books.traffic.count(exchange.plan, exchange);
        judgeMeasured(state, exchange);
      },
    });
  }
  const conceal = (text: string): string => redactor.conceal(text);
  return new LiveCaller({
    ...shared,
    onMeasured(exchange) {
      ground.log.await(-1);
      books.traffic.count(exchange.plan, exchange);
      judgeMeasured(state, exchange);
    },
    generator: new Generator(
      {
        k6,
        folder,
        lane,
        stop,
        outputs,
        environment,
        trust: trustOf(config),
        conceal,
        // k6 tells of a step's requests while it lasts, and the books count them when it is over.
        watch(sample) {
          if (sample.kind === 'request') ground.log.await(1);
          shared.watch(sample);
        },
      },
      clock,
    ),
    conceal,
    config,
    keys,
    send: async (plan) => (await unlessNotSent(() => session.send(plan)))?.last ?? null,
    perSecond,
    charge: allowance.charge,
    refund: allowance.refund,
    now: clock.now,
    sleep: (delayMs, key) => {
      const awaited = key === null ? ({ what: 'look', key: null } as const) : ({ what: 'limit', key } as const);
      session.events.tell({ kind: 'waiting', awaited, untilMs: clock.now() + delayMs });
      return clock.sleep(delayMs, stop);
    },
  });
}

/** Judges an answer that was measured without its body: only its limits can be. */
function judgeMeasured(state: StageState, exchange: Exchange): void {
  state.books.errors.attempt(RATE_SERIES, exchange, undefined, () => state.books.rates.observe(exchange));
  judgeBy(rateChecks, state, exchange);
}

/** An answer that was kept whole is judged as everywhere; the clauses that it violates. */
export function judgeKept(state: StageState, exchange: Exchange): readonly string[] {
  const contract = EXCHANGE_CHECKS.filter((check) => !rateChecks.includes(check));
  return judgeBy([...contract, ...state.scope.own.onExchanges], state, exchange);
}

function judgeBy(checks: typeof EXCHANGE_CHECKS, state: StageState, exchange: Exchange): readonly string[] {
  const { docsUrl } = state.input.config.target;
  const { contract, terms } = state.world;
  const { catalogue, inRun } = state.scope;
  const { ledger, errors } = state.books;
  const { subject, spot } = answerOf(exchange, { catalogue, docsUrl, contract, terms });
  const judge = (check: ExchangeCheck): readonly string[] => {
    if (!check.applies(subject)) return [];
    const judgement = check.judge(subject);
    ledger.book(check.clause, spot, judgement, [exchange]);
    return ledger.violates(check.clause, judgement) ? [check.clause] : [];
  };
  return checks
    .filter(({ clause }) => inRun(clause))
    .flatMap((check) =>
      errors.attempt({ clauses: [check.clause], where: 'a check' }, exchange, [], () => judge(check)),
    );
}
