// `npm run cases`: every fault and allowed oddity of the reference platform, of clients and of somebody else's APIs, which programme judges it
// today, by which clauses, and when it was last judged so.
// Ends with 1 where a case is judged by no programme.
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
for (const one of cases) {
  const asked = isTried(one) ? `today ${askedByDay(one)}; each night all clauses` : 'NO PROGRAMME';
  console.log(rowOf(one.kind, one.id, asked));
}
for (const { id, is, clause, isDueWhole } of CONTRACT_CASES) {
  const today = isDueWhole ? 'all clauses' : is === 'defect' ? clause : `the family of ${clause}`;
  console.log(rowOf(is, id, `today ${today}; each night all clauses`));
}
// Their tests try whole tables: test/webhooks.test.ts, test/clients.test.ts, test/load-pressure-faults.nightly.k6.test.ts.
const ofCommands = [
  ...ofCommand('fault', [...HOOK_FAULTS, ...CLIENT_FAULTS], 'today and each night all clauses of its command'),
  ...ofCommand(
    'tolerance',
    [...HOOK_TOLERANCES, ...CLIENT_TOLERANCES],
    'today and each night all clauses of its command',
  ),
  ...ofCommand('fault', LOAD_FAULTS, 'today nothing; each night the clauses of a load run'),
];
for (const row of ofCommands) console.log(row);
const counts = [
  `${cases.length + CONTRACT_CASES.length + ofCommands.length} cases, ${untried.length} without a programme`,
  `today all clauses judge ${DUE_WHOLE.length} of the reference platform's ${cases.length}`,
  `and ${CONTRACT_CASES.filter(({ isDueWhole }) => isDueWhole).length} of the ${CONTRACT_CASES.length} of somebody else's APIs`,
];
console.log(counts.join('; '));
process.exitCode = untried.length === 0 ? 0 : 1;

function ofCommand(kind: string, all: readonly { readonly id: string }[], asked: string): readonly string[] {
  return all.map(({ id }) => rowOf(kind, id, asked));
}

function rowOf(kind: string, id: string, asked: string): string {
  const times = `by day ${lastOf(id, 'daily')}, by night ${lastOf(id, 'nightly')}`;
  return `${kind.padEnd(10)} ${id.padEnd(36)} ${asked}; ${times}`;
}
