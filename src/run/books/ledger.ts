// The run's books: how often each clause was judged on each operation, and each distinct finding with its evidence.
// Grows with operations × clauses and with distinct findings, never with the number of exchanges.
import type { Clause } from '../../contract/clause.ts';
import { lackOf, meetsFloor } from '../../contract/grounds.ts';
import type { Breach, Judgement } from '../../contract/judgement.ts';
import type { Grounds, Measure } from '../../contract/measures.ts';
import { clauseFinder } from '../../contract/own-clauses.ts';
import type { ExperimentName, Finding, FindingKind, ReasonCode, ReportedExchange } from '../../contract/report.ts';
import { curlOf } from '../../exchange/curl.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { fingerprint, normalPointer, printOf } from '../../grading/fingerprint.ts';
import { boundTo, type GradingRules, kindOf } from '../../grading/kind.ts';
import { emptyTally, type Tally } from '../../grading/rows.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { CouldShow } from './could-show.ts';
import {
  boundedBreach,
  Evidence,
  furtherBreach,
  furtherCode,
  isPlainer,
  RunObservations,
  requestCharacters,
} from './evidence.ts';

const NONE: readonly string[] = [];
/** The grounds that later answers may still add: a pass that lacks nothing else waits for them. */
const ALL_LEARNED: Grounds = { successes: Number.POSITIVE_INFINITY, services: Number.POSITIVE_INFINITY };
/** Answers that show a finding, of all that the clause was judged on there: so few may be chance. */
const MOST_SELDOM_SHARE = 0.2;
/** The spot key of whatever belongs to no operation. */
const NO_OPERATION = '';

/** The spots, clauses and findings that a run answers for. */
export interface Scope {
  /** Tells whether judgements on the spot are booked. */
  books(spot: Spot): boolean;
  /** Tells whether the clause takes part: nothing is booked of others. */
  judges(clause: string): boolean;
  /** Tells whether the finding of this fingerprint is told. */
  notes(fingerprint: string): boolean;
  /** True where one finding alone is looked at again: a look that holds is enough, whatever it rests on. */
  readonly isOfOneFinding?: true;
}

const EVERYTHING: Scope = { books: () => true, judges: () => true, notes: () => true };

/** The exchanges that a judgement rests on, and the experiment that made it; null for a check on any exchange. */
interface Source {
  readonly evidence: readonly Exchange[];
  readonly by: ExperimentName | null;
  /** The findings that this judgement has shown by now: it counts once, however often it shows one. */
  readonly shown: Set<Entry>;
}

/** Judgements that hold, of one clause at one place, and lack only grounds that later answers may still add. */
interface Waiting {
  /** The grounds of the first of these judgements. */
  readonly looked: Grounds;
  readonly made: Made;
}

/** The numbers that a judgement adds to a tally. */
type Made = Pick<Tally, 'checks' | 'checksOnAnswers' | 'judgements' | 'judgementsOfOne' | 'grounds'>;

/** A breach as it is told, with the exchanges that show it. */
interface Told {
  finding: Omit<Finding, 'occurrences' | 'looks' | 'seen' | 'intermittent'>;
  evidence: readonly ReportedExchange[];
  /** Length of the one request that shows it; null where it takes several, or none. */
  characters: number | null;
}

interface Entry extends Told {
  occurrences: number;
  /** Judgements that showed it. */
  judgements: number;
  /** Tells whether the same request showed it again each time, or not each time; null: it was not sent again. */
  repeats: 'each' | 'some' | null;
  /** How it is told where not each time. */
  readonly sometimes: Breach['sometimes'];
}

export class Ledger {
  /** Behaviour of the target that the source does not show. */
  readonly observations: RunObservations;
  readonly #rules: GradingRules;
  /** Fingerprints of what was found and is not told. */
  readonly #others = new Set<string>();
  readonly #tallies = new Map<string, Map<string, Tally>>();
  /** The answers that could show what depends on what was sent, by the tally of their clause and place. */
  readonly #couldShow = new WeakMap<Tally, CouldShow>();
  /** Places where a success was answered, by spot key. */
  readonly #served = new Set<string>();
  /** Services that answered requests with a key with a success. */
  readonly #services = new Set<string>();
  /** Judgements that hold and lack only grounds that are not learned yet: by spot key, then by clause. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  readonly #entries = new Map<string, Entry>();
  /** Clauses of which some finding did not show each time. */
  readonly #shaky = new Set<string>();
  readonly #evidence: Evidence;
  /** How many findings are told, by clause and spot. */
  readonly #toldAt = new Map<string, number>();
  #checks = 0;
  #violations = 0;
  #advisories = 0;
  readonly #scope: Scope;
  readonly #clauseById: (id: string) => Clause;

