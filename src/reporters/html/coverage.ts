// How far the run went: which operations were tested, service by service, and how each fared; and which planted defects the
// run would have noticed.

import type { ClauseFamily } from '../../contract/clause.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { OperationRow, Report, ServiceRow } from '../../contract/report.ts';
import { loadSuiteOf } from '../../grading/changes.ts';
import { inputsOfOperation } from '../inputs-words.ts';
import { MISSED_WORDS, missedGroups, sensitivitySentence, shareOf } from '../sensitivity-words.ts';
import { cut } from '../text.ts';
import { groupUntested } from '../untested.ts';
import { FAMILY_WORDS, REASON_WORDS, reasonPhrase } from '../words.ts';
import { anchor } from './text.ts';

const KEY_CHARS = 300;

/** "290 of 292 operations" and the share in percent, rounded down: 100 is only said of all. */
export function reachOf({ operations, operationsTested }: Pick<ServiceRow, 'operations' | 'operationsTested'>) {
  return {
    tested: number(operationsTested),
    of: plural(operations, 'operation'),
    percent: operations === 0 ? 0 : Math.floor((100 * operationsTested) / operations),
  };
}

/** Every service with its operations by resource, in the report's order. */
export function coverageView(report: Report) {
  const operations = Map.groupBy(report.operations, ({ service }) => service);
  return report.services.map((service) => {
    const rows = operations.get(service.name) ?? [];
    return {
      name: service.name,
      description: describe(service),
      testable: service.testable,
      reason: service.reason ?? '',
      reach: reachOf(service),
      // Load goes past the client, whose requests these are.
      requests: loadSuiteOf(report) === undefined ? `, ${plural(service.requests, 'request')}` : '',
      used: usedOf(rows),
      untested: groupUntested(rows).map(({ reasonCode, reason, rows: untested }) => ({
        count: plural(untested.length, 'operation'),
        reason: cut(reason ?? REASON_WORDS[reasonCode], KEY_CHARS),
      })),
      resources: [...Map.groupBy(rows, ({ resource }) => resource)].map(([resource, members]) => ({
        name: cut(resource, KEY_CHARS),
        id: anchor('r', service.name, resource),
        tested: members.filter(({ tested }) => tested).length,
        failing: members.filter(({ clauses }) => Object.values(clauses).some(({ status }) => status === 'fail')).length,
        operations: members.map(operationView),
      })),
    };
  });
}

function describe({ spec, openapi, version }: ServiceRow): string {
  const parts = [spec, openapi && `OpenAPI ${openapi}`, version && `version ${version}`];
  return cut(parts.filter(Boolean).join(' · '), KEY_CHARS);
}

function operationView(row: OperationRow) {
  const clauses = Object.entries(row.clauses);
  const failing = clauses.filter(([, { status }]) => status === 'fail').map(([id]) => id);
  const [method, ...path] = row.operation.split(' ');
  return {
    id: anchor('op', row.service, row.operation),
    method,
    path: cut(path.join(' '), KEY_CHARS),
    requests: number(row.requests),
    unused: unusedOf(row),
    inputs: cut(inputsOfOperation(row), KEY_CHARS),
    statuses: Object.entries(row.statuses).map(([status, count]) => ({
      status: status === 'failed' ? 'no answer' : status,
      count: number(count),
    })),
    state: failing.length > 0 ? 'fail' : row.tested ? 'pass' : 'not-tested',
    failing,
    result: row.tested ? plural(clauses.filter(([, { checks }]) => checks > 0).length, 'clause') : reasonPhrase(row),
  };
}

/** "40 of 52 parameters sent, 61 of 90 declared statuses met"; empty where no row tells. */
function usedOf(
  rows: readonly OperationRow[],
): readonly { readonly what: string; readonly met: string; readonly percent: number }[] {
  const uses = rows.flatMap(({ declared = [] }) => declared);
  const count = (what: string, counts: readonly number[]) => ({
    what,
    met: `${number(counts.filter((one) => one > 0).length)} of ${number(counts.length)}`,
    percent: Math.floor((100 * counts.filter((one) => one > 0).length) / counts.length),
  });
  return [
    count(
      'parameters and bodies sent',
      uses.flatMap(({ parameters }) => Object.values(parameters)),
    ),
    count(
      'declared statuses met',
      uses.flatMap(({ statuses }) => Object.values(statuses)),
    ),
    ...inputsOfRows(rows),
  ].filter(({ percent }) => Number.isFinite(percent));
}

/** "input targets exercised"; empty where no row tells. */
function inputsOfRows(rows: readonly OperationRow[]) {
  const inputs = rows.flatMap(({ inputs = [] }) => inputs);
  const sum = (of: 'targets' | 'exercised'): number => inputs.reduce((total, row) => total + row[of], 0);
  const [targets, exercised] = [sum('targets'), sum('exercised')];
  const met = `${number(exercised)} of ${number(targets)}`;
  return [{ what: 'input targets exercised', met, percent: Math.floor((100 * exercised) / targets) }];
}

/** Parts that the description declares for the operation and the run did not meet. */
function unusedOf({ declared, tested }: OperationRow): string {
  if (declared === undefined || !tested) return '';
  const idle = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [name] : []));
  const parts = [
    ['not sent', idle(declared.parameters)],
    ['not met', idle(declared.statuses)],
  ] as const;
  return cut(
    parts.flatMap(([word, names]) => (names.length === 0 ? [] : `${word}: ${names.join(', ')}`)).join(' · '),
    KEY_CHARS,
  );
}

/** null where the run was not asked. */
export function sensitivityView({ sensitivity }: Pick<Report, 'sensitivity'>) {
  if (sensitivity === undefined) return null;
  const { planted, places } = sensitivity;
  const groups = missedGroups(sensitivity);
  return {
    sentence: sensitivitySentence(sensitivity),
    sample:
      places > planted
        ? `${plural(places, 'place')} in all; each kind of defect was planted at a sample of them.`
        : null,
    families: Object.entries(sensitivity.families).map(([family, counts]) => ({
      family,
      name: FAMILY_WORDS[family as ClauseFamily] ?? '',
      counts: `${number(counts.caught)} of ${number(counts.planted)}`,
      share: shareOf(counts.caught, counts.planted),
      percent: Math.floor((100 * counts.caught) / Math.max(1, counts.planted)),
    })),
    missed: plural(sensitivity.missed.length, 'defect'),
    groups: groups.map((group) => ({
      ...group,
      reasonWords: MISSED_WORDS[group.reason],
      where: group.operations.length === 0 ? ['the target as a whole'] : group.operations,
    })),
  };
}
