// `npm run cases`: every fault and allowed oddity of the reference platform, of clients and of somebody else's APIs, which programme judges it
// today, by which clauses, and when it was last judged so.
// Ends with 1 where a case is judged by no programme. `npm run cases -- RATE-04` tells how those of one clause depart.
import { existsSync, readFileSync } from 'node:fs';
import { HOOK_FAULTS } from '../src/platform/faults/hook.ts';
import { LOAD_FAULTS } from '../src/platform/faults/load.ts';
import { HOOK_TOLERANCES } from '../src/platform/tolerances/hook.ts';
import { CASES, type Case, clausesOfFamily } from '../src/simulation/cases.ts';
import { CLIENT_FAULTS, CLIENT_TOLERANCES } from '../test/clients/deviations.ts';
import { CONTRACT_CASES } from '../test/contracts/all-cases.ts';
import { TABLES } from '../test/faults/families.ts';
import { DUE_WHOLE, isTriedToday, type KeptLook, LOOKS_FILE } from '../test/looks.ts';

const looks: readonly KeptLook[] = existsSync(LOOKS_FILE)
  ? readFileSync(LOOKS_FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : [];

function lastOf(id: string, programme: KeptLook['programme']): string {
  const last = looks.findLast((look) => look.id === id && look.programme === programme);
  return last === undefined ? 'never here' : `${last.at.slice(0, 16).replace('T', ' ')} (${last.rung})`;
}

/** What the daily programme asks: a fault's own clause first, and more only where that does not decide. */
function askedByDay(one: Case): string {
  if (DUE_WHOLE.includes(one)) return 'all clauses';
  if (!isTriedToday(one)) return 'nothing';
  if (one.kind === 'fault') return `${one.clause}, else its family, else all`;
  return `the family of ${one.clause} (${clausesOfFamily(one).length} clauses)`;
}

const families = Object.values(TABLES).flat();
const isTried = ({ kind, clause }: Case): boolean =>
  kind === 'tolerance' ? clause !== null : families.some((family) => clause?.startsWith(`${family}-`) === true);

const cases = CASES.filter(({ kind }) => kind !== 'conformant');
const untried = cases.filter((one) => !isTried(one));

interface Row {
  readonly kind: string;
  readonly id: string;
  readonly clause: string | null;
  /** How the case departs; absent where its id says so. */
  readonly description?: string | undefined;
  readonly asked: string;
}

const rows: readonly Row[] = [
  ...cases.map((one) => {
    const asked = isTried(one) ? `today ${askedByDay(one)}; each night all clauses` : 'NO PROGRAMME';
    return { ...one, description: one.deviations[0]?.description, asked };
  }),
  ...CONTRACT_CASES.map(({ id, is, clause, isDueWhole }) => {
    const today = isDueWhole ? 'all clauses' : is === 'defect' ? clause : `the family of ${clause}`;
    return { kind: is, id, clause, asked: `today ${today}; each night all clauses` };
  }),
  // Their tests try whole tables: test/webhooks.test.ts, test/clients.test.ts, test/load-pressure-faults.nightly.k6.test.ts.
  ...ofCommand('fault', [...HOOK_FAULTS, ...CLIENT_FAULTS], 'today and each night all clauses of its command'),
  ...ofCommand(
    'tolerance',
    [...HOOK_TOLERANCES, ...CLIENT_TOLERANCES],
    'today and each night all clauses of its command',
  ),
  ...ofCommand('fault', LOAD_FAULTS, 'today nothing; each night the clauses of a load run'),
];
const only = process.argv[2]?.toUpperCase();
const told = rows.filter(({ clause }) => only === undefined || clause === only);
for (const row of told) console.log(only === undefined ? programmesOf(row) : departureOf(row));
const counts = [
  `${rows.length} cases, ${untried.length} without a programme`,
  `today all clauses judge ${DUE_WHOLE.length} of the reference platform's ${cases.length}`,
  `and ${CONTRACT_CASES.filter(({ isDueWhole }) => isDueWhole).length} of the ${CONTRACT_CASES.length} of somebody else's APIs`,
];
console.log(only === undefined ? counts.join('; ') : `${told.length} cases of ${only}`);
process.exitCode = untried.length === 0 ? 0 : 1;

function ofCommand(kind: string, all: readonly Omit<Row, 'kind' | 'asked'>[], asked: string): readonly Row[] {
  return all.map(({ id, clause, description }) => ({ kind, id, clause, description, asked }));
}

function programmesOf({ kind, id, asked }: Row): string {
  const times = `by day ${lastOf(id, 'daily')}, by night ${lastOf(id, 'nightly')}`;
  return `${kind.padEnd(10)} ${id.padEnd(36)} ${asked}; ${times}`;
}

function departureOf({ kind, id, description = '' }: Row): string {
  return `${kind.padEnd(10)} ${id.padEnd(36)} ${description}`.trimEnd();
}
