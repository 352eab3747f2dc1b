// What the words of the page mean: verdicts, statuses, kinds of findings; and where each family of clauses comes from.
import type { ClauseFamily } from '../../contract/clause.ts';

/** By topic, each word with its meaning. */
export const LEGEND = [
  {
    title: 'Verdict of the run',
    entries: [
      ['Keeps its contract', 'Every clause that was tested holds.'],
      ['Breaks its contract', 'At least one violation was found; each one below comes with its evidence.'],
      ['No verdict', 'The target was unreachable or lost, or too little could be tested to say either.'],
    ],
  },
  {
    title: 'Status of a clause',
    entries: [
      ['fails', 'At least one violation.'],
      ['holds', 'Checked at least once, and never broken. A clause without a check never holds.'],
      ['observed', 'The contract leaves it open; the run discovered what the platform does and does not judge it.'],
      ['not tested', 'Nothing was checked, for the reason given. It says nothing about the platform.'],
      ['not applicable', 'The descriptions hold nothing that the clause speaks about.'],
    ],
  },
  {
    title: 'Kind of a finding',
    entries: [
      ['violation', 'A clause that must hold is broken. Fails the run.'],
      ['advisory', 'A clause that should hold is not kept, or is kept in a discouraged way. Never fails the run.'],
      ['observation', 'A fact about the platform that the source leaves open. Never judged.'],
    ],
  },
  {
    title: 'How sure an observation is',
    entries: [
      ['sure', 'The platform says so itself, or several calls show it and nothing else explains them.'],
      ['likely', 'The best explanation of what was seen, or seen once.'],
      ['cannot tell', 'What was seen does not decide; the value is a bound, or unknown.'],
    ],
  },
  {
    title: 'Words',
    entries: [
      ['must, should, discover', 'The level of a clause: a breach is a violation, an advisory, an observation.'],
      ['reach', 'Operations tested, of the operations in scope.'],
      ['cause', 'What findings of one clause have in common: one thing to repair.'],
      ['accepted', 'Waived by somebody until a day, or in the baseline: shown, and no part of the verdict.'],
      ['new', 'The last run with the same operations and clauses on this target did not find it.'],
      ['check', 'One comparison of an answer, or of a description, with what a clause demands.'],
      [
        'redacted message',
        'The text of an error may hold personal data and stays out of reports, unless the configuration says `evidence: { errorMessages: keep }`.',
      ],
      ['intermittent', 'Sending the same request again did not always show it. It still counts.'],
    ],
  },
] as const;

/** Sections of the interface's description, by family; the user's own clauses have another source. */
export const FAMILY_SOURCE: Readonly<Record<ClauseFamily, string>> = {
  SPEC: 'Versioning; Authentication; Endpoints',
  SCH: 'Statuses declared on operations; the description itself',
  ERR: 'Errors; Error object fields; Code catalogue',
  AUTH: 'Authentication',
  REQ: 'Errors; Code catalogue; Endpoints',
  PAG: 'Endpoints, Pagination patterns; Paged envelope',
  IDEM: 'Endpoints, Idempotency',
  RATE: 'Limits',
  VER: 'Versioning',
  RED: 'Endpoints, Pagination patterns; Statuses declared on operations',
  HEALTH: 'Endpoints',
  INT: 'Endpoints',
  LIFE: 'Every client relies on it',
  HOOK: 'Events',
  CLIENT: 'Retry guidance; Limits; Authentication',
  X: 'The configuration of this run',
};
