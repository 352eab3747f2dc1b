// One conformance run: descriptions judged, target smoked, operations reached, probed and probed again, report built.

import { judgeKeyAccepted } from '../checks/auth/refusals.ts';
import { DESCRIPTION_CHECKS } from '../checks/description-checks.ts';
import { errRunLaws } from '../checks/err/run-laws.ts';
import { systemClock } from '../client/clock.ts';
import { createTokens, type Tokens } from '../client/tokens.ts';
import { createClient } from '../client/undici-client.ts';
import type { Config, RunOptions } from '../config/config.ts';
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { Absence } from '../grading/rows.ts';
import { type Catalogue, createCatalogue, type Described } from '../openapi/catalogue.ts';
import type { Description } from '../openapi/operation.ts';
import { authUntested } from '../probes/auth.ts';
import { operationExperiments } from '../probes/catalogue-of-probes.ts';
import { repeatExperiment } from '../probes/depth.ts';
import { Knowledge } from '../probes/knowledge.ts';
import { placeExperiments } from '../probes/places.ts';
import type { Experiment } from '../probes/probe.ts';
import { mutates, type Reached, requiresToken, type World } from '../probes/world.ts';
import { Creations, cleanUp } from './clean-up.ts';
import { RunEnded } from './interruption.ts';
import { Ledger } from './ledger.ts';
import { type Cut, clausesFirst, type Limits, performAll } from './pass.ts';
import { assumeUnknownIds, isFinal, keyOf, newReaching, type Reaching, reachAll } from './reaching.ts';
import { buildReport } from './report.ts';
import { clauseFilter, selectOperations } from './selection.ts';
import { Session, sendable } from './session.ts';
import { smoke } from './smoke.ts';

export interface ConformInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly onProgress: (progress: Progress) => void;
  /** Aborted: the run stops where it stands, and the report says so. */
  readonly stop: AbortSignal;
}

const WIDTH = 16;
/** Repetition finds what shows once in seven calls: eight looks at each. */
const ROUNDS = 7;
/** Without a time limit of the user's, depth ends after this long: s. */
const DEPTH_SECONDS = 300;
const PLAN_ORDER = ['enterprise', 'growth', 'standard'];

/** Runs and reports. Never rejects for what the target does; rejects for defects of the harness. */
export async function conform(input: ConformInput): Promise<Report> {
  return new ConformanceRun(input).run();
}

class ConformanceRun {
  readonly #input: ConformInput;
  readonly #catalogue: Catalogue;
  readonly #selected: readonly Described[];
  readonly #inRun: (clause: string) => boolean;
  readonly #ledger: Ledger;
  readonly #session: Session;
  readonly #world: World;
  readonly #tokens: Tokens;
  readonly #redactor = createRedactor();
  readonly #creations = new Creations();
  readonly #reaching: Reaching = newReaching();
  readonly #expected: readonly string[];
  readonly #runId: string;
  readonly #startedAtMs = Date.now();
  readonly #stop = new AbortController();
  /** While the target is not known to be the right one, what it answers is held back from the checks. */
  #held: Exchange[] | null = [];
  #phase = 'smoke';
  #timedOut = false;
  #cuts: Cut[] = [];
  #experiments: readonly Experiment[] = [];

