// Judges exchanges of other people's clients, one by one as they come: by every check that needs no further request, and by the
// laws over all of them. Memory does not grow with their number.

import { judgeSecured, judgeTokenRefused } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { errRunLaws } from '../../checks/err/run-laws.ts';
import { observation, seenOnce } from '../../checks/observation.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import { judgeNumberedWalk } from '../../checks/pag/pag-04-to-09-page.ts';
import { judgeFollowedWalk } from '../../checks/pag/pag-14-15-followed.ts';
import { judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import { listPlaces } from '../../config/list-places.ts';
import { skipReason } from '../../config/skip.ts';
import { idsWhere } from '../../contract/clauses.ts';
import { codeOf } from '../../contract/code.ts';
import { judgedInTraffic } from '../../contract/judged-by.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { isSuccess } from '../../facts/answered.ts';
import { ListWalks } from '../../facts/list-walks.ts';
import { limitedBy } from '../../limiters/reading.ts';
import { type Catalogue, createCatalogue, type Described } from '../../openapi/model/catalogue.ts';
import { type Description, type Operation, spotOf } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { judgeInternal, judgeLive } from '../../probes/requests/platform-places.ts';
import { requiresToken } from '../../probes/world.ts';
import { type Books, openBooks } from '../books/books.ts';
import { ItemLives } from '../books/item-lives.ts';
import { Ledger } from '../books/ledger.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { SpilledUses } from '../books/spilled-uses.ts';
import { RunEvents } from '../perform/events.ts';
import { judgeAnswers } from '../perform/judging.ts';
import { keysBoundBy, lawfulBy } from '../plan/claims.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { clauseFilter, selectOperations } from '../plan/selection.ts';
import { NOWHERE, shareOf } from '../plan/shard.ts';
import { Addresses, ApiCalls, type Place } from './addresses.ts';
import { KeyedCalls } from './keyed-calls.ts';
import { judgeLife } from './lives.ts';
import { RateTraces } from './rate-trace.ts';
import { ForeignRecorder, intentOf } from './recorded-exchange.ts';
import { ForeignSecrets } from './secrets.ts';
import { Duplicates, type LeftOut, type Seen, type SeenAnswer } from './seen.ts';
import { judgeSpoiledCall } from './spoiled-calls.ts';
import { type Shown, Tokens } from './tokens.ts';

export interface TrafficInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  /** The user's own checks. */
  readonly checks: readonly BroughtCheck[];
  /** Knows the secrets of the configuration, and learns those of the traffic. */
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Addresses of the target in the recording, besides the configured one. */
  readonly bases: readonly string[];
  /** True where every header of a request is seen; else a request without a token shows nothing until another shows one. */
  readonly seesTokens: boolean;
}

/** Undescribed calls that are told one by one. */
const MOST_UNDESCRIBED = 50;

export class TrafficJudge {
  readonly input: TrafficInput;
  readonly catalogue: Catalogue;
  readonly selected: readonly Described[];
  readonly share: ReturnType<typeof shareOf>;
  readonly own: OwnChecks;
  readonly ledger: Ledger;
  readonly books: Books;
  readonly addresses: Addresses;
  readonly secrets = new ForeignSecrets();
  readonly rates: RateTraces;
  readonly inRun: (clause: string) => boolean;
  /** Entries of the target that were counted and not judged. */
  readonly leftOut = new Map<LeftOut, number>();
  /** Exchanges judged, and how many of them without their whole body. */
  judged = 0;
  bodiless = 0;
  /** Entries seen, of any host. */
  read = 0;
  /** Entries of the target that were over before the one that stands before them was sent. */
  disordered = 0;
  /** When the last of them was sent; null: nobody knows. Epoch ms. */
  #lastSentAt: number | null = null;
  readonly #events: RunEvents;
  readonly #api: ApiCalls;
  readonly #tokens: Tokens;
  readonly #recorder: ForeignRecorder;
  readonly #uses = new SpilledUses();
  readonly #selected: ReadonlySet<Described>;
  readonly #skipped: (operation: string) => string | null;
  readonly #undescribed = new Set<string>();
  readonly #duplicates = new Duplicates();
  readonly #keyed: KeyedCalls;
  readonly #lives: ItemLives;
  readonly #walks: ListWalks;
  /** Names of the configured keys. */
  readonly #keys: ReadonlySet<string>;
  /** Tells whether the contract says anything of keys, or of pages, on the operation. */
  readonly #isClaimed: (operation: Operation, law: 'idempotency' | 'pagination') => boolean;
  #seesTokens: boolean;
  /** True where redirects are recorded, and not only what they led to. */
  #seesRedirects: boolean;

