// Keeps what a run makes within limits.created: before a request that may make something is sent there must be room, and
// where something can be deleted for it that is done first.

import type { CreationLimits } from '../../config/config.ts';
import { plural } from '../../contract/numbers.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { NotSent } from '../../probes/probe.ts';
import { isUndoable } from '../../probes/reach/undoing.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import type { Creations } from './creations.ts';
import type { CreationJournal } from './journal.ts';
import { type Made, markOf } from './made.ts';
import type { OpenRequest } from './open-requests.ts';

/** Share of the total of objects that stay which is kept for requests that are to be refused, should the target accept them. */
const KEPT_SHARE = 0.1;
/** From so many an operation on nothing is shared. */
const PLENTY = 150;
/** An operation that may make fewer keeps nothing for them. */
const FEWEST_WITH_RESERVE = 3;

export interface BoundOptions {
  readonly limits: CreationLimits;
  readonly nonce: string;
  readonly catalogue: Catalogue;
  readonly creations: Creations;
  readonly journal: CreationJournal;
}

/** Deletes objects. */
interface Deleting {
  undo(made: Made): Promise<unknown>;
  /** Looks whether a deletion that was answered a success is one. */
  confirm(made: Made): Promise<void>;
  /** Looks in lists for the objects of which no answer showed an id. */
  findNameless(): Promise<void>;
  /** Reads an object that may be somebody else's: whether it is this run's is known then. */
  look(made: Made): Promise<void>;
}

type Room = 'free' | 'wait' | 'operation-full' | 'all-full';

export class CreationBound {
  readonly #options: BoundOptions;
  /** Makes room; set once the run can send. */
  #undoer: Deleting | null = null;
  /** Requests under way that may make something, by operation. */
  readonly #underWay = new Map<string, number>();
  #waiting: (() => void)[] = [];
  #undoable = 0;
  #isReserving = true;
  /** Operations that were held back, each with how often. */
  readonly heldBack = new Map<string, number>();

  constructor(options: BoundOptions) {
    this.#options = options;
  }

  /** Room is made by this from now on. */
  undoBy(undoer: Deleting): void {
    this.#undoer = undoer;
  }

  /** Reads the thing at the path where it is this run's by the word of its create alone: it may be somebody else's. */
  async prove(path: string): Promise<void> {
    const made = this.#options.creations.claimedAt(path);
    if (made !== null) await this.#undoer?.look(made);
  }

  /** From now on nothing is kept for requests that should be refused: they have been sent. */
  spendReserve(): void {
    this.#isReserving = false;
  }

  /**
   * The plan as it may be sent, once there is room for what it may make; that it will be sent is written down. Throws
   * NotSent where there is none. Whoever sends it calls `settle` when it is answered.
   */
  async admit(plan: RequestPlan): Promise<RequestPlan> {
    const { operation, service } = plan;
    if (operation === null || !this.#mayMake(plan)) return plan;
    if (plan.needed === 'turn') this.#options.creations.release(plan.experiment);
    const by = { service, operation };
    const unseen = this.#options.creations.unseenBy(by);
    if (unseen !== null) await this.#undoer?.confirm(unseen);
    for (let room = this.#roomFor(plan, by); room !== 'free'; room = this.#roomFor(plan, by)) {
      if (room === 'wait') await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else await this.#makeRoom(room, by);
    }
    const written = this.#writeDown(plan, operation);
    this.#options.creations.requests.announce(written, plan);
    if (plan.makes !== 'nothing') this.#count(by, 1);
    return { ...plan, written };
  }

  /** How many requests are under way whose effects could be deleted. */
  get undoable(): number {
    return this.#undoable;
  }

  /** The plan that was admitted has been answered, or will not be. */
  settle({ written, makes, service, operation }: RequestPlan): void {
    if (written === undefined || makes === 'nothing') return;
    this.#count({ service, operation }, -1);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #count(by: Spot, change: number): void {
    const key = spotKey(by);
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + change);
    const operation = this.#describedBy(by);
    if (operation !== null && isUndoable(this.#options.catalogue, operation)) this.#undoable += change;
  }

  /** Tells whether a success may make something: a POST, or a PUT that declares 201, but for those that undo. */
  #mayMake({ method, operation, service, undoes }: RequestPlan): boolean {
    if (undoes === true) return false;
    if (method !== 'PUT') return method === 'POST';
    const described = this.#describedBy({ operation, service });
    return described?.responses.some(({ status }) => status === '201') ?? false;
  }

  #describedBy({ operation, service }: Spot): Operation | null {
    return this.#options.catalogue.operation(operation, service)?.operation ?? null;
  }

