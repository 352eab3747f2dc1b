// All that is judged of the deliveries of one run: HOOK-01 on each, HOOK-02 on each redelivery, HOOK-03 over all of them.
import type { Judgement } from '../../contract/judgement.ts';
import { byEvent } from '../../exchange/delivered-events.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { judgeSigned } from './hook-01-signed.ts';
import { judgeRedelivered, type Redelivery, redeliveriesOf, withoutRedelivery } from './hook-02-redelivered.ts';
import { observationsOf } from './hook-03-observed.ts';
import type { Effort } from './signature-form.ts';
import { type Signing, type Subscription, signingOf } from './signing.ts';

export const HOOK_CLAUSES = ['HOOK-01', 'HOOK-02', 'HOOK-03'] as const;

export interface HookJudgement {
  readonly clause: (typeof HOOK_CLAUSES)[number];
  readonly judgement: Judgement;
  readonly evidence: readonly Delivery[];
}

/** Maximum number of bytes that all explanations of a run may digest: thousands of broken deliveries are broken alike. */
const EXPLAINED_BYTES = 128 * 1024 * 1024;
/** Deliveries before and after whose bodies may have been signed instead. */
const NEIGHBOURS = 4;

/**
 * Every judgement, in the order of the clauses and of the deliveries. A redelivery is HOOK-02's matter and not HOOK-01's,
 * so that one mistake is one finding. `waitedSeconds`: how long redeliveries were waited for; null for a recording.
 */
export function judgeDeliveries(
  deliveries: readonly Delivery[],
  subscription: Subscription,
  waitedSeconds: number | null,
): readonly HookJudgement[] {
  const signing = signingOf(deliveries, subscription);
  const events = byEvent(deliveries);
  const redeliveries = events.flatMap(redeliveriesOf);
  return [
    ...signedOnes(deliveries, redeliveries, signing),
    ...(redeliveries.length > 0
      ? []
      : [{ clause: 'HOOK-02' as const, judgement: withoutRedelivery(deliveries, waitedSeconds), evidence: [] }]),
    ...observationsOf(deliveries, events, signing).map((one) => ({ clause: 'HOOK-03' as const, ...one })),
  ];
}

function signedOnes(
  deliveries: readonly Delivery[],
  redeliveries: readonly Redelivery[],
  signing: Signing,
): readonly HookJudgement[] {
  const effort: Effort = { left: EXPLAINED_BYTES };
  const refused = new Map(redeliveries.map((one) => [one.again, one]));
  const judged = deliveries.map((delivery, index): HookJudgement => {
    const others = [
      ...deliveries.slice(Math.max(0, index - NEIGHBOURS), index),
      ...deliveries.slice(index + 1, index + 1 + NEIGHBOURS),
    ];
    const redelivery = refused.get(delivery);
    return redelivery === undefined
      ? { clause: 'HOOK-01', judgement: judgeSigned(delivery, signing, others, effort), evidence: [delivery] }
      : {
          clause: 'HOOK-02',
          judgement: judgeRedelivered(redelivery, signing, [redelivery.refused, ...others], effort),
          evidence: [redelivery.refused, delivery],
        };
  });
  return judged.toSorted((left, right) => Number(left.clause > right.clause) - Number(left.clause < right.clause));
}
