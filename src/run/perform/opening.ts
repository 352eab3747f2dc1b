// How a judging run begins: its state, its client, and the switch that ends it. Shared by conformance and load.

import { errRunLaws } from '../../checks/err/run-laws.ts';
import { RateBook } from '../../checks/rate/rate-history.ts';
import type { RateConclusion } from '../../checks/rate/series-law.ts';
import { dispatchersOf, reachOf } from '../../client/reach.ts';
import { createTokens } from '../../client/tokens.ts';
import { createClient } from '../../client/undici-client.ts';
import { type Clock, LIMIT, type Timer, type Timing } from '../../clock/clock.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import { listPlaces } from '../../config/list-places.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { toKeep } from '../../exchange/kept.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import { tracesOf } from '../../exchange/trace-context.ts';
import type { Absence } from '../../grading/rows.ts';
import { limitedBy } from '../../limiters/reading.ts';
import { type Catalogue, createCatalogue } from '../../openapi/model/catalogue.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { awaitsEvents } from '../../openapi/model/responses.ts';
import { Knowledge } from '../../probes/reach/knowledge.ts';
import type { World } from '../../probes/world.ts';
import { type Books, openBooks } from '../books/books.ts';
import { CreationBound } from '../books/creation-bound.ts';
import { CreationWatch } from '../books/creation-watch.ts';
import { Creations } from '../books/creations.ts';
import type { Work } from '../books/harness-errors.ts';
import { ItemLives } from '../books/item-lives.ts';
import { unwrittenJournal } from '../books/journal.ts';
import { Ledger } from '../books/ledger.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { SpilledUses } from '../books/spilled-uses.ts';
import { keysBoundBy, lawfulBy } from '../plan/claims.ts';
import type { Spot } from '../plan/clause-target.ts';
import { Consent } from '../plan/consent.ts';
import { sparing } from '../plan/others.ts';
import { clauseFilter, selectOperations, wantedBy } from '../plan/selection.ts';
import { NOWHERE, shareOf } from '../plan/shard.ts';
import { newReaching } from '../reach/reaching.ts';
import { Sensing } from '../sensitivity/sensing.ts';
import { Undoer } from './clean-up.ts';
import { RunEvents } from './events.ts';
import { Fit } from './fit.ts';
import type { RunInput } from './input.ts';
import { RunEnded } from './interruption.ts';
import { judgeAnswers } from './judging.ts';
import { namesAny } from './led-to.ts';
import { Originals } from './originals.ts';
import { replacingBy } from './replacements.ts';
import { replayShare } from './replay.ts';
import { Session } from './session.ts';
import { sightOf } from './sight.ts';
import type { RunBooks, RunScope, StageState, WholeInput } from './state.ts';

/** Number of requests that are under way at once, where the user states none. */
const WIDTH = 16;

/** A run of which nothing was sent. `inRun`: the clauses that take part. */
export function newState(
  given: RunInput,
  runId: string,
  inRun: (clause: string) => boolean,
  own = new OwnChecks([]),
): StageState {
  const { config, options, clock, redactor, performed, journal = unwrittenJournal(), left = [] } = given;
  const whole = { redactor: redactor ?? createRedactor(config.secrets), performed: performed ?? new Set<string>() };
  const input: WholeInput = { ...given, ...whole, journal, left, width: options.concurrency ?? WIDTH };
  const events = new RunEvents();
  const catalogue = createCatalogue(given.descriptions);
  const consent = new Consent(config, catalogue, options);
  const knowledge = new Knowledge();
  const creations = new Creations(knowledge, catalogue, journal);
  const bound = new CreationBound({ limits: config.limits.created, nonce: runId, catalogue, creations, journal });
  const world = worldOf(config, options, runId, {
    knowledge,
    timing: toldTiming(input, events),
    lasts: (operation) => bound.isSpare(operation),
    failsAnyway: (exchange) => books.failures.isUsual(exchange),
    refusal: (operation) => consent.refusal(operation),
    isPayment: (operation) => consent.isPayment(operation),
    limited: limitedBy(
      config.stated.terms,
      given.descriptions.flatMap(({ operations }) => operations),
    ),
  });
  const scope = scopeFor(input, catalogue, world, inRun, own);
  const books = openRunBooks(events, input, scope, { creations, bound, world });
  const reaching = newReaching();
  const originals = new Originals({ world, catalogue, creations });
  const prove = (path: string): Promise<void> => bound.prove(path);
  const around = { catalogue, creations, world, prove, knows: (path: string) => originals.knows(path) };
  const session: Session = new Session({
    ...{ events, books, catalogue, contract: config.contract, terms: config.stated.terms, keys: world.keys },
    ...{ share: scope.share, isFitted: options.fitSeconds !== undefined, bound, clock },
    consent: sparing(consent, { ...around, look: (path) => sightOf({ ...around, session }, path) }),
    replacing: replacingBy(world, reaching.reached, books),
  });
  const pause = (ms: number): Promise<void> => clock.sleep(ms);
  const undoer = new Undoer({ session, world, catalogue, creations, journal, originals, pause });
  events.on('exchange', ({ exchange }) => undoer.observe(exchange), NOTING);
  bound.undoBy(undoer);
  given.listen?.(events);
  const fit = fitOf(given, session, () => undoingMs({ undoer, books }));
  return { input, scope, books, session, world, reaching, bound, undoer, originals, fit };
}

