// Sends the requests of one course, repeats a reading after a write until it shows the effect or the target has had the time that LIFE grants it, and
// gathers what is said of the answers.

import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { outcome } from '../experiment.ts';
import { type Outcome, type Send, unlessNotSent } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { planAt, type Subject } from './lifecycle.ts';

/** The probe of all requests that follow a life. */
export const PROBE = 'life/course';

export class Desk {
  readonly world: World;
  readonly send: Send;
  readonly outcomes: Outcome[] = [];

  constructor(world: World, send: Send) {
    this.world = world;
    this.send = send;
  }

  async last(plan: RequestPlan): Promise<Exchange> {
    return (await this.send(plan)).last;
  }

  /** Null where there is nothing to send, or it must not be sent. */
  async write(plan: RequestPlan | null): Promise<Exchange | null> {
    return plan === null ? null : unlessNotSent(() => this.last(plan));
  }

  read(reader: Reached, subject: Subject): Promise<Exchange> {
    return this.last(planAt(this.world, reader, subject, PROBE));
  }

  tell(clause: string, { operation }: Reached, judgement: Judgement, evidence: readonly Exchange[]): void {
    this.outcomes.push(outcome(clause, { service: operation.service, operation: operation.key }, judgement, evidence));
  }

  cannotTell(clauses: readonly string[], on: Reached, reason: string): void {
    for (const clause of clauses) this.tell(clause, on, cannotTell('precondition', reason), []);
  }
}

/** Whether the answer is a success. */
export function isRead({ response }: Exchange): boolean {
  return response !== null && isSuccess(response.status);
}

/** Source: LIFE, "Reads after a write are repeated for up to 5 s"; 30 s where the write was answered 202. ms. */
const PATIENCE_MS = 5_000;
const PATIENCE_AFTER_202_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 4_000;

/** Since when the target has had time (epoch ms), and how much it gets. */
export interface Since {
  readonly from: number;
  readonly patienceMs: number;
}

/** How long a target may take to show what the write did. ms. */
export function patienceAfter(write: Exchange): number {
  return write.response?.status === 202 ? PATIENCE_AFTER_202_MS : PATIENCE_MS;
}

/** Reads until `isDone`, for as long as the patience lasts; resolves with the last reading. */
export async function readUntil<T>(
  { timing }: World,
  until: Since,
  read: () => Promise<T>,
  isDone: (reading: T) => boolean,
): Promise<T> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const reading = await read();
    const leftMs = until.from + until.patienceMs - timing.now();
    if (isDone(reading) || leftMs <= 0) return reading;
    await timing.sleep(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
