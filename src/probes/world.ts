// Defines the world of the probes: the seed, the run's nonce, whose keys there are, and for each operation how it is called.

import { hash } from 'node:crypto';
import type { Timing } from '../clock/clock.ts';
import type { ContractName } from '../contract/contract.ts';
import type { OtherToken } from '../contract/other-tokens.ts';
import type { PropertyCase } from '../contract/report.ts';
import type { Terms } from '../contract/terms.ts';
import type { Credential, Exchange } from '../exchange/exchange.ts';
import { isSafe } from '../exchange/methods.ts';
import { oncePerValue } from '../exchange/once-per.ts';
import { parameterNames } from '../facts/paths.ts';
import type { Draw } from '../generate/bodies.ts';
import type { Limited } from '../limiters/reading.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';
import { firstKey, type KnownKey, ledBy } from './auth/security.ts';
import type { Knowledge } from './reach/knowledge.ts';
import type { Recipe } from './reach/recipe.ts';

export interface World {
  readonly seed: number;
  /** The run's id. */
  readonly nonce: string;
  /** A sleep ends early where the run is stopped. */
  readonly timing: Timing;
  readonly contract: ContractName;
  /** The terms of the contract. */
  readonly terms: Terms;
  /** Whose limits its answers tell, and how. */
  readonly limited: Limited;
  readonly environment: 'staging' | 'production' | 'local';
  readonly mutations: boolean;
  /** Why the configuration keeps the operation from being sent; null where it does not. */
  refusal(operation: Pick<Operation, 'service' | 'key' | 'method'>): string | null;
  /** Tells whether the operation moves money. */
  isPayment(operation: Pick<Operation, 'service' | 'key'>): boolean;
  /** First of the configured keys; the one that ordinary calls use. null: none is configured. */
  readonly mainKey: KnownKey | null;
  readonly keys: readonly KnownKey[];
  readonly hasToken: Readonly<Record<OtherToken, boolean>>;
  /** Names of the invalid tokens that may be sent; null: all. */
  readonly invalidTokens: readonly string[] | null;
  readonly fixtures: Readonly<Record<string, string>>;
  readonly knowledge: Knowledge;
  /** Set: the property of this experiment is tried at this case alone. */
  readonly again?: PropertyCase;
  /** Set where a budget bounds the run: what an experiment can leave out without showing much less it leaves out. Absent: not. */
  readonly isBrief?: boolean;
  /** Set: how long a key rests before it is sent once more at the end of all, in ms; else as long as the run takes. */
  readonly restMs?: number;
  /** Tells whether the operation's objects stay on the target, and few may be made: experiments then share what there is. */
  lasts(operation: Operation): boolean;
  /** Tells whether the failure is not the doing of what was sent: sound requests fail so as well, each time. */
  failsAnyway(exchange: Exchange): boolean;
  /** Where an operation's answers keep the items of a list, as the configuration says: a JSON pointer; null where it does not. */
  listPlace(operationKey: string): string | null;
  /** The current token of a key: to craft invalid ones from. Never put into a plan except as part of an invalid credential. */
  token(key: string): string | null;
}

/** Data of an experiment for a run without a budget, and for one that a budget bounds. */
export interface Amounts<T> {
  readonly whole: T;
  readonly brief: T;
}

/** The data for this run. Declarations of experiments ask for it, never an experiment. */
export function declared<T>({ isBrief }: Pick<World, 'isBrief'>, { whole, brief }: Amounts<T>): T {
  return isBrief === true ? brief : whole;
}

/** How far an operation was reached, and by which recipe. */
export interface Reached {
  readonly operation: Operation;
  readonly description: Description;
  readonly recipe: Recipe;
  /** The exchange that proved the recipe (2xx or 3xx); null when none succeeded. */
  readonly proof: Exchange | null;
  /** Status of the last first call; null when none was made or answered. */
  readonly firstStatus: number | null;
}

/** Tells whether the target may not serve the operation at all: no call with a valid key was answered by anything but 404. */
export function maybeAbsent({ proof, firstStatus }: Reached): boolean {
  return proof === null && (firstStatus === 404 || firstStatus === null);
}

/** Tells whether calling the operation may change something. */
export function mutates(operation: Operation): boolean {
  return !isSafe(operation.method);
}

/** Tells whether a token is required: not public, and no alternative without a scheme. */
export function requiresToken(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((alternative) => alternative.length > 0);
}

/** Tells whether the operation can be called without a value of a path or of a required query parameter. */
export function needsNoValue({ path, parameters }: Operation): boolean {
  return parameterNames(path).length === 0 && !parameters.some((one) => one.required && one.in === 'query');
}

/** The keys for calls of the operation: the one that was served where another was forbidden comes first. */
export function keysFor({ keys, knowledge }: World, operation: Operation): readonly KnownKey[] {
  return ledBy(keys, knowledge.keyOf(operation));
}

/** The credential of an ordinary call. */
export function ordinaryCredential(world: World, operation: Operation): Credential {
  if (!requiresToken(operation) || world.mainKey === null) return { kind: 'none' };
  if (operation.fixed?.key != null) return { kind: 'key', name: operation.fixed.key };
  if (world.contract === 'commerce') return { kind: 'key', name: world.mainKey.name };
  const first = firstKey(operation, keysFor(world, operation));
  return first === null ? { kind: 'none' } : { kind: 'key', name: first.name };
}

/** Seed and nonce for one generated datum; `label` must differ where bodies must differ. */
export function drawFor(world: World, label: string): Draw {
  return { seed: world.seed, nonce: { run: world.nonce, serial: serialOf(label) } };
}

/** Labels are few, and each is asked for on every operation; of those that are not, no more than so many are kept. */
const MOST_SERIALS = 5_000;
const serialOf = oncePerValue(newSerial, MOST_SERIALS);

const LETTERS = 26;
const SERIAL_LENGTH = 6;

/** Six letters that stand for the label: letters fit more patterns than digits. */
function newSerial(label: string): string {
  let number = hash('sha256', label, 'buffer').readUIntBE(0, 6);
  let serial = '';
  for (let place = 0; place < SERIAL_LENGTH; place += 1) {
    serial += String.fromCharCode(97 + (number % LETTERS));
    number = Math.floor(number / LETTERS);
  }
  return serial;
}
