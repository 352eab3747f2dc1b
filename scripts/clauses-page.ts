// `npm run clauses`: writes docs/clauses.md, one section per clause: the law and its tolerance, who judges it, what is sent
// for it, the faults that prove the judge and the allowed oddities that it must let pass, and the tests that name it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clause, Level } from '../src/contract/clause.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import { type Basis, commandOf, type Dossier, dossierOf } from '../src/contract/dossiers.ts';
import { FLOORS, floorInWords } from '../src/contract/grounds.ts';
import { repairOf } from '../src/contract/repairs.ts';
import { sentFor } from '../src/contract/sent-words.ts';
import { SEVERITY_WORDS, severityOf } from '../src/contract/severity.ts';
import type { Deviation } from '../src/platform/deviation.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { HOOK_FAULTS } from '../src/platform/faults/hook.ts';
import { LOAD_FAULTS } from '../src/platform/faults/load.ts';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { HOOK_TOLERANCES } from '../src/platform/tolerances/hook.ts';
import { CLIENT_FAULTS, CLIENT_TOLERANCES } from '../test/clients/deviations.ts';

const ROOT = join(import.meta.dirname, '..');
/** Where the page stands, from the repository's root. */
export const CLAUSES_PAGE = 'docs/clauses.md';

const LEVELS: Readonly<Record<Level, string>> = {
  must: 'must (a breach is a violation)',
  should: 'should (a breach is an advisory)',
  discover: 'discover (observed, never judged)',
};
const BASES: Readonly<Record<Basis, string>> = {
  description: 'the descriptions',
  exchange: 'every exchange',
  run: 'the run as a whole',
  experiment: 'experiments',
  delivery: 'delivered webhooks',
  scenario: 'the scenarios that a client meets',
};

/** The whole page as Markdown. Reads the tests' sources. */
export function clausesPage(): string {
  const tests = globSync('{src,test}/**/*.test.ts', { cwd: ROOT })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const testsOf = (id: string) => tests.filter(({ text }) => text.includes(id)).map(({ path }) => path);
  return [
    '# Clauses',
    '',
    'This page is generated from the clauses, their dossiers (`src/contract/dossiers.ts`), the faults and the allowed',
    'oddities of the reference platform, and the tests. `npm run clauses` writes it again, and a test compares it.',
    '',
    'Every clause has an allowed oddity, which raises nothing, and every clause that is judged has a fault, which it catches.',
    'A `discover` clause is observed and never judged, so that no fault can break it.',
    '',
    ...CLAUSES.flatMap((clause) => section(clause, dossierOf(clause.id), testsOf(clause.id))),
  ].join('\n');
}

function section({ id, level, text, tolerance }: Clause, dossier: Dossier, tests: readonly string[]): string[] {
  const { on, judges, experiments = [], load = [], openapi } = dossier;
  const faults = [...FAULTS, ...LOAD_FAULTS, ...HOOK_FAULTS, ...CLIENT_FAULTS];
  const oddities = [...TOLERANCES, ...HOOK_TOLERANCES, ...CLIENT_TOLERANCES];
  return [
    `## ${id}`,
    '',
    text,
    '',
    ...(tolerance === '' ? [] : [`> Tolerance: ${tolerance}`, '']),
    `- **Level**: ${LEVELS[level]}`,
    `- **Severity**: ${severityOf(id)} (${SEVERITY_WORDS[severityOf(id)]})`,
    `- **How to repair**: ${repairOf(id)}`,
    `- **Judged on**: ${on.map((basis) => BASES[basis]).join(', ')}`,
    `- **Command**: \`${commandOf(id) ?? 'assay conform'}\``,
    ...(FLOORS[id] === undefined ? [] : [`- **A pass needs**: at least ${floorInWords(id)}`]),
    `- **Sent**: ${sentFor(id).join(' ')}`,
    ...listed('Judges', judges.map(sourceOf).map(link)),
    ...listed('Experiments', experiments.map(sourceOf).map(link)),
    ...listed('Load suites', load),
    ...(openapi === undefined ? [] : [`- **Under \`contract: openapi\`**: ${CLAIMS[openapi]}`]),
    ...listed('Faults', idsOf(faults, id)),
    ...listed('Allowed oddities', idsOf(oddities, id)),
    ...listed('Tests', tests.map(link)),
    '',
  ];
}

const CLAIMS: Readonly<Record<NonNullable<Dossier['openapi']>, string>> = {
  description: 'a description alone decides it',
  pagination: 'for the operations that `laws.pagination` names',
  idempotency: 'for the operations that `laws.idempotency` names',
};

/** The source file that a dossier names. */
export function sourceOf(name: string): string {
  return `src/${name}.ts`;
}

function listed(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`- **${title}**: ${entries.join(', ')}`];
}

function link(path: string): string {
  return `[\`${path}\`](../${path})`;
}

function idsOf(deviations: readonly Pick<Deviation, 'id' | 'clause'>[], clause: string): string[] {
  return deviations.filter((deviation) => deviation.clause === clause).map(({ id }) => `\`${id}\``);
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(ROOT, CLAUSES_PAGE), clausesPage());
