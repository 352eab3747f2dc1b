// Chooses which valid targets one request takes together, so that few requests cover many: each of them is put into a request
// that is known to be served, and stays there where the request is still valid and no target chosen before is lost. A schema can
// span thousands of targets of which most exclude each other: one request is looked for with a bounded effort.
import { oncePer } from '../../exchange/once-per.ts';
import { isObject } from '../../openapi/json.ts';
import { isValid } from '../bodies.ts';
import { ABSENT, BODY, type Candidate, type DrawFrom } from './candidates.ts';
import { Effort } from './effort.ts';
import type { OperationInputs } from './operation-inputs.ts';
import { parameterKey } from './sent.ts';

/** The values of a request: of its parameters by key, and of its body under "body"; what is left out has no entry. */
export type InputValues = ReadonlyMap<string, unknown>;

export interface Chosen {
  readonly values: InputValues;
  readonly candidates: readonly Candidate[];
}

/** A request that is known to be served, and what may be put into it. */
export interface Open {
  readonly inputs: OperationInputs;
  readonly candidates: readonly Candidate[];
  readonly base: InputValues;
  /** Those of all targets that make room for others. */
  readonly supports: readonly Candidate[];
}

/** Those that make room for others: a branch for what lies inside of it, a list for its items, an object for its members. */
export function supportsOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ isBranch, target }) => isBranch || target.kind === 'present');
}

/** A search with one effort: the values of one draw, each drawn once. */
export class Attempt {
  readonly inputs: OperationInputs;
  readonly supports: readonly Candidate[];
  readonly effort: Effort;
  readonly #from: DrawFrom;
  readonly #drawn = oncePer((candidate: Candidate) => {
    const values: unknown[] = [];
    return { values, source: candidate.values(this.#from)[Symbol.iterator]() };
  });

  /** `supports`: those of all candidates that make room for others. */
  constructor(inputs: OperationInputs, supports: readonly Candidate[], from: DrawFrom, effort = new Effort()) {
    this.inputs = inputs;
    this.supports = supports;
    this.effort = effort;
    this.#from = from;
  }

  /** The values to put at the candidate's place, in the order of attempts, as far as the effort goes. */
  *valuesOf(candidate: Candidate): Generator<unknown, void, void> {
    const drawn = this.#drawn(candidate);
    for (let index = 0; !this.effort.isSpent; index += 1) {
      if (index === drawn.values.length) {
        const { done, value } = drawn.source.next();
        if (done === true) return;
        drawn.values.push(value);
        this.effort.spend(value);
      }
      yield drawn.values[index];
    }
  }

  /** Pointers of what the description does not speak of in the body. */
  readonly undescribedIn = oncePer((values: InputValues): ReadonlySet<string> => {
    const { description, body } = this.inputs;
    return new Set(body?.schema == null ? [] : description.undescribed(body.schema, values.get(BODY), 'request'));
  });

  /**
   * The values with the candidate's beside those of all that were chosen, with room made for it where need be; null where that cannot
   * be, or was not found before the effort was spent.
   */
  put(values: InputValues, candidate: Candidate, chosen: readonly Candidate[]): InputValues | null {
    return this.#applied(values, candidate, chosen) ?? this.#supported(values, candidate, chosen);
  }

  #applied(values: InputValues, candidate: Candidate, chosen: readonly Candidate[]): InputValues | null {
    if (isTaken(values, candidate)) return values;
    const beside = chosen.filter((one) => overlap(one, candidate));
    for (const value of this.valuesOf(candidate)) {
      if (!this.effort.spend(values.get(candidate.root))) return null;
      const changed = withValue(values, candidate, value);
      if (changed === null || ![...beside, candidate].every((one) => isTaken(changed, one))) continue;
      if (isSound(this.inputs, changed, candidate.root) && !this.#mixesBranches(values, changed)) return changed;
    }
    return null;
  }

  /** The candidate's value inside of a branch, a list or an object that is put there for it; null where none of them can be. */
  #supported(values: InputValues, candidate: Candidate, chosen: readonly Candidate[]): InputValues | null {
    for (const support of this.supports.filter((one) => one !== candidate && isAround(one, candidate))) {
      if (this.effort.isSpent) return null;
      const within = this.#applied(values, support, chosen);
      const changed = within === null ? null : this.#applied(within, candidate, [...chosen, support]);
      if (changed !== null) return changed;
    }
    return null;
  }

  /**
   * Tells whether the body now holds members that its branch does not describe, those of another branch: open schemas let
   * them pass.
   */
  #mixesBranches(before: InputValues, after: InputValues): boolean {
    if (before.get(BODY) === after.get(BODY)) return false;
    const known = this.undescribedIn(before);
    return [...this.undescribedIn(after)].some((pointer) => !known.has(pointer));
  }
}

/** The request that takes as many of the candidates as go together, in their order; null where none can be taken. */
export function choose({ inputs, base, candidates, supports }: Open, from: DrawFrom): Chosen | null {
  return chooseWithin(new Attempt(inputs, supports, from), base, candidates).chosen;
}

