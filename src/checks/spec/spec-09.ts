// SPEC-09 (discover): Operations, resources (tags), statuses declared per service, against the counts that the source
//   gives. Tolerance: A drift table, never a verdict.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, noting, type Observed } from '../../contract/judgement.ts';
import type { ServiceTerms } from '../../contract/terms.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { DescriptionCheck } from '../check.ts';
import { describedAs } from './documented-operations.ts';

const NOT_STATED = 'not stated by the source';

export const spec09: DescriptionCheck = {
  clause: 'SPEC-09',
  title: 'Operations, resources and statuses against the counts of the source',
  judge(description, { terms }) {
    const stated = terms.services[description.service];
    const counts = [...sizes(description, stated), ...statuses(description, stated)];
    const lacking = lackingOperations(description, stated);
    const rows = [...counts.map(countRow), ...lackingRow(lacking)];
    const breaches = [...counts.filter(differs).map(countBreach), ...lacking.map(lackingBreach)];
    return [{ operation: null, judgement: noting(breached(breaches), rows) }];
  },
};

/** A count of the description, beside what the source gives. */
interface Count {
  readonly code: string;
  /** The count, in words. */
  readonly what: string;
  readonly actual: number;
  /** undefined: the source gives no count. */
  readonly stated: number | undefined;
  readonly pointer: string;
}

function sizes({ operations }: Description, service: ServiceTerms | undefined): readonly Count[] {
  const stated = service?.operations ?? undefined;
  const statedResources = service?.resources ?? undefined;
  const actual = operations.length;
  const resources = new Set(operations.flatMap(({ tags }) => tags)).size;
  return [
    { code: 'spec-09.operations', what: 'operations', actual, stated, pointer: '/paths' },
    {
      ...{ code: 'spec-09.resources', what: 'resources (tags)' },
      ...{ actual: resources, stated: statedResources, pointer: '/tags' },
    },
  ];
}

function statuses({ operations }: Description, service: ServiceTerms | undefined): readonly Count[] {
  const stated = service?.statuses ?? null;
  if (stated === null) return [];
  const counts = new Map<string, number>();
  for (const { responses } of operations) {
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const named = new Set([...Object.keys(stated), ...counts.keys()]);
  return [...named].sort().map((status) => ({
    code: codeOf('SPEC-09', 'status', status),
    what: `operations that declare ${status}`,
    actual: counts.get(status) ?? 0,
    stated: stated[status],
    pointer: '/paths',
  }));
}

/** Tells whether there is a drift to tell: a count that is not the stated one, or that the source does not give. */
function differs({ actual, stated }: Count): boolean {
  return actual !== stated;
}

/** Keys of the operations that the source shows and the description has not. */
function lackingOperations(description: Description, service: ServiceTerms | undefined): readonly string[] {
  const shown = service?.documented ?? [];
  return shown.flatMap(({ operation }) => (describedAs(operation, description) === undefined ? [operation] : []));
}

function lackingBreach(key: string): Breach {
  const message = `the description has no ${key}, which the source shows`;
  const kind = { code: codeOf('SPEC-09', 'lacks', key), cause: `${key} is not described` };
  return { weight: 'observation', ...kind, message, expected: 'described', actual: 'not described', pointer: '/paths' };
}

function countBreach({ code, what, actual, stated, pointer }: Count): Breach {
  const expected = statedInWords(stated);
  const message = `the number of ${what} is ${actual}; the source says ${expected}`;
  return {
    ...{ weight: 'observation', code, cause: `the number of ${what}` },
    ...{ message, expected, actual: String(actual), pointer },
  };
}

function countRow({ what, actual, stated }: Count): Observed {
  const source = stated === undefined ? NOT_STATED : `the source says ${stated}`;
  return fromDescription(what, `${actual}; ${source}`);
}

function statedInWords(stated: number | undefined): string {
  return stated === undefined ? NOT_STATED : String(stated);
}

function lackingRow(keys: readonly string[]): readonly Observed[] {
  if (keys.length === 0) return [];
  return [fromDescription('operations that the source shows and the description lacks', keys.join(', '))];
}

function fromDescription(subject: string, value: string): Observed {
  return { subject, value, confidence: 'sure', calls: 0, basis: 'the description' };
}