  /** Tells whether the objects that the operation makes stay, as far as is known. */
  stays(by: Spot): boolean {
    const operation = this.#describedBy(by);
    return operation === null || !isUndoable(this.#options.catalogue, operation) || this.#options.creations.isStuck(by);
  }

  /** Tells whether it made something that stays, in this run or before, and may make but little: then experiments share what there is. */
  isSpare(operation: Operation): boolean {
    const by = spotOf(operation);
    const { creations, limits } = this.#options;
    const isThere = creations.hasMade(by) || creations.inherited(by) > 0;
    return limits.perOperation < PLENTY && this.stays(by) && isThere;
  }

  #roomFor({ makes }: RequestPlan, by: Spot): Room {
    const { creations } = this.#options;
    const limits = this.#limitsOf(by);
    const stays = this.stays(by);
    if (creations.isBarren(by)) return 'free';
    // A request that is to make nothing needs no room where a delete makes room: an object that comes of it is deleted, too.
    if (makes === 'nothing' && !stays) return 'free';
    const [there, all] = [creations.count(by), creations.count()];
    const reserve = makes === 'nothing' || !stays || !this.#isReserving ? 0 : 1;
    const most = limits.perOperation - (limits.perOperation < FEWEST_WITH_RESERVE ? 0 : reserve);
    const mostOfAll = limits.total - reserve * Math.floor(limits.total * KEPT_SHARE);
    if (there >= most) return 'operation-full';
    if (all >= mostOfAll) return 'all-full';
    const [ownUnderWay, allUnderWay] = [this.#underWay.get(spotKey(by)) ?? 0, sum(this.#underWay.values())];
    return there + ownUnderWay >= most || all + allUnderWay >= mostOfAll ? 'wait' : 'free';
  }

  /** How much this run may make: what earlier runs left counts, but for no more than half of each limit. */
  #limitsOf(by: Spot): CreationLimits {
    const { creations, limits } = this.#options;
    return {
      perOperation: remaining(limits.perOperation, creations.inherited(by)),
      total: remaining(limits.total, creations.inherited()),
    };
  }

  /** How much more the operation may create, as things stand. */
  roomOf(by: Spot): number {
    const { creations } = this.#options;
    const limits = this.#limitsOf(by);
    return Math.max(0, Math.min(limits.perOperation - creations.count(by), limits.total - creations.count()));
  }

  /** Writes down that the plan will be sent any number of times. Throws NotSent where that cannot be written. */
  announceRepeated(plan: RequestPlan): void {
    const repeated = { ...plan, isRepeated: true } as const;
    this.#options.creations.requests.announce(this.#writeDown(repeated, plan.operation ?? ''), repeated);
  }

  /** Deletes the oldest object that is not needed. Throws NotSent where there is none. */
  async #makeRoom(room: Room, by: Spot): Promise<void> {
    const { creations, limits } = this.#options;
    const victim = creations.oldestFree(room === 'all-full' ? null : by);
    if (victim !== null && this.#undoer !== null) {
      creations.markLeaving(victim, true);
      try {
        await this.#undoer.undo(victim);
      } finally {
        creations.markLeaving(victim, false);
      }
      return;
    }
    const [doubtful] = creations.inDoubt(room === 'all-full' ? null : by);
    if (doubtful !== undefined && this.#undoer !== null) return this.#undoer.look(doubtful);
    if (creations.nameless().length > 0 && this.#undoer !== null) return this.#undoer.findNameless();
    const key = spotKey(by);
    this.heldBack.set(key, (this.heldBack.get(key) ?? 0) + 1);
    throw new NotSent(
      'precondition',
      room === 'all-full'
        ? `limits.created is reached: ${plural(creations.count(), 'object')} of this run are there${besides(creations.inherited())} (total: ${limits.total})`
        : `limits.created is reached: ${by.operation} made ${plural(creations.count(by), 'object that is there', 'objects that are there')}${besides(creations.inherited(by))} (perOperation: ${limits.perOperation})`,
    );
  }

  /** Throws NotSent where it cannot be written down. */
  #writeDown(plan: OpenRequest, operation: string): number {
    const { journal, nonce } = this.#options;
    const { service, path, credential, headers } = plan;
    const mark = markOf(plan, nonce);
    const idempotencyKey = keyIn(headers);
    try {
      return journal.intend({
        ...{ service, operation, path, key: credential.kind === 'key' ? credential.name : null },
        ...(idempotencyKey === null ? {} : { idempotencyKey }),
        ...(mark === null ? {} : { mark }),
        ...(plan.isRepeated === true ? { isRepeated: true as const } : {}),
      });
    } catch (error) {
      throw new NotSent('precondition', `what would be made cannot be written down: ${(error as Error).message}`);
    }
  }
}

/** The rest of a limit where earlier runs left so many objects. Half of it stays: each clause needs an object of its own. */
function remaining(limit: number, earlier: number): number {
  return Math.max(limit - earlier, Math.ceil(limit / 2));
}

function besides(earlier: number): string {
  return earlier === 0 ? '' : `, and ${earlier} of earlier runs`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
