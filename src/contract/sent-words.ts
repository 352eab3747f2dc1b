// Tells in a sentence what each experiment sends, for people who look a clause up. Named as the clauses' entries name experiments.
import { entryOf } from './clauses.ts';

/** One sentence an experiment; a test holds the table to the entries. */
export const SENT: Readonly<Record<string, string>> = {
  'probes/auth/accounts': 'Calls with each key, and calls of one account for what another account created.',
  'probes/auth/borrowed-requests':
    'Within a budget, requests that are refused alike whoever sends them, with each other key in turn.',
  'probes/auth/invalid-tokens':
    'Requests with invalid Authorization values: other schemes, damaged, unsigned and empty tokens.',
  'probes/auth/requirements':
    'Each operation with part of the credentials that it needs together, wrong ones in each alternative, and those of other schemes.',
  'probes/auth/refusals':
    'Each operation without a token, and with an invalid, an expired and a locked one where configured.',
  'probes/auth/registered-email':
    'A sign-in and a password reset for an email that is registered, and for one that is not.',
  'probes/conditional/course':
    'One resource is created, read and written by the names of its present and its former states, and deleted so.',
  'probes/conditional/family': 'A reading twice, and once more with If-None-Match.',
  'probes/idempotency/keyless': 'The same create without a key twice, and equal bodies under two keys, then the list.',
  'probes/idempotency/late': 'The first keys of the run once more at its end.',
  'probes/idempotency/limited': 'A keyed request that the limiter refuses, sent again with its key, then the list.',
  'probes/idempotency/near-keys': 'Requests under keys that differ in one character, or in the case of one letter.',
  'probes/idempotency/observations': 'A used key with another body, operation and account, and keys of unusual forms.',
  'probes/idempotency/on-a-thing':
    'A keyed change of a thing again, at once, and under other keys, between readings of the thing.',
  'probes/idempotency/series':
    'Keyed requests again with the same key: in a row, at once, with other calls in between, and with another body.',
  'probes/idempotency/silent-header': 'Mutating operations that declare no header for keys, with and without it.',
  'probes/life/course': 'One resource is created, read, listed, replaced, updated, deleted, and looked for again.',
  'probes/pagination/bad-values': 'Lists with negative, huge and non-numeric values of limit, offset and page.',
  'probes/pagination/first-page': 'The activity log without parameters, and with a limit above its maximum.',
  'probes/pagination/observations':
    'Lists without a limit, with a large one, in another order, and past their end; rising limits, until a list refuses or ignores one.',
  'probes/pagination/past-end': 'A page behind the last item of a list.',
  'probes/pagination/settled-walk': 'Each list from its first page to its end, until it keeps still for one walk.',
  'probes/pagination/followed-list':
    'Each list from its first page to its end, by several sizes and under a filter, and cursors that no page gave.',
  'probes/pagination/survey':
    'Each list once from its first page to its end, for its default and its maximum page size.',
  'probes/pagination/plans': 'One page or more of each list by every limit.',
  'probes/pagination/walk': 'Pages of each list in a drawn order, with drawn limits.',
  'probes/rate/drain-probe': "Calls until a key's limit is spent, a few beyond it, and calls of other keys meanwhile.",
  'probes/rate/export-probe': "One user's exports until they are throttled, then an export of another user.",
  'probes/rate/quiet-probe': 'One cheap operation in a row, and once more after a pause.',
  'probes/rate/walk': 'Each operation once, one after the other, on a quiet target.',
  'probes/reach/depth': 'The same valid call again and again, with all values that its parameters and its body admit.',
  'probes/requests/bad-requests':
    'Bodies with one thing wrong at a time: a member missing, of another type, out of bounds.',
  'probes/requests/deleted': 'A resource that was deleted is asked for again.',
  'probes/requests/hostile-input':
    'Hostile values in members, bodies, query and path: control characters, huge texts, injections.',
  'probes/requests/not-understood': 'Bodies that are no JSON, media types and methods that no description shows.',
  'probes/requests/platform-places':
    'The liveness path, paths that do not exist, internal endpoints and a second version.',
  'probes/requests/registration': 'A new registration, the same once more, and one that lacks a field.',
  'probes/requests/spoiled-parameters':
    'Parameters with one thing wrong at a time: left out, of another type, out of bounds.',
  'probes/requests/unknown-ids': 'Ids that name nothing, in the path and in the body.',
  'probes/requests/version-header': 'Reading calls with headers that carry a version.',
  'run/clients/scenarios': 'Nothing is sent to the target: `assay client` answers the client in scenarios.',
  'run/webhooks/receiving': 'Nothing is sent but what webhooks.trigger sends: `assay webhooks` receives deliveries.',
};

/** The requests that are sent so that the clause can be judged, a sentence each; never empty. */
export function sentFor(clause: string): readonly string[] {
  const { on = [], experiments = [] } = entryOf(clause) ?? {};
  const own = experiments.map((name) => SENT[name] ?? name);
  if (own.length > 0 && !on.includes('exchange')) return own;
  if (on.includes('exchange') || on.includes('run'))
    return ['Nothing of its own: every answer of the run is judged.', ...own];
  return ['Nothing: the descriptions are read.', ...own];
}
