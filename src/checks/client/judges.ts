// All judges of clients, in the order of their clauses.
import { judgeRefused } from './client-01-refused.ts';
import { judgeCredentials } from './client-02-credentials.ts';
import { judgeThrottled } from './client-03-throttled.ts';
import { judgeBackoff } from './client-04-backoff.ts';
import { judgeServerErrors } from './client-05-server-errors.ts';
import { judgeKeys } from './client-06-keys.ts';
import { judgeRedirects } from './client-07-redirects.ts';
import { judgeUnknownCodes } from './client-08-unknown-codes.ts';
import { judgeHeaders } from './client-09-headers.ts';
import { judgeWalks } from './client-10-walks.ts';
import { judgeLogs } from './client-11-logs.ts';
import type { ClientJudge } from './scenario-judgement.ts';

/** The judge of each clause. */
export const CLIENT_JUDGES: Readonly<Record<string, ClientJudge>> = {
  'CLIENT-01': judgeRefused,
  'CLIENT-02': judgeCredentials,
  'CLIENT-03': judgeThrottled,
  'CLIENT-04': judgeBackoff,
  'CLIENT-05': judgeServerErrors,
  'CLIENT-06': judgeKeys,
  'CLIENT-07': judgeRedirects,
  'CLIENT-08': judgeUnknownCodes,
  'CLIENT-09': judgeHeaders,
  'CLIENT-10': judgeWalks,
  'CLIENT-11': judgeLogs,
};

/** Clauses that are judged by figures of the contract. */
export const OF_FIGURES: readonly string[] = ['CLIENT-03', 'CLIENT-04', 'CLIENT-05'];
