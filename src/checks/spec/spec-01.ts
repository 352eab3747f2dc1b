// SPEC-01 (must): Each service's description is valid OpenAPI 3.0.x or 3.1.x. Tolerance: Errors name file, JSON
//   pointer, rule.
import { codeOf } from '../../contract/code.ts';
import type { ContractName } from '../../contract/contract.ts';
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import type { Description, Problem } from '../../openapi/model/operation.ts';
import type { DescriptionCheck } from '../check.ts';

const EXPECTED = 'valid OpenAPI';

/** The versions that a description may be of, and how they are written. */
const VERSIONS: Readonly<Record<ContractName, { readonly written: RegExp; readonly named: string }>> = {
  commerce: { written: /^3\.[01]\.\d+/, named: '3.0.x or 3.1.x' },
  openapi: { written: /^(2\.0$|3\.[012]\.\d+)/, named: '2.0, 3.0.x, 3.1.x or 3.2.x' },
};

/** Problems of Assay's own: a description that nobody allowed to be read, or that is too large to judge by, may be sound. */
const BEYOND_US: readonly string[] = ['unread-ref', 'schema-too-large'];

export const spec01: DescriptionCheck = {
  clause: 'SPEC-01',
  title: 'The description is valid OpenAPI 3.0.x or 3.1.x',
  judge: (description, { contract }) => [
    {
      operation: null,
      judgement: breached([...versionBreaches(description, contract), ...description.problems.map(problemBreach)]),
    },
  ],
};

/** The judgement on problems that show only once a schema is used. */
export function judgeLate(problems: readonly Problem[]): Judgement {
  return breached(problems.map(problemBreach));
}

function problemBreach({ file, pointer, rule, message, line }: Problem): Breach {
  const place = `${file}${line === undefined ? '' : `:${line}`}${pointer === '' ? '' : ` at ${pointer}`}`;
  return {
    weight: BEYOND_US.includes(rule) ? 'advisory' : 'breach',
    code: codeOf('SPEC-01', rule),
    cause: rule,
    message: `${place}: ${message} (rule ${rule})`,
    expected: EXPECTED,
    actual: message,
    pointer,
  };
}

function versionBreaches({ file, openapi, problems }: Description, contract: ContractName): Breach[] {
  const pointer = '/openapi';
  const { written, named } = VERSIONS[contract];
  if (written.test(openapi) || problems.some((problem) => problem.pointer === pointer)) return [];
  const message = `${file} at ${pointer}: the OpenAPI version is ${openapi}, expected ${named}`;
  const [code, cause] = ['spec-01.openapi-version', 'openapi-version'];
  return [{ weight: 'breach', code, cause, message, expected: named, actual: openapi, pointer }];
}
