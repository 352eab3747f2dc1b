// How a judging run begins: its state, its client, and the switch that ends it. Shared by conformance and load.
import { errRunLaws } from '../checks/err/run-laws.ts';
import type { BroughtCheck } from '../checks/own-check.ts';
import { RateBook } from '../checks/rate/book.ts';
import type { Socket } from '../client/connections.ts';
import { createTokens } from '../client/tokens.ts';
import { createClient } from '../client/undici-client.ts';
import type { Clock, Timer } from '../clock/clock.ts';
import type { Config, RunOptions } from '../config/config.ts';
import { CLAUSES } from '../contract/clauses.ts';
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toKeep } from '../exchange/kept.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { Redactor } from '../exchange/secrets/known-secrets.ts';
import type { Absence } from '../grading/rows.ts';
import { createCatalogue } from '../openapi/catalogue.ts';
import type { Description } from '../openapi/operation.ts';
import { Creations } from './clean-up.ts';
import type { Work } from './harness-errors.ts';
import { RunEnded } from './interruption.ts';
import { Ledger } from './ledger.ts';
import type { Meter } from './meter.ts';
import { wantedBy } from './occasions.ts';
import { OwnChecks } from './own-checks.ts';
import { keyOf, newReaching } from './reaching.ts';
import { replayShare } from './replay.ts';
import { clauseFilter, lawfulBy, selectOperations } from './selection.ts';
import { Session } from './session.ts';
import { NOWHERE, shareOf } from './shard.ts';
import type { SpilledUses } from './spilled-uses.ts';
import type { StageState } from './state.ts';
import type { StrayErrors } from './stray-errors.ts';
import { worldOf } from './world.ts';

/** What every judging run is given. */
export interface RunInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly clock: Clock;
  /** What stands for sockets to the target; absent: real ones do. */
  readonly open?: () => Socket;
  /** In [0, 1), for the jitter of waits; absent: it is drawn anew in every run. */
  readonly random?: () => number;
  /** The user's own checks; absent: none. */
  readonly checks?: readonly BroughtCheck[];
  readonly onProgress: (progress: Progress) => void;
  /** Aborted: the run stops where it stands, and the report says so. */
  readonly stop: AbortSignal;
  /** Learns the secrets of the run, so that others may mask what they say of it; absent: one of its own. */
  readonly redactor?: Redactor;
  /** Names of the experiments that an earlier part of the run performed; grows with those of this one. */
  readonly performed?: Set<string>;
  /** Gets the report as it stands, at the begin and every so often: it is what is left of a run that is killed. Never rejects. */
  readonly onCheckpoint?: (report: Report) => Promise<void>;
  /** Tells what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
}

const WIDTH = 16;

/** A run of which nothing was sent. `inRun`: the clauses that take part. */
export function newState(
  { config, options, descriptions, redactor, clock, stop, performed }: RunInput,
  runId: string,
  firstUses: SpilledUses,
  inRun: (clause: string) => boolean,
  own = new OwnChecks([]),
): StageState {
  const catalogue = createCatalogue(descriptions);
  const expected = config.expect.isolation ? ['AUTH-08'] : [];
  const world = worldOf(config, options, runId, { now: clock.now, sleep: (delayMs) => clock.sleep(delayMs, stop) });
  const creations = new Creations(world.knowledge, catalogue);
  const rates = new RateBook(world.keys, config.expect.plans);
  const selected = selectOperations(catalogue, options);
  const replayed = options.replay ?? null;
  const share = replayed === null ? shareOf(selected, options.shard ?? null) : replayShare(world, catalogue, replayed);
  const ledger = new Ledger({ promote: config.promote, expected }, { ...share, judges: inRun }, own.clauses);
  const { docsUrl } = config.target;
  const onExchange = (exchange: Exchange): void => {
    session.errors.attempt({ clauses: [], where: 'the note of what is created' }, exchange, undefined, () =>
      creations.observe(exchange),
    );
    session.errors.attempt(RATE_SERIES, exchange, undefined, () => rates.observe(toKeep(exchange)));
  };
  const session = new Session({
    ledger,
    catalogue,
    docsUrl,
    contract: config.contract,
    keys: world.keys,
    ownChecks: own.onExchanges,
    laws: errRunLaws(docsUrl, firstUses),
    inRun,
    answersFor: share.performs,
    onExchange,
    clock,
  });
  return {
    clock,
    redactor: redactor ?? createRedactor(config.secrets),
    docsUrl,
    catalogue,
    selected,
    share,
    inRun,
    wants: wantedBy({
      inRun: [...CLAUSES, ...own.clauses].map(({ id }) => id).filter(inRun),
      possible: clauseFilter({ ...options, clauses: [] }, config.contract),
      wantsAll: own.wantAnything(inRun),
    }),
    lawful: lawfulBy(config),
    expected,
    ledger,
    own,
    session,
    creations,
    rates,
    world,
    reaching: newReaching(),
    cuts: [],
    performed: performed ?? new Set(),
    budget: options.budget,
    width: options.concurrency ?? WIDTH,
    unlimited: options.timeLimitSeconds === null,
    replayed,
  };
}

