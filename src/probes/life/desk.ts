// Sends the requests of one course and gathers what is said of the answers.
import { isSuccess } from '../../checks/answered.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
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