/** The time that the run fits itself to; null where it takes as long as it takes. */
function fitOf({ options: { fitSeconds }, clock }: RunInput, session: Session, undoing: () => number): Fit | null {
  return fitSeconds === undefined ? null : new Fit(fitSeconds, clock, () => session.sent, undoing);
}

/** The plan with the highest ceiling first: ordinary calls should not exhaust the smallest one. */
const PLAN_ORDER = ['enterprise', 'growth', 'standard'];

/** A world in which nothing is known of the target yet. */
function worldOf(
  config: Config,
  options: RunOptions,
  runId: string,
  around: Pick<World, 'knowledge' | 'timing' | 'lasts' | 'failsAnyway' | 'refusal' | 'isPayment' | 'limited'>,
): World {
  const rank = (plan: string): number => (PLAN_ORDER.includes(plan) ? PLAN_ORDER.indexOf(plan) : PLAN_ORDER.length);
  const keys = config.keys.toSorted((left, right) => rank(left.plan) - rank(right.plan));
  return {
    seed: options.seed,
    nonce: runId,
    contract: config.contract,
    terms: config.stated.terms,
    environment: config.target.environment,
    mutations: config.mutations === 'allow',
    mainKey: keys[0] ?? null,
    keys,
    hasToken: { expired: config.credentials.expired !== null, locked: config.credentials.locked !== null },
    invalidTokens: config.invalidTokens,
    fixtures: config.fixtures,
    ...around,
    isBrief: options.budget !== null,
    listPlace: listPlaces(config.lists),
    token: (key) => config.keys.find((candidate) => candidate.name === key)?.token ?? null,
  };
}

/** The time of probes: what they wait for is told. */
function toldTiming({ clock, stop }: RunInput, events: RunEvents): Timing {
  return {
    now: clock.now,
    sleep: (delayMs) => {
      events.tell({ kind: 'waiting', awaited: { what: 'look', key: null }, untilMs: clock.now() + delayMs });
      return clock.sleep(delayMs, stop);
    },
  };
}

function scopeFor(
  { config, options }: RunInput,
  catalogue: Catalogue,
  world: World,
  inRun: (clause: string) => boolean,
  own: OwnChecks,
): RunScope {
  const selected = selectOperations(catalogue, options);
  const { replay, shard = null } = options;
  return {
    ...{ catalogue, selected, inRun, own, lawful: lawfulBy(config) },
    share: replay === undefined ? shareOf(selected, shard) : replayShare(world, catalogue, replay),
    wants: wantedBy({
      inRun: [...CLAUSES, ...own.clauses].map(({ id }) => id).filter(inRun),
      possible: clauseFilter({ ...options, clauses: [] }, config.stated),
      wantsAll: own.wantAnything(inRun),
    }),
    expected: config.expect.isolation ? ['AUTH-08'] : [],
  };
}