/** The client whose exchanges the session judges. */
export function connect(
  { config, options, clock, open, random }: RunInput,
  { session, width, redactor }: StageState,
  stop: AbortSignal,
): ReturnType<typeof createClient> {
  const client = createClient({
    baseUrl: config.target.baseUrl,
    tokens: createTokens({ keys: config.keys, credentials: config.credentials, redactor, clock }),
    redactor,
    budget: options.budget,
    stop,
    clock,
    ...(open === undefined ? {} : { open }),
    ...(random === undefined ? {} : { random }),
    concurrency: width,
    limitsPer: config.contract === 'openapi' ? 'operation' : 'key',
    onExchange: (exchange) => session.observe(exchange),
  });
  session.attach(client);
  return client;
}

/** What is judged over the whole run, once nothing more is sent. */
export function concludeLaws(state: StageState): void {
  concludeRates(state);
  state.session.concludeDrops();
}

/** The laws over each key's whole series; over all keys where their limits were spent. */
function concludeRates({ rates, ledger, inRun, share, session: { errors } }: StageState): void {
  const ofSeries = errors.attempt(RATE_SERIES, null, [], () => rates.concludeSeries());
  const overAll = share.performs(NOWHERE) ? errors.attempt(RATE_PLANS, null, [], () => rates.concludePlans()) : [];
  for (const entry of [...ofSeries, ...overAll].filter(({ clause }) => inRun(clause)))
    errors.attempt({ clauses: [entry.clause], where: 'a law over the run' }, null, [], () =>
      ledger.book(entry.clause, entry, entry.judgement, entry.evidence),
    );
}

const RATE_SERIES: Work = {
  clauses: ['RATE-02', 'RATE-03', 'RATE-04', 'RATE-06'],
  where: "the laws over each key's answers",
};
const RATE_PLANS: Work = { clauses: ['RATE-08', 'RATE-10', 'RATE-11'], where: 'the laws over all keys' };

/** What a progress display is told. */
export function readingsOf({ share, reaching, session, ledger }: StageState): ConstructorParameters<typeof Meter>[0] {
  return {
    operations: () => share.own.length,
    operationsTested: () => share.own.reduce((count, one) => count + Number(reaching.reached.has(keyOf(one))), 0),
    requests: () => session.sent,
    violations: () => ledger.violations,
    planned: () => session.planned,
  };
}

/** Longer than k6 takes to end, shorter than a run that was interrupted is waited for. ms. */
const STUCK_MS = 3500;

/** Stops the client on the user's signal or at the time limit, and knows which it was. */
export class StopSwitch {
  readonly #controller = new AbortController();
  readonly #stuck = Promise.withResolvers<never>();
  readonly #timer: Timer | undefined;
  #patience: Timer | undefined;
  #timedOut = false;

  constructor(outer: AbortSignal, limitSeconds: number | null, clock: Clock) {
    this.#stuck.promise.catch(() => {});
    this.signal.addEventListener('abort', () => {
      this.#patience = clock.after(STUCK_MS, () =>
        this.#stuck.reject(
          new RunEnded('interrupted', 'the run was stopped, and one of its probes was not to be ended'),
        ),
      );
    });
    outer.addEventListener('abort', () => this.#controller.abort(), { once: true });
    if (outer.aborted) this.#controller.abort();
    if (limitSeconds !== null) this.#timer = clock.after(limitSeconds * 1000, () => this.#onLimit());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * The outcome of the work. Throws RunEnded where it goes on for seconds after the stop: what it waits for (a program of the
   * user's, say) does not end, and what was found is to be told.
   */
  bounded<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    return Promise.race([work, this.#stuck.promise]);
  }

  explain({ reasonCode, message }: RunEnded): Absence {
    if (reasonCode !== 'interrupted') return { reasonCode, reason: message };
    return this.#timedOut
      ? { reasonCode: 'time-limit', reason: 'the time limit was reached' }
      : { reasonCode, reason: 'the run was interrupted' };
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#patience?.cancel();
  }

  #onLimit(): void {
    this.#timedOut = true;
    this.#controller.abort();
  }
}
