// SPEC-02 (should): OpenAPI version and info.version are those that the contract states for the service. Tolerance: A
//   description that is absent makes its service "not testable", never "pass".
import { type Breach, breached, cannotTell } from '../../contract/judgement.ts';
import type { DescriptionCheck } from '../check.ts';

export const spec02: DescriptionCheck = {
  clause: 'SPEC-02',
  title: 'The versions are those of the Versioning table',
  judge(description, { terms }) {
    const { openapi = null, version = null } = terms.services[description.service] ?? {};
    if (openapi === null || version === null) {
      const judgement = cannotTell('not-declared', `the Versioning table has no service ${description.service}`);
      return [{ operation: null, judgement }];
    }
    const breaches = [
      ...versionBreaches('spec-02.openapi-version', 'OpenAPI version', '/openapi', description.openapi, openapi),
      ...versionBreaches('spec-02.info-version', 'info.version', '/info/version', description.version, version),
    ];
    return [{ operation: null, judgement: breached(breaches, 2) }];
  },
};

function versionBreaches(code: string, subject: string, pointer: string, actual: string, expected: string): Breach[] {
  if (actual === expected) return [];
  const message = `${subject} is ${actual}, expected ${expected}, as the Versioning table says`;
  const cause = `${subject} differs from the Versioning table`;
  return [{ weight: 'breach', code, cause, message, expected, actual, pointer }];
}