/** From now on the books of the run hear what happens, and every answer is judged. */
function openRunBooks(
  events: RunEvents,
  { config, options, journal }: WholeInput,
  { catalogue, share, inRun, own, expected, lawful }: RunScope,
  { creations, bound, world }: Pick<RunBooks, 'creations'> & Pick<StageState, 'bound' | 'world'>,
): RunBooks {
  const { promote, evidence, tokenVariables = {}, contract } = config;
  const { docsUrl } = config.target;
  const words = evidence.errorMessages === 'keep' ? { errorMessages: 'keep' as const } : {};
  const namesMade = (plan: RequestPlan): boolean => namesAny(plan, creations.everMade());
  const rules = { promote, bindsKeys: keysBoundBy(config), expected, tokenVariables, namesMade, ...words };
  const ledger = new Ledger(rules, { ...share, judges: inRun }, own.clauses);
  const rates = new RateBook(world.keys, world.limited, config.expect.plans);
  const bounds = { seed: options.seed, inRun, own: share.own, forTarget: share.performs(NOWHERE), lawful };
  const sensing =
    options.sensitivity === true
      ? new Sensing({ rules, docsUrl, under: { contract, terms: world.terms }, ...bounds })
      : null;
  const isPayment = ({ service, operation }: Spot): boolean =>
    service !== null && operation !== null && world.isPayment({ service, key: operation });
  const { knowledge, nonce } = world;
  const watch = new CreationWatch(creations, { knowledge, catalogue, nonce, journal, isPayment });
  events.on('exchange', ({ exchange }) => watch.observe(exchange), NOTING);
  events.on('released', ({ experiment }) => creations.release(experiment));
  events.on('sent', ({ plan }) => bound.settle(plan));
  const firstUses = new SpilledUses();
  const { terms } = config.stated;
  const books = openBooks(events, ledger, { catalogue, docsUrl, contract, terms });
  judgeAnswers(events, ledger, { ownChecks: own.onExchanges, laws: errRunLaws(terms, docsUrl, firstUses), inRun });
  if (own.onItems.length > 0) {
    const lives = new ItemLives(catalogue.operations, contract === 'openapi', listPlaces(config.lists));
    events.on('answer', ({ exchange, isOurs }) => {
      const told = lives.observe(exchange).flatMap((item) => (isOurs ? own.judgeItem(item, inRun) : []));
      for (const { clause, on, judgement, evidence } of told) ledger.book(clause, spotOf(on), judgement, evidence);
    });
  }
  const bookAll = (all: readonly RateConclusion[]): void => {
    for (const { clause, judgement, evidence, ...spot } of all) ledger.book(clause, spot, judgement, evidence);
  };
  events.on('answer', ({ exchange }) => rates.observe(toKeep(exchange)), RATE_SERIES);
  events.on('concluding', () => bookAll(rates.concludeSeries()), RATE_SERIES);
  if (share.performs(NOWHERE)) events.on('concluding', () => bookAll(rates.concludePlans()), RATE_PLANS);
  events.on('answer', ({ subject, spot, isOurs }) => isOurs && sensing?.observe(subject, spot));
  events.on('performed', ({ experiment, plan, answered }) => sensing?.record(experiment, plan, answered));
  return { ...books, creations, watch, rates, sensing, firstUses };
}

/**
 * The client whose exchanges the session judges; `sentBefore` requests of the budget were sent by another. Its traces are named
 * after the time, too: a run under the name of an earlier one gets others.
 */
export function connect(
  { input, session, undoer, bound, world, scope }: StageState,
  stop: AbortSignal,
  sentBefore = 0,
): ReturnType<typeof createClient> {
  const { config, options, clock, redactor, width, open, random, hooks = null } = input;
  const { events } = session;
  const streaming = scope.catalogue.operations.filter(({ operation }) => awaitsEvents(operation));
  const streams = new Set(streaming.map(({ operation }) => operation.key));
  const client = createClient({
    ...reachOf(config, (key) => streams.has(key)),
    tokens: createTokens({
      ...{ keys: config.keys, credentials: config.credentials, redactor, clock },
      dispatcherOf: dispatchersOf(config),
    }),
    redactor,
    ...(config.target.trace === 'none' ? {} : { traces: tracesOf(`${world.nonce} ${options.seed} ${clock.now()}`) }),
    hooks,
    budget: options.budget,
    keptBack: () => undoer.cost() + bound.undoable,
    sentBefore,
    stop,
    clock,
    ...(open === undefined ? {} : { open }),
    ...(random === undefined ? {} : { random }),
    concurrency: width,
    limits: world.limited,
    terms: world.terms,
    limitsPer:
      config.contract === 'openapi' && world.limited.terms === null ? 'operation' : (world.limited.terms?.per ?? 'key'),
    onWait: (awaited, untilMs) => events.tell({ kind: 'waiting', awaited, untilMs }),
    onExchange: (exchange) => events.tell({ kind: 'exchange', exchange }),
  });
  session.sender.attach(client);
  return client;
}

const NOTING: Work = { clauses: [], where: 'the note of what is created' };

export const RATE_SERIES: Work = {
  clauses: ['RATE-02', 'RATE-03', 'RATE-04', 'RATE-06'],
  where: "the laws over each key's answers",
};
const RATE_PLANS: Work = { clauses: ['RATE-08', 'RATE-10', 'RATE-11'], where: 'the laws over all keys' };

/** An interrupted run has so long to undo what it did. ms. */
const INTERRUPTED_MS = 3000;
/** Most of a time limit that is kept back for that. */
const MOST_SHARE = 0.2;
const LOOK_MS = 100;
/** Longer than k6 takes to end, shorter than a run that was interrupted is waited for. ms. */
const STUCK_MS = 3500;

