// Holds what is known without a configuration: the descriptions shipped with the package, and the variables that hold keys.
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../contract/package-root.ts';
import { COMMERCE_TERMS } from '../contract/shipped.ts';
import type { ServiceConfig } from './config.ts';

/** Variables that hold the tokens, by plan; those that are not set are left out. */
export const TOKEN_VARIABLES = {
  standard: 'ASSAY_STANDARD',
  growth: 'ASSAY_GROWTH',
  enterprise: 'ASSAY_ENTERPRISE',
} as const;

/** The services of the contract with the descriptions that the package ships. */
export function builtinServices(): ServiceConfig[] {
  return Object.keys(COMMERCE_TERMS.services).map((name) => ({
    name,
    spec: join(PACKAGE_ROOT, 'specs', `${name}.openapi.yaml`),
    basePath: null,
  }));
}
