// Chooses which valid targets one request takes together, so that few requests cover many: each of them is put into a request
// that is known to be served, and stays there where the request is still valid and no target chosen before is lost.
import { isValid } from '../bodies.ts';
import { isObject } from '../schema-shape.ts';
import { ABSENT, BODY, type Candidate, type DrawFrom } from './candidates.ts';
import type { OperationInputs } from './operation-inputs.ts';
import { parameterKey } from './sent.ts';

/** The values of a request: of its parameters by key, and of its body under "body"; what is left out has no entry. */
export type InputValues = ReadonlyMap<string, unknown>;

export interface Chosen {
  readonly values: InputValues;
  readonly candidates: readonly Candidate[];
}

/** Those that make room for others: a branch for what lies inside of it, a list for its items, an object for its members. */
export function supportsOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ isBranch, target }) => isBranch || target.kind === 'present');
}

/**
 * The request that takes as many of the candidates as go together, in their order; null where none can be taken. `supports`: those
 * of all candidates that make room for others.
 */
export function choose(
  inputs: OperationInputs,
  base: InputValues,
  candidates: readonly Candidate[],
  from: DrawFrom,
  supports = supportsOf(candidates),
): Chosen | null {
  let values = base;
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    const changed = put(inputs, values, candidate, chosen, from, supports);
    if (changed === null) continue;
    values = changed;
    chosen.push(candidate);
  }
  return chosen.length === 0 ? null : { values, candidates: chosen };
}

/** The values with the candidate's beside those of all that were chosen, with room made for it where need be; null where that cannot be. */
export function put(
  inputs: OperationInputs,
  values: InputValues,
  candidate: Candidate,
  chosen: readonly Candidate[],
  from: DrawFrom,
  supports: readonly Candidate[],
): InputValues | null {
  return (
    applied(inputs, values, candidate, chosen, from) ?? supported(inputs, values, candidate, chosen, from, supports)
  );
}

function applied(
  inputs: OperationInputs,
  values: InputValues,
  candidate: Candidate,
  chosen: readonly Candidate[],
  from: DrawFrom,
): InputValues | null {
  if (isTaken(values, candidate)) return values;
  const beside = chosen.filter((one) => overlap(one, candidate));
  for (const value of candidate.values(from)) {
    const changed = withValue(values, candidate, value);
    if (changed === null || ![...beside, candidate].every((one) => isTaken(changed, one))) continue;
    if (isSound(inputs, changed, candidate.root) && !mixesBranches(inputs, values, changed)) return changed;
  }
  return null;
}

/** The candidate's value inside of a branch, a list or an object that is put there for it; null where none of them can be. */
function supported(
  inputs: OperationInputs,
  values: InputValues,
  candidate: Candidate,
  chosen: readonly Candidate[],
  from: DrawFrom,
  supports: readonly Candidate[],
): InputValues | null {
  for (const support of supports.filter((one) => one !== candidate && isAround(one, candidate))) {
    const within = applied(inputs, values, support, chosen, from);
    const changed = within === null ? null : applied(inputs, within, candidate, [...chosen, support], from);
    if (changed !== null) return changed;
  }
  return null;
}

/** Whether the place of the one holds that of the other. */
function isAround(one: Candidate, other: Candidate): boolean {
  return one.path.length < other.path.length && overlap(one, other);
}

/** Whether the values hold what the candidate's target asks for. */
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

/** Whether the values have something that the candidate's place can be a part of. */
export function hasRoom(values: InputValues, { root, path }: Candidate): boolean {
  let value = values.get(root);
  for (const [index, token] of path.entries()) {
    if (!isObject(value) && !Array.isArray(value)) return false;
    if (index < path.length - 1) value = (value as Record<string, unknown>)[token];
    else if (Array.isArray(value)) return value.length > 0;
  }
  return true;
}

/** Whether one place lies on the way to the other, or is it. */
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

/** Whether the body now holds members that its branch does not describe, those of another branch: open schemas let them pass. */
function mixesBranches({ description, body }: OperationInputs, before: InputValues, after: InputValues): boolean {
  if (body?.schema == null || before.get(BODY) === after.get(BODY)) return false;
  const known = new Set(description.undescribed(body.schema, before.get(BODY), 'request'));
  return description.undescribed(body.schema, after.get(BODY), 'request').some((pointer) => !known.has(pointer));
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
 * Requests that take every candidate once, as few as the greedy choice finds; what no request can take is left out. `most`: so many
 * requests at most.
 */
export function eachChoice(
  inputs: OperationInputs,
  base: InputValues,
  candidates: readonly Candidate[],
  from: (round: number) => DrawFrom,
  most: number,
  supports = supportsOf(candidates),
): readonly Chosen[] {
  const rounds: Chosen[] = [];
  let open = candidates;
  while (open.length > 0 && rounds.length < most) {
    const chosen = choose(inputs, base, open, from(rounds.length), supports);
    if (chosen === null) break;
    rounds.push(chosen);
    const taken = new Set(chosen.candidates);
    open = open.filter((candidate) => !taken.has(candidate));
  }
  return rounds;
}