/** Stops the client on the user's signal or at the time limit, knows which it was, and leaves time to undo what was done. */
export class StopSwitch {
  readonly #controller = new AbortController();
  readonly #end = new AbortController();
  readonly #stuck = Promise.withResolvers<never>();
  readonly #clock: Clock;
  readonly #endsAtMs: number | null;
  readonly #undoingMs: () => number;
  /** When nothing at all is sent any more. */
  #goneAtMs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #endTimer: Timer | undefined;
  #patience: Timer | undefined;
  #timedOut = false;
  readonly #unlisten: () => void;

  /** `undoingMs`: how long it would take now to undo what the run did; `graceMs`: how long undoing may go on beyond the limit. */
  constructor(
    outer: AbortSignal,
    limitSeconds: number | null,
    clock: Clock,
    { undoingMs = () => 0, graceMs = 0 }: { readonly undoingMs?: () => number; readonly graceMs?: number } = {},
  ) {
    this.#clock = clock;
    this.#undoingMs = undoingMs;
    this.#endsAtMs = limitSeconds === null ? null : clock.now() + limitSeconds * 1000;
    this.#stuck.promise.catch(() => {});
    this.signal.addEventListener('abort', () => {
      const stuck = new RunEnded('interrupted', 'the run was stopped, and one of its probes was not to be ended');
      this.#patience = clock.after(STUCK_MS, () => this.#stuck.reject(stuck), LIMIT);
    });
    const onSignal = (): void => {
      this.#controller.abort();
      this.#endAfter(INTERRUPTED_MS);
    };
    outer.addEventListener('abort', onSignal, { once: true });
    this.#unlisten = () => outer.removeEventListener('abort', onSignal);
    if (outer.aborted) onSignal();
    if (limitSeconds === null) return;
    this.#endAfter(limitSeconds * 1000 + graceMs);
    const keepsMs = limitSeconds * 1000 * MOST_SHARE;
    this.#timer = clock.after(limitSeconds * 1000 - keepsMs, () => this.#look(keepsMs), LIMIT);
  }

  /** Aborted when nothing more is to be probed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborted when nothing at all is to be sent any more. */
  get end(): AbortSignal {
    return this.#end.signal;
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
    this.#unlisten();
    this.#timer?.cancel();
    this.#patience?.cancel();
    this.#endTimer?.cancel();
  }

  /** Ends everything after so long, or sooner where that was said before. */
  #endAfter(delayMs: number): void {
    const nowMs = this.#clock.now();
    this.#goneAtMs = Math.min(this.#goneAtMs, nowMs + delayMs);
    const leftMs = this.#goneAtMs - nowMs;
    this.#endTimer?.cancel();
    this.#endTimer = this.#clock.after(Math.max(0, leftMs), () => this.#end.abort(), LIMIT);
  }

  /** Stops as soon as what is left of the time limit is needed to undo what was done. */
  #look(keepsMs: number): void {
    const leftMs = (this.#endsAtMs ?? 0) - this.#clock.now();
    if (leftMs > Math.min(keepsMs, this.#undoingMs())) {
      this.#timer = this.#clock.after(Math.min(LOOK_MS, Math.max(1, leftMs)), () => this.#look(keepsMs), LIMIT);
      return;
    }
    this.#timedOut = true;
    this.#controller.abort();
  }
}

/** Time that undoing takes beside the requests themselves. ms. */
const UNDOING_SLACK_MS = 300;

/** How long it would take now to undo what the run did, by what answers took so far. ms. */
export function undoingMs({ undoer, books }: { readonly undoer: Undoer; readonly books: Books }): number {
  return undoer.hasWork ? UNDOING_SLACK_MS + 1.5 * undoer.cost() * books.traffic.changeMs : 0;
}

/**
 * Undoes what the run did and has not undone yet, over connections of its own: those of the run may be closed. Ends with
 * `end` at the latest; what is left then stays. `spentBesides`: requests of the budget that others than the session's client sent.
 */
export async function undoRest(state: StageState, end: AbortSignal, spentBesides: number): Promise<void> {
  const { undoer, session } = state;
  if (!undoer.hasWork || end.aborted) return;
  const { options } = state.input;
  const budget = options.budget === null ? null : options.budget - spentBesides;
  const input = { ...state.input, options: { ...options, budget } };
  const client = connect({ ...state, input }, end, session.sent);
  session.sender.expectEnd();
  try {
    await undoer.undoAll();
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
  } finally {
    await client.close();
  }
}
