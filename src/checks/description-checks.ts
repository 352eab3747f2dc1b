// Every check that judges a description.
import type { DescriptionCheck } from './check.ts';
import { specChecks } from './spec/family.ts';

export const DESCRIPTION_CHECKS: readonly DescriptionCheck[] = specChecks;
