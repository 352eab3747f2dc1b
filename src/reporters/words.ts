// The words every reporter says the same way: verdict, statuses, reasons, numbers, where clauses come from, and what all of
// it means.

import type { ClauseFamily } from '../contract/clause.ts';
import { commandOf } from '../contract/judged-by.ts';
import { number, plural } from '../contract/numbers.ts';
import type {
  Acceptance,
  ClauseStatus,
  Confidence,
  DescribedRun,
  Finding,
  FindingKind,
  HarnessError,
  ReasonCode,
  Report,
} from '../contract/report.ts';
import { uriEncoded } from '../exchange/decoded.ts';
import { isAccepted } from '../grading/acceptance.ts';

export const KIND_WORDS: Readonly<Record<FindingKind, readonly [one: string, many: string]>> = {
  violation: ['violation', 'violations'],
  advisory: ['advisory', 'advisories'],
  observation: ['observation', 'observations'],
};

export const STATUS_WORDS: Readonly<Record<ClauseStatus, readonly [one: string, many: string]>> = {
  fail: ['fails', 'fail'],
  pass: ['holds', 'hold'],
  observed: ['observed', 'observed'],
  'not-tested': ['not tested', 'not tested'],
  'not-applicable': ['not applicable', 'not applicable'],
};

export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string>> = {
  sure: 'sure',
  likely: 'likely',
  'cannot-tell': 'cannot tell',
};

export const REASON_WORDS: Readonly<Record<ReasonCode, string>> = {
  'not-implemented': 'not implemented yet',
  'service-pending': 'the description is pending',
  'no-credential': 'a key or credential is missing or refused',
  'no-fixture': 'no value for a path parameter',
  'mutations-denied': 'mutations or payments are denied',
  'not-declared': 'nothing described that it applies to',
  precondition: 'a precondition was not met',
  filtered: 'filtered out',
  sharded: 'left to another shard',
  budget: 'left out by the request budget',
  'time-limit': 'the time limit was reached',
  interrupted: 'the run was interrupted',
  'target-lost': 'the target was lost',
  'tool-missing': 'a needed tool is missing',
  'other-command': 'tested by another command',
  'harness-error': 'an error of the harness',
};

/** "Acme API contract (acme.contract.yaml, 1a2b3c4)". */
export function contractInWords({ name, file, digest }: NonNullable<Report['contract']>): string {
  return `${name} (${file === null ? '' : `${file}, `}${digest.slice(0, SHOWN_DIGITS)})`;
}

/** "judged against Acme API contract (acme.contract.yaml, 1a2b3c4)"; null where the contract is one of the two that need no file. */
export function judgedAgainst({ contract }: Pick<Report, 'contract'>): string | null {
  if (contract === undefined || (contract.file === null && PLAIN_CONTRACTS.includes(contract.name))) return null;
  return `judged against ${contractInWords(contract)}`;
}

/** The platform's own, and that of descriptions alone. */
const PLAIN_CONTRACTS: readonly string[] = ['commerce', 'openapi'];

/** Words on an earlier run that was judged against another contract; empty where it was not. */
export function otherContractWords({ contract }: { readonly contract?: NonNullable<Report['contract']> }): string {
  return contract === undefined ? '' : `it was judged against another contract, ${contractInWords(contract)}`;
}

/** As git shows a commit. */
const SHOWN_DIGITS = 7;

/** Tells whether others made the exchanges: nothing was drawn for them, and nothing could be added to them. */
export function isOfTraffic({ command }: Report['run']): boolean {
  return command === 'check' || command === 'proxy';
}

/** Advice on how a clause comes to be judged that was not, in words in which `backticks` mark code. */
const REMEDIES: Readonly<Record<ReasonCode, string>> = {
  'not-implemented': '',
  'service-pending': 'Name its description under `services`.',
  'no-credential': 'Configure one that is accepted under `keys` or `credentials`.',
  'no-fixture': 'Give a value under `fixtures`.',
  'mutations-denied': 'Set `mutations: allow` where the target may be changed.',
  'not-declared': '',
  precondition: '',
  filtered: 'Run without the filters, and without `skip`.',
  sharded: 'Join the shards: `assay report --merge`.',
  budget: 'Run with a larger `--budget`, or without one.',
  'time-limit': 'Run with a larger `--time-limit`.',
  interrupted: 'Go on with `--resume`.',
  'target-lost': 'Run again once the target answers.',
  'tool-missing': 'Install the tool: `assay doctor` names it.',
  'other-command': '',
  'harness-error': 'Report the error above.',
};

