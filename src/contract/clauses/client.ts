// The clauses on clients: what each says, what it needs, who judges it and how a breach is repaired.
import { A_SCENARIO, entries, TWO_SCENARIOS } from './entry.ts';

export const CLIENT = entries(
  'CLIENT',
  { severity: 'availability', needs: TWO_SCENARIOS, on: ['scenario'], experiments: ['run/clients/scenarios'] },
  [
    {
      id: 'CLIENT-01',
      text: '400, 404, 409 are not retried.',
      judges: ['checks/client/client-01-refused'],
      repair: 'Do not retry 400, 404 and 409.',
    },
    {
      id: 'CLIENT-02',
      text: '401 and 403 are not retried with the same token.',
      severity: 'security',
      judges: ['checks/client/client-02-credentials'],
      repair: 'Renew the token before a request that was refused is sent again.',
    },
    {
      id: 'CLIENT-03',
      text: '429 and 503 are retried, at most 4 retries, after Retry-After (seconds or HTTP date).',
      tolerance:
        '250 ms early at most. The source\'s "attempts" may count the first request: a fifth request is an advisory, our own client stops at four.',
      // Both statuses, with seconds and with a date.
      needs: { scenarios: 4 },
      judges: ['checks/client/client-03-throttled'],
      repair: 'Retry 429 and 503 at most four times, after Retry-After as seconds or as a date.',
    },
    {
      id: 'CLIENT-04',
      text: 'Without Retry-After: 1000 ms doubling per attempt, capped at 30000 ms, plus 0–250 ms jitter.',
      needs: A_SCENARIO,
      judges: ['checks/client/client-04-backoff'],
      repair: 'Wait 1 s, doubled for each attempt up to 30 s, and up to 250 ms of jitter.',
    },
    {
      id: 'CLIENT-05',
      text: 'Other 5xx: exponential backoff from 250 ms, at most 4 attempts.',
      judges: ['checks/client/client-05-server-errors'],
      repair: 'Retry other 5xx from 250 ms on, in four attempts at most.',
    },
    {
      id: 'CLIENT-06',
      text: 'A retry resends the same idempotency key where declared; a payment is never resent without it.',
      // A payment is made twice.
      severity: 'data',
      needs: A_SCENARIO,
      judges: ['checks/client/client-06-keys'],
      repair: 'Draw the key once per intent, and send it with every retry.',
    },
    {
      id: 'CLIENT-07',
      text: 'A 302 is not followed by a server-to-server client.',
      // A token follows a redirect.
      severity: 'security',
      needs: A_SCENARIO,
      judges: ['checks/client/client-07-redirects'],
      repair: 'Switch following of redirects off.',
    },
    {
      id: 'CLIENT-08',
      text: 'Clients switch on the code of errors: an unknown type or code does not break them.',
      judges: ['checks/client/client-08-unknown-codes'],
      repair: 'Give the switch over codes a default by status.',
    },
    {
      id: 'CLIENT-09',
      text: 'Every authenticated request carries `Authorization: Bearer` and `Content-Type: application/json`.',
      severity: 'form',
      needs: A_SCENARIO,
      judges: ['checks/client/client-09-headers'],
      repair: 'Set both headers where requests are made.',
    },
    {
      id: 'CLIENT-10',
      text: 'Pages are walked to their stated end: the last one that is counted, or an empty array.',
      severity: 'data',
      judges: ['checks/client/client-10-walks'],
      repair: 'Stop at the last page, or at an empty array, and nowhere else.',
    },
    {
      id: 'CLIENT-11',
      text: 'The token and the message of errors appear in no log that the client writes.',
      tolerance: 'stdout, stderr and files in its working folder.',
      // A token stands in a log.
      severity: 'security',
      judges: ['checks/client/client-11-logs'],
      repair: 'Mask Authorization and the messages of errors in the logger.',
    },
  ],
);