  constructor(input: ConformInput) {
    const { config, options, descriptions } = input;
    this.#input = input;
    this.#runId = options.runId ?? `run-${Date.now().toString(36)}`;
    this.#catalogue = createCatalogue(descriptions);
    this.#selected = selectOperations(this.#catalogue, options);
    this.#inRun = clauseFilter(options);
    this.#expected = config.expect.isolation ? ['AUTH-08'] : [];
    this.#ledger = new Ledger({ promote: config.promote, expected: this.#expected });
    this.#tokens = createTokens({
      keys: config.keys,
      credentials: config.credentials,
      redactor: this.#redactor,
      clock: systemClock,
    });
    this.#world = worldOf(config, options, this.#runId);
    this.#session = new Session({
      ledger: this.#ledger,
      catalogue: this.#catalogue,
      docsUrl: config.target.docsUrl,
      laws: errRunLaws(config.target.docsUrl),
      inRun: this.#inRun,
      onExchange: (exchange) => this.#creations.observe(exchange),
    });
  }

  async run(): Promise<Report> {
    const { stop, options } = this.#input;
    stop.addEventListener('abort', () => this.#stop.abort(), { once: true });
    if (stop.aborted) this.#stop.abort();
    const limit = options.timeLimitSeconds;
    const timer = limit === null ? undefined : setTimeout(() => this.#onTimeLimit(), limit * 1000);
    let ended: Absence | null = null;
    let leftovers: readonly string[] = [];
    const client = this.#connect();
    try {
      this.#judgeDescriptions();
      leftovers = await this.#stages();
    } catch (error) {
      if (!(error instanceof RunEnded)) throw error;
      ended = this.#whyEnded(error);
    } finally {
      clearTimeout(timer);
      await client.close();
    }
    this.#tell();
    return this.#report(ended, leftovers);
  }

  #connect(): ReturnType<typeof createClient> {
    const { config, options } = this.#input;
    const client = createClient({
      baseUrl: config.target.baseUrl,
      tokens: this.#tokens,
      redactor: this.#redactor,
      budget: options.budget,
      stop: this.#stop.signal,
      concurrency: options.concurrency ?? WIDTH,
      onExchange: (exchange) => (this.#held === null ? this.#session.observe(exchange) : this.#held.push(exchange)),
    });
    this.#session.attach(client);
    return client;
  }

  #judgeDescriptions(): void {
    for (const description of this.#input.descriptions) {
      for (const check of DESCRIPTION_CHECKS) {
        if (!this.#inRun(check.clause)) continue;
        for (const { operation, judgement } of check.judge(description)) {
          const spot = { service: description.service, operation };
          this.#ledger.book(
            check.clause,
            operation === null ? { service: description.service, operation: null } : spot,
            judgement,
            [],
          );
        }
      }
    }
  }

  /** All stages in order; resolves with what could not be cleaned up. */
  async #stages(): Promise<readonly string[]> {
    await smoke(this.#world, this.#input.descriptions, async (plan) => (await this.#session.send(plan)).last);
    this.#release();
    const final = this.#selected.filter((described) => isFinal(described, this.#selected));
    const ordinary = this.#selected.filter((described) => !final.includes(described));
    this.#enter('reach');
    await reachAll(this.#session, this.#world, ordinary, this.#selected, this.#reaching);
    this.#judgeKeyEverywhere();
    for (const described of final) this.#assume(described);
    this.#experiments = this.#allExperiments();
    this.#enter('breadth');
    const lean = this.#experiments.filter(({ stage }) => stage === 'lean');
    this.#cuts.push(...(await performAll(this.#session, this.#ledger, clausesFirst(lean), this.#limits(null))));
    this.#enter('depth');
    const until = this.#input.options.timeLimitSeconds === null ? Date.now() + DEPTH_SECONDS * 1000 : null;
    this.#cuts.push(...(await performAll(this.#session, this.#ledger, this.#depth(), this.#limits(until))));
    this.#enter('last');
    await reachAll(this.#session, this.#world, final, this.#selected, this.#reaching);
    return cleanUp(this.#session, this.#world, this.#catalogue, this.#creations);
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const exchange of held) this.#session.observe(exchange);
  }

  #limits(until: number | null): Limits {
    return {
      budget: this.#input.options.budget,
      width: this.#input.options.concurrency ?? WIDTH,
      until,
      now: Date.now,
    };
  }

  /** AUTH-05: a key that one operation accepts is accepted by every operation. */
  #judgeKeyEverywhere(): void {
    const key = this.#world.mainKey;
    const answers = [...this.#reaching.firstAnswers.values()].filter(
      (exchange) => exchange.plan.credential.kind === 'key',
    );
    const acceptedSomewhere = answers.some((exchange) => (exchange.response?.status ?? 599) < 300);
    if (key === null || !acceptedSomewhere || !this.#inRun('AUTH-05')) return;
    for (const exchange of answers)
      this.#ledger.book('AUTH-05', exchange.plan, judgeKeyAccepted(exchange, key.name), [exchange]);
  }

  /** An operation that is called last of all is probed before that, where it may be sent at all. */
  #assume(described: Described): void {
    if (described.operation.unsupported === null && sendable(described.operation, this.#world.mutations))
      assumeUnknownIds(this.#world, described, this.#reaching);
  }

  #allExperiments(): readonly Experiment[] {
    const seenServices = new Set<string>();
    const own = this.#reachedInOrder().flatMap((reached, turn) => {
      const readable = !mutates(reached.operation) && requiresToken(reached.operation) && reached.proof !== null;
      const first = readable && !seenServices.has(reached.operation.service);
      if (first) seenServices.add(reached.operation.service);
      this.#bookUntested(reached);
      return operationExperiments(this.#world, this.#catalogue, reached, turn, first);
    });
    return [...placeExperiments(this.#world, this.#unknownPaths(), this.#storeId()), ...own].filter(
      (experiment) => experiment.clauses.length === 0 || experiment.clauses.some(this.#inRun),
    );
  }

  #bookUntested(reached: Reached): void {
    for (const { clause, service, operation, reasonCode, reason } of authUntested(this.#world, reached)) {
      if (this.#inRun(clause)) this.#ledger.bookUntested(clause, { service, operation }, reasonCode, reason);
    }
  }

  /** Depth: what looks further, then the repetition of what the lean pass sent. */
  #depth(): readonly Experiment[] {
    const further = this.#experiments.filter(({ stage }) => stage === 'depth');
    const lean = this.#experiments.filter(
      ({ stage, repeatable, operation }) => stage === 'lean' && repeatable && operation !== null,
    );
    const reached = this.#reachedInOrder().filter(({ proof }) => proof !== null);
    const rounds = Array.from({ length: ROUNDS }, (_, round) => [
      ...reached
        .filter(({ operation }) => this.#mayRepeat(operation.method))
        .map((one) => repeatExperiment(this.#world, one, round)),
      ...lean,
    ]);
    return [
      ...further,
      ...rounds.flatMap((round, index) => round.map((experiment) => ({ ...experiment, rank: 100 + index }))),
    ];
  }

  /** Creating again and again is for local targets; elsewhere only reading is repeated. */
  #mayRepeat(method: string): boolean {
    return method === 'GET' || (method !== 'DELETE' && this.#world.environment === 'local');
  }

  #reachedInOrder(): readonly Reached[] {
    return this.#selected.flatMap((described) => this.#reaching.reached.get(keyOf(described)) ?? []);
  }

  /** Paths that no description matches: at the root, and below each resource. */
  #unknownPaths(): readonly string[] {
    const roots = this.#selected
      .map(({ operation }) => /^\/api\/v\d+\/[^/{]+/.exec(operation.path)?.[0])
      .filter((root) => root !== undefined);
    const paths = [`/api/v1/assay-${this.#world.nonce}`, ...new Set(roots)].map((root, index) =>
      index === 0 ? root : `${root}/assay/unknown/${this.#world.nonce}/path`,
    );
    return paths.filter((path) => this.#catalogue.pathKnown(path).length === 0);
  }

  #storeId(): string {
    return (
      this.#world.fixtures.storeId ?? this.#world.knowledge.idsAt('/api/v1/stores', 'storeId')[0]?.value ?? 'store_1'
    );
  }

  #onTimeLimit(): void {
    this.#timedOut = true;
    this.#stop.abort();
  }

  #whyEnded({ reasonCode, message }: RunEnded): Absence {
    if (reasonCode !== 'interrupted') return { reasonCode, reason: message };
    return this.#timedOut
      ? { reasonCode: 'time-limit', reason: 'the time limit was reached' }
      : { reasonCode, reason: 'the run was interrupted' };
  }

  #enter(phase: string): void {
    this.#phase = phase;
    this.#tell();
  }

  #tell(): void {
    const seconds = (Date.now() - this.#startedAtMs) / 1000;
    this.#input.onProgress({
      phase: this.#phase,
      operations: this.#selected.length,
      operationsTested: this.#reaching.reached.size,
      requests: this.#session.sent,
      requestsPerSecond: seconds > 0 ? this.#session.sent / seconds : 0,
      violations: this.#ledger.violations,
      secondsLeft: null,
    });
  }

  #report(ended: Absence | null, leftovers: readonly string[]): Report {
    const cutByBudget = this.#cuts.some((cut) => cut.reasonCode === 'budget');
    const cutByTime = this.#cuts.reduce(
      (total, cut) => total + (cut.reasonCode === 'time-limit' ? cut.experiments : 0),
      0,
    );
    const note =
      ended?.reason ??
      (cutByBudget
        ? 'the request budget ended the run before every probe was sent'
        : cutByTime > 0
          ? `repetition ended after ${DEPTH_SECONDS} s; ${cutByTime} further probes were not sent`
          : null);
    return buildReport({
      config: this.#input.config,
      options: this.#input.options,
      descriptions: this.#input.descriptions,
      selected: this.#selected,
      ledger: this.#ledger,
      session: this.#session,
      reaching: this.#reaching,
      runId: this.#runId,
      startedAtMs: this.#startedAtMs,
      endedAtMs: Date.now(),
      ended,
      partial: ended !== null || cutByBudget,
      note,
      leftovers,
      expected: this.#expected,
    });
  }
}

function worldOf(config: Config, options: RunOptions, runId: string): World {
  const rank = (plan: string): number => (PLAN_ORDER.includes(plan) ? PLAN_ORDER.indexOf(plan) : PLAN_ORDER.length);
  const keys = config.keys.toSorted((left, right) => rank(left.plan) - rank(right.plan));
  return {
    seed: options.seed,
    nonce: runId,
    environment: config.target.environment,
    mutations: config.mutations === 'allow',
    mainKey: keys[0] ?? null,
    keys,
    hasLocked: config.credentials.locked !== null,
    hasExpired: config.credentials.expired !== null,
    isolationExpected: config.expect.isolation,
    fixtures: config.fixtures,
    knowledge: new Knowledge(),
    token: (key) => config.keys.find((candidate) => candidate.name === key)?.token ?? null,
  };
}
