// One conformance run from configuration to report. The stages are in stages.ts; here stand start, end and what ends early.
import { DESCRIPTION_CHECKS } from '../checks/description-checks.ts';
import { errRunLaws } from '../checks/err/run-laws.ts';
import { RateBook } from '../checks/rate/book.ts';
import { judgeLate, spec01 } from '../checks/spec/spec-01.ts';
import { systemClock } from '../client/clock.ts';
import { createTokens } from '../client/tokens.ts';
import { createClient } from '../client/undici-client.ts';
import type { Config, RunOptions } from '../config/config.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { Absence } from '../grading/rows.ts';
import { createCatalogue } from '../openapi/catalogue.ts';
import type { Description } from '../openapi/operation.ts';
import { Checkpoints } from './checkpoints.ts';
import { Creations } from './clean-up.ts';
import { RunEnded } from './interruption.ts';
import { Ledger } from './ledger.ts';
import { Meter } from './meter.ts';
import { keyOf, newReaching } from './reaching.ts';
import { replayShare } from './replay.ts';
import { buildReport } from './report.ts';
import { clauseFilter, lawfulBy, selectOperations } from './selection.ts';
import { Session } from './session.ts';
import { shareOf } from './shard.ts';
import { SpilledUses } from './spilled-uses.ts';
import { runStages } from './stages.ts';
import type { StageState } from './state.ts';
import { worldOf } from './world.ts';

export interface ConformInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly onProgress: (progress: Progress) => void;
  /** Aborted: the run stops where it stands, and the report says so. */
  readonly stop: AbortSignal;
  /** Names of the experiments that an earlier part of the run performed; grows with those of this one. */
  readonly performed?: Set<string>;
  /** Gets the report as it stands, every so often: what is left of a run that is killed. */
  readonly onCheckpoint?: (report: Report) => Promise<void>;
}

const WIDTH = 16;
const NOT_ENDED: Absence = { reasonCode: 'interrupted', reason: 'the run has not ended' };

/** Runs and reports. Never rejects for what the target does; rejects for defects of the harness. */
export async function conform(input: ConformInput): Promise<Report> {
  const { config, options, descriptions } = input;
  const startedAtMs = Date.now();
  const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
  const stop = new StopSwitch(input.stop, options.timeLimitSeconds);
  const firstUses = new SpilledUses();
  const state = newState(input, runId, firstUses);
  const known = judgeDescriptions(state, descriptions, config.folder);
  const client = connect(input, state, stop.signal);
  const meter = new Meter(readingsOf(state), input.onProgress, startedAtMs);
  meter.start();
  const facts = { ...state, config, options, descriptions, runId, startedAtMs };
  const checkpoints = new Checkpoints(() => {
    const leftovers = state.creations.lines();
    void input.onCheckpoint?.(buildReport({ ...facts, endedAtMs: Date.now(), ended: NOT_ENDED, leftovers }));
  });
  checkpoints.start();
  let ended: Absence | null = null;
  let leftovers: readonly string[] = [];
  try {
    leftovers = await runStages(state, (phase) => meter.enter(phase), stop.signal);
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    ended = stop.explain(error);
    leftovers = state.creations.lines();
  } finally {
    checkpoints.stop();
    stop.dispose();
    await client.close();
    firstUses.close();
    meter.stop();
  }
  concludeRates(state);
  judgeLateProblems(state, known, config.folder);
  return buildReport({ ...facts, endedAtMs: Date.now(), ended, leftovers });
}