  constructor(rules: GradingRules, scope: Scope = EVERYTHING, own: readonly Clause[] = []) {
    this.#rules = rules;
    this.observations = new RunObservations(rules.errorMessages ?? 'redact');
    this.#evidence = new Evidence(rules.errorMessages ?? 'redact');
    this.#scope = scope;
    this.#clauseById = clauseFinder(own);
  }

  /** How many violations and advisories were found that are not told. */
  get others(): number {
    return this.#others.size;
  }

  get checks(): number {
    return this.#checks;
  }

  get violations(): number {
    return this.#violations;
  }

  get advisories(): number {
    return this.#advisories;
  }

  /** Checks on answers of the target, of clauses whose breach is a violation. */
  get checksOnAnswers(): number {
    const decisive = [...this.#tallies].filter(
      ([id]) => kindOf(this.#clauseById(id), 'breach', this.#rules) === 'violation',
    );
    return decisive
      .flatMap(([, tallies]) => [...tallies.values()])
      .reduce((sum, { checksOnAnswers }) => sum + checksOnAnswers, 0);
  }

  /** Tells whether the clause takes part. */
  judges(clause: string): boolean {
    return this.#scope.judges(clause);
  }

  /** Books a judgement, made `by` an experiment or none; returns the fingerprints of violations seen here for the first time. */
  book(
    clause: string,
    spot: Spot,
    judged: Judgement,
    evidence: readonly Exchange[],
    by: ExperimentName | null = null,
  ): readonly string[] {
    if (!this.judges(clause) || !this.#scope.books(spot)) return NONE;
    const judgement = boundTo(clause, spot.operation, judged, this.#rules);
    const tally = this.#tally(clause, spot);
    if (judgement.observed !== undefined) this.observations.note(clause, spot, judgement, evidence);
    if (judgement.kind === 'cannot-tell') {
      tally.reasonCode ??= judgement.reasonCode;
      tally.reason ??= judgement.reason;
      return NONE;
    }
    const { assertions } = judgement;
    const grounds = judgement.grounds ?? groundsOf(assertions, evidence);
    const made: Made = {
      checks: assertions,
      // A law that holds keeps no evidence; an experiment judges answers alone.
      checksOnAnswers: evidence.length > 0 || by !== null ? assertions : 0,
      judgements: 1,
      judgementsOfOne: Number(evidence.length === 1),
      grounds,
    };
    if (judgement.kind === 'holds') {
      const looked = { ...measured(assertions, evidence), ...judgement.grounds };
      // Facts learned beside are looked up only for the few judgements that need them: this runs dozens of times for each answer.
      const isEnough = this.#scope.isOfOneFinding === true || meetsFloor(clause, looked);
      if (isEnough || this.#meetsFloor(clause, spot, looked)) this.#count(tally, made);
      else {
        tally.reasonCode ??= 'precondition';
        tally.reason ??= lackOf(clause, { ...looked, ...this.#learned(spotKey(spot)) });
        if (meetsFloor(clause, { ...looked, ...ALL_LEARNED })) this.#wait(clause, spotKey(spot), looked, made);
      }
      this.#noteShown(tally, evidence, []);
      return NONE;
    }
    this.#count(tally, made);
    const source = { evidence, by, shown: new Set<Entry>() };
    const prints = judgement.breaches.flatMap((breach) => this.#note(clause, spot, breach, source, tally) ?? []);
    this.#noteShown(tally, evidence, [...source.shown]);
    return prints;
  }

  /**
   * Notes that the operation answered with a success: refusals of it show something now, and did before. `withKey`: to a
   * request with a key, or where nothing asks for one, so that refusals of paths outside of all operations show something, too.
   */
  serve(spot: Spot, withKey: boolean): void {
    const known = this.#served.size + this.#services.size;
    if (spot.operation !== null) this.#served.add(spotKey(spot));
    if (withKey) this.#served.add(NO_OPERATION);
    if (withKey && spot.service !== null) this.#services.add(spot.service);
    if (this.#served.size + this.#services.size > known) this.#settle();
  }

  /** Tells whether the judgement is a violation by the rules of this run, found before or not. */
  violates(clause: string, judgement: Judgement): boolean {
    if (judgement.kind !== 'breached') return false;
    return judgement.breaches.some(
      ({ weight }) => kindOf(this.#clauseById(clause), weight, this.#rules) === 'violation',
    );
  }

  /** Books why a clause was not probed on an operation; counts only where nothing else was judged. */
  bookUntested(clause: string, spot: Spot, reasonCode: ReasonCode, reason: string): void {
    this.book(clause, spot, { kind: 'cannot-tell', reasonCode, reason }, []);
  }

  /** Voids the judgements of the clause, violations aside: its check turned out not to work. */
  void(clause: string, reason: string): void {
    if (!this.judges(clause)) return;
    this.#tally(clause, { service: null, operation: null });
    for (const tally of this.tallies(clause).values()) {
      if (tally.violations > 0) continue;
      this.#checks -= tally.checks;
      Object.assign(tally, { checks: 0, checksOnAnswers: 0, reasonCode: 'harness-error', reason });
    }
  }

  /** How often the finding was seen so far. */
  occurrences(print: string): number {
    return this.#entries.get(print)?.occurrences ?? 0;
  }

  /** Marks a finding that sending again showed each time. */
  markStanding(print: string): void {
    const entry = this.#entries.get(print);
    if (entry !== undefined) entry.repeats ??= 'each';
  }

  /** Marks a finding that sending again did not always show. It still counts, and is told without regard to what was sent. */
  markIntermittent(print: string): void {
    const entry = this.#entries.get(print);
    if (entry === undefined) return;
    entry.repeats = 'some';
    this.#shaky.add(entry.finding.clause);
    const { sometimes, finding } = entry;
    if (sometimes === undefined) return;
    const { clause, service, operation, kind } = finding;
    const general = generalPrint(finding, sometimes.code);
    this.#entries.delete(print);
    const there = this.#entries.get(general);
    if (there === undefined) {
      entry.finding = { ...finding, ...sometimes, fingerprint: general };
      this.#entries.set(general, entry);
      return;
    }
    there.occurrences += entry.occurrences;
    there.judgements += entry.judgements;
    const tally = this.#tally(clause, { service, operation });
    const counted = kind === 'violation' ? 'violations' : 'advisories';
    tally[counted] -= 1;
    if (kind === 'violation') this.#violations -= 1;
    else this.#advisories -= 1;
  }

  /**
   * Once all was sent: what could not be sent again, and shows seldom on an operation or beside the same now and then, is told as that where
   * the target was seen to waver.
   */
  settleShaky(): void {
    for (const [print, entry] of [...this.#entries]) {
      const { finding, sometimes, repeats, judgements } = entry;
      if (sometimes === undefined || repeats !== null || !this.#shaky.has(finding.clause)) continue;
      if (this.#couldShowOf(finding)?.isSteady(print) === true) continue;
      const isBeside = this.#entries.has(generalPrint(finding, sometimes.code));
      const { seen = { times: judgements, of: judgements } } = this.#finding(entry);
      if (isBeside || seen.times <= seen.of * MOST_SELDOM_SHARE) this.markIntermittent(print);
    }
  }

  #couldShowOf(finding: Entry['finding']): CouldShow | undefined {
    return this.#couldShow.get(this.#tally(finding.clause, finding));
  }

  #noteShown(tally: Tally, evidence: readonly Exchange[], shown: readonly Entry[]): void {
    const [only, ...more] = evidence;
    if (only === undefined || more.length > 0) return;
    const here = this.#couldShow.get(tally) ?? new CouldShow();
    this.#couldShow.set(tally, here);
    const dependent = shown.filter(({ sometimes }) => sometimes !== undefined);
    here.note(
      only,
      dependent.map(({ finding }) => finding.fingerprint),
    );
  }

  /** Tells whether some finding of the clause did not show each time that its request was sent. */
  isShaky(clause: string): boolean {
    return this.#shaky.has(clause);
  }

  /** Tells whether the finding showed each time that its request was sent again, and would be told otherwise where it did not. */
  mayWaver(print: string): boolean {
    const entry = this.#entries.get(print);
    return entry?.repeats === 'each' && entry.sometimes !== undefined;
  }

  /** The clause of a finding; null where there is none of that fingerprint. */
  clauseOf(print: string): string | null {
    return this.#entries.get(print)?.finding.clause ?? null;
  }

  /** Tells whether the clause was judged on the operation. */
  judged(clause: string, spot: Spot): boolean {
    return (this.#tallies.get(clause)?.get(spotKey(spot))?.checks ?? 0) > 0;
  }

  /** Tallies of a clause by spot key. */
  tallies(clause: string): ReadonlyMap<string, Tally> {
    return this.#tallies.get(clause) ?? new Map();
  }

  /** All findings: violations first, then advisories, then observations; within these in the order of clause and operation. */
  findings(): readonly Finding[] {
    const order: readonly FindingKind[] = ['violation', 'advisory', 'observation'];
    return [...this.#entries.values()]
      .map((entry) => this.#finding(entry))
      .sort((left, right) => {
        const byKind = order.indexOf(left.kind) - order.indexOf(right.kind);
        return (
          byKind ||
          compare(left.clause, right.clause) ||
          compare(left.operation ?? '', right.operation ?? '') ||
          compare(left.fingerprint, right.fingerprint)
        );
      });
  }

  /** Every exchange that a finding or an observation points to, once. */
  evidence(): readonly ReportedExchange[] {
    const all = [...[...this.#entries.values()].flatMap(({ evidence }) => evidence), ...this.observations.evidence()];
    return [...new Map(all.map((exchange) => [exchange.id, exchange])).values()];
  }

  #meetsFloor(clause: string, spot: Spot, looked: Grounds): boolean {
    return meetsFloor(clause, { ...looked, ...this.#learned(spotKey(spot)) });
  }

  /** The facts learned by the run that judgements at the place rest on, too. */
  #learned(place: string): Grounds {
    return { successes: this.#served.has(place) ? 1 : 0, services: this.#services.size };
  }

  /** Counts what waited for no more than what was learned. */
  #settle(): void {
    for (const [place, waiting] of this.#waiting)
      for (const [clause, { looked, made }] of waiting) {
        const tally = this.#tallies.get(clause)?.get(place);
        if (tally === undefined || !meetsFloor(clause, { ...looked, ...this.#learned(place) })) continue;
        this.#count(tally, made);
        waiting.delete(clause);
      }
  }

  #wait(clause: string, place: string, looked: Grounds, made: Made): void {
    const here = this.#waiting.get(place) ?? new Map<string, Waiting>();
    this.#waiting.set(place, here);
    const before = here.get(clause);
    if (before === undefined) here.set(clause, { looked, made: { ...made, grounds: { ...made.grounds } } });
    else add(before.made, made);
  }

  #count(tally: Tally, made: Made): void {
    add(tally, made);
    this.#checks += made.checks;
  }

  #finding({ finding, occurrences, judgements: times, repeats, sometimes }: Entry): Finding {
    const tally = this.#tallies.get(finding.clause)?.get(spotKey(finding)) ?? emptyTally();
    const isOfKind = repeats === null && sometimes !== undefined;
    const couldShow = isOfKind ? this.#couldShow.get(tally)?.answersFor(finding.fingerprint) : undefined;
    const { checks, judgements, judgementsOfOne } = tally;
    const what = judgements === judgementsOfOne ? ('answers' as const) : ('judgements' as const);
    // A finding that its request shows each time need not show in the answers to others.
    const of = repeats === 'each' ? times : Math.max(times, couldShow ?? judgements);
    const seen = { times, of, what };
    return { ...finding, occurrences, looks: Math.max(occurrences, checks), seen, intermittent: repeats === 'some' };
  }

  #note(clause: string, spot: Spot, breach: Breach, source: Source, tally: Tally): string | null {
    const { evidence, shown: met } = source;
    const kind = kindOf(this.#clauseById(clause), breach.weight, this.#rules);
    const print = printOf(clause, spot, breach, { inAnswer: evidence.length > 0 });
    if (!this.#scope.notes(print)) {
      const general = breach.sometimes === undefined ? null : { ...breach, ...breach.sometimes };
      const isWanted =
        general !== null && this.#scope.notes(printOf(clause, spot, general, { inAnswer: evidence.length > 0 }));
      // The run looks for the finding as it was told where the request did not show it each time.
      if (isWanted) return this.#note(clause, spot, { ...general, sometimes: undefined }, source, tally);
      if (kind !== 'observation') this.#others.add(print);
      return null;
    }
    const known = this.#entries.get(print) ?? this.#wider(clause, spot, breach, evidence);
    if (known !== undefined) {
      known.occurrences += 1;
      if (!source.shown.has(known)) known.judgements += 1;
      source.shown.add(known);
      if (known.finding.fingerprint === print && kind !== 'observation' && isPlainer(evidence, known.characters))
        Object.assign(known, this.#told(clause, spot, { breach, kind, print }, source));
      return null;
    }
    const place = `${clause} ${spotKey(spot)}`;
    const count = this.#toldAt.get(place) ?? 0;
    const further =
      breach.code === furtherCode(clause)
        ? null
        : furtherBreach(clause, breach, count, { isOnAnswer: evidence.length > 0 });
    if (further !== null) return this.#note(clause, spot, further, source, tally);
    this.#toldAt.set(place, count + 1);
    if (kind === 'violation') {
      tally.violations += 1;
      this.#violations += 1;
    }
    if (kind === 'advisory') {
      tally.advisories += 1;
      this.#advisories += 1;
    }
    const told = this.#told(clause, spot, { breach, kind, print }, source);
    const entry: Entry = { ...told, occurrences: 1, judgements: 1, repeats: null, sometimes: breach.sometimes };
    this.#entries.set(print, entry);
    met.add(entry);
    return kind === 'violation' ? print : null;
  }

  #told(
    clause: string,
    { service, operation }: Spot,
    found: { readonly breach: Breach; readonly kind: FindingKind; readonly print: string },
    { evidence, by }: Source,
  ): Told {
    const { kind, print: fingerprint } = found;
    const {
      weight: _weight,
      within: _within,
      sometimes: _sometimes,
      pointer = null,
      ...told
    } = boundedBreach(found.breach);
    const shown = this.#evidence.kept({ kind, code: told.code }, evidence);
    const last = evidence.at(-1);
    const finding = {
      ...{ clause, kind, service, operation, ...told, pointer, fingerprint },
      exchanges: shown.map(({ id }) => id),
      ...tracesOf(shown),
      curl: last === undefined ? null : curlOf(last, this.#rules.tokenVariables),
      ...(evidence.some(({ plan }) => this.#rules.namesMade?.(plan)) ? { namesMade: true as const } : {}),
      experiments: experimentsOf(evidence, by),
    };
    return { finding, evidence: shown, characters: requestCharacters(evidence) };
  }

  /** The wider finding at this place that shows in this breach again; undefined: none was found. */
  #wider(clause: string, spot: Spot, breach: Breach, evidence: readonly Exchange[]): Entry | undefined {
    const { within } = breach;
    return within === undefined
      ? undefined
      : this.#entries.get(printOf(clause, spot, { ...breach, code: within }, { inAnswer: evidence.length > 0 }));
  }

  #tally(clause: string, spot: Spot): Tally {
    let byOperation = this.#tallies.get(clause);
    if (byOperation === undefined) {
      byOperation = new Map();
      this.#tallies.set(clause, byOperation);
    }
    const key = spotKey(spot);
    let tally = byOperation.get(key);
    if (tally === undefined) {
      tally = emptyTally();
      byOperation.set(key, tally);
    }
    return tally;
  }
}

/** The fingerprint of the same finding under another code. */
function generalPrint({ clause, service, operation, pointer }: Entry['finding'], code: string): string {
  return fingerprint(clause, service, operation, code, pointer === null ? null : normalPointer(pointer));
}

/** The grounds that can be counted of any judgement: its assertions, and the exchanges that the target answered. */
function measured(assertions: number, evidence: readonly Exchange[]): Grounds {
  return { comparisons: assertions, answers: evidence.filter(({ response }) => response !== null).length };
}

/** The grounds of a judgement that does not state them. */
function groundsOf(assertions: number, evidence: readonly Exchange[]): Grounds {
  return evidence.length > 0 ? { answers: evidence.length } : { comparisons: assertions };
}

/** How large a list is does not add up, as one look after another shows it. */
const LARGEST: readonly Measure[] = ['items', 'pages'];

function add(known: Made, made: Made): void {
  known.checks += made.checks;
  known.checksOnAnswers += made.checksOnAnswers;
  known.judgements += made.judgements;
  known.judgementsOfOne += made.judgementsOfOne;
  addGrounds(known.grounds, made.grounds);
}

function addGrounds(known: Partial<Record<Measure, number>>, grounds: Grounds): void {
  for (const name in grounds) {
    const measure = name as Measure;
    const [count, before] = [grounds[measure] ?? 0, known[measure] ?? 0];
    known[measure] = LARGEST.includes(measure) ? Math.max(before, count) : before + count;
  }
}

/** The traces that the exchanges name. */
function tracesOf(shown: readonly ReportedExchange[]): Pick<Finding, 'traceIds'> {
  const traceIds = [...new Set(shown.flatMap(({ traceId }) => traceId ?? []))];
  return traceIds.length === 0 ? {} : { traceIds };
}

/** The experiments that sent the exchanges and the one that judged, each once: what one has read another may judge. */
function experimentsOf(evidence: readonly Exchange[], by: ExperimentName | null): readonly ExperimentName[] {
  const named = [...evidence.flatMap(({ plan }) => plan.experiment ?? []), ...(by === null ? [] : [by])];
  return [...new Map(named.map((one) => [`${one.probe} ${spotKey(one)}`, one])).values()];
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