/** The advice for a reason; empty where the reason itself names the key of the configuration or the option. */
export function remedyOf(reasonCode: ReasonCode, reason = ''): string {
  return /\bmutations: |\bcredentials\.|\bkeys\[|\bfixtures\.|\bload\.caps| --[a-z]/.test(reason)
    ? ''
    : REMEDIES[reasonCode];
}

/** Why something was not tested, in the words of the run. */
export function reasonWords(reasonCode: ReasonCode, run: Report['run']): string {
  return reasonCode === 'precondition' && isOfTraffic(run)
    ? 'the traffic did not exercise it'
    : REASON_WORDS[reasonCode];
}

/** "seed 1", after a dot; empty where nothing was drawn. */
export function seedWords(run: Report['run']): string {
  return isOfTraffic(run) ? '' : ` · seed ${run.seed}`;
}

export const FAMILY_WORDS: Readonly<Record<ClauseFamily, string>> = {
  SPEC: 'The descriptions themselves',
  SCH: 'Responses against their schemas',
  ERR: 'The error envelope',
  AUTH: 'Authentication',
  REQ: 'What bad requests get',
  PAG: 'Pagination',
  IDEM: 'Idempotency',
  RATE: 'Rate limits',
  VER: 'Versioning',
  RED: 'Redirects',
  HEALTH: 'Liveness',
  INT: 'Internal paths',
  LIFE: 'The life of a resource',
  COND: 'Conditional requests',
  HOOK: 'Webhooks',
  CLIENT: 'Clients of the platform',
  X: 'Checks of your own',
};

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
  COND: 'RFC 9110, 8.8.3 and 13.1',
  HOOK: 'Events',
  CLIENT: 'Retry guidance; Limits; Authentication',
  X: 'The configuration of this run',
};

/** "in 15 of 55 answers": how often a finding was seen; reports of older versions counted checks. */
export function seenWords({ seen, occurrences, looks }: Pick<Finding, 'seen' | 'occurrences' | 'looks'>): string {
  if (seen === undefined) return `in ${number(occurrences)} of ${plural(looks, 'check')}`;
  return `in ${number(seen.times)} of ${plural(seen.of, seen.what.slice(0, -1))}`;
}

/** In three digits: 14.5. */
export function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A rate, requests/s, rounded to the side that claims less: whole, below a hundred in tenths. */
export function rateText(ratePerSecond: number, towards: 'floor' | 'ceil'): string {
  const parts = ratePerSecond < 100 ? 10 : 1;
  return number(Math[towards](Number((ratePerSecond * parts).toPrecision(12))) / parts);
}

/** A share as "1.2 %", "61 %"; one that is neither all nor nothing does not read so: "over 99.9 %", "under 0.1 %". */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1 %';
  if (share > 0.999 && share < 1) return 'over 99.9 %';
  return `${Number((share * 100).toFixed(share < 0.1 || share > 0.99 ? 1 : 0))} %`;
}

/** Milliseconds as "340 ms", "12.4 s" or "3 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `npx assay conform` as it judges the same target with the same configuration again, and with what the options name besides; null where it judges other clauses. */
export function startCommand(
  { run, target }: Pick<Report, 'run' | 'target'>,
  options: Readonly<Record<string, string | undefined>> = {},
): string | null {
  if (run.command !== undefined) return null;
  const { described } = run;
  const named =
    target.embedded === true || described !== undefined
      ? {}
      : { '--config': run.config, '--env': run.env, '--base-url': target.baseUrl };
  const given = Object.entries({ ...named, ...options }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, shellWord(value)],
  );
  const first = described === undefined ? (target.embedded === true ? ['--embedded'] : []) : describedWords(described);
  return ['npx assay conform', ...first, ...given].join(' ');
}

/** Arguments of `assay conform`, `plan` and `doctor` that judge the same target by the same description, as words of a shell. */
export function describedWords({ description, ...options }: DescribedRun): readonly string[] {
  return [shellWord(description), ...describedOptions(options)];
}

/** The options among them, which `assay init` takes, too. */
function describedOptions(options: Omit<DescribedRun, 'description'>): readonly string[] {
  const { baseUrl, mutations, contract } = options;
  const consent = mutations === undefined ? [] : ['--mutations', mutations];
  const stated = contract === undefined ? [] : ['--contract', shellWord(contract)];
  return ['--base-url', shellWord(baseUrl), ...secretOptions(options), ...consent, ...stated];
}

/** Those of them that say where secrets come from. */
export function secretOptions({ headers, keys }: Pick<DescribedRun, 'headers' | 'keys'>): readonly string[] {
  const words = (option: string, values: readonly string[]) => values.flatMap((value) => [option, shellWord(value)]);
  return [...words('--header', headers), ...words('--key', keys)];
}

/** The command that makes a configuration of a run by a description alone. */
export function initCommand({ description, ...options }: DescribedRun): string {
  return ['npx assay init --description', shellWord(description), ...describedOptions(options)].join(' ');
}

