// HOOK-02: a delivery that was not accepted is delivered again, with a signature that still verifies. That nothing comes
// again within the waiting time proves nothing.
//
// HOOK-02 (must): A delivery that was not accepted is delivered again, with a signature that still verifies. Tolerance:
//   Schedule observed; no redelivery within the waiting time: not tested.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { type Delivery, wasAccepted } from '../../exchange/delivery.ts';
import { NO_SECRET, notSigned } from './hook-01-signed.ts';
import type { Effort } from './signature-form.ts';
import type { Signing } from './signing.ts';

/** A delivery that came after one of the same event was not accepted. */
export interface Redelivery {
  /** The delivery before it, which was not accepted. */
  readonly refused: Delivery;
  readonly again: Delivery;
}

/** The redeliveries among the deliveries of one event, in the order received. */
export function redeliveriesOf(event: readonly Delivery[]): readonly Redelivery[] {
  return event.slice(1).flatMap((again, index) => {
    const refused = event[index];
    return refused !== undefined && wasAccepted(refused) === false ? [{ refused, again }] : [];
  });
}

export function judgeRedelivered(
  { refused, again }: Redelivery,
  signing: Signing,
  others: readonly Delivery[],
  effort: Effort,
): Judgement {
  if (signing.readings.length === 0) return NO_SECRET;
  if (signing.verified.has(again)) return holds();
  if (!signing.verified.has(refused))
    return cannotTell('precondition', 'the signature of the delivery before does not verify either');
  return breached([notSigned('HOOK-02', again, signing, others, effort)]);
}

/** Why no redelivery could be judged at all. `waitedSeconds`: how long redeliveries were waited for. */
export function withoutRedelivery(deliveries: readonly Delivery[], waitedSeconds: number | null): Judgement {
  const refused = deliveries.filter((delivery) => wasAccepted(delivery) === false);
  if (deliveries.length === 0) return cannotTell('precondition', 'nothing was delivered');
  if (deliveries.every((delivery) => wasAccepted(delivery) === null))
    return cannotTell('precondition', 'the recording does not say what was answered (status)');
  if (refused.length === 0) return cannotTell('precondition', 'every delivery was accepted');
  const within = waitedSeconds === null ? 'in the recording' : `within ${Math.round(waitedSeconds)} s`;
  return cannotTell('precondition', `no delivery that was not accepted came again ${within}`);
}
