// The clauses on webhooks: what each says, what it needs, who judges it and how a breach is repaired.
import { entries } from './entry.ts';

export const HOOK = entries(
  'HOOK',
  { severity: 'data', needs: { deliveries: 1 }, on: ['delivery'], experiments: ['run/webhooks/receiving'] },
  [
    {
      id: 'HOOK-01',
      text: "A delivery is signed with HMAC-SHA256 over its raw body (alone, or with a timestamp or id joined to it) under the subscription's secret.",
      tolerance:
        'Header name and form are "not shown": configured, or discovered by trying the known forms over the received headers.',
      // Nobody can verify the deliveries.
      severity: 'security',
      judges: ['checks/hook/hook-01-signed'],
      repair: "Sign the raw bytes that are sent with the subscription's secret.",
    },
    {
      id: 'HOOK-02',
      text: 'A delivery that was not accepted is delivered again, with a signature that still verifies.',
      tolerance: 'Schedule observed; no redelivery within the waiting time: not tested.',
      needs: { deliveries: 2 },
      judges: ['checks/hook/hook-02-redelivered'],
      repair: 'Put a delivery that was not accepted back into a queue, and sign it anew.',
    },
    {
      id: 'HOOK-03',
      level: 'discover',
      text: 'Event kinds, payload shape, header names, retry schedule, ids that repeat on redelivery.',
      severity: 'form',
      judges: ['checks/hook/hook-03-observed'],
      repair: 'Nothing is to be repaired: document it.',
    },
  ],
);
