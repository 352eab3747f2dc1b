// The clauses on lives of items: what each says, what it needs, who judges it and how a breach is repaired.
import { AN_ANSWER, entries, NO_LIFE, TWO_ANSWERS } from './entry.ts';

export const LIFE = entries(
  'LIFE',
  {
    level: 'should',
    severity: 'data',
    needs: TWO_ANSWERS,
    on: ['experiment'],
    experiments: ['probes/life/course'],
    openapi: 'description',
  },
  [
    {
      id: 'LIFE-01',
      text: 'What a create answered with 2xx and an id can be read by that id, and its list shows it.',
      tolerance: 'Lists that filter by state or do not show new items at once: the item read alone decides.',
      judges: ['checks/life/life-01-created'],
      shownByTraffic: NO_LIFE,
      repair: 'Read from where the create wrote, or wait for the replica.',
    },
    {
      id: 'LIFE-02',
      text: 'What was sent is what is read: each member that is accepted and not read-only has the value that was sent.',
      tolerance:
        'Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order of sets); write-only members are not compared; a documented default fills what was absent.',
      judges: [
        'checks/life/life-02-sent-is-read',
        'checks/life/life-02-nulls',
        'checks/life/life-02-listed',
        'checks/life/life-02-steered',
      ],
      shownByTraffic: NO_LIFE,
      repair: 'Store every accepted member, and refuse those that cannot be stored.',
    },
    {
      id: 'LIFE-03',
      text: 'A partial update changes the members that were sent and no other.',
      tolerance:
        'Timestamps, versions, computed totals may change: members that change on their own between two reads are not compared.',
      // Read, update, read.
      needs: { answers: 3 },
      judges: ['checks/life/life-03-partial-update'],
      shownByTraffic: NO_LIFE,
      repair: 'Write only the members that were sent.',
    },
    {
      id: 'LIFE-04',
      text: 'After a delete answered with 2xx, reading the id gives 404 (or 410), and the list no longer shows it.',
      tolerance: 'A soft delete that shows itself in the resource (a state, `deleted_at`) is an observation.',
      judges: ['checks/life/life-04-deleted'],
      shownByTraffic: NO_LIFE,
      repair: 'Leave deleted items out of every read and list.',
    },
    {
      id: 'LIFE-05',
      text: 'A create that was refused with 4xx leaves nothing behind.',
      tolerance: 'Looked for by the name or email that only this request carried.',
      judges: ['checks/life/life-05-refused-create'],
      repair: 'Validate before the first write, or roll the transaction back.',
    },
    {
      id: 'LIFE-06',
      text: 'A read changes nothing: reading an item twice without writes in between gives the same, members that change on their own aside.',
      tolerance: 'Counters of views and `last_seen` kinds are observations.',
      judges: ['checks/life/life-06-reads-alike'],
      repair: 'Let GET write nothing that a reader sees.',
    },
    {
      id: 'LIFE-07',
      text: 'Read-only and undeclared members of a request are refused or ignored, never applied (mass assignment): `id`, owner, plan, role, price paid, state.',
      tolerance:
        'Applied only where the next read shows the sent value and a control shows that it would not be there by itself.',
      // Mass assignment lets a client write what it may not.
      severity: 'security',
      judges: ['checks/life/life-07-mass-assignment'],
      shownByTraffic: NO_LIFE,
      repair: 'Copy accepted members from a list of allowed names.',
    },
    {
      id: 'LIFE-08',
      level: 'discover',
      text: 'What a second delete, an update of a deleted id, and a create with a known name answer.',
      needs: AN_ANSWER,
      judges: ['checks/life/life-08-observed'],
      repair: 'Nothing is to be repaired: document it.',
    },
  ],
);
