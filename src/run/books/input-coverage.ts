// Keeps which input targets of each operation were exercised, by what was sent and answered, and says why others were not.
import type { InputCoverage, OpenInput, ReasonCode } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { exercisedBy } from '../../generate/targets/exercised.ts';
import { inputsOf, type OperationInputs } from '../../generate/targets/operation-inputs.ts';
import { parameterKey, sentInput } from '../../generate/targets/sent.ts';
import { type Target, targetKey } from '../../generate/targets/target.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { fixesMember, fixesParameter } from '../../openapi/model/fixed-input.ts';
import type { Operation } from '../../openapi/model/operation.ts';

/** The reason for which an open target of an operation is open, unless more is known of it. */
export interface WhyOpen {
  readonly reason: ReasonCode;
  readonly note?: string;
}

/** Answers that say nothing of the input: they come before it is looked at, or in its stead. */
const NOT_LOOKED_AT: ReadonlySet<number> = new Set([401, 403, 429, 503]);
/** Statuses for an input by which nothing is found, or a method that is not served: hardly any other input was looked at then. */
const NOTHING_THERE: ReadonlySet<number> = new Set([404, 405, 410]);
/** The status for a present state that does not allow it, whatever its input: a cancelled order cannot be cancelled. */
const AT_ODDS = 409;
const UNKNOWN_ID = 'unknown id';
/** Values of path parameters kept per operation. */
const IDS_KEPT = 200;

interface Entry {
  readonly settled: Set<string>;
  /** Targets that were only sent together with others and refused, with the status. */
  readonly refused: Map<string, number>;
  /** "path storeId 17": values with which a call succeeded. */
  readonly ids: Set<string>;
}

export class InputBook {
  readonly #entries = new Map<Operation, Entry>();

  /** Tells whether the target needs no further request. */
  isSettled(operation: Operation, target: Target): boolean {
    return this.#entries.get(operation)?.settled.has(targetKey(target)) === true;
  }

  /** Counts what an answered request exercised. A request of another shard is counted there. */
  observe(exchange: Exchange, { operation, description }: Described): void {
    const { plan, response } = exchange;
    if (response === null || plan.elsewhere !== undefined || NOT_LOOKED_AT.has(response.status)) return;
    const inputs = inputsOf(description, operation);
    const entry = this.#entries.get(operation) ?? { settled: new Set(), refused: new Map(), ids: new Set() };
    this.#entries.set(operation, entry);
    const { sort, targets } = exercisedBy(inputs, plan);
    if (sort === 'hostile') settle(entry, targets);
    else if (sort === 'invalid') settleInvalid(entry, inputs, exchange, targets);
    else settleValid(entry, inputs, exchange, targets);
  }

  /** The operation's row: every target counted, and those that are open with the reason. */
  row({ operation, description }: Described, why: WhyOpen): InputCoverage {
    const inputs = inputsOf(description, operation);
    const entry = this.#entries.get(operation);
    const open = inputs.targets.flatMap((target): readonly OpenInput[] => {
      const key = targetKey(target);
      if (entry?.settled.has(key) === true) return [];
      const status = entry?.refused.get(key);
      if (status === undefined && isFixed(operation, target))
        return [{ ...target, reason: 'precondition', note: 'the configuration fixes its value' }];
      if (status === undefined) return [{ ...target, ...why }];
      return [{ ...target, reason: 'precondition', note: `sent with other input, and refused with ${status}` }];
    });
    const cut = inputs.cut.map(({ at, kind, note }): OpenInput => ({ at, kind, reason: 'not-implemented', note }));
    const targets = inputs.targets.length + cut.length;
    return { targets, exercised: inputs.targets.length - open.length, open: [...open, ...cut] };
  }
}

/** Tells whether the configuration decides what stands there: "/query/region" and below, "/body/warehouse" and below. */
function isFixed(operation: Operation, { at }: Target): boolean {
  const [, place, name = ''] = at.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return place === 'body' ? fixesMember(operation, name) : fixesParameter(operation, name);
}

function settle({ settled, refused }: Entry, targets: readonly Target[]): void {
  for (const key of targets.map(targetKey)) {
    settled.add(key);
    refused.delete(key);
  }
}

/** A served request settles all that it carries; a refused one only what nothing else in it can be blamed for. */
function settleValid(
  entry: Entry,
  { description, operation }: OperationInputs,
  { plan, response }: Exchange,
  targets: readonly Target[],
): void {
  const status = response?.status ?? 0;
  if (status < 400 || status >= 500) {
    settle(entry, targets);
    const hasIds = operation.parameters.some((parameter) => parameter.in === 'path');
    if (status < 400 && hasIds) keepIds(entry, sentInput(description, operation, plan).parameters);
    return;
  }
  if (NOTHING_THERE.has(status)) return;
  const fresh = targets.filter((target) => !entry.settled.has(targetKey(target)));
  if (fresh.length === 1 && status !== AT_ODDS) settle(entry, fresh);
  else for (const key of fresh.map(targetKey)) entry.refused.set(key, status);
}

function keepIds({ ids }: Entry, parameters: ReadonlyMap<string, unknown>): void {
  for (const [key, value] of parameters) if (key.startsWith('path ') && ids.size < IDS_KEPT) ids.add(`${key} ${value}`);
}

/** An id is unknown where no call with it succeeded. */
function settleInvalid(
  entry: Entry,
  { description, operation, parameters }: OperationInputs,
  { plan, response }: Exchange,
  targets: readonly Target[],
): void {
  const isFound = !NOTHING_THERE.has(response?.status ?? 0);
  settle(
    entry,
    targets.filter(({ kind }) => kind !== UNKNOWN_ID && isFound),
  );
  const asked = targets.filter(({ kind }) => kind === UNKNOWN_ID);
  if (asked.length === 0) return;
  const sent = sentInput(description, operation, plan).parameters;
  const isUnknown = ({ at }: Target): boolean =>
    parameters.some(({ parameter, spot }) => {
      const key = parameterKey(parameter);
      return spot.at === at && !entry.ids.has(`${key} ${sent.get(key)}`);
    });
  settle(entry, asked.filter(isUnknown));
}