  constructor(input: TrafficInput) {
    const { config, options, descriptions, redactor, bases } = input;
    this.input = input;
    this.#seesTokens = input.seesTokens;
    this.#seesRedirects = input.seesTokens;
    this.catalogue = createCatalogue(descriptions);
    this.selected = selectOperations(this.catalogue, options);
    this.#selected = new Set(this.selected);
    this.#skipped = skipReason(options);
    this.share = shareOf(this.selected, null);
    this.own = new OwnChecks(input.checks);
    const wanted = clauseFilter(options, config.stated, this.own.clauses);
    const ownIds = new Set(this.own.clauses.map(({ id }) => id));
    this.inRun = (clause) => wanted(clause) && (ownIds.has(clause) || judgedInTraffic(clause));
    const rules = { promote: config.promote, bindsKeys: keysBoundBy(config), expected: [] };
    this.ledger = new Ledger(rules, { ...this.share, judges: this.inRun }, this.own.clauses);
    const limited = limitedBy(
      config.stated.terms,
      descriptions.flatMap(({ operations }) => operations),
    );
    this.rates = new RateTraces(config.keys, limited, config.expect.plans);
    const { docsUrl } = config.target;
    this.#events = new RunEvents();
    const target = { catalogue: this.catalogue, docsUrl, contract: config.contract, terms: config.stated.terms };
    this.books = openBooks(this.#events, this.ledger, target);
    const laws = errRunLaws(target.terms, docsUrl, this.#uses);
    const judges = { ownChecks: this.own.onExchanges, laws, inRun: this.inRun };
    judgeAnswers(this.#events, this.ledger, judges);
    this.#keys = new Set(config.keys.map(({ name }) => name));
    const lawful = lawfulBy(config);
    this.#lives = new ItemLives(this.selected, config.contract === 'openapi', listPlaces(config.lists));
    const stating = { contract: config.contract, terms: config.stated.terms };
    this.#walks = new ListWalks(stating, listPlaces(config.lists));
    this.#isClaimed = lawful;
    this.#keyed = new KeyedCalls(stating);
    this.addresses = new Addresses([config.target.baseUrl, ...bases]);
    this.#api = new ApiCalls(this.catalogue);
    this.#tokens = new Tokens(config, descriptions, redactor);
    this.#recorder = new ForeignRecorder(redactor, this.secrets.tell);
  }

  /** Another recording begins: what shows there shows nothing of this one. */
  beginFile(): void {
    this.#seesTokens = this.input.seesTokens;
    this.#seesRedirects = this.input.seesTokens;
    this.#lastSentAt = null;
    this.#duplicates.beginFile();
  }

  /** Counts the exchange, and judges it where it is a call of the target. Never throws for what it holds. */
  observe(seen: Seen): void {
    this.read += 1;
    this.#seesTokens ||= header(seen.request.headers, 'authorization') !== null;
    const place = this.addresses.placeOf(seen.request.url);
    if (place === null) return;
    // Whatever came of it. CONNECT goes to a proxy.
    if (!isSafe(seen.request.method) && !isTunnel(seen)) this.#walks.leaveAll();
    const described = this.catalogue.match(seen.request.method, place.path);
    const reason = this.#whyLeftOut(seen, place, described);
    if (reason !== null) this.leaveOut(reason);
    else if (typeof seen.answer !== 'string') {
      const { answer } = seen;
      this.books.errors.attempt(RECORD, null, undefined, () => this.#judge(seen, answer, place, described));
    }
  }

  leaveOut(reason: LeftOut): void {
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
  }

  close(): void {
    this.#uses.close();
  }

  #whyLeftOut(seen: Seen, place: Place, described: Described | null): LeftOut | null {
    const { answer, request } = seen;
    if (isTunnel(seen)) return 'asks a proxy for a tunnel';
    if (isPreflight(request.method, request.headers)) return 'is a preflight request of a browser';
    if (typeof answer === 'string') return answer;
    if (answer.headers.length === 0) return 'has no response headers';
    if (described === null && !this.#api.includes(seen, place)) return 'is a page or a file of a site';
    if (described !== null && this.#skipped(described.operation.key) !== null)
      return 'belongs to an operation that `skip` leaves out';
    // Libraries follow redirects, and record the last answer as that of the first request.
    this.#seesRedirects ||= answer.status >= 300 && answer.status < 400 && answer.status !== 304;
    if (!this.#seesRedirects && described !== null && isInPlaceOfRedirect(described, answer.status))
      return 'may be the answer that a redirect led to';
    const { services, operations } = this.input.options;
    const isNarrowed = services.length + operations.length > 0;
    if (isNarrowed && (described === null || !this.#selected.has(described))) return 'belongs to another operation';
    return this.#duplicates.has(seen, answer) ? 'is recorded a second time' : null;
  }

  #judge(seen: Seen, answer: SeenAnswer, place: Place, described: Described | null): void {
    const told = this.#tokens.of(seen.request, place.query, this.secrets.tellToken);
    const shown = forOperation(told, described);
    const wantsIntent = this.input.config.contract === 'openapi' && answer.status >= 500;
    const intent = wantsIntent ? intentOf(seen.request, place, described, { isAnonymous: shown.isAnonymous }) : 'sound';
    const nowMs = seen.times === null ? this.input.clock.now() : seen.times.sentAt;
    const exchange = this.#recorder.record({ seen, answer, place, described, shown, intent, nowMs });
    this.judged += 1;
    if (seen.times !== null && seen.times.sentAt + seen.times.durationMs < (this.#lastSentAt ?? 0))
      this.disordered += 1;
    this.#lastSentAt = seen.times?.sentAt ?? null;
    if (exchange.response?.truncated === true) this.bodiless += 1;
    this.#events.tell({ kind: 'exchange', exchange });
    const spot: Spot = { service: exchange.plan.service, operation: exchange.plan.operation };
    this.books.errors.attempt(LAWS, exchange, undefined, () => {
      this.rates.observe(exchange, seen.times !== null);
      if (exchange.plan.method === 'DELETE') this.#keyed.forgetMade();
      if (seen.times !== null && described !== null) this.#judgeLives(exchange);
      if (seen.times !== null && described !== null) this.#judgePages(exchange, described);
      this.#judgeWait(seen, exchange, described, spot);
      this.#judgeAnonymous(seen, exchange, described, shown, spot);
      this.#judgePlace(seen, exchange, shown, place, spot);
      if (described !== null) this.#judgeRequest(seen, exchange, described, shown, place);
      if (described === null) this.#noteUndescribed(exchange);
    });
  }

  #judgeLives(exchange: Exchange): void {
    const told = this.#lives
      .observe(exchange)
      .flatMap((item) => [...judgeLife(item), ...this.own.judgeItem(item, this.inRun)]);
    for (const { clause, on, judgement, evidence } of told) this.ledger.book(clause, spotOf(on), judgement, evidence);
  }

  #judgePages(exchange: Exchange, described: Described): void {
    const { service, key } = described.operation;
    if (!this.#isClaimed(described.operation, 'pagination')) return;
    const walk = this.#walks.observe(exchange, described);
    const said = walk && (walk.kind === 'numbered' ? judgeNumberedWalk(walk) : judgeFollowedWalk(walk));
    if (walk !== null && said !== null) this.#walks.letGo(walk);
    for (const { clause, judgement, evidence } of said ?? [])
      this.ledger.book(clause, { service, operation: key }, judgement, evidence);
  }

  /** REQ-09 on an answer that began too late: sooner than that everything counts as answered. */
  #judgeWait({ times }: Seen, exchange: Exchange, described: Described | null, spot: Spot): void {
    const { terms } = this.input.config.stated;
    if ((times?.waitedMs ?? 0) <= terms.requests.answeredWithinSeconds * 1000) return;
    const failure = { kind: 'timeout', message: 'answered too late', reusedSocket: false } as const;
    const late = { ...exchange, response: null, failure };
    const judgement = judgeAnswered([late], described?.operation ?? null, null, terms);
    this.ledger.book('REQ-09', spot, judgement, [exchange]);
  }

  /** AUTH-01 on a request that shows no credentials of any kind, where they would have been recorded. */
  #judgeAnonymous(
    { request }: Seen,
    exchange: Exchange,
    described: Described | null,
    { isAnonymous }: Shown,
    spot: Spot,
  ): void {
    const isTold = isAnonymous && request.isComplete && this.#seesTokens;
    if (!isTold || described === null || !requiresToken(described.operation)) return;
    const status = exchange.response?.status ?? 0;
    if (status !== 401 && !isSuccess(status)) return;
    const sent = { clause: 'auth-01', name: 'no-token', inWords: 'no token' } as const;
    const { stated } = this.input.config;
    const judgement =
      stated.terms.authentication.refused === null
        ? judgeSecured(exchange, sent)
        : judgeTokenRefused(exchange, sent, stated);
    this.ledger.book('AUTH-01', spot, judgement, [exchange]);
  }

  /** HEALTH-01 on a call that shows no credentials, and INT-01 on one with a configured key: whose key another is nobody knows. */
  #judgePlace({ request }: Seen, exchange: Exchange, shown: Shown, { path }: Place, spot: Spot): void {
    if (exchange.plan.method !== 'GET') return;
    const isOpen = shown.isAnonymous && request.isComplete && this.#seesTokens;
    const status = exchange.response?.status ?? 0;
    const { contract, stated } = this.input.config;
    const { health, internal } = stated.terms;
    const isLiveness = health?.isPublic === true && health.operation === `GET ${path}`;
    if (isLiveness && isOpen && status < 500)
      this.ledger.book('HEALTH-01', spot, judgeLive(exchange, { contract, terms: stated.terms }), [exchange]);
    const { credential } = shown;
    const isConfigured = credential.kind === 'key' && this.#keys.has(credential.name);
    const isInternal = internal.length > 0 && operationMatcher(internal)(`GET ${path}`);
    if (isInternal && isConfigured) this.ledger.book('INT-01', spot, judgeInternal(exchange), [exchange]);
  }

  /** Judges the clauses for which the request itself gives occasion: it has a key that was used before, or a flaw. */
  #judgeRequest(seen: Seen, exchange: Exchange, described: Described, shown: Shown, place: Place): void {
    const { operation } = described;
    const spot: Spot = spotOf(operation);
    for (const { clause, judgement, evidence } of this.#keyed.observe(seen, exchange, operation, shown, place))
      if (clause === 'IDEM-06' || this.#isClaimed(operation, 'idempotency'))
        this.ledger.book(clause, spot, judgement, evidence);
    const {
      contract,
      stated: { terms },
    } = this.input.config;
    const stated = { contract, terms };
    if (shown.isAnonymous && requiresToken(operation)) return;
    const control = (this.books.traffic.get(spotKey(spot))?.successes ?? 0) > 0;
    const spoiled = judgeSpoiledCall(seen.request, exchange, described, { control, stated });
    if (spoiled !== null) this.ledger.book(spoiled.clause, spot, spoiled.judgement, [exchange]);
  }

  /** A call that succeeds and that no description shows is drift. */
  #noteUndescribed(exchange: Exchange): void {
    const { request, response } = exchange;
    if (response === null || !isSuccess(response.status)) return;
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return;
    const call = `${request.method} ${withoutIds(request.path)}`;
    if (this.#undescribed.has(call) || this.#undescribed.size >= MOST_UNDESCRIBED) return;
    this.#undescribed.add(call);
    const row = seenOnce('calls that no description shows', call, 'recorded traffic');
    const cause = 'a call succeeds that no description shows';
    this.ledger.book(
      'SPEC-09',
      NOWHERE,
      observation(codeOf('SPEC-09', 'undescribed-call', call), cause, `${call}, ${response.status}`, row),
      [exchange],
    );
  }
}

const RECORD = { clauses: [], where: 'an exchange of the traffic' };
const LAWS = {
  clauses: idsWhere(({ shownByTraffic }) => shownByTraffic !== undefined),
  where: 'a law over recorded traffic',
};

function isPreflight(method: string, headers: Exchange['request']['headers']): boolean {
  return method === 'OPTIONS' && header(headers, 'access-control-request-method') !== null;
}

function isTunnel({ request }: Seen): boolean {
  return request.method === 'CONNECT';
}

/** A token that nobody named says nothing where none is required: there it may be anything. */
function forOperation(shown: Shown, described: Described | null): Shown {
  const { credential } = shown;
  const isNamed = credential.kind !== 'key' || !credential.name.startsWith('unknown-');
  if (isNamed || (described !== null && requiresToken(described.operation))) return shown;
  return { ...shown, credential: { kind: 'none' } };
}

/** The path with whatever looks like an id left open. */
function withoutIds(path: string): string {
  return path
    .split('/')
    .map((segment) => (/\d|%|^.{25,}$/.test(segment) && !/^v\d+$/.test(segment) ? '{id}' : segment))
    .join('/')
    .slice(0, 200);
}

/** Tells whether the success is none that the operation declares, which declares a redirect. */
function isInPlaceOfRedirect({ operation }: Described, status: number): boolean {
  const isDeclared = declaredResponse(operation, status) !== null;
  return isSuccess(status) && !isDeclared && operation.responses.some((one) => one.status.startsWith('3'));
}