function newState(
  { config, options, descriptions, performed }: ConformInput,
  runId: string,
  firstUses: SpilledUses,
): StageState {
  const catalogue = createCatalogue(descriptions);
  const inRun = clauseFilter(options, config.contract);
  const expected = config.expect.isolation ? ['AUTH-08'] : [];
  const world = worldOf(config, options, runId);
  const creations = new Creations(world.knowledge);
  const rates = new RateBook(world.keys, config.expect.plans);
  const selected = selectOperations(catalogue, options);
  const replayed = options.replay ?? null;
  const share = replayed === null ? shareOf(selected, options.shard ?? null) : replayShare(world, catalogue, replayed);
  const ledger = new Ledger({ promote: config.promote, expected }, share);
  const { docsUrl } = config.target;
  const onExchange = (exchange: Exchange): void => {
    creations.observe(exchange);
    rates.observe(exchange);
  };
  const session = new Session({
    ledger,
    catalogue,
    docsUrl,
    contract: config.contract,
    keys: world.keys,
    laws: errRunLaws(docsUrl, firstUses),
    inRun,
    onExchange,
  });
  return {
    catalogue,
    selected,
    share,
    inRun,
    lawful: lawfulBy(config),
    expected,
    ledger,
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

function connect(
  { config, options }: ConformInput,
  { session, width }: StageState,
  stop: AbortSignal,
): ReturnType<typeof createClient> {
  const redactor = createRedactor();
  const client = createClient({
    baseUrl: config.target.baseUrl,
    tokens: createTokens({ keys: config.keys, credentials: config.credentials, redactor, clock: systemClock }),
    redactor,
    budget: options.budget,
    stop,
    concurrency: width,
    onExchange: (exchange) => session.observe(exchange),
  });
  session.attach(client);
  return client;
}

/** The laws over each key's whole series, once nothing more is sent. */
function concludeRates({ rates, ledger, inRun }: StageState): void {
  for (const entry of rates.conclude()) {
    if (inRun(entry.clause)) ledger.book(entry.clause, entry, entry.judgement, entry.evidence);
  }
}

/** Judges the descriptions; returns how many problems of each are judged by now. */
function judgeDescriptions(
  { inRun, ledger, share }: StageState,
  descriptions: readonly Description[],
  folder: string | null,
): ReadonlyMap<Description, number> {
  for (const description of descriptions) {
    for (const check of DESCRIPTION_CHECKS.filter(({ clause }) => inRun(clause))) {
      for (const { operation, judgement } of check.judge(description)) {
        const spot = { service: description.service, operation };
        if (share.performs(spot)) ledger.book(check.clause, spot, inFolder(judgement, folder), []);
      }
    }
  }
  return new Map(descriptions.map((description) => [description, description.problems.length]));
}

/** What came to light only when schemas were used. */
function judgeLateProblems(
  { inRun, ledger }: StageState,
  known: ReadonlyMap<Description, number>,
  folder: string | null,
): void {
  if (!inRun(spec01.clause)) return;
  for (const [{ service, problems }, judged] of known) {
    if (problems.length === judged) continue;
    ledger.book(spec01.clause, { service, operation: null }, inFolder(judgeLate(problems.slice(judged)), folder), []);
  }
}

/** Files are named as the configuration names them, relative to its folder. */
function inFolder(judgement: Judgement, folder: string | null): Judgement {
  if (folder === null || judgement.kind !== 'breached') return judgement;
  const breaches = judgement.breaches.map((breach) => ({
    ...breach,
    message: breach.message.replaceAll(`${folder}/`, ''),
  }));
  return { ...judgement, breaches };
}

function readingsOf({ share, reaching, session, ledger }: StageState): ConstructorParameters<typeof Meter>[0] {
  return {
    operations: () => share.own.length,
    operationsTested: () => share.own.reduce((count, one) => count + Number(reaching.reached.has(keyOf(one))), 0),
    requests: () => session.sent,
    violations: () => ledger.violations,
    planned: () => session.planned,
  };
}

/** Stops the client on the user's signal or at the time limit, and knows which it was. */
class StopSwitch {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #timedOut = false;

  constructor(outer: AbortSignal, limitSeconds: number | null) {
    outer.addEventListener('abort', () => this.#controller.abort(), { once: true });
    if (outer.aborted) this.#controller.abort();
    if (limitSeconds !== null) this.#timer = setTimeout(() => this.#onLimit(), limitSeconds * 1000);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  explain({ reasonCode, message }: RunEnded): Absence {
    if (reasonCode !== 'interrupted') return { reasonCode, reason: message };
    return this.#timedOut
      ? { reasonCode: 'time-limit', reason: 'the time limit was reached' }
      : { reasonCode, reason: 'the run was interrupted' };
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #onLimit(): void {
    this.#timedOut = true;
    this.#controller.abort();
  }
}