/** The text as one word of a shell's line. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that shows a finding again, empty where none does; `command` is `npx assay conform` with what the target needs. */
export function replayCommand(
  { fingerprint, clause }: Pick<Finding, 'fingerprint' | 'clause'>,
  command: string | null,
): string {
  // No request to the target shows again the findings of webhooks and clients.
  return command === null || commandOf(clause) !== null ? '' : `${command} --replay ${fingerprint}`;
}

/** The target as a reader knows it: its address, that it is the embedded reference platform, or the command of a client. */
export function targetName({ target }: Pick<Report, 'target'>): string {
  if (target.client !== undefined) return `the client ${target.client}`;
  return target.embedded === true ? `the embedded reference platform (${target.baseUrl})` : target.baseUrl;
}

/** Tells whether a violation of the report is no part of its verdict. */
export function isAcceptedIn({ acceptance }: Report, finding: Finding): boolean {
  return acceptance !== undefined && isAccepted(finding, acceptance);
}

/** Fingerprints of what is new: the baseline or, where none is given, the last comparable run did not find it. */
export function newIn({ acceptance, since, findings }: Report): ReadonlySet<string> {
  if (acceptance?.baseline == null) return new Set(since?.appeared);
  const fresh = findings.filter(({ kind, known }) => kind === 'violation' && known !== true);
  return new Set(fresh.map(({ fingerprint }) => fingerprint));
}

/** "main (20 Nov 2026, 1a2b3c4)", or the run's id where its report does not say what it is of. */
export function baselineName({ run, startedAt, revision }: NonNullable<Acceptance['baseline']>): string {
  const day = startedAt === undefined ? [] : [dayWords(startedAt)];
  const commit = revision?.commit == null ? [] : [revision.commit.slice(0, COMMIT_CHARACTERS)];
  const more = revision?.branch == null ? commit : [...day, ...commit];
  return `${revision?.branch ?? run}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** Characters that tell a commit apart. */
export const COMMIT_CHARACTERS = 7;
const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

function dayWords(instant: string): string {
  return DAYS.format(new Date(instant));
}

/** Why it is accepted: "waived until 2026-03-31 by Team A: the gateway is replaced (T-12)". */
export function acceptedBecause({ waiver }: Finding): string {
  if (waiver === undefined) return 'known: the baseline has it too';
  const ticket = waiver.ticket === null ? '' : ` (${waiver.ticket})`;
  return `waived until ${waiver.expires} by ${waiver.owner}: ${waiver.reason}${ticket}`;
}

/** Why the run is not whole or has no verdict, or what a replay leaves open; null for a whole run with a verdict. */
export function runNote(report: Report): string | null {
  if (report.run.note !== undefined) return report.run.note;
  const { clause, others } = report.replay ?? { clause: '', others: 0 };
  if (others > 0)
    return `${plural(others, 'other finding')} of ${clause} showed on the way: a whole run judges ${others === 1 ? 'it' : 'them'}.`;
  return report.run.partial ? 'The run ended before everything in scope was tested.' : null;
}

/** "ERR-12: RangeError in a check (src/checks/err/err-12.ts:40), first on ex-12, 3 times". */
export function harnessErrorLine({ clauses, where, error, at, exchange, times }: HarnessError): string {
  const subject = clauses.length === 0 ? '' : `${clauses.join(', ')}: `;
  const place = at === null ? '' : ` (${at})`;
  const cause = exchange === null ? '' : `, ${times > 1 ? 'first on' : 'on'} ${exchange}`;
  return `${subject}${error} in ${where}${place}${cause}${times > 1 ? `, ${number(times)} times` : ''}`;
}

/** The reason as given, else what its code means: "no expired token is configured". */
export function reasonPhrase(row: { readonly reasonCode?: ReasonCode; readonly reason?: string }): string {
  if (row.reason !== undefined && row.reason !== '') return row.reason;
  return row.reasonCode === undefined ? '' : REASON_WORDS[row.reasonCode];
}

/** The address of the trace; null where nobody says where traces are looked at, or that is no web address. */
export function traceLink({ traceUrl }: { readonly traceUrl?: string | undefined }, traceId: string): string | null {
  if (traceUrl === undefined) return null;
  const url = URL.parse(traceUrl.replaceAll('{traceId}', uriEncoded(traceId)));
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** Words with their meaning, by topic. */
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
      [
        'holds',
        'Checked at least once, and without a violation; an advisory leaves it at that. A clause without a check never holds.',
      ],
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
      [
        'new',
        'The baseline does not have it; without a baseline, the last run with the same operations and clauses on this target did not find it.',
      ],
      ['check', 'One comparison of an answer, or of a description, with what a clause demands.'],
      [
        'redacted message',
        'The text of an error may hold personal data and stays out of reports, unless the configuration says `evidence: { errorMessages: keep }`.',
      ],
      ['intermittent', 'Sending the same request again did not always show it. It still counts.'],
    ],
  },
] as const;
