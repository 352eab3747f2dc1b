// Defines a thing that a run makes: what is known of it, whose it is by which evidence, and how it is told of.

import { jsonText } from '../../exchange/body.ts';
import type { Credential, RequestPlan } from '../../exchange/exchange.ts';
import { isMadeUp, markIn } from '../../generate/preferred.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import type { Claim } from './claims.ts';
import type { AnnouncedResult } from './journal.ts';

/** One object that the run made. */
export interface Made {
  /** The service and the operation that made it. */
  readonly service: string | null;
  readonly operation: string;
  /** Concrete path of the collection. */
  readonly collection: string;
  readonly id: string | null;
  /** Its concrete path, the collection's where it shows no id. */
  readonly path: string;
  /** The operation that deletes it; null where none is described. */
  readonly deleter: Described | null;
  /** True where this run answers for the operation that created it; false: another shard does. */
  readonly ours: boolean;
  readonly credential: Credential;
  /** Members that may address it, where the answer of its create is known. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

/**
 * Whose a thing that is there is, as far as is known:
 * - ours: an answer or a reading shows that this run made it
 * - a claim: the word of its create alone says so, and a reading may refute that
 * - doubtful: nothing shows it, and a reading may yet; uncertain: none did, or can
 * - listed: this run's, as a list alone shows by the text of the request
 * - nameless: this run's, known by no id of its own, and not looked for in a list yet
 */
export type Whose = 'ours' | Claim | 'doubtful' | 'uncertain' | 'listed' | 'nameless';

/** A thing that is there. */
export interface Entry extends Made {
  whose: Whose;
  /** The holder that needs it: the whole run, an experiment by the object that names it, or nothing. */
  holder: unknown;
  /** Set while it is being deleted. */
  isLeaving: boolean;
  /** Why it stays, once it was tried to delete it. */
  why: string | null;
  /** The text in the request that made it, by which a list may show it; null for none, absent where the request is not known. */
  readonly mark?: string | null;
  /** True where a Location named it of what was accepted. */
  readonly isAccepted?: boolean;
}

export const UNCERTAIN = 'nothing in the answer shows that this run made it';
export const OTHERS = 'the answer of its create names what somebody else made';
export const NOWHERE = 'it is not found where the answer of its create says';
const NO_DELETE = 'no DELETE is described';
const NO_ID = 'the answer showed no id';
const NOT_DELETED = 'it was not deleted in time';

export const RUN = 'run';

/** Whoever needs what the request makes. */
export function holderOf({ needed, experiment }: RequestPlan): unknown {
  if (needed === undefined) return null;
  return needed === 'run' || experiment === undefined ? RUN : experiment;
}

export function toldAs({ id, path, deleter }: Made): Omit<AnnouncedResult, 'status'> {
  if (id === null) return { unnamed: path };
  return deleter === null ? { made: path } : { made: path, undoable: true };
}

export function reasonOf({ why, id, deleter }: Entry, untried = NOT_DELETED): string {
  return why ?? (id === null ? NO_ID : deleter === null ? NO_DELETE : untried);
}

/** Facts about a thing that the request tells which makes it. */
export function originOf({ service, operation, elsewhere, credential }: RequestPlan) {
  return { service, operation: operation ?? '', ours: elsewhere === undefined, credential };
}

/** How the object is told of: what made it, and its id. */
export function lineOf({ collection, id }: Pick<Made, 'collection' | 'id'>): string {
  return `POST ${collection}${id === null ? '' : ` → ${id}`}`;
}

export function isBy(entry: Spot, by: Spot): boolean {
  return entry.operation === by.operation && entry.service === by.service;
}

/** The text in the body that no other request holds, in small letters; null for none. */
export function markOf({ body }: Pick<RequestPlan, 'body'>, nonce: string): string | null {
  if (body.kind === 'none') return null;
  return markIn(body.kind === 'raw' ? body.text : jsonText(body.value), nonce);
}

/** Who told where the thing is: its operation, by the id that it answered or by the name that it was sent. */
export function tellerOf(made: Made): string {
  return isMadeUp(made.id) ? `${spotKey(made)} by name` : spotKey(made);
}
