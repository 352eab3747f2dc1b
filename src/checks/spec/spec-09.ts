// SPEC-09: how the description drifts from the sizes that the source gives: observations, never a verdict.
import { type Breach, breached, noting, type Observed } from '../../contract/judgement.ts';
import { ADMIN_STATUS_COUNTS, SERVICE_SIZES } from '../../contract/platform.ts';
import type { Description } from '../../openapi/operation.ts';
import type { DescriptionCheck } from '../check.ts';
import { DOCUMENTED_OPERATIONS, describedAs } from './documented-operations.ts';

/** The service that the status table and the shown endpoints are taken to belong to. */
const SHOWN_SERVICE = 'admin';
const NOT_STATED = 'not stated by the source';

export const spec09: DescriptionCheck = {
  clause: 'SPEC-09',
  title: 'Operations, resources and statuses against the counts of the source',
  judge(description) {
    const counts = [...sizeDrift(description), ...statusDrift(description)];
    const lacking = lackingOperations(description);
    const rows = [...counts.map(countRow), ...lackingRow(lacking)];
    return [{ operation: null, judgement: noting(breached([...counts, ...lacking.map(lackingBreach)]), rows) }];
  },
};

function sizeDrift({ service, operations }: Description): Breach[] {
  const stated = SERVICE_SIZES[service];
  const resources = new Set(operations.flatMap(({ tags }) => tags)).size;
  return [
    ...countDrift('operations', operations.length, stated?.operations, '/paths'),
    ...countDrift('resources (tags)', resources, stated?.resources, '/tags'),
  ];
}

function statusDrift({ service, operations }: Description): Breach[] {
  if (service !== SHOWN_SERVICE) return [];
  const counts = new Map<string, number>();
  for (const { responses } of operations) {
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const statuses = new Set([...Object.keys(ADMIN_STATUS_COUNTS), ...counts.keys()]);
  return [...statuses]
    .sort()
    .flatMap((status) =>
      countDrift(`operations that declare ${status}`, counts.get(status) ?? 0, ADMIN_STATUS_COUNTS[status], '/paths'),
    );
}

/** Keys of the operations that the source shows and the description has not. */
function lackingOperations(description: Description): readonly string[] {
  if (description.service !== SHOWN_SERVICE) return [];
  return DOCUMENTED_OPERATIONS.filter((documented) => describedAs(documented, description) === undefined).map(
    ({ key }) => key,
  );
}

function lackingBreach(key: string): Breach {
  const message = `the description has no ${key}, which the source shows`;
  return observation(`${key} is not described`, message, 'described', 'not described', '/paths');
}

function countRow({ cause, actual, expected }: Breach): Observed {
  return fromDescription(
    cause.replace(/^the number of /, ''),
    `${actual}; ${expected === NOT_STATED ? NOT_STATED : `the source says ${expected}`}`,
  );
}

function lackingRow(keys: readonly string[]): readonly Observed[] {
  if (keys.length === 0) return [];
  return [fromDescription('operations that the source shows and the description lacks', keys.join(', '))];
}

function fromDescription(subject: string, value: string): Observed {
  return { subject, value, confidence: 'sure', calls: 0, basis: 'the description' };
}

/** Nothing when the counts agree; without a count in the source, what is there. */
function countDrift(what: string, actual: number, stated: number | undefined, pointer: string): Breach[] {
  if (actual === stated) return [];
  const expected = stated === undefined ? NOT_STATED : String(stated);
  const message = `the description has ${actual} ${what}; the source says ${expected}`;
  return [observation(`the number of ${what}`, message, expected, String(actual), pointer)];
}

function observation(cause: string, message: string, expected: string, actual: string, pointer: string): Breach {
  return { weight: 'observation', cause, message, expected, actual, pointer };
}
