// The valid input that a description spans and that no other experiment sends: bounds, listed values, null, branches, long lists,
// members left out. As many as go together are sent in one request; where that is refused, its halves are, until each refusal is
// one input's own. The passive checks judge: a refusal may have reasons of business, a failure may not.

import { isCut, judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { parameterNames } from '../../facts/paths.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { type Pair, pairsOf, segmentText } from '../../generate/parameters.ts';
import { BODY, candidatesOf } from '../../generate/targets/candidates.ts';
import {
  type Chosen,
  choose,
  eachChoice,
  type InputValues,
  type Open,
  supportsOf,
} from '../../generate/targets/choice.ts';
import { exercisedBy } from '../../generate/targets/exercised.ts';
import { inputsOf, isNoInput } from '../../generate/targets/operation-inputs.ts';
import { parameterKey, sentInput } from '../../generate/targets/sent.ts';
import { targetKey } from '../../generate/targets/target.ts';
import { isObject } from '../../openapi/json.ts';
import { fixesMember, fixesParameter } from '../../openapi/model/fixed-input.ts';
import { type Operation, type Parameter, spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, type Course, type Experiment, NotSent, type Outcome } from '../probe.ts';
import { declared, drawFor, mutates, type Reached, type World } from '../world.ts';
import { makeVictim } from './destroy.ts';
import { note } from './noting.ts';
import { isCondition } from './preconditions.ts';
import { cookieText, planOf, queryText, type Recipe } from './recipe.ts';

const PROBE = 'depth/inputs';
/** Requests that take every target once, and further ones that part refused ones. */
const [MOST_ROUNDS, MOST_PARTED] = [16, 16];
/** Sends of one input that drops the connection each time. */
const MOST_DROPPED = 3;
/** Number of rounds that most operations are expected to take, for budgets. */
const USUAL_ROUNDS = 4;
/** Wrong credentials in a row may lock what the run needs. */
const CREDENTIALS = /(^|[/_-])(log-?in|sign-?in|sessions?|tokens?|password|mfa|otp|2fa|verify|reset)([/_-]|$)/i;
/** A header value as a client may send it. Source: RFC 9110, 5.5. */
const FIELD_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Operations that show what a write has done, and make what it is done to anew. */
export interface Beside {
  /** Reads what the operation changes: at its own path, or, for an action on a thing (POST /orders/{id}/cancel), the thing. */
  readonly reader: Reached | null;
  /** Makes the thing that an action is done to: many can be done once, and all further input would be refused for that. */
  readonly maker: Reached | null;
}

const ALONE: Beside = { reader: null, maker: null };

/** One experiment for an operation that was called with success. Of what makes something that stays, one call is served at most. */
export function validInputExperiment(world: World, reached: Reached, beside = ALONE): Experiment | null {
  const { operation } = reached;
  if (!mayVary(reached)) return null;
  const { candidates } = openTo(world, reached);
  if (candidates.length === 0) return null;
  return {
    probe: PROBE,
    stage: 'depth',
    // Where little may be made, one request that shows much comes before those that show less.
    rank: staysEachTime(world, reached) ? 3 : 25,
    clauses: ['SCH-01', 'SCH-06', 'REQ-09'],
    ...spotOf(operation),
    cost: staysEachTime(world, reached) ? 1 : USUAL_ROUNDS,
    run: () => course(world, reached, declared(world, { whole: beside, brief: ALONE })),
  };
}

/** Tells whether valid input may be varied: the operation was called with success, and wrong credentials lock nothing. */
export function mayVary({ operation, proof }: Reached): boolean {
  return proof !== null && locksNothing(operation);
}

/** Tells whether a call takes nothing away, and no wrong credentials are sent that lock what the run needs. */
export function locksNothing(operation: Operation): boolean {
  return operation.method !== 'DELETE' && (!mutates(operation) || !CREDENTIALS.test(operation.path));
}

/** Tells whether each call that is served makes something that stays: not a PUT that changed what was there. */
export function staysEachTime(world: World, { operation, proof }: Reached): boolean {
  const isChange = operation.method === 'PUT' && proof?.response?.status !== 201;
  return world.lasts(operation) && !isChange;
}

/** Recipes whose body with all members is refused, and with it all that is put into it. */
const refusedWhole = new WeakSet<Recipe>();

/** Notes whether the body with all members is refused. A conflict may be one of names. */
export function noteWhole(recipe: Recipe, answer: Exchange): void {
  if (isRefused(answer) && answer.response?.status !== 409) refusedWhole.add(recipe);
}

/** The served request, with all members of its body unless they are refused together, and every valid target that a change to it can bring about. */
export function variedInput(world: World, { description, operation, recipe }: Reached): Open {
  const inputs = inputsOf(description, operation);
  const { asRead = [] } = recipe;
  const isRead = (name: string): boolean => asRead.some((place) => place.name === name);
  const fixed = new Set(
    operation.parameters
      .filter(
        ({ in: place, name }) =>
          fixesParameter(operation, name) ||
          isRead(name) ||
          (mutates(operation) && place === 'header' && isCondition(name)),
      )
      .map(parameterKey),
  );
  const isFixed = (member: string): boolean =>
    Object.hasOwn(recipe.additions, member) || fixesMember(operation, member) || isRead(member);
  const candidates = candidatesOf(inputs).filter(
    ({ root, path: [member = ''] }) => !(root === BODY ? isFixed(member) : fixed.has(root)),
  );
  const fullness = refusedWhole.has(recipe) ? recipe.fullness : 'full';
  const { parameters, body } = sentInput(
    description,
    operation,
    planOf({ ...recipe, fullness }, PROBE, drawFor(world, 'inputs')),
  );
  const base = new Map(body === undefined ? parameters : [...parameters, [BODY, body]]);
  return { inputs, candidates, base, supports: supportsOf(candidates) };
}

/** The same with the targets alone that no plain call exercises. */
function openTo(world: World, reached: Reached): Open {
  const { recipe } = reached;
  const all = variedInput(world, reached);
  const { inputs, candidates } = all;
  const whole = refusedWhole.has(recipe) ? [] : (['full'] as const);
  const plain = [recipe.fullness, ...whole, 'required' as const].map((fullness) =>
    planOf({ ...recipe, fullness }, PROBE, drawFor(world, 'inputs')),
  );
  const known = new Set(plain.flatMap((plan) => exercisedBy(inputs, plan).targets.map(targetKey)));
  return { ...all, candidates: candidates.filter(({ target }) => !known.has(targetKey(target))) };
}

function* course(world: World, reached: Reached, beside: Beside): Course {
  // On the thing of the first call a plain call may have been refused for what was done before: all input is open.
  const open = beside.maker === null ? openTo(world, reached) : variedInput(world, reached);
  const failures = new Failures();
  const isServedOnce = yield* inputRounds(world, reached, open, { probe: PROBE, label: 'inputs', beside, failures });
  if (isServedOnce && staysEachTime(world, reached)) return failures.outcomes;
  // A changed object is left as the run found or made it.
  if (isServedOnce && mutates(reached.operation) && reached.operation.method !== 'POST')
    yield planOf(reached.recipe, `${PROBE}/restored`, drawFor(world, 'inputs'));
  return failures.outcomes;
}

interface Rounded {
  readonly probe: string;
  readonly label: string;
  readonly beside?: Beside;
  /** Absent: nothing is sent again for a failure. */
  readonly failures?: Failures | null;
}

/**
 * Requests that take every candidate once, and where one is refused its halves; of what makes something that stays none after the first
 * that is served. Returns whether any was. Labels must differ where bodies must differ.
 */
export function* inputRounds(
  world: World,
  reached: Reached,
  open: Open,
  { probe, label, beside = ALONE, failures = null }: Rounded,
): Generator<RequestPlan, boolean, Answered> {
  const { base } = open;
  const from = (round: number) => drawFor(world, `${label} ${round}`);
  let [turn, parted] = [0, 0];
  let isServedOnce = false;
  const rounds = chosenFor(world, reached, label, () => eachChoice(open, from, MOST_ROUNDS));
  const halves: Chosen[] = [];
  let round = 0;
  for (let next = rounds.at(0); next !== null; next = halves.pop() ?? rounds.at(++round)) {
    turn += 1;
    const own = `${label} ${turn}`;
    const called = beside.maker === null ? reached : yield* onNewThing(world, reached, beside.maker, turn);
    const { values } = next;
    const planned = (again: string) => planWith(world, called, { values, base }, probe, `${own}${again}`);
    const last = yield* answered(world, called, planned, failures);
    if (isServed(last)) {
      isServedOnce = true;
      note(world, called.recipe, last);
      if (staysEachTime(world, reached)) return true;
      if (beside.reader !== null) yield readingOf(world, called, beside.reader, probe);
    }
    if (!(isRefused(last) || isCut(last)) || next.candidates.length < 2 || parted >= MOST_PARTED) continue;
    const middle = Math.ceil(next.candidates.length / 2);
    for (const half of [next.candidates.slice(middle), next.candidates.slice(0, middle)]) {
      const chosen = choose({ ...open, candidates: half }, from(MOST_ROUNDS + parted));
      parted += 1;
      if (chosen !== null) halves.push(chosen);
    }
  }
  return isServedOnce;
}

/** How sound input of one experiment failed. */
export class Failures {
  /** Takes the breaches of dropped connections. */
  readonly outcomes: Outcome[] = [];
  readonly #statuses = new Set<number>();

  /** True for the first answer with a status above 500, of each. */
  isNew({ response }: Exchange): boolean {
    const status = response?.status ?? 0;
    const isNew = status >= 500 && status !== 503 && !this.#statuses.has(status);
    if (isNew) this.#statuses.add(status);
    return isNew;
  }
}

/**
 * The answer to sound input. Where that is a failure it is sent again, for only what shows each time is its own doing: the very same request
 * where it was answered, and one with names of its own where the connection was dropped. Once is enough for an experiment.
 */
export function* answered(
  { terms }: World,
  { operation }: Reached,
  planned: (again: string) => RequestPlan,
  failures: Failures | null,
): Generator<RequestPlan, Exchange, Answered> {
  const plan = planned('');
  const { last } = yield plan;
  const isDropped = isCut(last) && failures?.outcomes.length === 0;
  if (!isDropped && failures?.isNew(last) !== true) return last;
  const sends = [last];
  try {
    if (!isDropped) yield plan;
    else
      while (sends.length < MOST_DROPPED && sends.every(isCut))
        sends.push((yield { ...planned(` again ${sends.length}`), fresh: true }).last);
  } catch (error) {
    // No more may be made.
    if (!(error instanceof NotSent)) throw error;
  }
  const judgement = judgeAnswered(sends, operation, null, terms);
  if (isDropped && judgement.kind === 'breached')
    failures?.outcomes.push(outcome('REQ-09', spotOf(operation), judgement, sends));
  return last;
}

/** The operation on a thing that is made for it, every other time of what is required alone; as it was reached where none could be made. */
function* onNewThing(
  world: World,
  reached: Reached,
  maker: Reached,
  turn: number,
): Generator<RequestPlan, Reached, Answered> {
  const recipe = turn % 2 === 0 ? { ...maker.recipe, fullness: 'required' as const } : maker.recipe;
  const serial = `${reached.operation.key} ${turn}`;
  const pathValues = yield* makeVictim(world, reached.operation, { ...maker, recipe }, serial, 'turn');
  return pathValues === null ? reached : { ...reached, recipe: { ...reached.recipe, pathValues } };
}

/** The request that reads what the write has left. */
function readingOf(world: World, { recipe }: Reached, reader: Reached, probe: string): RequestPlan {
  const named = Object.fromEntries(
    parameterNames(reader.operation.path).map((name) => [name, recipe.pathValues[name] ?? '']),
  );
  return planOf({ ...reader.recipe, pathValues: named }, `${probe}/read`, drawFor(world, 'read'));
}

/** Input that is chosen round by round, each when it is first asked for. */
class Rounds {
  readonly #source: Iterator<Chosen>;
  readonly #chosen: Chosen[] = [];

  constructor(source: Iterator<Chosen>) {
    this.#source = source;
  }

  /** Counts from 0; null: there are no more so many. */
  at(round: number): Chosen | null {
    while (this.#chosen.length <= round) {
      const { done, value } = this.#source.next();
      if (done === true) return null;
      this.#chosen.push(value);
    }
    return this.#chosen[round] ?? null;
  }
}

/** Choosing costs more than sending: where an experiment is made again, the recipe's inputs are those of the first time. */
const chosenBefore = oncePer((_: Recipe) =>
  oncePerValue((_key: string, choose: () => Iterator<Chosen>) => new Rounds(choose())),
);

function chosenFor(world: World, { recipe }: Reached, label: string, choose: () => Iterator<Chosen>): Rounds {
  return chosenBefore(recipe)(`${world.seed} ${world.nonce} ${label}`, choose);
}

/**
 * A sound call that takes valid input which no plain call has, for an experiment that calls the operation anyway: of what stays few
 * may be made, and a budget pays for few calls, so that each of them should show much. Null elsewhere, and where all such input
 * is taken by the rounds before. Rounds count from 0.
 */
export function variedPlan(world: World, reached: Reached, round: number, probe: string): RequestPlan | null {
  const isWanted = world.lasts(reached.operation) || declared(world, { whole: false, brief: true });
  if (!isWanted || !mayVary(reached)) return null;
  const from = (turn: number) => drawFor(world, `varied ${turn}`);
  const each = () => eachChoice(openTo(world, reached), from, MOST_ROUNDS);
  const chosen = chosenFor(world, reached, 'varied', each).at(round);
  if (chosen === null) return null;
  const { base } = variedInput(world, reached);
  return planWith(world, reached, { values: chosen.values, base }, probe, `varied ${round}`);
}

export function isServed({ response }: Exchange): boolean {
  return response !== null && response.status < 400;
}

/** Tells whether the answer blames the input. */
export function isRefused({ response }: Exchange): boolean {
  return response !== null && [400, 409, 413, 414, 422].includes(response.status);
}

/** The recipe's request with these values; `label` must differ where bodies must differ. */
export function planWith(
  world: World,
  reached: Reached,
  { values, base }: { readonly values: InputValues; readonly base: InputValues },
  probe: string,
  label: string,
): RequestPlan {
  const { recipe, operation, description } = reached;
  const query = pairsIn(operation.parameters, 'query', values);
  const changed: Recipe = { ...recipe, headers: headersWith(recipe, operation.parameters, values) };
  const media = bodyType(operation);
  const body =
    values.has(BODY) && media !== null
      ? encodedBody(description, media, renewed(world, reached, { values, base }, label))
      : { kind: 'none' as const };
  return planOf(changed, probe, drawFor(world, label), { query: queryText(query), body });
}

/**
 * The body, in that of a POST with what it has in common with the base as a draw of its own has it: a name, an address or a number of what was made
 * before may be taken, and all that follows would be refused for that.
 */
function renewed(
  world: World,
  { recipe, operation, description }: Reached,
  { values, base }: { readonly values: InputValues; readonly base: InputValues },
  label: string,
): unknown {
  const given = values.get(BODY);
  if (operation.method !== 'POST') return given;
  const full = planOf({ ...recipe, fullness: 'full' }, PROBE, drawFor(world, label));
  const changed = inPlaceOf(base.get(BODY), sentInput(description, operation, full).body, given);
  return isValid(description, bodyType(operation)?.schema ?? null, changed) ? changed : given;
}

/** The value, with what it has in common with the one replaced by what stands there in the other. */
function inPlaceOf(one: unknown, other: unknown, value: unknown): unknown {
  if (isObject(one) && isObject(other) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name in one && name in other ? inPlaceOf(one[name], other[name], member) : member,
      ]),
    );
  return typeof value === 'string' && value === one && typeof other === 'string' ? other : value;
}