/** The same with the candidates that the effort was not enough for. */
function chooseWithin(attempt: Attempt, base: InputValues, candidates: readonly Candidate[]) {
  const row = new Row(attempt, base);
  const open = [...candidates];
  while (open.length > 0 && !attempt.effort.isSpent) row.take(open.shift() as Candidate);
  return { chosen: row.candidates.length === 0 ? null : row.chosen, untried: open };
}

/** One request in the making. */
export class Row {
  readonly #attempt: Attempt;
  readonly #base: InputValues;
  values: InputValues;
  candidates: readonly Candidate[] = [];

  constructor(attempt: Attempt, base: InputValues) {
    this.#attempt = attempt;
    this.#base = base;
    this.values = base;
  }

  get chosen(): Chosen {
    return { values: this.values, candidates: this.candidates };
  }

  /** Tells whether the target now stands in the request, beside all that it held. */
  take(candidate: Candidate): boolean {
    const changed = this.#attempt.put(this.values, candidate, this.candidates);
    if (changed === null) return false;
    this.values = changed;
    this.candidates = [...this.candidates, candidate];
    return true;
  }

  reset(): true {
    this.values = this.#base;
    this.candidates = [];
    return true;
  }
}

/** Tells whether the place of the one holds that of the other. */
function isAround(one: Candidate, other: Candidate): boolean {
  return one.path.length < other.path.length && overlap(one, other);
}

/** Tells whether the values hold what the candidate's target asks for. */
export function isTaken(values: InputValues, { root, path, isHit }: Candidate): boolean {
  let value = values.get(root);
  for (const [index, token] of path.entries()) {
    if (!isObject(value) && !Array.isArray(value)) return false;
    const isThere = Object.hasOwn(value, token);
    // Nothing stands at a place whose own parent is missing, and that is no choice of this request.
    if (!isThere && index < path.length - 1) return false;
    value = isThere ? (value as Record<string, unknown>)[token] : undefined;
  }
  return isHit(value);
}

/** Tells whether the values have something that the candidate's place can be a part of. */
export function hasRoom(values: InputValues, { root, path }: Candidate): boolean {
  let value = values.get(root);
  for (const [index, token] of path.entries()) {
    if (!isObject(value) && !Array.isArray(value)) return false;
    if (index < path.length - 1) value = (value as Record<string, unknown>)[token];
    else if (Array.isArray(value)) return value.length > 0;
  }
  return true;
}

/** Tells whether one place lies on the way to the other, or is it. */
export function overlap(one: Candidate, other: Candidate): boolean {
  return one.root === other.root && one.path.every((token, at) => (other.path[at] ?? token) === token);
}

function isSound(
  { description, parameters, body, operation }: OperationInputs,
  values: InputValues,
  root: string,
): boolean {
  const value = values.get(root);
  if (root === BODY) {
    if (value === undefined) return operation.requestBody?.required !== true;
    return body === null || isValid(description, body.schema, value);
  }
  const parameter = parameters.find((one) => parameterKey(one.parameter) === root)?.parameter;
  if (parameter === undefined) return false;
  return value === undefined ? !parameter.required : isValid(description, parameter.schema, value);
}

/** The values with another one at the candidate's place; null where its parent is not there. */
function withValue(values: InputValues, { root, path }: Candidate, value: unknown): InputValues | null {
  const changed = placed(values.get(root), path, value);
  if (changed === null) return null;
  const entries = [...values].filter(([key]) => key !== root);
  return new Map(changed.value === ABSENT ? entries : [...entries, [root, changed.value]]);
}

function placed(within: unknown, path: readonly string[], value: unknown): { readonly value: unknown } | null {
  const [token, ...rest] = path;
  if (token === undefined) return { value };
  if (!isObject(within) && !Array.isArray(within)) return null;
  const inner = placed(
    Object.hasOwn(within, token) ? (within as Record<string, unknown>)[token] : undefined,
    rest,
    value,
  );
  if (inner === null) return null;
  if (Array.isArray(within)) {
    if (inner.value === ABSENT || within.length === 0) return null;
    return { value: within.map((item, index) => (String(index) === token ? inner.value : item)) };
  }
  const others = Object.entries(within).filter(([name]) => name !== token);
  return { value: Object.fromEntries(inner.value === ABSENT ? others : [...others, [token, inner.value]]) };
}

/**
 * Requests that take every candidate once, as few as the greedy choice finds, each looked for when it is asked for; what no request
 * can take is left out. `most`: so many requests at most.
 */
export function* eachChoice(
  { inputs, base, candidates, supports }: Open,
  from: (round: number) => DrawFrom,
  most: number,
): Generator<Chosen, void, void> {
  let open = candidates;
  for (let round = 0; open.length > 0 && round < most; round += 1) {
    const { chosen, untried } = chooseWithin(new Attempt(inputs, supports, from(round)), base, open);
    if (chosen === null) return;
    yield chosen;
    const [taken, later] = [new Set(chosen.candidates), new Set(untried)];
    // A target that no effort was left for has its turn before one that was refused.
    open = [...untried, ...open.filter((candidate) => !taken.has(candidate) && !later.has(candidate))];
  }
}