function headersWith(recipe: Recipe, parameters: readonly Parameter[], values: InputValues): Recipe['headers'] {
  const varied = parameters.filter(({ in: place, name }) => place === 'header' && !isNoInput(name));
  const names = new Set(varied.map(({ name }) => name.toLowerCase()));
  const given = varied.flatMap((parameter) => {
    const key = parameterKey(parameter);
    const text = values.has(key) ? headerText(parameter, values.get(key)) : null;
    return text === null ? [] : [[parameter.name, text] as const];
  });
  const pairs = pairsIn(parameters, 'cookie', values);
  if (parameters.some(({ in: place }) => place === 'cookie')) names.add('cookie');
  const cookie = pairs.length === 0 ? [] : [['Cookie', cookieText(pairs)] as const];
  return [...recipe.headers.filter(([name]) => !names.has(name.toLowerCase())), ...given, ...cookie];
}

function pairsIn(parameters: readonly Parameter[], place: Parameter['in'], values: InputValues): readonly Pair[] {
  const own = parameters.filter((one) => one.in === place && values.has(parameterKey(one)));
  return own.flatMap((parameter) => pairsOf(parameter, values.get(parameterKey(parameter))));
}

/** null: no header can carry it. */
function headerText(parameter: Parameter, value: unknown): string | null {
  const text = segmentText(parameter, value);
  return FIELD_VALUE.test(text) ? text : null;
}
